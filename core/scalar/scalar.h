/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar.h - numbers as they are written in JSON (and NaN, Infinity and
 * -Infinity, which Python's json adds), dates, times of day and paths of URIs.  Nothing here
 * depends on the locale.
 */
#ifndef LIMEN_CORE_SCALAR_SCALAR_H
#define LIMEN_CORE_SCALAR_SCALAR_H

#include <limen/duration.h>

/*
 * Returns how many bytes at the start of 'text' make the longest number of
 * RFC 8259 section 6, or 0.  "01" is the number "0" followed by something else.
 */
size_t number_scan(const char *text, size_t length);

/* Is the number written without fraction and exponent? */
bool number_is_integer(const char *text, size_t length);

/*
 * Stores the number if it has no fractional part and fits 64 bits; exact
 * whatever the exponent ("1.50e1" is 15).
 */
bool number_int(const char *text, size_t length, int64_t *out);

/* Compares two numbers exactly, at any length: "1.50e1" equals "15". */
bool number_is_same(const char *a, size_t a_length, const char *b, size_t b_length);

/* Most bytes of a 64-bit integer in decimal, sign included, without a NUL. */
#define NUMBER_INT_MAX 20

/* Writes the number in decimal, without a NUL, and returns how many bytes that took. */
size_t number_write_int(int64_t value, char out[NUMBER_INT_MAX]);

/* Reads "HH:MM" or "HH:MM:SS" up to 24:00, the end of the day; false if it is neither. */
bool calendar_read_time(const char *text, size_t length, limen_duration *out);

/* Reads "YYYY-MM-DD", a day of the years 1 to 9999; false if it is none. */
bool calendar_read_date(const char *text, size_t length, limen_date *out);

/* Stores the double nearest to the number; a NUL, a blank, ',', ']' or '}' must follow it. */
bool number_real(const char *text, double *out);

/* Returns false if 'path' is certainly spelt as uri_path_normalize() spells it. */
bool uri_path_is_special(const char *path, size_t length);

/*
 * Writes the path of a URI with unreserved characters decoded, escapes in upper case, dot segments
 * removed and empty segments merged (RFC 3986, 6.2.2), and returns its length.  'out' has room for
 * 'length' bytes.  Returns 0 if servers disagree about the path: it leads above the root, is not
 * UTF-8, does not begin with a slash, or has a control character, a backslash, a "#", an escaped
 * slash, backslash or control character, or a "%" that escapes nothing.
 */
size_t uri_path_normalize(const char *path, size_t length, char *out);

#endif
