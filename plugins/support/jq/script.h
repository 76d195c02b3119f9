/* SPDX-License-Identifier: Apache-2.0 */
/* script.h - a script as the files of this folder see it. */
#ifndef LIMEN_SUPPORT_JQ_SCRIPT_H
#define LIMEN_SUPPORT_JQ_SCRIPT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "jq.h"
#include "worker/state.h"
#include "worker/template.h"

struct jq_script {
	bool has_hints; /* its input is [INPUT, HINTS] */
	int64_t timeout; /* nanoseconds */
	template *template; /* whose workers run it; NULL: it runs here */
	uint32_t number;    /* in the template */
	limen_host *host;   /* NULL in tests */
	atomic_bool has_sweep; /* a job will end idle workers */
	/* Here, it is run by one thread at a time. */
	pthread_mutex_t lock;
	state *state;
	char *memory; /* of replies */
};

/*
 * ---- words.c: strings and comments of a script are told from code, and code inside of strings,
 * "\( )", is found ----
 */

/* The bytes of names, the first of which is no digit. */
#define WORDS_DIGITS  "0123456789"
#define WORDS_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define WORDS_NAME    WORDS_LETTERS WORDS_DIGITS

typedef enum word_kind {
	WORD_END,
	WORD_NAME,     /* a name or keyword, "iso::duration" included */
	WORD_VARIABLE, /* "$name" */
	WORD_FIELD,    /* ".name" */
	WORD_FORMAT,   /* "@name" */
	WORD_NUMBER,
	WORD_TEXT,     /* a string up to its end or to the next "\(" */
	WORD_SYMBOL    /* one operator or bracket */
} word_kind;

typedef struct word {
	word_kind kind;
	size_t start;
	size_t length;
	bool whole; /* TEXT: the whole string, quotes included */
} word;

typedef struct words {
	const char *script;
	word *list; /* up to a WORD_END; for the caller to free */
} words;

/* Reads 'script', which must outlive 'out'.  Returns false when memory is short. */
bool words_read(words *out, const char *script);

/* Is 'item' the name or symbol 'text'? */
bool words_is(const words *of, const word *item, const char *text);

/*
 * ---- imports.c: what scripts import, and the directories of modules ----
 *
 * libjq opens modules and data (import "NAME" as $d) while it compiles, when the process of the
 * script is not closed yet: by a path of the script's own it would read files of the host.
 */

/* import "NAME" as ALIAS METADATA; or include "NAME" METADATA; */
typedef struct import {
	const word *first;
	const word *name;
	const word *end; /* its ";" */
} import;

/* Finds the next statement, from '*at' on (NULL: the beginning), and leaves '*at' behind it. */
bool imports_next(const words *of, const word **at, import *found);

/*
 * Returns true if every import has a name below the directories of modules; otherwise false, with
 * a problem for each other import.
 */
bool imports_check(const limen_transform *transform, const words *script, limen_diag *diag);

/*
 * Makes the modules that 'script' imports inputs of the instance, so that a reload opens it afresh
 * when one has changed.
 */
void imports_watch(limen_opening *opening, const words *script);

/*
 * ---- program.c: the text that jq compiles for an operator's script, all of it on the script's
 * first line so that jq counts the lines as the operator does ----
 *
 *	imports  args  guards  hint()  prelude  script
 */

/* Returns false, with problems, for arguments that jq refuses and for an empty script. */
bool program_check(const jq_setup *setup, const limen_transform *transform, const words *script,
                   limen_diag *diag);

/* May 'script' ask for hints?  Then its input is [INPUT, HINTS]. */
bool program_has_hints(const jq_setup *setup, const char *script);

/*
 * Returns the text, for the caller to free, or NULL when memory is short.  'is_local' leaves out
 * the guards.
 */
char *program_make(const jq_setup *setup, const limen_transform *transform, const words *script,
                   bool is_local);

/* ---- report.c: problems and notes about a script, at their place in the policy file ---- */

/* Returns the value in the file that holds byte 'at' of the script: an element, or all. */
limen_value report_place(const limen_transform *transform, size_t at);

/* Adds problems for 'messages', the compiler's, one a line. */
void report_errors(const limen_transform *transform, const char *messages, limen_diag *diag);

/* Adds remarks on what a script does that compiles. */
void report_remarks(const jq_setup *setup, const limen_transform *transform, const words *script,
                    limen_diag *diag);

#endif
