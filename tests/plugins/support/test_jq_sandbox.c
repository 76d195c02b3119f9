/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_sandbox.c - templates and workers that end, lie or hang.  The test is such a process
 * itself: it is started in place of limen-jq-sandbox and told by HOME, one of the few variables
 * that are passed on, what to do wrong.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limen/host.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../plugins/support/jq/worker/channel.h"
#include "../../../plugins/support/jq/script.h"
#include "jq_rows.h"
#include "plugin.h"
#include "suite.h"

static char self[PATH_MAX];

/* ---- the processes that are not what they should be ---- */

static void
say(const char *bytes, size_t length)
{
	if (!channel_send(0, bytes, length, NULL))
		_exit(1);
}

static void
say_pid(int32_t pid)
{
	char bytes[1 + sizeof pid] = "F";

	memcpy(bytes + 1, &pid, sizeof pid);
	say(bytes, sizeof bytes);
}

/* Hears a message, and the descriptors that come with it. */
static void
hear(int fds[2])
{
	char message[CHANNEL_BYTES_MAX];

	if (channel_receive(0, message, fds, INT64_MAX) <= 0)
		_exit(0);
}

/* Writes 'bytes' as a reply that says it has 'said' bytes. */
static void
reply(shared *with, const void *bytes, size_t length, unsigned said)
{
	memcpy(with->bytes, bytes, length);
	atomic_store(&with->length, said);
}

/* The head of a reply with one output. */
static const char one_output[] = "\1a\1\0\0\0";
#define HEAD (sizeof one_output - 1)

/* More arrays inside of each other than any value may have. */
static void
reply_deep(shared *with)
{
	size_t length = HEAD + (size_t)5 * 100000;

	memcpy(with->bytes, one_output, HEAD);
	for (size_t i = HEAD; i < length; i += 5)
		memcpy(with->bytes + i, "a\1\0\0", 5);
	with->bytes[length] = 'n';
	atomic_store(&with->length, (unsigned)length + 1);
}

/* An object of keys that libjq keeps in one chain. */
static void
reply_collisions(shared *with)
{
	static const char *const parts[2] = { "\xcc\x9f" "0eUd ^", "$AQZUd\xd1\x99" };
	char *at = with->bytes;

	at = mempcpy(at, one_output, HEAD);
	at = mempcpy(at, "o\x80\0\0", 5);
	for (unsigned i = 0; i < 128; i++) {
		at = mempcpy(at, "s\x38\0\0", 5);
		for (unsigned bit = 0; bit < 7; bit++)
			at = mempcpy(at, parts[i >> bit & 1], 8);
		*at++ = 'n';
	}
	atomic_store(&with->length, (unsigned)(at - with->bytes));
}

/* A worker that first waits for two runs that want another, and a little more for a third. */
static atomic_uint *tries;

static void
reply_tries(shared *with)
{
	double found;
	char bytes[HEAD + 1 + sizeof found];

	for (int i = 0; i < 1000 && atomic_load(tries) < 3; i++)
		usleep(1000);
	found = atomic_load(tries);
	mempcpy(mempcpy(mempcpy(bytes, one_output, HEAD), "d", 1), &found, sizeof found);
	reply(with, bytes, sizeof bytes, sizeof bytes);
}

/* What a worker may answer to its first request. */
static void
answer_wrongly(shared *with, const char *how)
{
	static const struct {
		const char *how;
		const char *bytes;
		size_t length;
	} rows[] = {
		{ "garbage", "\xff\xfe garbage", 10 }, { "empty", "", 0 },
		{ "count", "\1a\xff\xff\xff\xffn", 7 }, { "more", "\1a\2\0\0\0nn", 8 },
		{ "string", "\1a\1\0\0\0s\xff\xff\xff\xffx", 12 },
		{ "array", "\1a\1\0\0\0a\xff\xff\xff\x7fx", 12 },
		{ "key", "\1a\1\0\0\0o\1\0\0\0nn", 13 }, { "outcome", "\7n", 2 },
		{ "nothing", "\2f", 2 }, { "none", "\1a\0\0\0\0", 6 }, { "bare", "\1n", 2 },
		{ "error", "\0a\1\0\0\0n", 7 }, { "rest", "\1a\1\0\0\0nn", 8 },
		{ "good", "\1a\1\0\0\0n", 7 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (strcmp(how, rows[i].how) == 0)
			reply(with, rows[i].bytes, rows[i].length, (unsigned)rows[i].length);
	}
	if (strcmp(how, "huge") == 0)
		reply(with, "", 0, UINT_MAX);
	else if (strcmp(how, "deep") == 0)
		reply_deep(with);
	else if (strcmp(how, "collisions") == 0)
		reply_collisions(with);
	else if (strcmp(how, "memory") == 0)
		atomic_store(&with->was_short, 1);
	else if (strcmp(how, "hang") == 0)
		pause();
	else if (strcmp(how, "tries") == 0)
		reply_tries(with);
	else if (strcmp(how, "shrink") == 0 && ftruncate(3, 0) == 0)
		_exit(0);
	if (strcmp(how, "end") == 0 || strcmp(how, "memory") == 0)
		_exit(0);
}

/* A worker that wakes limen for nothing, before it answers properly. */
static void
disturb(shared *with, int socket)
{
	for (int i = 0; i < 100; i++)
		send(socket, "xyz", 3, MSG_DONTWAIT | MSG_NOSIGNAL);
	reply(with, "\1a\1\0\0\0n", 7, 7);
}

static void
work(const int fds[2], const char *how)
{
	shared *with = shared_map(fds[0]);
	unsigned request;

	dup2(fds[0], 3);
	while (recv(fds[1], &request, sizeof request, 0) == sizeof request) {
		answer_wrongly(with, how);
		if (strcmp(how, "disturb") == 0)
			disturb(with, fds[1]);
		send(fds[1], &request, sizeof request, MSG_NOSIGNAL);
	}
	_exit(0);
}

static int32_t
fork_worker(const int fds[2], const char *how)
{
	int32_t pid = fork();

	if (pid == 0)
		work(fds, how);
	close(fds[0]);
	close(fds[1]);
	say_pid(pid);
	return pid;
}

/* Forks one worker and says of all others that it cannot. */
static void
fork_one(int fds[2])
{
	tries = mmap(NULL, sizeof *tries, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	fork_worker(fds, "tries");
	for (;;) {
		hear(fds);
		close(fds[0]);
		close(fds[1]);
		atomic_fetch_add(tries, 1);
		say_pid(0);
	}
}

/* Has one worker at a time: first one that hangs. */
static void
fork_next(int fds[2])
{
	int32_t pid;

	signal(SIGCHLD, SIG_IGN);
	pid = fork_worker(fds, "hang");
	for (;;) {
		hear(fds);
		for (int i = 0; i < 100 && kill(pid, 0) == 0; i++)
			usleep(1000);
		if (kill(pid, 0) != 0)
			pid = fork_worker(fds, "good");
		else
			say_pid(0);
	}
}

/* Answers of a template to the request to fork. */
static void
fork_wrongly(int fds[2], const char *how)
{
	if (strcmp(how, "parent") == 0) {
		say_pid(getppid());
	} else if (strcmp(how, "init") == 0) {
		say_pid(1);
	} else if (strcmp(how, "all") == 0) {
		say_pid(-1);
	} else if (strcmp(how, "short") == 0) {
		say("F\2", 2);
	} else if (strcmp(how, "never") == 0) {
		/* It could not, and then it can. */
		say_pid(0);
		hear(fds);
		fork_worker(fds, "good");
	} else if (strcmp(how, "one") == 0) {
		fork_one(fds);
	} else if (strcmp(how, "next") == 0) {
		fork_next(fds);
	} else {
		_exit(0);
	}
	pause();
}

/* Each word of HOME is "WHEN:HOW": wrong at "start", "load", "fork" or "run". */
static void
load_wrongly(const char *how)
{
	static const char huge[CHANNEL_BYTES_MAX + 1] = "C";

	if (strcmp(how, "garbage") == 0)
		say("\xff\xfe garbage", 10);
	else if (strcmp(how, "huge") == 0)
		say(huge, sizeof huge);
	else if (strcmp(how, "again") == 0)
		say("G\3\0no", 5);
	else if (strcmp(how, "later") == 0)
		say("G\4\1\0\0\0", 6);
	else if (strcmp(how, "text") == 0)
		say("G\3\1not \xff today", 14);
	_exit(0);
}

static int
pretend(void)
{
	const char *how = getenv("HOME");
	int fds[2] = { -1, -1 };

	if (strncmp(how, "start:", 6) == 0)
		load_wrongly(how + 6);
	say("G\3\1", 3);
	hear(fds);
	if (strncmp(how, "load:", 5) == 0)
		load_wrongly(how + 5);
	if (strncmp(how, "slow:", 5) == 0)
		usleep(1000000);
	say("C", 1);
	hear(fds);
	if (strncmp(how, "fork:", 5) == 0)
		fork_wrongly(fds, how + 5);
	else
		fork_worker(fds, strchr(how, ':') + 1);
	hear(fds);
	return 0;
}

/* ---- the tests ---- */

static void
use_liar(const char *how)
{
	setenv("LIMEN_JQ_SANDBOX", self, 1);
	setenv("HOME", how, 1);
}

static char *real;

static void
use_real(void)
{
	setenv("LIMEN_JQ_SANDBOX", real, 1);
}

/* Whatever a worker does costs one run; the next is done by another worker. */
static void
lie_at_run(const char *name, const char *error)
{
	char how[64];
	jq_script *script;
	char *found;

	snprintf(how, sizeof how, "run:%s", name);
	use_liar(how);
	script = jq_rows_open("7", 2 * LIMEN_SECOND);
	found = jq_rows_run(script, NULL);
	plugin_assert(strncmp(found, "! The script was stopped: ", 26) == 0 &&
	              strstr(found, error) != NULL, __FILE__, __LINE__, "%s: %s", name, found);
	free(found);
	jq_script_close(script);
}

static void
test_lies_at_run(void)
{
	static const char *const rows[] = {
		"garbage", "huge", "count", "more", "string", "array", "key", "empty", "outcome",
		"nothing", "none", "bare", "error", "rest", "deep", "collisions"
	};
	jq_script *script;
	char *found;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		lie_at_run(rows[i], "no proper answer");
	lie_at_run("end", "its process ended");
	lie_at_run("memory", "it took too much memory");
	lie_at_run("hang", "it took longer than PT2S");
	/* It cannot take the memory away. */
	lie_at_run("shrink", "no proper answer");
	use_liar("run:disturb");
	script = jq_rows_open("7", 60 * LIMEN_SECOND);
	found = jq_rows_run(script, NULL);
	plugin_assert(strcmp(found, "null") == 0, __FILE__, __LINE__, "%s", found);
	free(found);
	jq_script_close(script);
	use_real();
}

/* A template that forks wrongly is replaced, and nobody but its own workers is ever killed. */
static void
test_lies_at_fork(void)
{
	static const char *const rows[] = { "fork:parent", "fork:init", "fork:all", "fork:short",
		                            "fork:end" };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		jq_script *script;
		char *found;

		use_liar(rows[i]);
		script = jq_rows_open("7", 60 * LIMEN_SECOND);
		found = jq_rows_run(script, NULL);
		plugin_assert(strcmp(found, "! The process for scripts could not be started again")
		              == 0, __FILE__, __LINE__, "%s: %s", rows[i], found);
		free(found);
		use_real();
		found = jq_rows_run(script, NULL);
		CU_ASSERT_STRING_EQUAL(found, "7");
		free(found);
		jq_script_close(script);
	}
}

/* A template that cannot fork now stays: another would have to compile all scripts again. */
static void
test_no_worker(void)
{
	jq_script *script;
	char *found;

	use_liar("fork:never");
	script = jq_rows_open("7", 60 * LIMEN_SECOND);
	found = jq_rows_run(script, NULL);
	CU_ASSERT_STRING_EQUAL(found, "! The process for scripts could not be started again");
	free(found);
	found = jq_rows_run(script, NULL);
	CU_ASSERT_STRING_EQUAL(found, "null");
	free(found);
	jq_script_close(script);
	use_real();
}

static void *
run_null(void *script)
{
	return jq_rows_run(script, NULL);
}

/* Runs 'script' on so many threads at once. */
static void
run_at_once(jq_script *script, size_t count, char *found[])
{
	pthread_t threads[8];

	for (size_t i = 0; i < count; i++)
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, run_null, script), 0);
	for (size_t i = 0; i < count; i++)
		pthread_join(threads[i], (void **)&found[i]);
}

/* Runs that no worker can be forked for wait for one, and do not have each other try again. */
static void
test_tries(void)
{
	jq_script *script;
	char *found[3];

	use_liar("fork:one");
	script = jq_rows_open("7", 60 * LIMEN_SECOND);
	run_at_once(script, 3, found);
	for (int i = 0; i < 3; i++) {
		plugin_assert(found[i][0] != '!' && atoi(found[i]) <= 3, __FILE__, __LINE__, "%s",
		              found[i]);
		free(found[i]);
	}
	jq_script_close(script);
	use_real();
}

/* Takes the place of the C library's. */
static useconds_t kill_delay;

int
kill(pid_t pid, int number)
{
	if (number == SIGKILL)
		usleep(kill_delay);
	return (int)syscall(SYS_kill, pid, number);
}

/* A run hears of a worker's end when it has ended: only then can another be forked at a limit. */
static void
test_limit(void)
{
	jq_script *script;
	char *found[2];
	int good = 0;

	use_liar("fork:next");
	script = jq_rows_open("7", LIMEN_SECOND / 2);
	kill_delay = 500000;
	run_at_once(script, 2, found);
	kill_delay = 0;
	for (int i = 0; i < 2; i++) {
		good += strcmp(found[i], "null") == 0;
		plugin_assert(strcmp(found[i], "null") == 0 ||
		              strstr(found[i], "it took longer") != NULL, __FILE__, __LINE__, "%s",
		              found[i]);
		free(found[i]);
	}
	CU_ASSERT_EQUAL(good, 1);
	jq_script_close(script);
	use_real();
}

static void
refuse(const char *source, const char *expected)
{
	const jq_setup setup = { .sandbox = JQ_SANDBOX_PROCESS };
	const limen_transform transform = { .script = source };
	limen_diag *diag = limen_diag_new();
	jq_script *script = NULL;
	const char *message;

	CU_ASSERT_EQUAL(jq_script_open(&setup, &transform, NULL, diag, &script), LIMEN_EINVAL);
	CU_ASSERT_PTR_NULL(script);
	message = limen_diag_get(diag, 0) == NULL ? "(none)" : limen_diag_get(diag, 0)->text;
	plugin_assert(strstr(message, expected) != NULL, __FILE__, __LINE__, "%s: %s", source,
	              message);
	limen_diag_free(diag);
}

static void
test_lies_at_load(void)
{
	static const char *const rows[] = {
		"load:garbage", "load:huge", "load:again", "load:end", "start:huge", "start:end"
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		use_liar(rows[i]);
		refuse("7", "ended early or gave no proper answer");
	}
	/* Programs of other releases. */
	use_liar("start:garbage");
	refuse("7", "is from another release of limen");
	use_liar("start:later");
	refuse("7", "is from another release of limen");
	use_liar("start:text");
	refuse("7", "not \xef\xbf\xbd today");
	setenv("LIMEN_JQ_SANDBOX", "/nonexistent/limen-jq-sandbox", 1);
	refuse("7", "cannot be started: /nonexistent/limen-jq-sandbox: No such file or directory");
	use_real();
}

/* Finds a child of this process by its name, or of that child. */
static pid_t
find_child(pid_t parent)
{
	DIR *listing = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	while (found == 0 && (entry = readdir(listing)) != NULL) {
		char path[64];
		int of = 0;
		FILE *file;

		snprintf(path, sizeof path, "/proc/%.20s/stat", entry->d_name);
		file = fopen(path, "re");
		if (file == NULL)
			continue;
		if (fscanf(file, "%*d (%*[^)]) %*c %d", &of) == 1 && of == parent)
			found = atoi(entry->d_name);
		fclose(file);
	}
	closedir(listing);
	return found;
}

/* Its workers go on; a new template has the scripts of the old one. */
static void
test_template_dies(void)
{
	jq_script *one = jq_rows_open("if . then last(repeat(1)) else 1 end", LIMEN_SECOND);
	jq_script *other = jq_rows_open("2", 60 * LIMEN_SECOND);
	pid_t child = find_child(getpid());
	char *found = jq_rows_run(one, "false");

	CU_ASSERT(child > 1);
	CU_ASSERT_STRING_EQUAL(found, "1");
	free(found);
	CU_ASSERT_EQUAL(kill(child, SIGKILL), 0);
	found = jq_rows_run(other, NULL);
	CU_ASSERT_STRING_EQUAL(found, "2");
	free(found);
	/* This needs a new worker. */
	found = jq_rows_run(one, "true");
	CU_ASSERT_PTR_NOT_NULL(strstr(found, "it took longer"));
	free(found);
	found = jq_rows_run(other, NULL);
	CU_ASSERT_STRING_EQUAL(found, "2");
	free(found);
	jq_script_close(one);
	found = jq_rows_run(other, NULL);
	CU_ASSERT_STRING_EQUAL(found, "2");
	free(found);
	jq_script_close(other);
}

/* A template that takes long to start again costs no run more than its time, and goes on. */
static void
test_slow_start(void)
{
	jq_script *script;
	int64_t start;
	jq_result result;
	char *found;

	use_liar("run:end");
	script = jq_rows_open("7", 60 * LIMEN_SECOND);
	free(jq_rows_run(script, NULL));
	use_liar("slow:good");
	CU_ASSERT_EQUAL(kill(find_child(getpid()), SIGKILL), 0);
	for (int i = 0; i < 3; i++) {
		start = limen_host_monotonic();
		jq_run(script, jv_null(), start + 50000000, &result);
		CU_ASSERT_STRING_EQUAL(jq_result_error(&result),
		                       "The script was stopped: no time was left for the decision");
		jq_result_clear(&result);
		CU_ASSERT(limen_host_monotonic() - start < 500000000);
	}
	/* The one that was started is still the one. */
	use_liar("run:end");
	found = jq_rows_run(script, NULL);
	CU_ASSERT_STRING_EQUAL(found, "null");
	free(found);
	jq_script_close(script);
	use_real();
}

/* A worker that dies while it is idle costs one run. */
static void
test_worker_dies(void)
{
	jq_script *script = jq_rows_open("3", 60 * LIMEN_SECOND);
	char *found = jq_rows_run(script, NULL);
	pid_t child = find_child(find_child(getpid()));

	CU_ASSERT_STRING_EQUAL(found, "3");
	free(found);
	CU_ASSERT(child > 1);
	CU_ASSERT_EQUAL(kill(child, SIGKILL), 0);
	free(jq_rows_run(script, NULL));
	found = jq_rows_run(script, NULL);
	CU_ASSERT_STRING_EQUAL(found, "3");
	free(found);
	jq_script_close(script);
}

/* They are found where the script is compiled. */
static void
test_compile_errors(void)
{
	refuse("1 +", "syntax error");
	refuse("nothing_of_this_name", "nothing_of_this_name/0 is not defined");
}

/* Counts the open files; those above the standard ones must be closed on exec. */
static int
count_files(void)
{
	DIR *listing = opendir("/proc/self/fd");
	struct dirent *entry;
	int count = 0;

	while ((entry = readdir(listing)) != NULL) {
		int fd = atoi(entry->d_name);

		count++;
		if (fd > 2 && fd != dirfd(listing) && entry->d_name[0] != '.')
			count += (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0 ? 0 : 1000;
	}
	closedir(listing);
	return count;
}

/* Neither descriptors nor children are left, and an inherited descriptor is not counted. */
static void
test_leaks(void)
{
	int before = count_files();
	int during;

	for (int i = 0; i < 5; i++) {
		jq_script *script = jq_rows_open("if . then last(repeat(1)) else 7 end", 20000);

		during = count_files();
		CU_ASSERT(during - before < 1000);
		CU_ASSERT(during > before);
		free(jq_rows_run(script, "true"));
		free(jq_rows_run(script, "false"));
		jq_script_close(script);
	}
	CU_ASSERT_EQUAL(count_files(), before);
	CU_ASSERT_EQUAL(waitpid(-1, NULL, WNOHANG), -1);
	CU_ASSERT_EQUAL(errno, ECHILD);
}

/* What is idle for long ends, and costs the next run another. */
static void
test_idle(void)
{
	jq_script *script = jq_rows_open("7", 60 * LIMEN_SECOND);
	int before = count_files();
	char *found = jq_rows_run(script, NULL);

	free(found);
	CU_ASSERT_EQUAL(count_files(), before + 1);
	CU_ASSERT_TRUE(template_end_idle(script->template, 0));
	CU_ASSERT_EQUAL(count_files(), before + 1);
	CU_ASSERT_FALSE(template_end_idle(script->template, INT64_MAX));
	CU_ASSERT_EQUAL(count_files(), before);
	found = jq_rows_run(script, NULL);
	CU_ASSERT_STRING_EQUAL(found, "7");
	free(found);
	jq_script_close(script);
}

/* Take the place of limen's: a job that is kept here. */
static limen_job planned;
static int plans;
static int plan_result;

int
limen_host_after(limen_host *host, limen_duration delay, limen_job job, void *data)
{
	(void)host;
	(void)delay;
	(void)data;
	planned = job;
	plans++;
	return plan_result;
}

/* Some script always has a job that will end the workers. */
static void
test_plans(void)
{
	jq_script *one = jq_rows_open("7", 60 * LIMEN_SECOND);
	jq_script *other = jq_rows_open("8", 60 * LIMEN_SECOND);
	int before = count_files();

	CU_ASSERT_PTR_EQUAL(one->template, other->template);
	one->host = (limen_host *)one;
	plan_result = LIMEN_ENOMEM;
	free(jq_rows_run(one, NULL));
	CU_ASSERT_EQUAL(plans, 1);
	/* What could not be planned is planned by the next run. */
	plan_result = LIMEN_OK;
	free(jq_rows_run(one, NULL));
	free(jq_rows_run(one, NULL));
	CU_ASSERT_EQUAL(plans, 2);
	planned(one);
	CU_ASSERT_EQUAL(plans, 3);
	CU_ASSERT_FALSE(template_end_idle(one->template, INT64_MAX));
	planned(one);
	CU_ASSERT_EQUAL(plans, 3);
	free(jq_rows_run(one, NULL));
	CU_ASSERT_EQUAL(plans, 4);
	/* Its job ends with it, and nothing is left for one. */
	CU_ASSERT_EQUAL(count_files(), before + 1);
	jq_script_close(one);
	CU_ASSERT_EQUAL(count_files(), before);
	jq_script_close(other);
}

/* Children of the program stay its own, and it may also want to hear of none. */
static void
test_children(void)
{
	jq_script *script = jq_rows_open("7", 60 * LIMEN_SECOND);
	pid_t child = fork();
	char *found;
	int status = 0;

	if (child == 0)
		_exit(42);
	found = jq_rows_run(script, NULL);
	CU_ASSERT_STRING_EQUAL(found, "7");
	free(found);
	jq_script_close(script);
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(WEXITSTATUS(status), 42);

	signal(SIGCHLD, SIG_IGN);
	script = jq_rows_open("8", 60 * LIMEN_SECOND);
	found = jq_rows_run(script, NULL);
	CU_ASSERT_STRING_EQUAL(found, "8");
	free(found);
	jq_script_close(script);
	signal(SIGCHLD, SIG_DFL);
}

/* jq's own functions cannot be stopped, but their process can. */
static void
test_kill(void)
{
	jq_script *script = jq_rows_open("if . then [range(300000) | tostring] | until(false; sort)"
	                                 " else 7 end", LIMEN_SECOND);
	char *found = jq_rows_run(script, "true");

	CU_ASSERT_PTR_NOT_NULL(strstr(found, "! The script was stopped: it took "));
	free(found);
	found = jq_rows_run(script, "false");
	plugin_assert(strcmp(found, "7") == 0 || strstr(found, "PT1S") != NULL, __FILE__, __LINE__,
	              "%s", found);
	free(found);
	jq_script_close(script);
}

/* A fork may run its own scripts; those of the parent are not disturbed. */
static void
test_fork(void)
{
	jq_script *script = jq_rows_open(". + 1", 60 * LIMEN_SECOND);
	char *found = jq_rows_run(script, "1");
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		char *own = jq_rows_run(script, "10");
		int wrong = strcmp(own, "11") != 0;

		jq_script_close(script);
		_exit(wrong);
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	CU_ASSERT_STRING_EQUAL(found, "2");
	free(found);
	found = jq_rows_run(script, "2");
	CU_ASSERT_STRING_EQUAL(found, "3");
	free(found);
	jq_script_close(script);
}

/* What the library does with the environment holds there as well, and the zone is the same. */
static void
test_surroundings(void)
{
	static const struct jq_row rows[] = {
		{ "[env, $ENV]", NULL, "[{},{}]" },
		{ "0 | strflocaltime(\"%H %Z\")", NULL, "\"02 XYZ\"" },
		{ "[limit(3; inputs)]", NULL, "[]" },
		{ "[-0.1, 2.5e-10, 9007199254740993]", NULL, "[-0.1,2.5e-10,9007199254740992]" },
		{ ".", "{\"z\":[1,{}],\"a\":null}", "{\"z\":[1,{}],\"a\":null}" },
		{ NULL, NULL, NULL }
	};

	setenv("TZ", "XYZ-2", 1);
	tzset();
	jq_rows_check(rows);
	unsetenv("TZ");
	tzset();
}

int
main(int count, char **arguments)
{
	static const struct suite_test tests[] = {
		{ "a worker that answers wrongly", test_lies_at_run },
		{ "a template that forks wrongly", test_lies_at_fork },
		{ "a template that cannot fork", test_no_worker },
		{ "runs that wait where none can be forked", test_tries },
		{ "a limit of processes", test_limit },
		{ "a template that compiles wrongly", test_lies_at_load },
		{ "a template that dies", test_template_dies },
		{ "a template that takes long to start again", test_slow_start },
		{ "a worker that dies", test_worker_dies },
		{ "compile errors", test_compile_errors },
		{ "descriptors and children", test_leaks },
		{ "idle workers", test_idle },
		{ "who plans to end idle workers", test_plans },
		{ "other children", test_children },
		{ "a function that takes long", test_kill },
		{ "after a fork", test_fork },
		{ "environment, time zone, numbers", test_surroundings },
		{ NULL, NULL }
	};
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	if (count > 0 && strcmp(arguments[0], "limen-jq-sandbox") == 0)
		return pretend();
	if (length < 0 || getenv("LIMEN_JQ_SANDBOX") == NULL)
		return 1;
	real = strdup(getenv("LIMEN_JQ_SANDBOX"));
	return suite_run("support/jq: scripts in processes of their own", tests);
}
