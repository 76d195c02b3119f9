/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_edit.c - finds the text of an expectation in a file, chooses its replacement, and
 * checks the edited file.
 */
#include "tests_edit.h"

#include <string.h>

#include "cli/message.h"
#include "policy/policy.h"

void
tests_edit_refuse(const test_failure *failure, const char *why)
{
	char *place = tests_place(failure->where);

	message_error("%s: %s stays as it is (%s); found: %s", place, failure->what, why,
	              failure->found);
	g_free(place);
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

/* Returns the end of the value at 'at', or NULL with '*why'. */
static const char *
find_end(const char *at, const char **why)
{
	const char *end = NULL;

	*why = "it is not written in one piece";
	if (strchr("|>&*!?-", *at) != NULL && !g_ascii_isdigit(at[1]))
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

/*
 * Returns true if the text is exactly the expected value: the position or end found for it
 * could be wrong.
 */
static bool
is_value(const char *start, const char *end, limen_value expected)
{
	limen_documents *parsed = NULL;
	bool same = limen_documents_parse("value.yaml", start, (size_t)(end - start), 0, &parsed,
	                                  NULL) == LIMEN_OK &&
	            limen_documents_count(parsed) == 1 &&
	            limen_value_equal(limen_documents_get(parsed, 0), expected);

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
	return at == NULL || *at == '\0' ? G_MAXSIZE : (size_t)(at - text->str);
}

size_t
tests_edit_start(const GString *file_text, limen_value value)
{
	limen_diag *diag = policy_diag();
	const limen_problem *place;
	size_t offset = G_MAXSIZE;

	limen_diag_add(diag, LIMEN_NOTE, value, "here");
	place = limen_diag_get(diag, 0);
	if (place != NULL && place->line > 0 && place->column > 0)
		offset = find_place(file_text, place->line, place->column);
	limen_diag_free(diag);
	return offset;
}

bool
tests_edit_find(const GString *file_text, const test_failure *failure, tests_edit *out)
{
	const char *start = NULL;
	const char *end = NULL;
	const char *why = "its place is not known";
	size_t offset = tests_edit_start(file_text, failure->where);

	if (offset != G_MAXSIZE) {
		start = file_text->str + offset;
		end = find_end(start, &why);
	}
	if (end != NULL && is_value(start, end, failure->where)) {
		*out = (tests_edit){ .start = offset, .end = offset + (size_t)(end - start),
			             .text = choose_text(start, failure->found),
			             .failure = failure };
		return true;
	}
	tests_edit_refuse(failure, why);
	return false;
}

/* ---- checking the result ---- */

/* Comparison of the file before and after the edits. */
typedef struct comparison {
	const GString *text; /* of the file before */
	GHashTable *made;    /* test_failure, by the old offset of its value */
} comparison;

static bool holds(const comparison *self, limen_value before, limen_value after);

static bool
is_found(const test_failure *failure, limen_value value)
{
	limen_documents *parsed = NULL;
	bool same = limen_documents_parse("found.json", failure->found, strlen(failure->found), 0,
	                                  &parsed, NULL) == LIMEN_OK &&
	            limen_value_equal(limen_documents_get(parsed, 0), value);

	limen_documents_free(parsed);
	return same;
}

static bool
members_hold(const comparison *self, limen_value before, limen_value after)
{
	limen_iter old = limen_iter_start(before);
	limen_iter new = limen_iter_start(after);
	limen_value key, other_key, member, other;

	if (limen_value_type(before) != limen_value_type(after) ||
	    limen_value_count(before) != limen_value_count(after))
		return false;
	while (limen_iter_next(&old, &key, &member) && limen_iter_next(&new, &other_key, &other))
		if ((limen_value_exists(key) && !limen_value_equal(key, other_key)) ||
		    !holds(self, member, other))
			return false;
	return true;
}

/* The recursion is bounded: documents are at most 1000 levels deep (limen/documents.h). */
static bool
holds(const comparison *self, limen_value before, limen_value after)
{
	limen_type type = limen_value_type(before);
	bool inner = type == LIMEN_TYPE_ARRAY || type == LIMEN_TYPE_OBJECT;
	const test_failure *failure;

	if (limen_value_equal(before, after))
		return true;
	failure = g_hash_table_lookup(
		self->made, GSIZE_TO_POINTER(tests_edit_start(self->text, before)));
	if (failure != NULL)
		return is_found(failure, after);
	return inner && members_hold(self, before, after);
}

bool
tests_edit_holds(const GString *file_text, GHashTable *made, limen_value before,
                 limen_value after)
{
	const comparison self = { .text = file_text, .made = made };

	return holds(&self, before, after);
}
