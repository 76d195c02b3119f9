/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_update.c - "limen test --update": replaces unmet expectations by the values found. Only
 * the text of the value is replaced, so comments and order stay.  Expectations that cannot be
 * replaced that way are reported and left unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"
#include "cli/message.h"
#include "cli/replace_file.h"
#include "cli/yaml_out.h"
#include "tests_edit.h"

/* One file to change, under all its names. */
typedef struct target {
	char *real;             /* path without links; NULL: it cannot be changed */
	GPtrArray *files;       /* test_file: several if links name the same file */
	const test_file *first;
	GHashTable *met;        /* offsets of the expectations that a test met */
	GArray *edits;          /* tests_edit */
	GHashTable *made;       /* test_failure, by the offset of its expectation */
} target;

/* ---- expectations met ---- */

/* Number of recent entries searched: a repeated step meets the expectations added last. */
#define MET_LAST 32

void
tests_note_met(test_case *test, limen_value expected)
{
	guint count = test->met->len;

	for (guint i = count; i > 0 && i + MET_LAST > count; i--)
		if (memcmp(&g_array_index(test->met, limen_value, i - 1), &expected,
		           sizeof(expected)) == 0)
			return;
	g_array_append_val(test->met, expected);
}

static void
add_met(const target *self, const GPtrArray *tests)
{
	for (guint i = 0; i < tests->len; i++) {
		const test_case *test = g_ptr_array_index(tests, i);

		for (guint k = 0; k < test->met->len; k++)
			g_hash_table_add(self->met, GSIZE_TO_POINTER(tests_edit_start(
				self->first->text,
				g_array_index(test->met, limen_value, k))));
	}
}

/* ---- the new text ---- */

static gint
compare_edits(gconstpointer a, gconstpointer b)
{
	const tests_edit *left = a;
	const tests_edit *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

/* Collects the edits of a test; returns the number of expectations that cannot be replaced. */
static size_t
collect(const target *self, const test_case *test)
{
	size_t refused = 0;

	for (guint i = 0; i < test->failures->len; i++) {
		const test_failure *failure = g_ptr_array_index(test->failures, i);
		tests_edit one;

		if (!failure->replaceable) {
			tests_edit_refuse(failure, "it is a pattern or a part");
			refused++;
		} else if (tests_edit_find(self->first->text, failure, &one)) {
			g_array_append_val(self->edits, one);
		} else {
			refused++;
		}
	}
	return refused;
}

static size_t
collect_all(target *self)
{
	size_t refused = 0;

	for (guint i = 0; i < self->files->len; i++) {
		const test_file *file = g_ptr_array_index(self->files, i);

		add_met(self, file->tests);
		add_met(self, file->others);
		for (guint k = 0; k < file->tests->len; k++)
			refused += collect(self, g_ptr_array_index(file->tests, k));
	}
	g_array_sort(self->edits, compare_edits);
	return refused;
}

static const tests_edit *
edit_at(const GArray *edits, guint index)
{
	return &g_array_index(edits, tests_edit, index);
}

/*
 * Returns true if the edits from 'first' to before 'next', all at one offset, have the same
 * text.
 */
static bool
are_same(const GArray *edits, guint first, guint next)
{
	for (guint i = first + 1; i < next; i++)
		if (strcmp(edit_at(edits, i)->text, edit_at(edits, first)->text) != 0)
			return false;
	return true;
}

/*
 * Writes the edited text to 'out'.  An expectation that several tests share is replaced only if
 * all of them found the same value and none met it.
 */
static size_t
apply(target *self, GString *out)
{
	const GArray *edits = self->edits;
	const GString *text = self->first->text;
	size_t refused = 0;
	size_t done = 0;
	guint next;

	for (guint i = 0; i < edits->len; i = next) {
		const tests_edit *one = edit_at(edits, i);
		gpointer place = GSIZE_TO_POINTER(one->start);

		for (next = i + 1; next < edits->len; next++)
			if (edit_at(edits, next)->start != one->start)
				break;
		if (one->start < done || !are_same(edits, i, next) ||
		    g_hash_table_contains(self->met, place)) {
			tests_edit_refuse(one->failure,
			                  "other tests that share it found something else");
			refused++;
			continue;
		}
		g_string_append_len(out, text->str + done, (gssize)(one->start - done));
		yaml_append_json(out, one->text);
		done = one->end;
		g_hash_table_insert(self->made, place, (gpointer)one->failure);
	}
	g_string_append_len(out, text->str + done, (gssize)(text->len - done));
	return refused;
}

/* ---- writing the file ---- */

/*
 * Checks that the new text has the values found and no other change.  Returns NULL, or the
 * error.
 */
static const char *
judge_text(const target *self, const GString *text)
{
	limen_documents *parsed = NULL;
	const char *why = NULL;

	if (limen_documents_parse(self->first->path, text->str, text->len, 0, &parsed, NULL) !=
	    LIMEN_OK)
		why = "what would come of it cannot be read";
	else if (limen_documents_count(parsed) != 1 ||
	         !tests_edit_holds(self->first->text, self->made, self->first->root,
	                           limen_documents_get(parsed, 0)))
		why = "what would come of it says something else";
	limen_documents_free(parsed);
	return why;
}

/*
 * Checks that the file was not saved while the tests ran, as that content would be lost.
 * Returns NULL, or the error.
 */
static const char *
judge_file(const target *self)
{
	char *problem = NULL;
	GString *now;
	bool same = true;

	if (self->real == NULL || !g_file_test(self->real, G_FILE_TEST_IS_REGULAR))
		return "it is no file that could be changed";
	now = input_read(self->real, &problem);
	for (guint i = 0; now != NULL && i < self->files->len; i++) {
		const test_file *file = g_ptr_array_index(self->files, i);

		same = same && g_string_equal(now, file->text);
	}
	same = same && now != NULL;
	if (now != NULL)
		g_string_free(now, TRUE);
	g_free(problem);
	return same ? NULL : "it was changed meanwhile";
}

static bool
write_text(const target *self, const GString *text)
{
	const char *why = judge_text(self, text);
	char *problem = NULL;

	if (why == NULL)
		why = judge_file(self);
	if (why != NULL)
		message_error("%s: %s, so it stays as it is", self->first->path, why);
	else if (!replace_file(self->real, text, &problem))
		message_error("%s", problem);
	else
		return true;
	g_free(problem);
	return false;
}

static size_t
update_target(target *self, size_t *replaced)
{
	GString *text = g_string_sized_new(self->first->text->len);
	size_t refused;
	size_t made;

	self->met = g_hash_table_new(NULL, NULL);
	self->made = g_hash_table_new(NULL, NULL);
	self->edits = g_array_new(FALSE, FALSE, sizeof(tests_edit));
	refused = collect_all(self);
	refused += apply(self, text);
	made = g_hash_table_size(self->made);
	if (made > 0 && !write_text(self, text))
		refused += made;
	else
		*replaced += made;
	g_array_free(self->edits, TRUE);
	g_hash_table_destroy(self->made);
	g_hash_table_destroy(self->met);
	g_string_free(text, TRUE);
	return refused;
}

/* ---- files ---- */

static void
free_target(gpointer data)
{
	target *self = data;

	free(self->real);
	g_ptr_array_unref(self->files);
	g_free(self);
}

/* Returns the files in order; links to one file are one target. */
static GPtrArray *
find_targets(const GPtrArray *files)
{
	GPtrArray *targets = g_ptr_array_new_with_free_func(free_target);
	GHashTable *known = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < files->len; i++) {
		test_file *file = g_ptr_array_index(files, i);
		char *real = input_is_stdin(file->path) ? NULL : realpath(file->path, NULL);
		target *same = real == NULL ? NULL : g_hash_table_lookup(known, real);

		if (same == NULL) {
			same = g_new0(target, 1);
			*same = (target){ .real = real, .files = g_ptr_array_new(),
				          .first = file };
			g_ptr_array_add(targets, same);
			if (real != NULL)
				g_hash_table_insert(known, real, same);
		} else {
			free(real);
		}
		g_ptr_array_add(same->files, file);
	}
	g_hash_table_destroy(known);
	return targets;
}

size_t
tests_update(const GPtrArray *files, size_t *replaced)
{
	GPtrArray *targets = find_targets(files);
	size_t refused = 0;

	for (guint i = 0; i < targets->len; i++)
		refused += update_target(g_ptr_array_index(targets, i), replaced);
	g_ptr_array_unref(targets);
	return refused;
}
