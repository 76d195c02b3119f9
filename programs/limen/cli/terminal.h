/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminal.h - colours and width of standard output.
 */
#ifndef LIMEN_PROGRAM_TERMINAL_H
#define LIMEN_PROGRAM_TERMINAL_H

#include <stdbool.h>

#include "command.h"

/* Erases the line of the cursor. */
#define TERMINAL_ERASE "\r\033[K"

typedef enum tints { TINT_NONE, TINT_GOOD, TINT_BAD, TINT_ODD, TINT_DIM } tints;

/*
 * Returns true if standard output is to be coloured.  "auto" colours on a terminal, unless
 * NO_COLOR is set and not empty (no-color.org).
 */
bool terminal_colored(const common_options *common);

/*
 * Colours the problems of policies on standard error by the same rule, and folds the lines of
 * standard output (fold.h) if it 'folds'.
 */
void terminal_start(const common_options *common, bool folds);

/* Returns 'word' in a colour, or unchanged, to g_free(). */
char *terminal_tint(bool colored, tints tint, const char *word);

/* Returns the columns of $COLUMNS or the terminal, 80 if unknown, and at least 40. */
size_t terminal_width(void);

/* Prints 'text' in lines of at most 'width' columns, each indented by 'indent'. */
void terminal_wrap(const char *text, size_t indent, size_t width);

#endif
