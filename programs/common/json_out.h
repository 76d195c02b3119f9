/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_out.h - writes JSON text into a GString.  Commas are automatic: each value adds one
 * unless the text ends with "{", "[" or ":".
 */
#ifndef LIMEN_PROGRAM_JSON_OUT_H
#define LIMEN_PROGRAM_JSON_OUT_H

#include <glib.h>
#include <limen/value.h>
#include <stdbool.h>
#include <stdint.h>

void json_open(GString *out, char bracket);
void json_key(GString *out, const char *key);

/*
 * 'text' NULL gives null; bytes that are not UTF-8 become U+FFFD.  Control characters are
 * escaped, also DEL and C1, which JSON allows: answers and logs are read on terminals.
 */
void json_string(GString *out, const char *text);
/* As json_string(), of at most 'most' bytes; a cut text ends in "...", between characters. */
void json_string_cut(GString *out, const char *text, size_t most);
void json_int(GString *out, int64_t value);
/* Appends JSON text unchanged; NULL gives null. */
void json_raw(GString *out, const char *json);

/* As json_raw(), on one line, with control and format characters (control.h) escaped. */
void json_shown(GString *out, const char *json);

/* Appends a value of a document; an absent one gives null. */
void json_value(GString *out, limen_value value);

/* Appends "/KEY" to a JSON pointer, with the escapes of RFC 6901. */
void json_pointer_step(GString *pointer, const char *key, size_t length);

/*
 * Writes JSON from a template: "KEY:X" is a member, "X" alone an element, and brackets are
 * copied.  Brackets need not match, so several calls can fill one object.  X takes an argument:
 * s a text, i an int64_t, d an int, z a size_t, b a bool, j JSON text, v a limen_value, a an
 * array of texts that ends with NULL (NULL itself is an empty array).  S is a text whose member
 * is left out if it is NULL.  The key "@" takes an argument, too: the key.
 */
void json_write(GString *out, const char *template, ...);

#endif
