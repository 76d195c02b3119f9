/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mistakes.c - the limit "misuse", which makes the mistake that -DMISTAKE names: misuse.sh has what
 * "limen module check" says about each.
 */
#include <limen/limen.h>
#include <limen/module.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum mistake {
	NONE,
	/* Rows of the option table. */
	NO_KEY, SAME_KEY, COMMENT_KEY, NO_TYPE, NO_CHOICES, BAD_FALLBACK, BAD_PATTERN, BAD_BOUNDS,
	UNALIGNED, OUTSIDE, RESERVED_BYTE, NO_TABLE, OWN_TABLE, NO_HELP,
	/* The descriptor. */
	NEWER, OTHER_MAJOR, SHORT, SHORT_ROWS, NO_NAME, UNKNOWN_FLAG, RESERVED_POINTER, NO_METHOD, HUGE_INSTANCE,
	/* Calls. */
	CLOSES, CLOSES_ALL, FORKS, LEAVES, EXECUTES, ENDS_THREAD, KILLS, NO_VERDICT, NO_REASON, SILENT_FAIL, VIOLATES,
	PRIORITIZES, CHANGES, BAD_TAKE, BAD_TABLE, ATTACHES_TWICE, ALLOCATES, NULLS, ENGINE, PRINTS,
	/* open, init, status, close. */
	OPEN_EXITS, OPEN_HANGS, OPEN_SILENT, OPEN_REPORTS, OPEN_FLAGS, OPEN_COUNTERS, INIT_EXITS,
	INIT_FAILS, STATUS_ENDS, STATUS_FREES, CLOSE_CRASHES, LOADING_HANGS, END_CRASHES
};

struct misuse {
	bool flag;
	const char *text;
	int64_t number;
	int choice;
	limen_rows rows;
};

static const limen_option own_table[] = {
	{ .type = LIMEN_OPTION_ROWS, .rows = own_table, .row_size = sizeof(limen_rows), .key = "k", .help = "x" },
	LIMEN_OPT_END
};

static const limen_option options[] = {
	LIMEN_OPT_BOOL(struct misuse, flag, .key = "flag", .help = "A flag"),
#if defined(ROW)
	{ .help = "x", ROW },
#endif
	LIMEN_OPT_END
};

static int
misuse_init(limen_diag *diag)
{
	(void)diag;
	if (MISTAKE == INIT_EXITS)
		_exit(3);
	return MISTAKE == INIT_FAILS ? LIMEN_EINVAL : LIMEN_OK;
}

static int
misuse_open(void *self, limen_opening *opening, limen_diag *diag)
{
	(void)self;
	if (MISTAKE == OPEN_EXITS)
		exit(0);
	while (MISTAKE == OPEN_HANGS)
		pause();
	if (MISTAKE == OPEN_REPORTS)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "but it goes on");
	if (MISTAKE == OPEN_FLAGS)
		limen_opening_add_flags(opening, UINT64_C(1) << 40);
	if (MISTAKE == OPEN_COUNTERS)
		limen_host_counter(limen_opening_host(opening), "No Name");
	return MISTAKE == OPEN_SILENT ? 42 : LIMEN_OK;
}

static void
misuse_close(void *self)
{
	(void)self;
	if (MISTAKE == CLOSE_CRASHES)
		abort();
}

static void
misuse_status(const void *self, limen_builder *build)
{
	(void)self;
	if (MISTAKE == STATUS_ENDS)
		limen_builder_end(build);
	if (MISTAKE == STATUS_FREES)
		limen_builder_finish(build);
}

/* Mistakes that end the process or its parts; returns if it was none of them. */
static void
harm(void)
{
	switch (MISTAKE) {
	case CLOSES:
		for (int fd = 3; fd < 100; fd++)
			close(fd);
		break;
	case CLOSES_ALL:
		for (int fd = 0; fd < 100; fd++)
			close(fd);
		break;
	case LEAVES:
		if (fork() == 0) {
			sleep(3);
			(void)!write(STDOUT_FILENO, "left behind\n", 12);
			_exit(0);
		}
		break;
	case PRINTS:
		puts("ok 1 - words of the module");
		break;
	case FORKS:
		(void)!fork();
		break;
	case EXECUTES:
		execl("/bin/true", "true", (char *)NULL);
		break;
	case ENDS_THREAD:
		pthread_exit(NULL);
	case KILLS:
		kill(getpid(), SIGKILL);
		break;
	case ENGINE:
		limen_engine_free(limen_engine_new(NULL));
		break;
	default:
		break;
	}
}

static void
reply_wrongly(const limen_request *req, limen_reply *reply)
{
	static const int key;
	limen_take take = { .amount = 1 };

	switch (MISTAKE) {
	case VIOLATES:
		limen_reply_violation(reply, LIMEN_CLASS_INVALID, "x", "y");
		break;
	case PRIORITIZES:
		limen_reply_priority(reply, 3);
		break;
	case CHANGES:
		limen_reply_set(reply, limen_request_document(req), "a", "1");
		break;
	case BAD_TABLE:
		take.table = (limen_table *)16;
		limen_reply_take(reply, &take, 1, 0);
		break;
	case BAD_TAKE:
		limen_reply_take(reply, &take, 1, 0);
		break;
	case ATTACHES_TWICE:
		limen_request_attach(req, &key, malloc(1), free);
		limen_request_attach(req, &key, malloc(1), free);
		break;
	case NULLS:
		limen_reply_reason(NULL, "x");
		limen_reply_take(NULL, NULL, 3, 0);
		limen_request_find(NULL, NULL);
		limen_reply_audit(reply, NULL, "x");
		break;
	default:
		break;
	}
}

static limen_verdict
misuse_check(const void *self, const limen_request *req, limen_reply *reply)
{
	(void)self;
	harm();
	reply_wrongly(req, reply);
	switch (MISTAKE) {
	case NO_VERDICT:
		return (limen_verdict)77;
	case NO_REASON:
		return LIMEN_ERROR;
	case SILENT_FAIL:
		return LIMEN_FAIL;
	case ALLOCATES:
		return limen_request_alloc(req, (size_t)1 << 62) == NULL ? LIMEN_PASS : LIMEN_ERROR;
	default:
		return LIMEN_PASS;
	}
}

static void __attribute__((constructor))
load(void)
{
	while (MISTAKE == LOADING_HANGS)
		pause();
}

static void __attribute__((destructor))
unload(void)
{
	if (MISTAKE == END_CRASHES)
		abort();
}

#ifndef HEAD
#define HEAD .flags = 0
#endif
#pragma GCC diagnostic ignored "-Woverride-init"

LIMEN_LIMIT("misuse",
	.version = "1.0",
	.summary = "Makes a mistake",
	.options = options,
	.instance_size = sizeof(struct misuse),
	.init = misuse_init,
	.open = misuse_open,
	.close = misuse_close,
	.status = misuse_status,
	.check = MISTAKE == NO_METHOD ? NULL : misuse_check,
	HEAD);
