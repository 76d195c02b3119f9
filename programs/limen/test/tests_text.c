/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_text.c - returns a member of a test as JSON, with the cells of its row merged in.
 */
#include <string.h>

#include "common/json_out.h"
#include "tests.h"

/* A cell to merge at one place of a value, or the parts below it. */
typedef struct part {
	char *token; /* its key, or its index in an array */
	limen_value cell;
	GPtrArray *parts; /* in the order of the columns */
	bool written;
} part;

/* ---- the cells of a row ---- */

/* The recursion is bounded by the depth of columns (tests_keys.c). */
static void
free_part(gpointer data)
{
	part *self = data;

	g_ptr_array_unref(self->parts);
	g_free(self->token);
	g_free(self);
}

/* Makes an empty part; takes 'token' over. */
static part *
make_part(char *token)
{
	part *self = g_new0(part, 1);

	self->token = token;
	self->parts = g_ptr_array_new_with_free_func(free_part);
	return self;
}

/* Returns the part below 'self' with that token, or NULL. */
static part *
find_part(const part *self, const char *token)
{
	for (guint i = 0; i < self->parts->len; i++) {
		part *below = g_ptr_array_index(self->parts, i);

		if (strcmp(below->token, token) == 0)
			return below;
	}
	return NULL;
}

char *
tests_take_token(const char **rest)
{
	GString *token = g_string_new(NULL);
	const char *at = *rest + 1;

	for (; *at != '\0' && *at != '/'; at++) {
		if (at[0] == '~' && (at[1] == '0' || at[1] == '1'))
			g_string_append_c(token, *++at == '0' ? '~' : '/');
		else
			g_string_append_c(token, *at);
	}
	*rest = at;
	return g_string_free(token, FALSE);
}

/* Puts the cell at 'rest' ("/a/b") below 'self'; the first cell for a place wins. */
static void
add_cell(part *self, const char *rest, limen_value cell)
{
	while (*rest != '\0') {
		char *token = tests_take_token(&rest);
		part *below = find_part(self, token);

		if (below == NULL) {
			below = make_part(g_steal_pointer(&token));
			g_ptr_array_add(self->parts, below);
		}
		g_free(token);
		self = below;
	}
	if (!limen_value_exists(self->cell))
		self->cell = cell;
}

/* Returns the cells of the row for the member 'key' of a test. */
static part *
read_cells(const test_view *view, const char *key)
{
	limen_iter iter = limen_iter_start(view->cells);
	part *root = make_part(g_strdup(key));
	size_t length = strlen(key);
	limen_value cell;

	for (guint i = 0; limen_iter_next(&iter, NULL, &cell) && i < view->columns->len; i++) {
		const char *own = (const char *)g_ptr_array_index(view->columns, i) + 1;

		if (strncmp(own, key, length) == 0 && (own[length] == '\0' || own[length] == '/') &&
		    tests_is_given(cell))
			add_cell(root, own + length, cell);
	}
	return root;
}

/* ---- writing ---- */

static void write_value(GString *out, const part *cells, limen_value value);

/* Writes the members of 'object', followed by those that only the row has. */
static void
write_object(GString *out, const part *cells, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key, member;

	json_open(out, '{');
	while (limen_iter_next(&iter, &key, &member)) {
		size_t length;
		const char *text = limen_value_string(key, &length);
		/* Columns have no NUL, so a key with one has no cell. */
		part *below = strlen(text) == length ? find_part(cells, text) : NULL;

		json_value(out, key);
		g_string_append_c(out, ':');
		write_value(out, below, member);
		if (below != NULL)
			below->written = true;
	}
	for (guint i = 0; i < cells->parts->len; i++) {
		const part *below = g_ptr_array_index(cells->parts, i);

		if (below->written)
			continue;
		json_key(out, below->token);
		write_value(out, below, limen_value_none());
	}
	g_string_append_c(out, '}');
}

static void
write_array(GString *out, const part *cells, limen_value array)
{
	limen_iter iter = limen_iter_start(array);
	limen_value element;

	json_open(out, '[');
	for (size_t i = 0; limen_iter_next(&iter, NULL, &element); i++) {
		char token[24];

		g_snprintf(token, sizeof(token), "%zu", i);
		write_value(out, find_part(cells, token), element);
	}
	g_string_append_c(out, ']');
}

/* Writes 'value' with 'cells' merged in; NULL: no cells. */
static void
write_value(GString *out, const part *cells, limen_value value)
{
	if (cells == NULL)
		json_value(out, value);
	else if (limen_value_exists(cells->cell))
		json_value(out, cells->cell);
	else if (cells->parts->len == 0)
		json_value(out, value);
	else if (limen_value_type(value) == LIMEN_TYPE_ARRAY)
		write_array(out, cells, value);
	else
		write_object(out, cells, value);
}

limen_value
tests_whole(const test_view *view, const char *key, limen_documents **parsed, char **why)
{
	limen_value value = tests_find(view, key);
	part *cells = read_cells(view, key);

	if (cells->parts->len > 0) {
		GString *out = g_string_new(NULL);

		write_value(out, cells, value);
		if (limen_documents_parse("request.json", out->str, out->len, 0, parsed, NULL) ==
		    LIMEN_OK)
			value = limen_documents_get(*parsed, 0);
		else
			*why = g_strdup_printf("'%s' has a number that JSON does not have", key);
		g_string_free(out, TRUE);
	}
	free_part(cells);
	return value;
}
