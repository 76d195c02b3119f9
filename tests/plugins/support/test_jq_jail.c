/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_jail.c - what a script's process may still do once it is closed, tried
 * by code of ours in its place, and the values that go to and fro.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../plugins/support/jq/jail.h"
#include "../../../plugins/support/jq/sanitized.h"
#include "../../../plugins/support/jq/wire.h"
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

static int
try_alarm(void)
{
	volatile bool goes_on = true;

	jail_alarm(50000000);
	while (goes_on)
		;
	return 0;
}

/* Runs 'job' in a closed process; its status as waitpid() has it. */
static int
run_closed(int (*job)(void))
{
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		if (jail_limit() != NULL || jail_close() != NULL)
			_exit(99);
		_exit(job());
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	return status;
}

static void
test_closed(void)
{
	static int (*const jobs[])(void) = {
		try_open, try_socket, try_kill, try_write, try_code, try_memory, try_environment
	};

	if (SANITIZED) {
		suite_skip("a sanitizer's program is not closed");
		return;
	}
	for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; i++)
		CU_ASSERT_EQUAL(run_closed(jobs[i]), 0);
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
		int status = run_closed(jobs[i]);

		CU_ASSERT(WIFSIGNALED(status));
		CU_ASSERT_EQUAL(WTERMSIG(status), SIGSYS);
	}
}

/* Whoever would kill it may be gone. */
static void
test_alarm(void)
{
	int status = run_closed(try_alarm);

	CU_ASSERT(WIFSIGNALED(status));
	CU_ASSERT_EQUAL(WTERMSIG(status), SIGALRM);
}

static const char *const values[] = {
	"null", "true", "false", "0", "-1.5e-300", "\"\"", "\"a\\u0000b\\u00e9\"", "[]", "{}",
	"[[],{\"a\":[1,2,{\"b\":null}]},\"x\"]", "{\"z\":1,\"a\":2,\"m\":{\"\":[true]}}"
};

static void
test_round_trip(void)
{
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		jv value = jv_parse(values[i]);
		text out = { .bytes = NULL };

		CU_ASSERT(wire_put(&out, jv_copy(value)));
		CU_ASSERT(jv_equal(wire_get(out.bytes, out.length), jv_copy(value)));
		/* The order of the keys is part of an object that a script lists. */
		CU_ASSERT(jv_equal(jv_dump_string(wire_get(out.bytes, out.length), 0),
		                   jv_dump_string(value, 0)));
		text_free(&out);
	}
}

/* Neither a part of a message nor more than it is one, whatever its bytes. */
static void
test_spoilt(void)
{
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		text out = { .bytes = NULL };

		CU_ASSERT(wire_put(&out, jv_parse(values[i])));
		for (size_t length = 0; length < out.length; length++)
			CU_ASSERT_FALSE(jv_is_valid(wire_get(out.bytes, length)));
		for (size_t at = 0; at < out.length * 256; at++) {
			char before = out.bytes[at / 256];

			out.bytes[at / 256] = (char)(at % 256);
			jv_free(wire_get(out.bytes, out.length));
			out.bytes[at / 256] = before;
		}
		text_addc(&out, 'n');
		CU_ASSERT_FALSE(jv_is_valid(wire_get(out.bytes, out.length)));
		text_free(&out);
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

static void
test_bounds(void)
{
	text out = { .bytes = NULL };
	jv many = jv_array();
	char *long_text;

	CU_ASSERT(wire_put(&out, nest(2008)));
	text_free(&out);
	CU_ASSERT_FALSE(wire_put(&out, nest(2009)));
	text_free(&out);
	long_text = calloc(1, WIRE_BYTES_MAX);
	CU_ASSERT_FALSE(wire_put(&out, jv_string_sized(long_text, (int)WIRE_BYTES_MAX)));
	free(long_text);
	text_free(&out);
	many = jv_array_set(many, WIRE_NODES_MAX - 2, jv_null());
	CU_ASSERT(wire_put(&out, jv_copy(many)));
	text_free(&out);
	CU_ASSERT_FALSE(wire_put(&out, jv_array_append(many, jv_null())));
	text_free(&out);
}

/* Some bytes that take hundreds of each in memory, said and heard. */
static void
test_weight(void)
{
	static const struct {
		int count;
		bool good;
	} rows[] = { { 77000, true }, { 156000, false } };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const jv empty = jv_object();
		jv many = jv_array_sized(rows[i].count);
		text out = { .bytes = NULL };
		jv heard;

		for (int j = 0; j < rows[i].count; j++)
			many = jv_array_append(many, jv_copy(empty));
		CU_ASSERT_EQUAL(wire_put(&out, many), rows[i].good);
		jv_free(empty);
		text_free(&out);

		text_addc(&out, 'a');
		text_add(&out, (const char *)&rows[i].count, 4);
		for (int j = 0; j < rows[i].count; j++)
			text_add(&out, "o\0\0\0", 5);
		heard = wire_get(out.bytes, out.length);
		CU_ASSERT_EQUAL(jv_is_valid(heard), rows[i].good);
		jv_free(heard);
		text_free(&out);
	}
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "a closed process has no more files", test_closed },
		{ "nor processes", test_deadly },
		{ "and ends by itself", test_alarm },
		{ "values there and back", test_round_trip },
		{ "spoilt values", test_spoilt },
		{ "values that are too large", test_bounds },
		{ "values that take much memory", test_weight },
		{ NULL, NULL }
	};

	return suite_run("support/jq: the sandbox", tests);
}
