/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_stream.h - the objects of a stream of JSON and YAML texts, one at a time.  A list yields
 * each of its items, so memory is bounded by the largest object and not by the list.
 */
#ifndef LIMEN_PROGRAM_OBJECT_STREAM_H
#define LIMEN_PROGRAM_OBJECT_STREAM_H

#include <glib.h>
#include <stdbool.h>

/* The text of an object, valid until the next call. */
typedef struct object_text {
	const char *text;
	size_t length;
	bool json;
	unsigned line;    /* where it begins in the stream, from 1 */
	const char *api;  /* what its list says of each item, or NULL: "v1" */
	const char *kind; /* "Pod" of a PodList */
} object_text;

typedef enum object_result {
	OBJECT_END,
	OBJECT_FOUND,
	OBJECT_FAILED /* the stream cannot be read on; 'error' says why */
} object_result;

typedef struct object_stream {
	int fd;
	char *error;     /* why the stream failed, without the name of its file, or NULL */
	size_t total;    /* bytes read */
	/*
	 * The token of the next page of the last list (metadata.continue), "" if it is complete, or
	 * NULL if no list was read to its end.
	 */
	char *next;
	/* Private. */
	bool ended;      /* there is nothing more to read */
	bool in_list;    /* the next text is an item of the list */
	bool first;      /* it is the first one */
	bool json;       /* the document is JSON */
	char *buffer;
	size_t size;
	size_t start;    /* of the text that is being cut */
	size_t end;      /* of what was read */
	unsigned line;   /* of 'start' */
	size_t indent;   /* of the items of a YAML list */
	GString *head;   /* the list without its items */
	char *api;       /* of its items, or NULL, as 'kind' */
	char *kind;
} object_stream;

/* Reads from 'fd', which stays the caller's, until its end.  Clear the stream in any case. */
object_stream object_stream_start(int fd);
void object_stream_clear(object_stream *self);

object_result object_stream_next(object_stream *self, object_text *out);

#endif
