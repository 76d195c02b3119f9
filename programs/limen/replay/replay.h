/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.h - "limen replay": requests that were recorded, decided again.
 */
#ifndef LIMEN_PROGRAM_REPLAY_H
#define LIMEN_PROGRAM_REPLAY_H

#include <glib.h>
#include <limen/documents.h>
#include <limen/engine.h>

#include "cli/command.h"
#include "common/switches.h"

/* Why a line is not decided. */
typedef enum replay_skip {
	SKIP_NOT = 0,
	SKIP_MALFORMED,
	SKIP_TOO_LONG,
	SKIP_UNKNOWN,
	SKIP_DOCUMENT,
	SKIP_PATCH,
	SKIP_COLLECTION,
	SKIP_READ,
	SKIP_STAGE,
	SKIP_UNAUTHORIZED,
	SKIP_INVALID,
	SKIP_VERDICT,
	SKIPS
} replay_skip;

/* What is missing of a request that is decided all the same. */
typedef enum replay_loss {
	LOSS_TIME = 0,
	LOSS_USER,
	LOSS_HASHED_USER,
	LOSS_REQUESTER,
	LOSS_HASHED_REQUESTER,
	LOSS_HASHED_NAMESPACE,
	LOSS_HASHED_NAME,
	LOSS_EVENT,
	LOSS_OLD,
	LOSS_CUT,
	LOSSES
} replay_loss;

/* What was, or is, decided.  Texts belong to the record. */
typedef struct replay_outcome {
	int code;           /* 0: not known exactly, see 'admitted' */
	bool admitted;
	const char *entry;  /* or NULL */
	const char *reason; /* or NULL */
	int64_t warnings;   /* -1: not known */
} replay_outcome;

/* One line of a log. */
typedef struct replay_record {
	limen_documents *parsed; /* the document of the line */
	limen_request *request; /* NULL: it is skipped */
	replay_skip skip;
	unsigned losses;        /* 1 << LOSS_... */
	limen_phase phase;
	switches how;
	limen_time time;
	bool has_recorded;
	replay_outcome recorded;
	limen_decision *decisions[2]; /* under the old policy, if any, and the new one */
	unsigned file;
	size_t line;            /* from 1 */
	size_t sequence;        /* among all, for those of the same time */
	size_t length;          /* of the line, in bytes */
	char *excerpt;          /* of a line that cannot be read, or NULL */
} replay_record;

/* ---- replay_record.c ---- */

/* Reads one line; 'otherwise' is the time of requests whose line has none. */
replay_record *replay_record_read(const char *text, size_t length, limen_time otherwise);
void replay_record_free(replay_record *record);

/*
 * A text; NULL if it is none.  One that holds a NUL makes the line invalid, as it does a
 * review: what stands before it may be the name of somebody else.
 */
const char *replay_plain(replay_record *record, limen_value value);

/* The same for a member. */
const char *replay_text(replay_record *record, limen_value object, const char *key);

/* Reads the time of a line; false if there is none that makes sense. */
bool replay_time(limen_value object, const char *key, limen_time *out);

/* What an object comes with; texts that are not known are NULL. */
typedef struct replay_envelope {
	const char *uid;
	const char *user;
	const char *operation;
	const char *namespace;
	const char *name;
	const char *prefix;
	const char *group;
	const char *version;
	const char *resource;
	const char *subresource;
	const char *requester;
	limen_value groups;
	limen_value hints;  /* all of them, if it is an object; else they are made of the above */
	limen_value object; /* or none */
	limen_value old;
	bool manifest; /* the API server has not filled in its defaults yet */
	bool dry_run;
} replay_envelope;

/* Makes the request of an object; false if it cannot be made. */
bool replay_make_object(replay_record *record, const replay_envelope *what);

/* Makes the request of a task. */
bool replay_make_task(replay_record *record, limen_value task, limen_value hints,
                      const char *requester);

/* Reads how the task was to be decided; a question that makes no sense is skipped. */
bool replay_read_switches(replay_record *record, limen_value line);

/* ---- replay_logged.c, replay_audit.c ---- */

bool replay_is_logged(limen_value line);
void replay_read_logged(replay_record *record, limen_value line);
bool replay_is_audit(limen_value line);
void replay_read_audit(replay_record *record, limen_value line);

/* ---- replay_tally.c ---- */

/* The verdicts, in the order of the tables. */
enum { VERDICT_ADMITTED, VERDICT_REFUSED, VERDICT_ERROR, VERDICTS };

/* Who decided: an application, a limit in one, an admission entry. */
typedef struct replay_rule {
	int verdict;
	int code;   /* 0: several */
	char *text; /* "(others)" stands for those that found no room, here or in 'changes' */
	size_t was;
	size_t is;
} replay_rule;

typedef struct replay_example {
	char *place; /* FILE:LINE */
	limen_time time;
	char *what;
	char *was;
	char *is;
} replay_example;

/* Requests that went from one rule to another and whose answer changed. */
typedef struct replay_change {
	size_t was; /* index of a rule */
	size_t is;
	size_t count;
	GPtrArray *examples; /* replay_example */
} replay_change;

#define REPLAY_BINS 60

typedef struct replay_bin {
	size_t requests;
	size_t was_refused; /* or could not be told */
	size_t is_refused;
	size_t changed;
} replay_bin;

/* In what an answer differs; one answer may in several. */
enum { DIFFERS_VERDICT, DIFFERS_CODE, DIFFERS_RESULT, DIFFERS_PRIORITY, DIFFERS_WARNINGS, DIFFERENCES };

typedef struct replay_tally {
	char **files;
	size_t example_max;
	bool against;        /* another policy, not what was recorded */
	size_t lines;
	size_t decided;
	size_t changed;
	size_t moved;        /* the same answer from another rule */
	size_t late;         /* came too late for their time */
	size_t skips[SKIPS];
	size_t losses[LOSSES];
	size_t matrix[VERDICTS][VERDICTS]; /* was, is */
	size_t differences[DIFFERENCES];
	GPtrArray *rules;    /* replay_rule */
	GHashTable *known_rules;
	GPtrArray *changes;  /* replay_change */
	GHashTable *known_changes;
	GPtrArray *malformed; /* char *, some */
	limen_time first;
	limen_time last;
	limen_time bins_start;
	limen_duration bin_width; /* 0: nothing counted yet */
	replay_bin bins[REPLAY_BINS];
} replay_tally;

replay_tally *replay_tally_new(char **files, size_t examples, bool against);
void replay_tally_free(replay_tally *tally);

/* Counts a record, whether it was decided or skipped. */
void replay_tally_add(replay_tally *tally, const replay_record *record);

/* Sorts what was counted, for showing it. */
void replay_tally_finish(replay_tally *tally);

const char *replay_skip_text(int skip);
const char *replay_loss_text(int loss);
const char *replay_verdict_text(int verdict);
const char *replay_difference_text(int difference);

/* ---- replay_run.c ---- */

typedef struct replay_settings {
	char **files;
	limen_engine *engines[2]; /* the old one may be NULL */
	bool ordered;             /* decide one after another in the order of time */
	limen_time otherwise;
} replay_settings;

/* Decides all lines; false if a file cannot be read, after a message. */
bool replay_run(const replay_settings *settings, replay_tally *tally);

/* ---- replay_text.c, replay_json.c, replay_html.c ---- */

/* How the two sides are called. */
typedef struct replay_names {
	const char *was;
	const char *is;
	const char *how; /* how it was decided */
} replay_names;

/* Writes a point in time to standard output, as ISO 8601. */
void replay_print_time(limen_time time);

void replay_print_text(const replay_tally *tally, const replay_names *names);
void replay_print_json(const replay_tally *tally, const replay_names *names);
void replay_print_html(const replay_tally *tally, const replay_names *names);

#endif
