/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests.h - "limen test": what a file of tests holds, and what became of them.
 *
 * Values stay those of the document that was read, so that everything that is
 * said about one has its place.
 */
#ifndef LIMEN_PROGRAM_TESTS_H
#define LIMEN_PROGRAM_TESTS_H

#include <glib.h>
#include <limen/documents.h>
#include <limen/engine.h>

#include "cli/command.h"

/* Where the members of a test are looked for: in its row, in the step, the test, the defaults. */
enum { LAYER_STEP, LAYER_TEST, LAYER_DEFAULTS, LAYERS };

typedef struct test_view {
	const GPtrArray *columns; /* RFC 6901 pointers into a test, or NULL */
	limen_value cells;        /* the row, an array */
	limen_value layers[LAYERS];
} test_view;

/* A file of tests. */
typedef struct test_file {
	char *path;
	GString *text;
	limen_documents *parsed;
	limen_value root;
	GPtrArray *tests;  /* test_case */
	GPtrArray *others; /* not asked for; an update has to know what they meet */
	GPtrArray *tables; /* of arrays of columns */
	limen_diag *diag;
	char *why;         /* why it cannot be read, or NULL */
} test_file;

typedef enum test_outcome {
	TEST_PASSED = 0,
	TEST_FAILED = 1,
	TEST_SKIPPED = 2,
	TEST_BROKEN = 3 /* could not be run */
} test_outcome;

/* One expectation that was not met. */
typedef struct test_failure {
	limen_value where; /* the expectation */
	char *what;        /* "verdict", "step 2: code" */
	char *expected;    /* JSON */
	char *found;       /* JSON */
	char *because;     /* why nothing could be told, or NULL */
	bool replaceable;  /* what was found could stand there instead */
} test_failure;

typedef struct test_case {
	const test_file *file;
	char *name;
	limen_value where;
	test_view view;
	limen_value steps; /* an array, or none: the test is its only step */
	test_outcome outcome;
	char *why;            /* it was skipped or is broken */
	GPtrArray *failures;  /* test_failure */
	GArray *met;          /* limen_value: expectations that were met */
	int64_t microseconds; /* that it took */
} test_case;

/* ---- tests_view.c ---- */

/* Does a cell set anything?  Null leaves it empty, so that a row need not say everything. */
bool tests_is_given(limen_value cell);

/* Returns the member 'key' of a test, or none. */
limen_value tests_find(const test_view *view, const char *key);

/* Returns the member 'member' of the object 'key', each of which may be given in parts. */
limen_value tests_member(const test_view *view, const char *key, const char *member);

/* ---- tests_text.c ---- */

/* Returns the first token of '*rest' ("/a/b") without its escapes, to g_free(), and moves on. */
char *tests_take_token(const char **rest);

/*
 * Returns 'key' with what the row puts into it, which '*parsed' may hold; none if there
 * is nothing, or with '*why' to g_free().
 */
limen_value tests_whole(const test_view *view, const char *key, limen_documents **parsed,
                        char **why);

/* ---- tests_read.c ---- */

/* Reads a file; what is wrong is in its 'diag' or 'why'.  Never NULL. */
test_file *tests_read(const char *path);
void tests_free(gpointer file);

/* ---- tests_keys.c ---- */

/* Where a key may stand. */
enum {
	IN_FILE = 1 << 0,
	IN_DEFAULTS = 1 << 1,
	IN_TEST = 1 << 2,
	IN_STEP = 1 << 3,
	IN_COLUMN = 1 << 4
};

/* Checks the keys of an object at such a place; 'what' names it. */
bool tests_check_object(limen_value object, unsigned place, const char *what, limen_diag *diag);

/* Says that nobody knows 'key', and what was meant (or NULL). */
void tests_refuse_key(limen_value where, const char *key, const char *meant, limen_diag *diag);

/* Returns the pointer that the column 'heading' stands for, to g_free(), or NULL with a problem. */
char *tests_read_column(limen_value heading, limen_diag *diag);

/* Checks the value of a column. */
bool tests_check_cell(const char *pointer, limen_value cell, limen_diag *diag);

/* ---- tests_expect.c ---- */

/* Checks what the member 'key' of "expect" holds; unknown keys are a problem, too. */
bool tests_check_expected(limen_value key, limen_value value, limen_diag *diag);

/* The same for a key of 'length' bytes; problems with it are at 'where'. */
bool tests_check_expected_key(const char *key, size_t length, limen_value where, limen_value value,
                              limen_diag *diag);

/* Does the view expect anything? */
bool tests_expects(const test_view *view);

/* Adds a failure for each expectation of 'view' that 'decision' does not meet; false: no memory. */
bool tests_compare(test_case *test, const test_view *view, const char *label,
                   const limen_decision *decision);

/* ---- tests_cover.c ---- */

typedef struct test_cover test_cover;

/* What of a policy was exercised; any thread may add to it. */
test_cover *tests_cover_new(void);
void tests_cover_free(test_cover *cover);

/* Remembers the policy 'name' that 'engine' loaded, once. */
void tests_cover_policy(test_cover *cover, const char *name, limen_engine *engine);
void tests_cover_decision(test_cover *cover, const char *name, const limen_decision *decision);

void tests_cover_print(test_cover *cover);
void tests_cover_json(test_cover *cover, GString *out);

/* ---- tests_run.c ---- */

typedef struct tests_settings {
	common_options *common;
	const char *policy; /* for tests that name none; may be NULL */
	unsigned engine_flags;
	test_cover *cover;  /* or NULL */
} tests_settings;

/* Runs all tests of all files, and the others, on all processors, and stores what became of them. */
void tests_run(const tests_settings *settings, const GPtrArray *files);

/* ---- tests_output.c, tests_report.c ---- */

typedef struct tests_counts {
	size_t passed;
	size_t failed;
	size_t skipped;
	size_t broken;
} tests_counts;

void tests_print_text(const GPtrArray *files, const tests_counts *counts, bool verbose);
void tests_print_tap(const GPtrArray *files, const tests_counts *counts);
void tests_print_junit(const GPtrArray *files, const tests_counts *counts);
void tests_print_json(const GPtrArray *files, const tests_counts *counts, test_cover *cover);

/* Where 'value' stands, "FILE:LINE:COLUMN", to g_free(). */
char *tests_place(limen_value value);

/* ---- tests_update.c ---- */

/* Remembers that 'expected' was met, so that nobody puts something else there. */
void tests_note_met(test_case *test, limen_value expected);

/*
 * Writes what was found where it was expected otherwise, into the files.  Returns how
 * many expectations could not be replaced, each after a message; '*replaced' is how many
 * were.
 */
size_t tests_update(const GPtrArray *files, size_t *replaced);

#endif
