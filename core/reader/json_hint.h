/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_hint.h - advice about common mistakes in JSON.
 */
#ifndef JSON_HINT_H
#define JSON_HINT_H

#include <stddef.h>

/* Returns advice about the syntax error at byte 'offset' of 'text', or NULL if there is none. */
const char *json_hint(const char *text, size_t length, size_t offset);

#endif
