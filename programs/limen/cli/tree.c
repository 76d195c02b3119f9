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

void
tree_start(tree *of)
{
	of->lines = g_array_new(FALSE, FALSE, sizeof(line));
}

static void
add_line(tree *of, const line *item)
{
	g_array_append_vals(of->lines, item, 1);
}

void
tree_add(tree *of, unsigned depth, const char *before, tints tint, const char *word,
         const char *after)
{
	add_line(of, &(line){ .depth = MIN(depth, TREE_DEPTH_MAX),
	                      .before = g_strdup(before),
	                      .tint = tint,
	                      .word = g_strdup(word),
	                      .after = g_strdup(after) });
}

void
tree_add_text(tree *of, unsigned depth, const char *label, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	for (size_t i = 0; lines[i] != NULL; i++)
		add_line(of, &(line){ .depth = MIN(depth, TREE_DEPTH_MAX),
		                      .text = true,
		                      .before = g_strdup(i == 0 ? label : "  "),
		                      .after = g_strdup(lines[i]) });
	g_strfreev(lines);
}

static line *
line_at(const tree *of, guint index)
{
	return &g_array_index(of->lines, line, index);
}

/*
 * Computes the continuing branches from the last line up: a branch continues until a line of
 * less depth.
 */
static void
join_branches(tree *of)
{
	uint8_t open = 0;

	for (guint i = of->lines->len; i > 0; i--) {
		line *item = line_at(of, i - 1);

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
	char *word = item->word == NULL ? NULL : terminal_tint(colored, item->tint, item->word);

	if (drawn)
		print_branches(to, item);
	else
		fprintf(to, "%*s", (int)(2 * (item->depth + 1)), "");
	message_put_part(to, item->before);
	if (word != NULL)
		fputs(word, to);
	message_print_line(to, "%s", item->after == NULL ? "" : item->after);
	g_free(word);
}

void
tree_print(FILE *to, tree *of, bool colored, bool drawn)
{
	join_branches(of);
	for (guint i = 0; i < of->lines->len; i++) {
		line *item = line_at(of, i);

		print_line(to, item, colored, drawn);
		g_free(item->before);
		g_free(item->word);
		g_free(item->after);
	}
	g_array_free(of->lines, TRUE);
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

bool
tree_can_be_drawn(void)
{
	char *locale = g_ascii_strdown(find_locale(), -1);
	bool utf8 = strstr(locale, "utf-8") != NULL || strstr(locale, "utf8") != NULL;

	g_free(locale);
	return utf8 && isatty(STDOUT_FILENO);
}
