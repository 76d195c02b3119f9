/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold.h - folds long lines between words where text is printed on a terminal.
 */
#ifndef LIMEN_PROGRAM_FOLD_H
#define LIMEN_PROGRAM_FOLD_H

#include <stdio.h>

/*
 * If 'stream', which is never closed, is a terminal, replaces it by a stream that folds lines at
 * terminal_width(): what follows is indented, and branches of a tree go on.  Lines that begin
 * with blanks and a quote are JSON, and left alone, as are lines that are flushed before their end.
 */
void fold_start(FILE **stream);

#endif
