/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_out.h - writes JSON text into a GString.  Commas come by themselves: one
 * is added unless the text ends with "{", "[" or ":".
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
 * 'text' NULL gives null; bytes that are not UTF-8 become U+FFFD.  Control characters
 * are escaped, DEL and C1 too, though JSON takes them: people look at answers and logs.
 */
void json_string(GString *out, const char *text);
/* As json_string(), of 'most' bytes at most, cut between characters; what is cut ends in "...". */
void json_string_cut(GString *out, const char *text, size_t most);
void json_bool(GString *out, bool value);
void json_int(GString *out, int64_t value);
/* Text that is JSON already; NULL gives null. */
void json_raw(GString *out, const char *json);

/* The same with control characters escaped, and those of format (control.h); on one line. */
void json_shown(GString *out, const char *json);

/* A value of a document; null if there is none. */
void json_value(GString *out, limen_value value);

/* Appends "/KEY" to a JSON pointer, with the escapes of RFC 6901. */
void json_pointer_step(GString *pointer, const char *key, size_t length);

/*
 * Writes JSON as a template says: "KEY:X" is a member, "X" alone an element, and brackets are
 * themselves; they need not match, so that several calls can fill one object.  X takes an
 * argument: s a text, i an int64_t, d an int, z a size_t, b a bool, j JSON text, v a
 * limen_value, a an array of texts that ends with NULL (which is empty).  S is a text whose
 * member is left out if it is NULL.
 */
void json_write(GString *out, const char *template, ...);

/* json_key() and the value. */
void json_put_string(GString *out, const char *key, const char *text);
void json_put_bool(GString *out, const char *key, bool value);
void json_put_int(GString *out, const char *key, int64_t value);

#endif
