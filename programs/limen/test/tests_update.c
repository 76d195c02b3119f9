/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_update.c - "limen test --update": replaces unmet expectations by the values found. Only
 * the text of the value is replaced, so comments and order stay.  Expectations that cannot be
 * replaced that way are reported and left unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include "common/auto.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/replace_file.h"
#include "cli/yaml_out.h"
#include "policy/problems.h"
#include "tests.h"

/* One file to change, under all its names. */
typedef struct target {
	char *real;          /* path without links; NULL: it cannot be changed */
	GPtrArray *files;    /* test_file: several if links name the same file */
	const test_file *file; /* the first of them */
	GHashTable *met;     /* offsets of the expectations that a test met */
	GHashTable *edits;   /* edit, by the offset of its expectation */
} target;

/* A range of the file and its new text. */
typedef struct edit {
	size_t start;
	size_t end;
	const char *text;  /* JSON, or a bare word; borrowed */
	bool blank;        /* it needs a blank before it */
	const report_remark *failure;
	bool conflict;     /* tests that share the expectation found several values */
	bool done;
} edit;

/* Prints that an expectation stays, and why.  Returns 1, the number of them. */
static size_t
refuse(const report_remark *failure, const char *why)
{
	message_error("%s: %s stays as it is (%s); found: %s", failure->place, failure->message, why,
	              failure->found);
	return 1;
}

/* ---- finding the text of a value ---- */

/* Returns true if the text of the document 'name' is exactly 'value'. */
static bool
is_value(const char *name, const char *text, size_t length, limen_value value)
{
	g_autoptr(limen_documents) parsed = NULL;

	return limen_documents_parse(name, text, length, 0, &parsed, NULL) == LIMEN_OK &&
	       limen_documents_count(parsed) == 1 &&
	       limen_value_equal(limen_documents_get(parsed, 0), value);
}

/* Returns true if 'value', at 'start' in 'text', is a null of YAML that is written as nothing. */
static bool
is_unwritten(const char *text, const char *start, limen_value value)
{
	if (limen_value_type(value) != LIMEN_TYPE_NULL || strchr(" \t\r\n,}#", *start) == NULL)
		return false;
	while (start > text && (start[-1] == ' ' || start[-1] == '\t'))
		start--;
	return start > text && start[-1] == ':';
}

/* Returns true if there is a "#" outside of quotes. */
static bool
has_comment(const char *text, size_t length)
{
	g_autoptr(GRegex) quoted = g_regex_new("\"(?:[^\"\\\\]|\\\\.)*+\"|'[^']*+'", G_REGEX_DOTALL,
	                                       0, NULL);
	g_autofree char *rest = g_regex_replace_literal(quoted, text, (gssize)length, 0, "", 0,
	                                                NULL);

	return rest == NULL || strchr(rest, '#') != NULL;
}

/* Returns the shortest text from 'start' on that reads as 'value', or NULL; then its end. */
static const char *
find_piece(const char *start, limen_value value)
{
	static const char openers[] = "\"'[{";
	static const char *const closers[] = { "\"", "'", "]", "}" };
	const char *opener = strchr(openers, *start);
	const char *stops = *start != '\0' && opener != NULL ? closers[opener - openers]
	                                                     : " \t\r\n,]}";

	for (const char *end = start + 1;; end++) {
		const char *stop = end + strcspn(end, stops);

		end = stop + (opener != NULL && *stop != '\0');
		if (strchr(" \t\r\n,]}#", *end) != NULL &&
		    is_value("value.yaml", start, (size_t)(end - start), value))
			return end;
		end = stop;
		if (*stop == '\0' || (opener == NULL && (*stop == '\n' || *stop == '\r')))
			return NULL;
	}
}

/* Returns the end of 'value', which is at 'start' in 'text', or NULL with '*why'. */
static const char *
find_end(const char *text, const char *start, limen_value value, const char **why)
{
	const char *end = NULL;

	*why = "it is not written in one piece";
	if (is_unwritten(text, start, value))
		return start;
	if (*start != '\0' && (strchr("|>&*!?-", *start) == NULL || g_ascii_isdigit(start[1])))
		end = find_piece(start, value);
	if (end == NULL || (*start != '[' && *start != '{') ||
	    !has_comment(start, (size_t)(end - start)))
		return end;
	*why = "there are comments in it";
	return NULL;
}

/* Returns the replacement: JSON, which YAML accepts, or a bare word in place of one. */
static const char *
choose_text(const char *start, const char *found)
{
	static const char *const verdicts[] = { "admitted", "refused", "error" };

	for (size_t i = 0; i < G_N_ELEMENTS(verdicts) && g_ascii_isalpha(*start); i++)
		if (strncmp(found + 1, verdicts[i], strlen(verdicts[i])) == 0 &&
		    strcmp(found + 1 + strlen(verdicts[i]), "\"") == 0)
			return verdicts[i];
	return found;
}

/*
 * Returns the offset of 'value' in the text of its file; G_MAXSIZE if it is not known.  Columns
 * count characters.
 */
static size_t
find_start(const GString *text, limen_value value)
{
	const char *start = text->str;
	unsigned line, column;

	problems_locate(value, &line, &column);
	if (line == 0 || column == 0)
		return G_MAXSIZE;
	while (start != NULL && --line > 0)
		start = (start = strchr(start, '\n')) == NULL ? NULL : start + 1;
	while (start != NULL && --column > 0)
		start = *start == '\0' || *start == '\n' ? NULL : g_utf8_next_char(start);
	return start == NULL ? G_MAXSIZE : (size_t)(start - text->str);
}

/* Adds the edit of one expectation; returns 1 if it cannot be replaced, and 0 else. */
static size_t
add_edit(const target *self, const report_remark *failure)
{
	const char *text = self->file->text->str;
	const char *why = "its line is not known";
	size_t offset = find_start(self->file->text, failure->where);
	edit *known = g_hash_table_lookup(self->edits, GSIZE_TO_POINTER(offset));
	const char *end = NULL;

	if (!failure->replaceable)
		return refuse(failure, "it is a pattern or a part");
	if (known != NULL) {
		known->conflict = known->conflict ||
		                  strcmp(known->text, choose_text(text + offset, failure->found)) != 0;
		return 0;
	}
	if (offset != G_MAXSIZE)
		end = find_end(text, text + offset, failure->where, &why);
	if (end == NULL)
		return refuse(failure, why);
	known = g_new(edit, 1);
	*known = (edit){ .start = offset, .end = (size_t)(end - text), .failure = failure,
		         .text = choose_text(text + offset, failure->found),
		         .blank = end == text + offset && end[-1] == ':' };
	g_hash_table_insert(self->edits, GSIZE_TO_POINTER(offset), known);
	return 0;
}

/* ---- the new text ---- */

static void
add_met(const target *self, const GPtrArray *tests)
{
	for (guint i = 0; i < tests->len; i++) {
		const test_case *test = g_ptr_array_index(tests, i);

		for (guint k = 0; k < test->met->len; k++)
			g_hash_table_add(self->met, GSIZE_TO_POINTER(find_start(
				self->file->text, g_array_index(test->met, limen_value, k))));
	}
}

/* Collects the edits; returns the number of expectations that cannot be replaced. */
static size_t
collect(const target *self)
{
	size_t refused = 0;

	for (guint i = 0; i < self->files->len; i++) {
		const test_file *file = g_ptr_array_index(self->files, i);

		add_met(self, file->suite.cases);
		add_met(self, file->others);
		for (guint k = 0; k < file->suite.cases->len; k++) {
			const test_case *test = g_ptr_array_index(file->suite.cases, k);

			for (guint n = 0; n < test->result.remarks->len; n++)
				refused += add_edit(self, &g_array_index(test->result.remarks,
				                                         report_remark, n));
		}
	}
	return refused;
}

static gint
compare_edits(gconstpointer a, gconstpointer b)
{
	const edit *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

/*
 * Writes the edited text to 'out'.  An expectation that several tests share is replaced only if
 * all of them found the same value and none met it.
 */
static size_t
apply(const target *self, GString *out, size_t *replaced)
{
	g_autoptr(GList) edits = g_list_sort(g_hash_table_get_values(self->edits), compare_edits);
	const GString *text = self->file->text;
	size_t refused = 0;
	size_t done = 0;

	for (GList *entry = edits; entry != NULL; entry = entry->next) {
		edit *change = entry->data;

		if (change->start < done || change->conflict ||
		    g_hash_table_contains(self->met, GSIZE_TO_POINTER(change->start))) {
			refused += refuse(change->failure,
			                  "other tests that share it have another result");
			continue;
		}
		g_string_append_len(out, text->str + done, (gssize)(change->start - done));
		g_string_append(out, change->blank ? " " : "");
		yaml_append_json(out, change->text);
		done = change->end;
		change->done = true;
		++*replaced;
	}
	g_string_append_len(out, text->str + done, (gssize)(text->len - done));
	return refused;
}

/* ---- checking the result ---- */

/*
 * Returns true if 'after' equals 'before', a value of the file, except for the replaced
 * expectations.  The recursion is bounded: documents are at most 1000 levels deep
 * (limen/documents.h).
 */
static bool
holds(const target *self, limen_value before, limen_value after)
{
	limen_iter old = limen_iter_start(before);
	limen_iter new = limen_iter_start(after);
	limen_value key, other_key, member, other;
	const edit *replaced;

	if (limen_value_equal(before, after))
		return true;
	replaced = g_hash_table_lookup(self->edits,
	                               GSIZE_TO_POINTER(find_start(self->file->text, before)));
	if (replaced != NULL && replaced->done)
		return is_value("found.json", replaced->failure->found,
		                strlen(replaced->failure->found), after);
	if (limen_value_count(before) == 0 ||
	    limen_value_type(before) != limen_value_type(after) ||
	    limen_value_count(before) != limen_value_count(after))
		return false;
	while (limen_iter_next(&old, &key, &member) && limen_iter_next(&new, &other_key, &other))
		if ((limen_value_exists(key) && !limen_value_equal(key, other_key)) ||
		    !holds(self, member, other))
			return false;
	return true;
}

/*
 * Returns why the new text cannot be written, or NULL: it must have the values found and no other
 * change, and the file must not have been saved while the tests ran, as that content would be lost.
 */
static const char *
find_obstacle(const target *self, const GString *text)
{
	g_autoptr(limen_documents) parsed = NULL;
	g_autoptr(GString) now = NULL;
	g_autofree char *problem = NULL;

	if (limen_documents_parse(self->file->suite.file, text->str, text->len, 0, &parsed, NULL) !=
	    LIMEN_OK)
		return "the result would be unreadable";
	if (limen_documents_count(parsed) != 1 ||
	    !holds(self, self->file->root, limen_documents_get(parsed, 0)))
		return "the result would differ";
	if (self->real == NULL || !g_file_test(self->real, G_FILE_TEST_IS_REGULAR))
		return "it is not a file that can be changed";
	now = input_read(self->real, &problem);
	for (guint i = 0; i < self->files->len; i++) {
		const test_file *file = g_ptr_array_index(self->files, i);

		if (now == NULL || !g_string_equal(now, file->text))
			return "it was changed meanwhile";
	}
	return NULL;
}

static size_t
update_target(target *self, size_t *replaced)
{
	g_autoptr(GString) text = g_string_sized_new(self->file->text->len);
	g_autofree char *problem = NULL;
	const char *why = NULL;
	size_t count = 0;
	size_t refused = collect(self);

	refused += apply(self, text, &count);
	if (count > 0)
		why = find_obstacle(self, text);
	if (why != NULL)
		message_error("%s: %s, so it stays as it is", self->file->suite.file, why);
	else if (count > 0 && !replace_file(self->real, text, &problem))
		message_error("%s", problem);
	if (why != NULL || problem != NULL)
		return refused + count;
	*replaced += count;
	return refused;
}

/* ---- files ---- */

static void
free_target(gpointer data)
{
	target *self = data;

	free(self->real);
	g_ptr_array_unref(self->files);
	g_hash_table_destroy(self->edits);
	g_hash_table_destroy(self->met);
	g_free(self);
}

static gboolean
is_file(gconstpointer entry, gconstpointer real)
{
	return real != NULL && g_strcmp0(((const target *)entry)->real, real) == 0;
}

size_t
tests_update(const GPtrArray *files, size_t *replaced)
{
	g_autoptr(GPtrArray) targets = g_ptr_array_new_with_free_func(free_target);
	size_t refused = 0;

	for (guint i = 0; i < files->len; i++) {
		test_file *file = g_ptr_array_index(files, i);
		char *real = input_is_stdin(file->suite.file) ? NULL : realpath(file->suite.file, NULL);
		guint index = targets->len;
		target *self = g_new(target, 1);

		*self = (target){ real, g_ptr_array_new(), file, g_hash_table_new(NULL, NULL),
			          g_hash_table_new_full(NULL, NULL, NULL, g_free) };
		if (!g_ptr_array_find_with_equal_func(targets, real, is_file, &index)) {
			g_ptr_array_add(targets, self);
			index = targets->len - 1;
		} else {
			free_target(self);
		}
		g_ptr_array_add(((target *)g_ptr_array_index(targets, index))->files, file);
	}
	for (guint i = 0; i < targets->len; i++)
		refused += update_target(g_ptr_array_index(targets, i), replaced);
	return refused;
}
