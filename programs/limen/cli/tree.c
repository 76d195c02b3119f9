/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.c - collects the lines of a tree, computes which branches continue below each line, and
 * prints the lines with box-drawing characters or with blanks.
 */
#include "tree.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

typedef struct line {
	unsigned depth;
	bool text; /* a text line without a branch */
	char *before;
	tints tint;
	char *word;
	char *after;
	uint8_t goes_on; /* bit per depth: a later line continues that branch */
} line;

static void
clear_line(gpointer data)
{
	line *item = data;

	g_free(item->before);
	g_free(item->word);
	g_free(item->after);
}

tree *
tree_new(void)
{
	tree *self = g_array_new(FALSE, FALSE, sizeof(line));

	g_array_set_clear_func(self, clear_line);
	return self;
}

void
tree_add(tree *self, unsigned depth, const char *before, tints tint, const char *word,
         const char *after)
{
	g_array_append_vals(self, &(line){ .depth = MIN(depth, TREE_DEPTH_MAX),
	                                   .before = g_strdup(before),
	                                   .tint = tint,
	                                   .word = g_strdup(word),
	                                   .after = g_strdup(after) }, 1);
}

void
tree_add_line(tree *self, unsigned depth, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list arguments;

	va_start(arguments, format);
	text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	tree_add(self, depth, text, TINT_NONE, NULL, NULL);
}

void
tree_add_text(tree *self, unsigned depth, const char *label, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (size_t i = 0; lines[i] != NULL; i++) {
		tree_add(self, depth, i == 0 ? label : "  ", TINT_NONE, NULL, lines[i]);
		g_array_index(self, line, self->len - 1).text = true;
	}
}

/*
 * Computes the continuing branches from the last line up: a branch continues until a line of
 * less depth.
 */
static void
join_branches(tree *self)
{
	uint8_t open = 0;

	for (guint i = self->len; i > 0; i--) {
		line *item = &g_array_index(self, line, i - 1);

		open &= (uint8_t)((1U << (item->depth + 1)) - 1);
		item->goes_on = open;
		if (!item->text)
			open |= (uint8_t)(1U << item->depth);
	}
}

/* Prints the branches of a line; depth 0, the roots, has none. */
static void
print_branches(FILE *to, const line *item)
{
	fputs("  ", to);
	for (unsigned depth = 1; depth <= item->depth; depth++) {
		bool goes_on = (item->goes_on & (1U << depth)) != 0;

		if (depth == item->depth && !item->text)
			fputs(goes_on ? "├─ " : "└─ ", to);
		else
			fputs(goes_on ? "│  " : "   ", to);
	}
}

static void
print_line(FILE *to, const line *item, bool colored, bool drawn)
{
	g_autofree char *word = item->word == NULL ? NULL
	                                           : terminal_tint(colored, item->tint, item->word);

	if (drawn)
		print_branches(to, item);
	else
		fprintf(to, "%*s", (int)(2 * (item->depth + 1)), "");
	message_put_part(to, item->before);
	if (word != NULL)
		fputs(word, to);
	message_print_line(to, "%s", item->after == NULL ? "" : item->after);
}

/* Returns the locale as setlocale(3) would choose it; the program does not call that. */
static const char *
find_locale(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		const char *value = getenv(names[i]);

		if (value != NULL && value[0] != '\0')
			return value;
	}
	return "";
}

/* Returns true if standard output is a terminal that shows UTF-8. */
static bool
can_be_drawn(void)
{
	g_autofree char *locale = g_ascii_strdown(find_locale(), -1);

	return isatty(STDOUT_FILENO) &&
	       (strstr(locale, "utf-8") != NULL || strstr(locale, "utf8") != NULL);
}

void
tree_print(FILE *to, tree *self, bool colored)
{
	bool drawn = can_be_drawn();

	join_branches(self);
	for (guint i = 0; i < self->len; i++)
		print_line(to, &g_array_index(self, line, i), colored, drawn);
	g_array_unref(self);
}
