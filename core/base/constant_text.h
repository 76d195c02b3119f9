/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant_text.h - texts that stay what they are, such as the literals of a module: where
 * one of them stands again, it is the same.
 */
#ifndef LIMEN_CORE_BASE_CONSTANT_TEXT_H
#define LIMEN_CORE_BASE_CONSTANT_TEXT_H

#include <stdbool.h>

/*
 * Is 'text' in memory that the program, or a library it has loaded, cannot write to?  This
 * takes a lock of the linker, so ask once and remember the answer.
 */
bool is_constant_text(const char *text);

#endif
