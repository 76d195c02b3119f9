/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_log.h - writes one line of JSON for each decision to a file; docs/decision-log.md
 * describes the format.
 *
 * A thread of the log writes the lines.  Threads that decide never wait for the disk: if it is
 * too slow, lines are dropped and counted.
 */
#ifndef LIMEND_DECISION_LOG_H
#define LIMEND_DECISION_LOG_H

#include "record.h"

typedef struct decision_log decision_log;

/* Parts of a line that can be removed or hashed. */
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
	double sample;    /* share of admitted requests to log, 0..1; refusals are always logged */
	unsigned removed; /* REDACT_*: left out */
	unsigned hashed;  /* REDACT_*: replaced by a keyed hash */
	bool documents;   /* log the task or the objects, too */
	bool kept_back;   /* log the reasons kept from requesters, too (--messages=short) */
} decision_log_options;

/*
 * Reads a list such as "user,peer:hash,groups" into 'out': parts to remove or to hash.  Returns
 * false with an error text in '*why', to g_free(), if it is not valid.
 */
bool decision_log_redactions(const char *text, decision_log_options *out, char **why);

/*
 * Opens the log for appending; a new file has the mode 0640.  Returns NULL with an error text in
 * '*why', to g_free(), if that fails.
 */
decision_log *decision_log_open(const decision_log_options *options, char **why);

/*
 * Writes the waiting lines and ends the writer thread.  The reader of a pipe has five seconds;
 * lines that are left then are lost, which is logged.  Lines added later are dropped.  Call it on
 * the thread that closes the log; NULL is allowed.
 */
void decision_log_finish(decision_log *self);

/* Finishes and frees the log.  No thread may add to it any more; NULL is allowed. */
void decision_log_close(decision_log *self);

/* Stops all waiting for a slow reader; from any thread.  NULL is allowed. */
void decision_log_hurry(decision_log *self);

/* Logs a decision if it is refused or in the sample; from any thread.  NULL is allowed. */
void decision_log_add(decision_log *self, const record *facts);

/* Makes the writer open its path again, for logrotate(8).  Not for signal handlers. */
void decision_log_reopen(decision_log *self);

/* Counts of lines since the start. */
typedef struct decision_log_figures {
	uint64_t written;
	uint64_t dropped; /* the queue was full, or the log was closing */
	uint64_t lost;    /* the file could not be written */
} decision_log_figures;

void decision_log_count(decision_log *self, decision_log_figures *out);

#endif
