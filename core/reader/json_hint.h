/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_hint.h - what people meant who wrote what is not JSON.
 */
#ifndef JSON_HINT_H
#define JSON_HINT_H

#include <stddef.h>

/* What to do about the error at byte 'at' of 'text'; NULL where that cannot be guessed. */
const char *json_hint(const char *text, size_t length, size_t at);

#endif
