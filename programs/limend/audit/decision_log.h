/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_log.h - one line of JSON for each decision, in a file: the format is
 * described in docs/decision-log.md.
 *
 * Lines are written by a thread of the log's own.  Whoever decides never waits for
 * a disk: when it is too slow, lines are dropped and counted.
 */
#ifndef LIMEND_DECISION_LOG_H
#define LIMEND_DECISION_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "record.h"

typedef struct decision_log decision_log;

/* Parts of a line that may be hidden. */
typedef enum redaction {
	REDACT_USER = 1 << 0,
	REDACT_GROUPS = 1 << 1,
	REDACT_PEER = 1 << 2, /* the requester of a task, too */
	REDACT_NAMESPACE = 1 << 3,
	REDACT_NAME = 1 << 4,
	REDACT_REASON = 1 << 5
} redaction;

typedef struct decision_log_options {
	const char *path; /* "-": standard output */
	double sample;    /* which share of what is admitted is logged, 0..1; refusals always are */
	unsigned removed; /* REDACT_*: left out */
	unsigned hashed;  /* REDACT_*: replaced by a keyed hash */
	bool documents;   /* what was decided about is part of a line */
	bool kept_back;   /* and so is what nobody else was told (--messages=short) */
} decision_log_options;

/*
 * Reads "user,peer:hash,groups" into 'out': parts that are left out, or hashed.
 * Returns false with '*why' to g_free() if that cannot be read.
 */
bool decision_log_redactions(const char *text, decision_log_options *out, char **why);

/*
 * Opens the log, appending to what is there (mode 0640).  Returns NULL with '*why'
 * to g_free() if that cannot be.
 */
decision_log *decision_log_open(const decision_log_options *options, char **why);

/*
 * Writes what is waiting, once and on the thread that closes; NULL is fine.  Who reads it, if it is a pipe, has five
 * seconds; what is left then is lost, which is logged.  What is added later is dropped.
 */
void decision_log_finish(decision_log *self);

/* The same, and closes the log, to which nobody adds any more; NULL is fine. */
void decision_log_close(decision_log *self);

/* Gives them no time at all, from now on; from any thread.  NULL is fine. */
void decision_log_hurry(decision_log *self);

/* Logs a decision if it is chosen; from any thread. */
void decision_log_add(decision_log *self, const record *made);

/* Opens the file of that name anew, for logrotate(8); a signal handler may not call it. */
void decision_log_reopen(decision_log *self);

/* What became of lines so far. */
typedef struct decision_log_figures {
	uint64_t written;
	uint64_t dropped; /* the queue was full, or nothing is written any more */
	uint64_t lost;    /* the file could not be written */
} decision_log_figures;

void decision_log_count(decision_log *self, decision_log_figures *out);

#endif
