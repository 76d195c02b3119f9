/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_document.h - writes what came of an HTTP request into its document, as limen_http_read() reads
 * it.
 */
#ifndef LIMEN_PROGRAM_HTTP_DOCUMENT_H
#define LIMEN_PROGRAM_HTTP_DOCUMENT_H

#include <limen/builder.h>
#include <stddef.h>

/* A query argument, decoded, or a header field; 'value' has a NUL after 'length' bytes. */
typedef struct http_pair {
	const char *name;
	const char *value;
	size_t length;
	size_t name_length; /* of a header field */
} http_pair;

/* Adds bytes of the client; those that are not UTF-8 are escaped as in a URI. */
void http_document_text(limen_builder *build, const char *key, const char *text, size_t length);

/* Adds the values of one field, of which there are 'count': a text, or an array of several. */
void http_document_field(limen_builder *build, const char *name, const http_pair *const *values,
                         size_t count);

/* Adds all fields in the order of their names, which become lower case. */
void http_document_fields(limen_builder *build, const http_pair *fields, size_t count);

#endif
