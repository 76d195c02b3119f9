/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - a tree as text: with branches on a terminal that can draw them, else with
 * nothing but blanks, which other programs read more easily.
 */
#ifndef LIMEN_PROGRAM_TREE_H
#define LIMEN_PROGRAM_TREE_H

#include <glib.h>

#include "terminal.h"

/* The deepest line; roots are 0. */
#define TREE_DEPTH_MAX 7

typedef struct tree {
	GArray *lines;
} tree;

void tree_start(tree *of);

/* Adds a line, which is 'before' and 'after' with a word in a colour between (NULL: none). */
void tree_add(tree *of, unsigned depth, const char *before, tints tint, const char *word,
              const char *after);

/* Adds lines of text that stand below a line and are no branches of it. */
void tree_add_text(tree *of, unsigned depth, const char *label, const char *text);

/* Prints all of it and frees it. */
void tree_print(tree *of, bool colored, bool drawn);

/* Can standard output show branches: is it a terminal whose characters are UTF-8? */
bool tree_can_be_drawn(void);

#endif
