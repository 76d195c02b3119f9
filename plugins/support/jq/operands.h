/* SPDX-License-Identifier: Apache-2.0 */
/* operands.h - whether a script compares what it computes, or with a number or text only. */
#ifndef LIMEN_SUPPORT_JQ_OPERANDS_H
#define LIMEN_SUPPORT_JQ_OPERANDS_H

#include <stdbool.h>

#include "scan.h"

/*
 * Does 'script' have 'sign' ("==", "!=", "<", ">" or "+", which are "<=", ">=" and "+="
 * too) between two operands neither of which is written out?
 */
bool operands_are_computed(const char *script, const char *sign);

/* Is the operand at the next token of 'from' a number, a text, true, false or null? */
bool operands_is_plain(scan from);

#endif
