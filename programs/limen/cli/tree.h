/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - prints a tree: with branches on a terminal that can draw them, else with blanks,
 * which are easier to parse.
 */
#ifndef LIMEN_PROGRAM_TREE_H
#define LIMEN_PROGRAM_TREE_H

#include <glib.h>
#include <stdio.h>

#include "terminal.h"

/* Depth of the deepest line; roots have 0. */
#define TREE_DEPTH_MAX 7

typedef GArray tree;

tree *tree_new(void);

/* Adds a line: 'before', then 'word' in a colour, then 'after'. */
void tree_add(tree *self, unsigned depth, const char *before, tints tint, const char *word,
              const char *after);

/* Adds a line of plain text. */
void tree_add_line(tree *self, unsigned depth, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Adds lines of text below a line, without branches. */
void tree_add_text(tree *self, unsigned depth, const char *label, const char *text);

/* Prints the tree to 'to' and frees it. */
void tree_print(FILE *to, tree *self, bool colored);

#endif
