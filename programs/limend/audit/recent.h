/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recent.h - keeps the newest decisions in memory, so that an operator sees who was refused and why:
 * the newest refusals, would-be refusals and errors, a sample of admissions apart from them, and counts
 * by namespace and by requester since the start.
 *
 * Memory is bounded: RECENT_SHARE bytes for each decision that may be kept, or RECENT_SHARE_DOCUMENTS with
 * documents; beyond that the oldest leave, and are counted.  All functions take NULL, and may be
 * called from any thread.
 */
#ifndef LIMEND_RECENT_H
#define LIMEND_RECENT_H

#include "decision_line.h"

/* Most decisions that can be asked for, and how many admissions are kept beside them. */
#define RECENT_MAX 100000
#define RECENT_ADMISSIONS 200

/* Refusals a second that are kept once as many came at once as may be kept; the rest is only counted. */
#define RECENT_RATE 100

#define RECENT_SHARE ((size_t)4 << 10)
#define RECENT_SHARE_DOCUMENTS ((size_t)16 << 10)

typedef struct recent recent;

/*
 * Keeps 'most' decisions, redacted as 'log' says.  'documents': what was decided, too, as a question
 * (limen/question.h) of at most 64 KiB.
 */
recent *recent_new(size_t most, const decision_log_options *log, bool documents);
void recent_free(recent *self);

/* Counts a decision and keeps it; admissions only four times a second, refusals as RECENT_RATE says. */
void recent_add(recent *self, const record *facts);

/* The texts of a filter: a verdict of record_outcomes, and a user or requester. */
enum { RECENT_VERDICT, RECENT_NAMESPACE, RECENT_ENTRY, RECENT_USER, RECENT_TEXTS };

/* Which decisions are shown. */
typedef struct recent_filter {
	const char *texts[RECENT_TEXTS]; /* NULL allows any */
	uint64_t since;  /* only those with a greater number */
	size_t number;   /* at most so many */
	bool documented; /* only those whose document is kept */
} recent_filter;

/* How many clients may follow at once. */
#define RECENT_FOLLOWERS 16

/*
 * Makes the response a stream of text/event-stream (https://html.spec.whatwg.org/#server-sent-events) that
 * tells of each decision that is wanted.  A client that is so slow that decisions fell out is told, and
 * dropped.  Returns false if as many follow as may.  The response ends before 'self' is freed.
 */
bool recent_follow(recent *self, const recent_filter *filter, http_response *response);

/*
 * Appends the members "since" (the start), "number", "lost", "decisions" (newest first), "namespaces" and "requesters" of an
 * object that is open.
 */
void recent_write(recent *self, const recent_filter *filter, GString *out);

#endif
