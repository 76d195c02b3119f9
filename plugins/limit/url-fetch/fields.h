/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fields.h - the objects "headers" and "params" as what is sent.
 */
#ifndef URL_FETCH_FIELDS_H
#define URL_FETCH_FIELDS_H

#include "../../support/buffer.h"
#include "../../support/jq/jq.h"

/* The longest URL, and the most text of all headers together. */
#define FIELDS_MAX ((size_t)1024 * 1024)

/* Header lines, NUL-terminated one after another in one text. */
typedef struct header_lines {
	buffer text;
	const char **lines;
	size_t count;
} header_lines;

/*
 * Makes header lines of 'object', or a form-encoded query (both consume it).
 * Values are written as Python's str() does.  Returns LIMEN_OK, LIMEN_ENOMEM, or
 * LIMEN_EINVAL with a static text in 'why'.
 */
int fields_make_headers(jv object, header_lines *out, const char **why);
int fields_make_query(jv object, buffer *out, const char **why);

/* Adds text in the way of Python's quote_plus(): as a form would send it. */
void fields_add_quoted(buffer *to, const char *text);

void header_lines_clear(header_lines *of);

/*
 * Writes 'url' with 'query' at the end of the query it has (RFC 3986 section 3:
 * before the fragment, which is not sent).  An empty query changes nothing.
 */
void fields_extend_url(const char *url, const buffer *query, buffer *out);

#endif
