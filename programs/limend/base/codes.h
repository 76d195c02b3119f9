/* SPDX-License-Identifier: Apache-2.0 */
/*
 * codes.h - the codes of decisions as an index, for tables of counts.
 */
#ifndef LIMEND_CODES_H
#define LIMEND_CODES_H

#include <stddef.h>

enum { CODE_200, CODE_403, CODE_422, CODE_429, CODE_500, CODE_OTHER, CODES };

extern const char *const code_names[CODES];

size_t code_index(int code);

#endif
