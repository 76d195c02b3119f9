/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_update.c - "limen test --update": puts what was found where something
 * else was expected.  Only the text of the value is replaced, so comments and
 * order stay; what cannot be replaced that way is said and left alone.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"
#include "policy.h"
#include "tests.h"
#include "text_places.h"

/* A piece of the file, and what shall stand there. */
typedef struct edit {
	size_t start;
	size_t end;
	const char *text;
	const test_failure *failure;
} edit;

static void
refuse(const test_failure *failure, const char *why)
{
	char *place = tests_place(failure->where);

	message_error("%s: %s stays as it is (%s); found: %s", place, failure->what, why,
	              failure->found);
	g_free(place);
}

/* ---- finding the text of a value ---- */

/* Behind the string that begins with the quote at 'at'; NULL if it does not end. */
static const char *
skip_quoted(const char *at)
{
	char quote = *at++;

	while (*at != '\0' && *at != quote) {
		if (quote == '"' && *at == '\\' && at[1] != '\0')
			at++;
		at++;
	}
	if (*at == '\0')
		return NULL;
	/* In YAML '' within single quotes is one of them. */
	return quote == '\'' && at[1] == '\'' ? skip_quoted(at + 1) : at + 1;
}

/* Behind the collection that begins at 'at'; NULL if it has comments, or does not end. */
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

/* Behind a word without quotes: before what ends it in YAML or JSON, and blanks before that. */
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

/* Behind the value at 'at', or NULL with '*why'. */
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

/* Is there what was expected, and nothing else?  Whatever was taken for it could be wrong. */
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

/* JSON stands in YAML, too; but who wrote a verdict as a bare word wants one. */
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

/* Where 'value' begins in the text of its file; G_MAXSIZE if that is not known. */
static size_t
find_start(const text_places *places, limen_value value)
{
	limen_diag *diag = policy_diag();
	const limen_problem *place;
	size_t offset = G_MAXSIZE;

	limen_diag_add(diag, LIMEN_NOTE, value, "here");
	place = limen_diag_get(diag, 0);
	if (place != NULL && place->line > 0 && place->column > 0)
		offset = text_places_find(places, place->line, place->column);
	limen_diag_free(diag);
	return offset;
}

/* Stores the place of the value and returns true, or says why not. */
static bool
find_edit(const text_places *places, const test_failure *failure, edit *out)
{
	const char *start = NULL;
	const char *end = NULL;
	const char *why = "its place is not known";
	size_t offset = find_start(places, failure->where);

	if (offset != G_MAXSIZE) {
		start = places->text->str + offset;
		end = find_end(start, &why);
	}
	if (end != NULL && is_value(start, end, failure->where)) {
		*out = (edit){ .start = offset, .end = offset + (size_t)(end - start),
			       .text = choose_text(start, failure->found),
			       .failure = failure };
		return true;
	}
	refuse(failure, why);
	return false;
}

/* ---- what was met ---- */

/* A step that is repeated meets the same ones again: those are the last that were added. */
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
add_met(GHashTable *met, const text_places *places, const GPtrArray *tests)
{
	for (guint i = 0; i < tests->len; i++) {
		const test_case *test = g_ptr_array_index(tests, i);

		for (guint k = 0; k < test->met->len; k++)
			g_hash_table_add(met, GSIZE_TO_POINTER(find_start(
				places, g_array_index(test->met, limen_value, k))));
	}
}

/* Returns where in the file expectations begin that a test met; an offset is a key. */
static GHashTable *
find_met(const test_file *file, const text_places *places)
{
	GHashTable *met = g_hash_table_new(NULL, NULL);

	add_met(met, places, file->tests);
	add_met(met, places, file->others);
	return met;
}

/* ---- changing a file ---- */

static gint
compare_edits(gconstpointer a, gconstpointer b)
{
	const edit *left = a;
	const edit *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

static size_t
collect(const test_file *file, const text_places *places, GArray *edits)
{
	size_t refused = 0;

	for (guint i = 0; i < file->tests->len; i++) {
		const test_case *test = g_ptr_array_index(file->tests, i);

		for (guint k = 0; k < test->failures->len; k++) {
			const test_failure *failure = g_ptr_array_index(test->failures, k);
			edit one;

			if (!failure->replaceable) {
				refuse(failure, "it is a pattern or a part");
				refused++;
			} else if (find_edit(places, failure, &one)) {
				g_array_append_val(edits, one);
			} else {
				refused++;
			}
		}
	}
	return refused;
}

static const edit *
edit_at(const GArray *edits, guint index)
{
	return &g_array_index(edits, edit, index);
}

/* Have all edits from 'first' to before 'next', which begin at the same byte, the same text? */
static bool
are_same(const GArray *edits, guint first, guint next)
{
	for (guint i = first + 1; i < next; i++)
		if (strcmp(edit_at(edits, i)->text, edit_at(edits, first)->text) != 0)
			return false;
	return true;
}

/*
 * Makes 'out' of the text.  What several tests share is replaced only if all of them
 * found the same, and none met what stands there.
 */
static size_t
apply(GArray *edits, GHashTable *met, const GString *text, GString *out, size_t *replaced)
{
	size_t refused = 0;
	size_t done = 0;
	guint next;

	g_array_sort(edits, compare_edits);
	for (guint i = 0; i < edits->len; i = next) {
		const edit *first = edit_at(edits, i);

		for (next = i + 1; next < edits->len; next++)
			if (edit_at(edits, next)->start != first->start)
				break;
		if (first->start < done || !are_same(edits, i, next) ||
		    g_hash_table_contains(met, GSIZE_TO_POINTER(first->start))) {
			refuse(first->failure, "other tests that share it found something else");
			refused++;
			continue;
		}
		g_string_append_len(out, text->str + done, (gssize)(first->start - done));
		g_string_append(out, first->text);
		done = first->end;
		++*replaced;
	}
	g_string_append_len(out, text->str + done, (gssize)(text->len - done));
	return refused;
}

/* Is the text that was made still a file of as many documents? */
static bool
is_readable(const test_file *file, const GString *text)
{
	limen_documents *parsed = NULL;
	bool good = limen_documents_parse(file->path, text->str, text->len, 0, &parsed, NULL) ==
	            LIMEN_OK;

	good = good && limen_documents_count(parsed) == 1;
	limen_documents_free(parsed);
	return good;
}

/* In one step, so that nobody reads a piece; the file stays readable to whom it was. */
static bool
write_file(const char *path, const GString *text, GError **error)
{
	struct stat about;
	int mode = stat(path, &about) == 0 ? (int)(about.st_mode & 0777) : 0600;

	return g_file_set_contents_full(path, text->str, (gssize)text->len,
	                                G_FILE_SET_CONTENTS_CONSISTENT, mode, error);
}

static size_t
update_file(const test_file *file, size_t *replaced)
{
	GArray *edits = g_array_new(FALSE, FALSE, sizeof(edit));
	GString *text = g_string_sized_new(file->text->len);
	size_t refused;
	size_t made = 0;
	GError *error = NULL;
	char *real = realpath(file->path, NULL);
	text_places places;
	GHashTable *met;

	text_places_start(&places, file->text);
	met = find_met(file, &places);
	refused = collect(file, &places, edits);
	refused += apply(edits, met, file->text, text, &made);
	g_hash_table_destroy(met);
	text_places_clear(&places);
	if (made > 0 && (real == NULL || !is_readable(file, text))) {
		message_error("%s: what would come of it cannot be read, so it stays as it is",
		              file->path);
		refused += made;
	} else if (made > 0 && !write_file(real, text, &error)) {
		message_error("%s", error->message);
		g_clear_error(&error);
		refused += made;
	} else {
		*replaced += made;
	}
	free(real);
	g_string_free(text, TRUE);
	g_array_free(edits, TRUE);
	return refused;
}

size_t
tests_update(const GPtrArray *files, size_t *replaced)
{
	size_t refused = 0;

	for (guint i = 0; i < files->len; i++) {
		const test_file *file = g_ptr_array_index(files, i);

		if (file->text != NULL)
			refused += update_file(file, replaced);
	}
	return refused;
}
