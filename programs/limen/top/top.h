/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top.h - what "limen top" shows of one or several running limends: top.c asks them and reads the keys,
 * top_view.c merges what they said and prints it.
 */
#ifndef LIMEN_PROGRAM_TOP_H
#define LIMEN_PROGRAM_TOP_H

#include "remote/remote.h"

/* One limend, and its last answers. */
typedef struct top_source {
	remote at;
	limen_documents *recent;  /* of /v1/recent; NULL: none */
	limen_documents *buckets; /* of /v1/buckets; NULL: none */
	char *why;                /* there is no answer; NULL: there is one */
} top_source;

typedef struct top_view {
	GArray *sources;  /* top_source */
	size_t width;     /* of the terminal; 0: none, rows are whole */
	size_t height;    /* rows of all tables together */
	size_t skipped;   /* decisions above those that are shown */
	const char *text; /* only rows with it are shown; "": all */
	const char *note; /* at the end of the first line; may be "" */
} top_view;

void top_print(const top_view *view);

#endif
