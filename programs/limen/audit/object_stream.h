/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_stream.h - the objects of a stream of JSON and YAML texts, one at a time.  A list yields
 * each of its items, so memory is bounded by the largest object and not by the list.
 */
#ifndef LIMEN_PROGRAM_OBJECT_STREAM_H
#define LIMEN_PROGRAM_OBJECT_STREAM_H

#include <glib.h>
#include <stdbool.h>

typedef struct object_stream object_stream;

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
	OBJECT_FAILED /* the stream cannot be read on; object_stream_error() says why */
} object_result;

/* Reads from 'fd', which stays the caller's, until its end. */
object_stream *object_stream_new(int fd);
void object_stream_free(object_stream *self);

object_result object_stream_next(object_stream *self, object_text *out);

/* Returns why the stream failed, without the name of its file. */
const char *object_stream_error(const object_stream *self);

/*
 * Returns where the next page of the last list begins (metadata.continue), "" if it is complete, or
 * NULL if no list was read to its end.
 */
const char *object_stream_continue(const object_stream *self);

/* Returns the number of bytes read. */
size_t object_stream_position(const object_stream *self);

#endif
