/* SPDX-License-Identifier: Apache-2.0 */
/* http_options.h - the command line options that describe an HTTP request. */
#ifndef LIMEN_PROGRAM_HTTP_OPTIONS_H
#define LIMEN_PROGRAM_HTTP_OPTIONS_H

#include <glib.h>
#include <stdbool.h>

#include "cli/options.h"

typedef struct http_options {
	char *method;
	char *path; /* and query */
	char **headers;
	char *client;
} http_options;

/* Rows of the options, for options_read(). */
#define HTTP_ROWS(given) \
	OPTION_TEXT("method", 0, &(given)->method, "METHOD", "Decide an HTTP request"), \
	OPTION_TEXT("path", 0, &(given)->path, "PATH", "Its path, and query"), \
	OPTION_TEXTS("header", 0, &(given)->headers, "NAME:VALUE", \
	             "A header of it; may be repeated"), \
	OPTION_TEXT("client", 0, &(given)->client, "ADDRESS", "The address of its client")

/* Returns true if an option was given. */
bool http_options_are_given(const http_options *given);

/* Checks the options, of which one is given; returns false after a message about wrong usage. */
bool http_options_understand(const command *self, const http_options *given);

/* Returns the request as JSON text, to free(). */
char *http_options_text(const http_options *given);

#endif
