/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.h - "limen replay": decides recorded requests again.
 */
#ifndef LIMEN_PROGRAM_REPLAY_H
#define LIMEN_PROGRAM_REPLAY_H

#include <glib.h>
#include <limen/documents.h>
#include <limen/engine.h>

#include "cli/command.h"

/* Reasons to skip a line. */
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

/* Information that is missing in a request that is decided nevertheless. */
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

/* A recorded or new outcome.  Texts are borrowed from the record. */
typedef struct replay_outcome {
	int code;           /* HTTP status; 0: only 'admitted' is known */
	bool admitted;
	const char *entry;  /* or NULL */
	const char *reason; /* or NULL */
	int64_t warnings;   /* number; -1: not known */
} replay_outcome;

/* One line of a log. */
typedef struct replay_record {
	limen_documents *parsed; /* the document of the line */
	limen_request *request; /* NULL: the line is skipped */
	replay_skip skip;
	unsigned losses;        /* 1 << LOSS_... */
	limen_decide_options options;
	limen_time time;
	bool has_recorded;
	replay_outcome recorded;
	limen_decision *decisions[2]; /* of the old policy, if any, and the new one */
	unsigned file;
	size_t line;            /* from 1 */
	size_t length;          /* bytes of the line; 0: it is too long */
	char *excerpt;          /* start of an unreadable line, why one is refused, or NULL */
} replay_record;

/* ---- replay_record.c ---- */

/*
 * Reads the line of 'record', record->length bytes at 'text'; 'otherwise' is the decision time
 * of lines without a time.
 */
void replay_record_read(replay_record *record, const char *text, limen_time otherwise);
void replay_record_free(gpointer record);

/* ---- replay_tally.c ---- */

/* The verdicts, in the order of the tables. */
enum { VERDICT_ADMITTED, VERDICT_REFUSED, VERDICT_ERROR, VERDICTS };

/* The sides of a comparison: the record or the old policy, and the new policy. */
enum { WAS, IS, SIDES };

/* The rule that decided: an application, a limit in one, or an admission entry. */
typedef struct replay_rule {
	int verdict;
	int code;          /* HTTP status; 0: several */
	const char *text;  /* "(others)" collects rules beyond the limit, here or in 'changes' */
	const char *label; /* "refused 403: TEXT" */
	size_t counts[SIDES];
} replay_rule;

typedef struct replay_example {
	const char *place; /* FILE:LINE */
	limen_time time;
	const char *request;
	const char *answers[SIDES];
} replay_example;

/* Requests with a changed answer, by the old and the new rule. */
typedef struct replay_change {
	size_t rules[SIDES]; /* indices */
	size_t count;
	GArray *examples; /* replay_example */
} replay_change;

#define REPLAY_BINS 60

typedef struct replay_bin {
	size_t requests;
	size_t refused[SIDES]; /* or the decision was an error */
} replay_bin;

/* Differences between two answers; an answer may have several. */
enum { DIFFERS_VERDICT, DIFFERS_CODE, DIFFERS_RESULT, DIFFERS_PRIORITY, DIFFERS_WARNINGS, DIFFERENCES };

typedef struct replay_tally {
	char **files;
	size_t example_max;
	size_t lines;
	size_t decided;
	size_t changed;
	size_t moved;        /* the same answer from another rule */
	size_t late;         /* decided after a later request */
	size_t skips[SKIPS];
	size_t losses[LOSSES];
	size_t matrix[VERDICTS][VERDICTS]; /* was, is */
	size_t differences[DIFFERENCES];
	GStringChunk *texts;       /* owns the texts of rules and examples */
	GArray *rules;             /* replay_rule */
	GHashTable *known_rules;   /* index + 1 */
	GArray *changes;           /* replay_change */
	GHashTable *known_changes; /* index + 1 */
	GPtrArray *malformed;      /* char *, the first few */
	limen_time first;
	limen_time last;
	limen_time bins_start;
	limen_duration bin_width; /* 0: nothing counted */
	replay_bin bins[REPLAY_BINS];
} replay_tally;

replay_tally *replay_tally_new(char **files, size_t examples);
void replay_tally_free(replay_tally *tally);

/* Counts a record, decided or skipped. */
void replay_tally_add(replay_tally *tally, const replay_record *record);

/* Sorts the results for output. */
void replay_tally_finish(replay_tally *tally);

static inline replay_rule *
replay_rule_at(const replay_tally *tally, size_t index)
{
	return &g_array_index(tally->rules, replay_rule, index);
}

/* Returns the rule on that side of a change. */
static inline const replay_rule *
replay_rule_of(const replay_tally *tally, const replay_change *change, int side)
{
	return replay_rule_at(tally, change->rules[side]);
}

extern const char *const replay_skips[SKIPS];
extern const char *const replay_losses[LOSSES];
extern const char *const replay_verdicts[VERDICTS];
extern const char *const replay_differences[DIFFERENCES];

/* ---- replay_run.c ---- */

typedef struct replay_settings {
	char **files;
	limen_engine *engines[2]; /* the old one may be NULL */
	bool ordered;             /* decide in the order of time, on one thread for each policy */
	limen_time otherwise;
} replay_settings;

/* Decides all lines; returns false, after a message, if a file cannot be read. */
bool replay_run(const replay_settings *settings, replay_tally *tally);

/* ---- replay_report.c ---- */

/* Names of the two sides in the output. */
typedef struct replay_names {
	const char *sides[SIDES];
	const char *mode; /* the order of the decisions */
} replay_names;

/* Writes a point in time as ISO 8601 to 'out', and returns that. */
const char *replay_time_text(limen_time time, char out[LIMEN_TIMESTAMP_TEXT_MAX]);

void replay_print(const replay_tally *tally, const replay_names *names, bool html, bool colored);
void replay_print_json(const replay_tally *tally, const replay_names *names);

#endif
