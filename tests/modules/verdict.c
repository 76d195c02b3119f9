/* SPDX-License-Identifier: Apache-2.0 */
#include "verdict.h"

#include <limen/host.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* LIMEN_SKIP + 1, which no module may return. */
#define ODD 4
#define NOT_GIVEN 5

const char *const verdict_words[] = { "error", "pass", "fail", "skip", "odd", "", NULL };

enum { OPEN_WELL, OPEN_ABORT, OPEN_FLAGS };

static const char *const open_words[] = { "well", "abort", "flags", NULL };

enum { END_NOT, END_QUICKLY, END_AT_ONCE, END_CRASH, END_ABORT, END_FOREIGN };

static const char *const end_words[] = { "", "quick-exit", "_exit", "crash", "abort", "foreign-call", NULL };

static const char *const misuse_words[] = { "", "violate", "prioritize", "set", "insert", "remove",
	                                    "replace", "change", "attach", "set-at", NULL };

struct verdict_note {
	const char *text;
	int64_t times;
};

static const limen_option note_options[] = {
	LIMEN_OPT_STRING(struct verdict_note, text, .key = "text", .required = true,
	                 .pattern = "[a-z ]+", .help = "What to note"),
	LIMEN_OPT_INT(struct verdict_note, times, .key = "times", .minimum = 1, .maximum = 9,
	              .fallback = "1", .help = "How often"),
	LIMEN_OPT_END
};

const limen_option verdict_options[] = {
	LIMEN_OPT_ENUM(struct verdict, word, .key = "verdict", .choices = verdict_words,
	               .fallback = "", .help = "What to answer"),
	LIMEN_OPT_STRING(struct verdict, from_hint, .key = "from-hint",
	                 .help = "The hint that holds what to answer; without it: skip"),
	LIMEN_OPT_STRING(struct verdict, reason, .key = "reason", .help = "Why"),
	LIMEN_OPT_STRINGS(struct verdict, reasons, .key = "reasons", .help = "Further reasons"),
	LIMEN_OPT_DURATION(struct verdict, sleep, .key = "sleep",
	                   .help = "How long to think about it"),
	LIMEN_OPT_DURATION(struct verdict, close_sleep, .key = "close-sleep",
	                   .help = "How long to be closed"),
	LIMEN_OPT_INT(struct verdict, leak, .key = "leak", .fallback = "0", .minimum = 0,
	              .maximum = 1 << 30, .help = "How many bytes to keep of each call, for ever"),
	LIMEN_OPT_INT(struct verdict, debt, .key = "debt", .minimum = -9,
	              .help = "Nothing: its bounds are -9 and 0"),
	LIMEN_OPT_BOOL(struct verdict, blocking, .key = "blocking",
	               .help = "Whether to say that it may block"),
	LIMEN_OPT_BOOL(struct verdict, notes_deadline, .key = "note-deadline",
	               .help = "Whether to note how many seconds there are, rounded"),
	LIMEN_OPT_BOOL(struct verdict, exits, .key = "exits",
	               .help = "Whether to end the program instead"),
	LIMEN_OPT_ENUM(struct verdict, ends, .key = "ends", .choices = end_words,
	               .fallback = "", .help = "How to end the program instead"),
	LIMEN_OPT_STRING(struct verdict, asks, .key = "asks", .help = "A classifier to ask for"),
	LIMEN_OPT_ROWS(struct verdict, notes, struct verdict_note, note_options, .key = "notes",
	               .minimum_count = 1, .help = "What to note"),
	LIMEN_OPT_ENUM(struct verdict, opens, .key = "open", .choices = open_words,
	               .help = "What to do when opened: abort, or add flags that do not exist"),
	LIMEN_OPT_ENUM(struct verdict, misuse, .key = "misuse", .choices = misuse_words,
	               .fallback = "", .help = "What to do that only other modules may"),
	LIMEN_OPT_END
};

int
verdict_open(void *self, limen_opening *opening, limen_diag *diag)
{
	struct verdict *verdict = self;

	if ((verdict->word == NOT_GIVEN) == (verdict->from_hint == NULL)) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "one of 'verdict' and 'from-hint' is needed");
		return LIMEN_ECONFIG;
	}
	if (verdict->opens == OPEN_ABORT)
		abort();
	if (verdict->opens == OPEN_FLAGS)
		limen_opening_add_flags(opening, UINT64_C(1) << 40 | LIMEN_MODULE_BLOCKING);
	if (verdict->blocking)
		limen_opening_add_flags(opening, LIMEN_MODULE_BLOCKING);
	if (verdict->asks != NULL)
		return limen_opening_use_classifier(opening, verdict->asks, limen_value_none(),
		                                    diag);
	return LIMEN_OK;
}

static void
think(limen_duration length)
{
	struct timespec rest = {
		.tv_sec = (time_t)(length / LIMEN_SECOND),
		.tv_nsec = (long)(length % LIMEN_SECOND) * 1000,
	};

	nanosleep(&rest, NULL);
}

void
verdict_close(void *self)
{
	const struct verdict *verdict = self;

	if (verdict->close_sleep > 0)
		think(verdict->close_sleep);
}

/* In a list, so that sanitizers do not take what is meant for what they look for. */
static void
leak(size_t size)
{
	static _Atomic(void *) kept;
	void **block = malloc(sizeof(*block) + size);

	if (block == NULL)
		return;
	/* Memory that nobody has written to is not there yet. */
	memset(block + 1, 'x', size);
	*block = atomic_exchange(&kept, block);
}

static int
find_word(const struct verdict *verdict, const limen_request *req)
{
	limen_value hint;

	if (verdict->from_hint == NULL)
		return verdict->word;
	hint = limen_value_get(limen_request_hints(req), verdict->from_hint);
	if (!limen_value_exists(hint))
		return LIMEN_SKIP;
	for (int i = 0; i < NOT_GIVEN; i++) {
		if (limen_value_is(hint, verdict_words[i]))
			return i;
	}
	return ODD;
}

static void
note_deadline(const limen_request *req, limen_reply *reply)
{
	limen_duration left = limen_request_time_left(req);

	if (left == INT64_MAX)
		limen_reply_note(reply, "no deadline");
	else
		limen_reply_note(reply, "deadline in %lld s",
		                 (long long)((left + LIMEN_SECOND / 2) / LIMEN_SECOND));
}

static void
misuse(const struct verdict *verdict, const limen_request *req, limen_reply *reply)
{
	limen_value root = limen_request_document(req);
	const char *what = misuse_words[verdict->misuse];

	if (strcmp(what, "violate") == 0)
		limen_reply_violation(reply, LIMEN_CLASS_FORBIDDEN, NULL, "no");
	else if (strcmp(what, "prioritize") == 0)
		limen_reply_priority(reply, 1);
	else if (strcmp(what, "set") == 0)
		limen_reply_set(reply, root, "a", "1");
	else if (strcmp(what, "insert") == 0)
		limen_reply_insert(reply, root, 0, "1");
	else if (strcmp(what, "remove") == 0)
		limen_reply_remove(reply, root);
	else if (strcmp(what, "replace") == 0)
		limen_reply_replace(reply, "{}", 2);
	else if (strcmp(what, "change") == 0)
		limen_reply_changed(reply, NULL);
	else if (strcmp(what, "attach") == 0)
		limen_reply_attach(reply, verdict, NULL, NULL);
	else if (strcmp(what, "set-at") == 0)
		limen_reply_set_string_at(reply, "/a", "", 0);
}

static void
give_notes(const struct verdict *verdict, limen_reply *reply)
{
	const struct verdict_note *notes = verdict->notes.items;

	for (size_t i = 0; i < verdict->notes.count; i++) {
		for (int64_t j = 0; j < notes[i].times; j++)
			limen_reply_note(reply, "%s", notes[i].text);
	}
}

/* Ends the program as a faulty module would. */
static void
end(int way)
{
	volatile int *nowhere = NULL;

	if (way == END_QUICKLY)
		quick_exit(0);
	if (way == END_AT_ONCE)
		_exit(0);
	if (way == END_CRASH)
		*nowhere = 1;
	if (way == END_ABORT)
		abort();
#ifdef __x86_64__
	/* getpid() by the numbers of i386, which ends a program only if a filter says so. */
	if (way == END_FOREIGN) {
		long number = 20;

		__asm__ volatile("int $0x80" : "+a"(number) : : "memory", "r8", "r9", "r10", "r11");
	}
#endif
}

limen_verdict
verdict_give(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct verdict *verdict = self;

	if (verdict->sleep > 0)
		think(verdict->sleep);
	if (verdict->exits)
		exit(0);
	end(verdict->ends);
	if (verdict->notes_deadline)
		note_deadline(req, reply);
	give_notes(verdict, reply);
	if (verdict->leak > 0)
		leak((size_t)verdict->leak);
	misuse(verdict, req, reply);
	if (verdict->reason != NULL)
		limen_reply_reason(reply, "%s", verdict->reason);
	for (size_t i = 0; i < verdict->reasons.count; i++)
		limen_reply_reason(reply, "%s", verdict->reasons.items[i]);
	return (limen_verdict)find_word(verdict, req);
}
