/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h - a string that grows.  Once memory was short it stays failed and
 * takes nothing more.
 */
#ifndef LIMEN_SUPPORT_JQ_TEXT_H
#define LIMEN_SUPPORT_JQ_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct text {
	char *bytes; /* NUL-terminated once something was added */
	size_t length;
	size_t room;
	bool failed;
} text;

void text_add(text *to, const char *bytes, size_t length);
void text_adds(text *to, const char *string);
void text_addc(text *to, char byte);
void text_addf(text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(text *to);

/* Returns the string, for the caller to free, or NULL if memory was short; empties 'from'. */
char *text_steal(text *from);

#endif
