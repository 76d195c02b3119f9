/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests.h - "limen test": test files, their tests and the results.
 *
 * Values refer to the parsed document, so that every message can name their file position.
 */
#ifndef LIMEN_PROGRAM_TESTS_H
#define LIMEN_PROGRAM_TESTS_H

#include <glib.h>
#include <limen/documents.h>
#include <limen/engine.h>

#include "ask/case.h"
#include "cli/command.h"
#include "report/report.h"

/* Lookup order of the members of a test after its row: the step, the test, the defaults. */
enum { LAYER_STEP, LAYER_TEST, LAYER_DEFAULTS, LAYERS };

typedef struct test_view {
	const GPtrArray *columns; /* RFC 6901 pointers into a test, or NULL */
	limen_value cells;        /* the row, an array */
	limen_value layers[LAYERS];
} test_view;

/* One test file, whose tests are the cases of its suite. */
typedef struct test_file {
	report_suite suite; /* first: the path, and test_case */
	GString *text;
	limen_documents *parsed;
	limen_value root;
	GPtrArray *others; /* test_case: deselected; an update checks their expectations, too */
	GPtrArray *tables; /* arrays of columns */
	limen_diag *diag;
	char *why;         /* why the file cannot be read, or NULL */
} test_file;

typedef struct test_case {
	report_case result; /* first: its remarks are the expectations that were not met */
	const test_file *file;
	limen_value where;
	test_view view;
	limen_value steps; /* an array; none: the test is its own single step */
	GArray *met;       /* limen_value: expectations that were met, which an update leaves */
} test_case;

/* ---- tests_request.c ---- */

/* Returns the member 'key' of a test, or none. */
limen_value tests_find(const test_view *view, const char *key);

/* Returns 'member' of the object 'key'; each layer may set some of its members. */
limen_value tests_member(const test_view *view, const char *key, const char *member);

/* Removes the first token of '*rest' ("/a/b") and returns it unescaped, to g_free(). */
char *tests_take_token(const char **rest);

/*
 * Returns 'key' with the cells of the row merged in; '*parsed' may own the result.  Returns
 * none if there is no value, or with '*why' to g_free().
 */
limen_value tests_whole(const test_view *view, const char *key, limen_documents **parsed,
                        char **why);

/* ---- tests_read.c ---- */

/*
 * Returns the paths for g_ptr_array_unref(): files as named, and for directories (NULL: the
 * current one) all files below with the name of a test file, in byte order.
 */
GPtrArray *tests_find_files(char **arguments);

/* Reads a file; errors are in its 'diag' or 'why'.  Never returns NULL. */
test_file *tests_read(const char *path);
void tests_free(gpointer file);

/* Returns the position of 'value', "FILE:LINE:COLUMN", to g_free(). */
char *tests_place(limen_value value);

/* ---- tests_keys.c ---- */

/* Places where a key is allowed. */
enum {
	IN_FILE = 1 << 0,
	IN_DEFAULTS = 1 << 1,
	IN_TEST = 1 << 2,
	IN_STEP = 1 << 3,
	IN_COLUMN = 1 << 4,
	IN_RUN = 1 << 5
};

/* Checks the keys of an object at 'place'; 'name' is its name in messages. */
bool tests_check_object(limen_value object, unsigned place, const char *name, limen_diag *diag);

/* Reports the unknown key 'key', and suggests 'meant' (or NULL). */
void tests_refuse_key(limen_value where, const char *key, const char *meant, limen_diag *diag);

/* Returns the pointer that the column 'heading' names, to g_free(), or NULL with a problem. */
char *tests_read_column(limen_value heading, limen_diag *diag);

/* Checks the value of a column. */
bool tests_check_cell(const char *pointer, limen_value cell, limen_diag *diag);

/* ---- tests_expect.c ---- */

/*
 * Checks the member 'key', of 'length' bytes, of "expect" and its value, if any; problems with
 * the key are at 'where'.
 */
bool tests_check_expected(const char *key, size_t length, limen_value where, limen_value value,
                          limen_diag *diag);

/* Returns true if the view has an expectation. */
bool tests_expects(const test_view *view);

/*
 * Adds a failure for each expectation that 'decision' does not meet and, if 'first', notes those
 * that it meets; false: memory is short.
 */
bool tests_compare(test_case *test, const test_view *view, const char *label,
                   const limen_decision *decision, bool first);

/* ---- tests_cover.c ---- */

typedef struct test_cover test_cover;

/* Coverage of the policies; all threads may add to it. */
test_cover *tests_cover_new(void);
void tests_cover_free(test_cover *cover);

/* Registers the policy 'name', loaded by 'engine', once. */
void tests_cover_policy(test_cover *cover, const char *name, limen_engine *engine);
void tests_cover_decision(test_cover *cover, const char *name, const limen_decision *decision);

void tests_cover_print(test_cover *cover);
/* Appends the member "coverage". */
void tests_cover_json(test_cover *cover, GString *out);

/* ---- tests_run.c ---- */

typedef struct tests_settings {
	common_options *common;
	char **policies; /* default for tests without a policy; or NULL */
	char *policy;    /* their names, or NULL */
	unsigned engine_flags;
	test_cover *cover;  /* or NULL */
} tests_settings;

/*
 * Runs all tests of all files, including the deselected ones, on all processors, and stores the
 * results in them.
 */
void tests_run(const tests_settings *settings, const GPtrArray *files);

/* ---- tests_policy.c: the policies of the tests; all functions are thread-safe ---- */

typedef struct tests_policies tests_policies;

tests_policies *tests_policies_new(const tests_settings *settings);
void tests_policies_free(tests_policies *self);

/* The policy of one test, while it runs. */
typedef struct test_policy {
	limen_engine *engine;
	char *name;
	bool own; /* the engine is not shared */
} test_policy;

/* Returns false with '*why' to g_free(); call tests_policy_close() in any case. */
bool tests_policy_open(tests_policies *self, const test_case *test, test_policy *out, char **why);
void tests_policy_close(test_policy *self);

/* Returns a path in a test file relative to the working directory, to g_free(). */
char *tests_policy_path(const test_file *file, const char *path);

/* Default time of a test: 2026-01-01T12:00:00Z, a Thursday. */
#define TESTS_TIME_DEFAULT ((limen_time)1767268800 * LIMEN_SECOND)

/*
 * Makes the request of 'view' at the time 'now'.  Returns false with '*why' to g_free(); free
 * the request in any case.
 */
bool tests_request_make(ask_case *out, const test_file *file, const test_view *view,
                        limen_time now, char **why);

/* ---- tests_output.c ---- */

/* Print the results of 'files', test_file. */
void tests_print_text(const GPtrArray *files, const size_t counts[REPORT_OUTCOMES], bool verbose,
                      bool colored);
void tests_print_tap(const GPtrArray *files);
void tests_print_json(const GPtrArray *files, const size_t counts[REPORT_OUTCOMES],
                      test_cover *cover);

/* ---- tests_update.c ---- */

/*
 * Writes the found values in place of the unmet expectations into the files.  Returns the
 * number of expectations that could not be replaced, each after a message; '*replaced' receives
 * the number of replaced ones.
 */
size_t tests_update(const GPtrArray *files, size_t *replaced);

#endif
