/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_jail.c - what a script's process may still do once it is closed, tried
 * by code of ours in its place, and the values that go to and fro.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../plugins/support/jq/worker/jail.h"
#include "../../../plugins/support/jq/worker/template.h"
#include "suite.h"

static int
try_open(void)
{
	return open("/etc/passwd", O_RDONLY) < 0 && errno == EPERM ? 0 : 1;
}

static int
try_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) < 0 && errno == EPERM ? 0 : 1;
}

static int
try_read(void)
{
	return open("/etc/passwd", O_RDONLY) >= 0 ? 0 : 1;
}

static int
try_create(void)
{
	return open("/tmp/limen-test-jail", O_WRONLY | O_CREAT, 0600) < 0 && errno == EPERM ? 0 : 1;
}

static int
try_kill(void)
{
	return kill(getppid(), 0) < 0 && errno == EPERM ? 0 : 1;
}

static int
try_write(void)
{
	return write(2, "x", 1) < 0 && errno == EPERM ? 0 : 1;
}

static int
try_code(void)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return code == MAP_FAILED && errno == EPERM ? 0 : 1;
}

static int
try_memory(void)
{
	/* What is freed unseen a compiler need not ask for. */
	void *volatile some = malloc((size_t)64 << 20);
	void *volatile much = malloc((size_t)4 << 30);
	int failed = some == NULL || much != NULL;

	free(some);
	free(much);
	return failed;
}

static int
try_environment(void)
{
	return getenv("HOME") == NULL && getenv("PATH") == NULL ? 0 : 1;
}

static int
try_fork(void)
{
	return fork() < 0 ? 2 : 3;
}

static int
try_exec(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return 2;
}

/* The CPU time of an earlier run is not that of the next. */
static int
try_time(void)
{
	struct rlimit limit;

	jail_allow(2000000000);
	return getrlimit(RLIMIT_CPU, &limit) == 0 && limit.rlim_cur >= 3 &&
	       limit.rlim_cur < 100 ? 0 : 1;
}

/* Runs 'job' in a template, or in a worker of one; its status as waitpid() has it. */
static int
run_closed(int (*job)(void), bool is_worker)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		if (jail_template() != NULL)
			_exit(99);
		if (!is_worker)
			_exit(job());
		jail_forget_environment();
		if (!jail_worker())
			_exit(98);
		_exit(job());
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	return status;
}

static void
test_closed(void)
{
	static int (*const jobs[])(void) = {
		try_open, try_socket, try_kill, try_write, try_code, try_memory, try_environment,
		try_time
	};
	static int (*const template_jobs[])(void) = {
		try_read, try_create, try_socket, try_kill, try_write, try_code
	};

	if (SANITIZED) {
		suite_skip("a sanitizer's program is not closed");
		return;
	}
	for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
		CU_ASSERT_EQUAL(run_closed(jobs[i], true), 0);
	for (size_t i = 0; i < sizeof template_jobs / sizeof template_jobs[0]; i++)
		CU_ASSERT_EQUAL(run_closed(template_jobs[i], false), 0);
}

static void
test_deadly(void)
{
	static int (*const jobs[])(void) = { try_fork, try_exec };

	if (SANITIZED) {
		suite_skip("a sanitizer's program is not closed");
		return;
	}
	for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
		int status = run_closed(jobs[i], true);

		CU_ASSERT(WIFSIGNALED(status));
		CU_ASSERT_EQUAL(WTERMSIG(status), SIGSYS);
	}
	/* A template forks, and executes nothing. */
	CU_ASSERT_EQUAL(WTERMSIG(run_closed(try_exec, false)), SIGSYS);
}

/* The memory that a worker maps can neither shrink nor grow. */
static void
test_shared(void)
{
	int fds[2];
	worker *made = worker_new(fds);

	CU_ASSERT_PTR_NOT_NULL_FATAL(made);
	CU_ASSERT_EQUAL(ftruncate(fds[0], 0), -1);
	CU_ASSERT_EQUAL(ftruncate(fds[0], (off_t)sizeof(shared) * 2), -1);
	CU_ASSERT_EQUAL(fcntl(fds[0], F_ADD_SEALS, F_SEAL_WRITE), -1);
	memset(made->shared->bytes, 'x', WIRE_BYTES_MAX);
	/* The pages of a long message go back to the system. */
	worker_trim(made, WIRE_BYTES_MAX);
	CU_ASSERT_EQUAL(made->shared->bytes[0], 'x');
	CU_ASSERT_EQUAL(made->shared->bytes[WIRE_BYTES_MAX - 1], 0);
	worker_forget(made);
	close(fds[0]);
	close(fds[1]);
}

static const char *const values[] = {
	"null", "true", "false", "0", "-1.5", "\"\"", "\"a\\u0000b\\u00e9\"", "[]", "{}",
	"[[],{\"a\":[1,2,{\"b\":null}]},\"x\"]", "{\"z\":1,\"a\":2,\"m\":{\"\":[true]}}"
};

static wire_out
write_value(jv value)
{
	wire_out out = { .bytes = malloc(WIRE_BYTES_MAX), .room = WIRE_BYTES_MAX };

	CU_ASSERT_PTR_NULL(wire_put(&out, value, true));
	return out;
}

static jv
read_value(const char *bytes, size_t length)
{
	wire_in in = { .at = bytes, .left = length, .budget = budget_start(1) };
	jv value = wire_value(&in);

	if (in.left == 0)
		return value;
	jv_free(value);
	return jv_invalid();
}

static void
test_round_trip(void)
{
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		jv value = jv_parse(values[i]);
		wire_out out = write_value(jv_copy(value));

		CU_ASSERT(jv_equal(read_value(out.bytes, out.length), jv_copy(value)));
		/* The order of the keys is part of an object that a script lists. */
		CU_ASSERT(jv_equal(jv_dump_string(read_value(out.bytes, out.length), 0),
		                   jv_dump_string(value, 0)));
		free(out.bytes);
	}
}

/* Neither a part of a value nor more than it is one, whatever its bytes. */
static void
test_spoilt(void)
{
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		wire_out out = write_value(jv_parse(values[i]));

		for (size_t length = 0; length < out.length; length++)
			CU_ASSERT_FALSE(jv_is_valid(read_value(out.bytes, length)));
		for (size_t at = 0; at < out.length * 256; at++) {
			char before = out.bytes[at / 256];

			out.bytes[at / 256] = (char)(at % 256);
			jv_free(read_value(out.bytes, out.length));
			out.bytes[at / 256] = before;
		}
		out.bytes[out.length] = 'n';
		CU_ASSERT_FALSE(jv_is_valid(read_value(out.bytes, out.length + 1)));
		free(out.bytes);
	}
}

static jv
nest(int levels)
{
	jv made = jv_null();

	for (int i = 0; i < levels; i++)
		made = jv_array_append(jv_array(), made);
	return made;
}

/* What is wrong with 'value' as an output, in 'room' bytes; "": nothing. */
static const char *
judge(jv value, size_t room)
{
	wire_out out = { .bytes = malloc(room), .room = room };
	const char *problem = wire_put(&out, value, true);

	free(out.bytes);
	return problem == NULL ? "" : problem;
}

/* Values that the writer refuses. */
static void
test_bounds(void)
{
	CU_ASSERT_STRING_EQUAL(judge(nest(2000), WIRE_BYTES_MAX), "");
	CU_ASSERT_STRING_EQUAL(judge(nest(2001), WIRE_BYTES_MAX), "The result is nested too deeply");
	CU_ASSERT_STRING_EQUAL(judge(jv_number(1), 9), "");
	CU_ASSERT_STRING_EQUAL(judge(jv_number(1), 8), "The result is too large");
	CU_ASSERT_STRING_EQUAL(judge(jv_number(INFINITY), 9),
	                       "cannot convert float infinity to integer");
}

/* Few bytes that take hundreds of each in memory, and many values: what a reader refuses. */
static void
test_weight(void)
{
	static const struct {
		const char *element;
		size_t length;
		uint32_t count;
		bool good;
	} rows[] = {
		{ "o\0\0\0\0", 5, 77000, true }, { "o\0\0\0\0", 5, 78000, false },
		{ "n", 1, 999999, true }, { "n", 1, 1000000, false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t size = 5 + rows[i].count * rows[i].length;
		char *bytes = malloc(size);
		wire_in in = { .at = bytes, .left = size, .budget = budget_start(1) };
		jv heard;

		bytes[0] = 'a';
		memcpy(bytes + 1, &rows[i].count, 4);
		for (size_t j = 0; j < rows[i].count; j++)
			memcpy(bytes + 5 + j * rows[i].length, rows[i].element, rows[i].length);
		heard = wire_value(&in);
		CU_ASSERT_EQUAL(jv_is_valid(heard), rows[i].good);
		CU_ASSERT_EQUAL(in.is_spent, !rows[i].good);
		jv_free(heard);
		free(bytes);
	}
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "a closed process has no more files", test_closed },
		{ "nor processes", test_deadly },
		{ "memory that nobody shrinks", test_shared },
		{ "values there and back", test_round_trip },
		{ "spoilt values", test_spoilt },
		{ "values that are too large", test_bounds },
		{ "values that take much memory", test_weight },
		{ NULL, NULL }
	};

	return suite_run("support/jq: the sandbox", tests);
}
