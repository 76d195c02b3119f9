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
#include "policy/policy.h"
#include "tests.h"

/* One file to change, under all its names. */
typedef struct target {
	char *real;          /* path without links; NULL: it cannot be changed */
	GPtrArray *files;    /* test_file: several if links name the same file */
	const char *path;    /* the first name */
	const GString *text;
	limen_value root;
	GHashTable *met;     /* offsets of the expectations that a test met */
	GHashTable *edits;   /* edit, by the offset of its expectation */
} target;

/* A range of the file and its new text. */
typedef struct edit {
	size_t start;
	size_t end;
	const char *text;  /* JSON, or a bare word; borrowed */
	bool blank;        /* it needs a blank before it */
	const test_failure *failure;
	bool conflict;     /* tests that share the expectation found several values */
	bool made;
} edit;

/* Prints that an expectation stays, and why.  Returns 1, the number of them. */
static size_t
refuse(const test_failure *failure, const char *why)
{
	message_error("%s: %s stays as it is (%s); found: %s", failure->place, failure->what, why,
	              failure->found);
	return 1;
}

/* ---- finding the text of a value ---- */

/* Returns the end of the string that begins with the quote at 'at'; NULL if it does not end. */
static const char *
skip_quoted(const char *at)
{
	char quote = *at++;

	for (; *at != '\0'; at++) {
		/* In YAML, '' within single quotes is an escaped quote. */
		if (*at == quote && (quote == '"' || at[1] != quote))
			return at + 1;
		if (*at == quote || (quote == '"' && *at == '\\' && at[1] != '\0'))
			at++;
	}
	return NULL;
}

/* Returns the end of the collection at 'at'; NULL if it has comments or does not end. */
static const char *
skip_collection(const char *at)
{
	int depth = 0;

	for (; *at != '\0'; at++) {
		if (*at == '"' || *at == '\'') {
			at = skip_quoted(at);
			if (at == NULL)
				return NULL;
			at--;
		} else if (*at == '#') {
			return NULL;
		} else if (*at == '[' || *at == '{') {
			depth++;
		} else if ((*at == ']' || *at == '}') && --depth == 0) {
			return at + 1;
		}
	}
	return NULL;
}

/* Returns the end of an unquoted word in YAML or JSON, without blanks after it. */
static const char *
skip_plain(const char *at)
{
	const char *start = at;

	while (*at != '\0' && strchr("\r\n,]}", *at) == NULL &&
	       !(*at == '#' && at > start && (at[-1] == ' ' || at[-1] == '\t')))
		at++;
	while (at > start && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at > start ? at : NULL;
}

/* Returns true if 'value', at 'at' in 'text', is a null of YAML that is written as nothing. */
static bool
is_unwritten(const char *text, const char *at, limen_value value)
{
	if (limen_value_type(value) != LIMEN_TYPE_NULL || strchr(" \t\r\n,}#", *at) == NULL)
		return false;
	while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at > text && at[-1] == ':';
}

/* Returns the end of 'value', which is at 'at' in 'text', or NULL with '*why'. */
static const char *
find_end(const char *text, const char *at, limen_value value, const char **why)
{
	const char *end = NULL;

	*why = "it is not written in one piece";
	if (is_unwritten(text, at, value))
		return at;
	if (strspn(at, "|>&*!?-") > 0 && !g_ascii_isdigit(at[1]))
		return NULL;
	if (*at == '"' || *at == '\'')
		end = skip_quoted(at);
	else if (*at == '[' || *at == '{')
		end = skip_collection(at);
	else
		end = skip_plain(at);
	if (end == NULL && (*at == '[' || *at == '{'))
		*why = "there are comments in it";
	return end;
}

/* Returns true if the text of the document 'name' is exactly 'value'. */
static bool
is_value(const char *name, const char *text, size_t length, limen_value value)
{
	limen_documents *parsed = NULL;
	bool same = limen_documents_parse(name, text, length, 0, &parsed, NULL) == LIMEN_OK &&
	            limen_documents_count(parsed) == 1 &&
	            limen_value_equal(limen_documents_get(parsed, 0), value);

	limen_documents_free(parsed);
	return same;
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
 * Returns the offset of 'line' and 'column' in a UTF-8 text; both count from 1, and columns
 * count characters.  Returns G_MAXSIZE if the position does not exist.
 */
static size_t
find_place(const GString *text, unsigned line, unsigned column)
{
	const char *at = text->str;

	for (unsigned i = 1; at != NULL && i < line; i++) {
		at = strchr(at, '\n');
		at = at == NULL ? NULL : at + 1;
	}
	for (unsigned i = 1; at != NULL && i < column; i++)
		at = *at == '\0' || *at == '\n' ? NULL : g_utf8_next_char(at);
	return at == NULL ? G_MAXSIZE : (size_t)(at - text->str);
}

/* Returns the offset of 'value' in the text of its file; G_MAXSIZE if it is not known. */
static size_t
find_start(const GString *text, limen_value value)
{
	limen_diag *diag = policy_diag();
	const limen_problem *place;
	size_t offset = G_MAXSIZE;

	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, value, "here");
	place = limen_diag_get(diag, 0);
	if (place != NULL && place->line > 0 && place->column > 0)
		offset = find_place(text, place->line, place->column);
	limen_diag_free(diag);
	return offset;
}

/* Adds the edit of one expectation; returns 1 if it cannot be replaced, and 0 else. */
static size_t
add_edit(const target *self, const test_failure *failure)
{
	const char *why = "its line is not known";
	size_t offset = find_start(self->text, failure->where);
	const char *start = offset == G_MAXSIZE ? NULL : self->text->str + offset;
	const char *end;
	edit *known;

	if (!failure->replaceable)
		return refuse(failure, "it is a pattern or a part");
	end = start == NULL ? NULL : find_end(self->text->str, start, failure->where, &why);
	/* The position or the end found for the value could be wrong. */
	if (end == NULL || (end > start && !is_value("value.yaml", start, (size_t)(end - start),
	                                             failure->where)))
		return refuse(failure, why);
	known = g_hash_table_lookup(self->edits, GSIZE_TO_POINTER(offset));
	if (known != NULL) {
		known->conflict = known->conflict ||
		                  strcmp(known->text, choose_text(start, failure->found)) != 0;
		return 0;
	}
	known = g_new0(edit, 1);
	*known = (edit){ .start = offset, .end = (size_t)(end - self->text->str),
		         .text = choose_text(start, failure->found),
		         .blank = end == start && start[-1] == ':', .failure = failure };
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
				self->text, g_array_index(test->met, limen_value, k))));
	}
}

/* Collects the edits; returns the number of expectations that cannot be replaced. */
static size_t
collect(const target *self)
{
	size_t refused = 0;

	for (guint i = 0; i < self->files->len; i++) {
		const test_file *file = g_ptr_array_index(self->files, i);

		add_met(self, file->tests);
		add_met(self, file->others);
		for (guint k = 0; k < file->tests->len; k++) {
			const test_case *test = g_ptr_array_index(file->tests, k);

			for (guint n = 0; n < test->failures->len; n++)
				refused += add_edit(self, g_ptr_array_index(test->failures, n));
		}
	}
	return refused;
}

static gint
compare_edits(gconstpointer a, gconstpointer b)
{
	const edit *left = a;
	const edit *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

/*
 * Writes the edited text to 'out'.  An expectation that several tests share is replaced only if
 * all of them found the same value and none met it.
 */
static size_t
apply(const target *self, GString *out, size_t *made)
{
	GList *edits = g_list_sort(g_hash_table_get_values(self->edits), compare_edits);
	size_t refused = 0;
	size_t done = 0;

	for (GList *at = edits; at != NULL; at = at->next) {
		edit *one = at->data;

		if (one->start < done || one->conflict ||
		    g_hash_table_contains(self->met, GSIZE_TO_POINTER(one->start))) {
			refused += refuse(one->failure,
			                  "other tests that share it have another result");
			continue;
		}
		g_string_append_len(out, self->text->str + done, (gssize)(one->start - done));
		if (one->blank)
			g_string_append_c(out, ' ');
		yaml_append_json(out, one->text);
		done = one->end;
		one->made = true;
		++*made;
	}
	g_string_append_len(out, self->text->str + done, (gssize)(self->text->len - done));
	g_list_free(edits);
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
	                               GSIZE_TO_POINTER(find_start(self->text, before)));
	if (replaced != NULL && replaced->made)
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
 * Checks that the new text has the values found and no other change.  Returns NULL, or the
 * error.
 */
static const char *
judge_text(const target *self, const GString *text)
{
	limen_documents *parsed = NULL;
	const char *why = NULL;

	if (limen_documents_parse(self->path, text->str, text->len, 0, &parsed, NULL) != LIMEN_OK)
		why = "the result would be unreadable";
	else if (limen_documents_count(parsed) != 1 ||
	         !holds(self, self->root, limen_documents_get(parsed, 0)))
		why = "the result would differ";
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
		return "it is not a file that can be changed";
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
		message_error("%s: %s, so it stays as it is", self->path, why);
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
	GString *text = g_string_sized_new(self->text->len);
	size_t made = 0;
	size_t refused;

	self->met = g_hash_table_new(NULL, NULL);
	self->edits = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	refused = collect(self);
	refused += apply(self, text, &made);
	if (made > 0 && !write_text(self, text))
		refused += made;
	else
		*replaced += made;
	g_hash_table_destroy(self->edits);
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

static gboolean
is_file(gconstpointer one, gconstpointer real)
{
	return real != NULL && g_strcmp0(((const target *)one)->real, real) == 0;
}

size_t
tests_update(const GPtrArray *files, size_t *replaced)
{
	GPtrArray *targets = g_ptr_array_new_with_free_func(free_target);
	size_t refused = 0;

	for (guint i = 0; i < files->len; i++) {
		test_file *file = g_ptr_array_index(files, i);
		char *real = input_is_stdin(file->path) ? NULL : realpath(file->path, NULL);
		guint index = targets->len;

		if (g_ptr_array_find_with_equal_func(targets, real, is_file, &index)) {
			free(real);
		} else {
			target *made = g_new0(target, 1);

			*made = (target){ .real = real, .files = g_ptr_array_new(),
				          .path = file->path, .text = file->text,
				          .root = file->root };
			index = targets->len;
			g_ptr_array_add(targets, made);
		}
		g_ptr_array_add(((target *)g_ptr_array_index(targets, index))->files, file);
	}
	for (guint i = 0; i < targets->len; i++)
		refused += update_target(g_ptr_array_index(targets, i), replaced);
	g_ptr_array_unref(targets);
	return refused;
}
