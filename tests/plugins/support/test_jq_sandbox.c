/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_sandbox.c - scripts in a process that ends, lies or hangs.  The test
 * is such a process itself: it is started in place of limen-jq-sandbox and told
 * by HOME, one of the few variables that are passed on, what to do wrong.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limen/host.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "jq_rows.h"
#include "plugin.h"
#include "suite.h"

static char self[PATH_MAX];

/* ---- the process that is not what it should be ---- */

/* Sends 'bytes' as a message that says it has 'said' bytes. */
static void
say(const void *bytes, size_t length, uint32_t said)
{
	if (write(0, &said, sizeof said) < 0 || write(0, bytes, length) < 0)
		_exit(1);
}

static void
hear(void)
{
	char bytes[65536];

	if (read(0, bytes, sizeof bytes) <= 0)
		_exit(0);
}

/* More arrays inside of each other than any value may have. */
static void
say_deep(void)
{
	static char bytes[5 * 100000 + 1];

	for (size_t i = 0; i + 5 < sizeof bytes; i += 5)
		memcpy(bytes + i, "a\1\0\0", 5);
	bytes[sizeof bytes - 1] = 'n';
	say(bytes, sizeof bytes, sizeof bytes);
}

/* One output, as serve.c says it: an object of keys that libjq keeps in one chain. */
static void
say_crowd(void)
{
	static const char *const parts[2] = { "\xcc\x9f" "0eUd ^", "$AQZUd\xd1\x99" };
	static const char head[] = "a\3\0\0\0d\0\0\0\0\0\0\xf0\x3fna\1\0\0\0o\x80\0\0\0";
	static char bytes[sizeof head + 128 * (5 + 7 * 8 + 1)];
	size_t length = sizeof head - 1;

	memcpy(bytes, head, length);
	for (unsigned i = 0; i < 128; i++) {
		memcpy(bytes + length, "s\x38\0\0\0", 5);
		length += 5;
		for (unsigned bit = 0; bit < 7; bit++, length += 8)
			memcpy(bytes + length, parts[i >> bit & 1], 8);
		bytes[length++] = 'n';
	}
	say(bytes, length, (uint32_t)length);
}

static void
answer_wrongly(const char *how)
{
	if (strcmp(how, "garbage") == 0)
		say("\xff\xfe garbage", 10, 10);
	else if (strcmp(how, "huge") == 0)
		say("a", 1, UINT32_MAX);
	else if (strcmp(how, "count") == 0)
		say("a\xff\xff\xff\xffn", 6, 6);
	else if (strcmp(how, "string") == 0)
		say("s\xff\xff\xff\xffx", 6, 6);
	else if (strcmp(how, "key") == 0)
		say("o\1\0\0\0nn", 7, 7);
	else if (strcmp(how, "empty") == 0)
		say("", 0, 0);
	else if (strcmp(how, "shape") == 0)
		say("t", 1, 1);
	else if (strcmp(how, "outcome") == 0)
		say("a\3\0\0\0d\0\0\0\0\0\0\x1c\x40na\0\0\0\0", 20, 20);
	else if (strcmp(how, "twice") == 0)
		say("nnnnnnnn", 8, 1);
	else if (strcmp(how, "deep") == 0)
		say_deep();
	else if (strcmp(how, "crowd") == 0)
		say_crowd();
	else if (strcmp(how, "hang") == 0)
		pause();
	_exit(0);
}

/* "load:HOW" is wrong when asked to compile, "run:HOW" when asked to run. */
static int
pretend(void)
{
	const char *how = getenv("HOME");

	hear();
	if (strncmp(how, "load:", 5) == 0)
		answer_wrongly(how + 5);
	say("t", 1, 1);
	hear();
	answer_wrongly(how + 4);
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

static void
test_lies_at_run(void)
{
	static const struct {
		const char *how;
		const char *error;
	} rows[] = {
		{ "garbage", "no proper answer" }, { "huge", "no proper answer" },
		{ "count", "no proper answer" }, { "string", "no proper answer" },
		{ "key", "no proper answer" }, { "empty", "no proper answer" },
		{ "shape", "no proper answer" }, { "outcome", "no proper answer" },
		{ "twice", "no proper answer" }, { "deep", "no proper answer" },
		{ "crowd", "no proper answer" },
		{ "end", "its process ended" }, { "hang", "it took longer than PT2S" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char how[64];
		jq_script *script;
		char *found;

		snprintf(how, sizeof how, "run:%s", rows[i].how);
		use_liar(how);
		script = jq_rows_open("7", 2 * LIMEN_SECOND);
		found = jq_rows_run(script, NULL);
		plugin_assert(strncmp(found, "! The script was stopped: ", 26) == 0 &&
		              strstr(found, rows[i].error) != NULL, __FILE__, __LINE__, "%s: %s",
		              rows[i].how, found);
		free(found);
		/* The liar was killed; what is started next is asked afresh. */
		use_real();
		found = jq_rows_run(script, NULL);
		plugin_assert(strcmp(found, "7") == 0 || strstr(found, "PT2S") != NULL, __FILE__,
		              __LINE__, "then: %s", found);
		free(found);
		jq_script_close(script);
	}
}

static void
refuse(const char *text, const char *expected)
{
	const jq_setup setup = { .sandbox = JQ_SANDBOX_PROCESS };
	const limen_transform transform = { .script = text };
	limen_diag *diag = limen_diag_new();
	jq_script *script = NULL;
	const char *message;

	CU_ASSERT_EQUAL(jq_script_open(&setup, &transform, NULL, diag, &script), LIMEN_EINVAL);
	CU_ASSERT_PTR_NULL(script);
	message = limen_diag_get(diag, 0) == NULL ? "(none)" : limen_diag_get(diag, 0)->text;
	plugin_assert(strstr(message, expected) != NULL, __FILE__, __LINE__, "%s: %s", text,
	              message);
	limen_diag_free(diag);
}

static void
test_lies_at_load(void)
{
	static const char *const rows[] = {
		"load:garbage", "load:huge", "load:count", "load:empty", "load:twice", "load:deep",
		"load:end", "load:outcome"
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		use_liar(rows[i]);
		refuse("7", "ended early or gave no proper answer");
	}
	setenv("LIMEN_JQ_SANDBOX", "/nonexistent/limen-jq-sandbox", 1);
	refuse("7", "cannot be started: /nonexistent/limen-jq-sandbox: No such file or directory");
	use_real();
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

/* A socket to the program, which was given no script; -1: there is none. */
static int waiting = -1;

/* Starts it as nobody's child, since other tests count those of this program. */
static void
start_waiting(void)
{
	int ends[2];
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return;
	child = fork();
	if (child == 0) {
		dup2(ends[1], 0);
		if (fork() == 0)
			execl(real, "limen-jq-sandbox", (char *)NULL);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	close(ends[1]);
	waiting = ends[0];
}

/* Whatever it does before it has its script, it does not for ever. */
static void
test_start(void)
{
	struct pollfd watched = { .fd = waiting, .events = POLLIN };
	char byte;

	CU_ASSERT_EQUAL(poll(&watched, 1, 60000), 1);
	CU_ASSERT_EQUAL(recv(waiting, &byte, 1, MSG_DONTWAIT), 0);
	close(waiting);
}

int
main(int count, char **arguments)
{
	static const struct suite_test tests[] = {
		{ "a process that answers wrongly", test_lies_at_run },
		{ "a process that compiles wrongly", test_lies_at_load },
		{ "compile errors", test_compile_errors },
		{ "descriptors and children", test_leaks },
		{ "other children", test_children },
		{ "a function that takes long", test_kill },
		{ "after a fork", test_fork },
		{ "environment, time zone, numbers", test_surroundings },
		/* It was started first, so that its time goes by meanwhile. */
		{ "a start that takes long", test_start },
		{ NULL, NULL }
	};
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	if (count > 0 && strcmp(arguments[0], "limen-jq-sandbox") == 0)
		return pretend();
	if (length < 0 || getenv("LIMEN_JQ_SANDBOX") == NULL)
		return 1;
	real = strdup(getenv("LIMEN_JQ_SANDBOX"));
	start_waiting();
	return suite_run("support/jq: scripts in processes of their own", tests);
}
