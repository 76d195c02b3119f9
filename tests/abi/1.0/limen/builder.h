/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/builder.h - makes a JSON value without writing JSON text.
 *
 *	limen_builder *build = limen_builder_new();
 *
 *	limen_builder_object(build, NULL);
 *	limen_builder_string(build, "name", name, name_length);
 *	limen_builder_int(build, "replicas", 3);
 *	limen_builder_end(build);
 *	limen_reply_set_value(reply, spec, "owner", limen_builder_finish(build));
 *	limen_builder_free(build);
 *
 * Values are added in document order.  'key' names the value inside an object, and is
 * NULL inside an array and for the outermost value.  Bytes of a key that are not UTF-8
 * become U+FFFD.  No call reports a failure: the builder remembers it, and
 * limen_builder_finish() returns none.  A failure is short memory, a key that is missing
 * or too many, a string that is not UTF-8, a number that JSON cannot express, nesting
 * deeper than 2000 levels, and more or less than one outermost value.  A NULL builder,
 * which limen_builder_new() returns when memory is short, is one that has failed.
 *
 * One thread at a time uses a builder; threads may use different ones.
 */
#ifndef LIMEN_BUILDER_H
#define LIMEN_BUILDER_H

#include <limen/value.h>

LIMEN_BEGIN_DECLS

/* Used by one thread at a time. */
typedef struct limen_builder limen_builder;

/*
 * Makes an empty builder.  Returns NULL when memory is short.  The caller frees it with
 * limen_builder_free().
 */
LIMEN_API limen_builder *limen_builder_new(void);

/* Frees 'builder' and the value that it made. */
LIMEN_API void limen_builder_free(limen_builder *builder);

/* Each begins a container, in which the following values are until limen_builder_end(). */
LIMEN_API void limen_builder_object(limen_builder *builder, const char *key);
LIMEN_API void limen_builder_array(limen_builder *builder, const char *key);

/* Ends the innermost container.  Of repeated keys of an object the last counts. */
LIMEN_API void limen_builder_end(limen_builder *builder);

/* Adds the string of 'length' bytes at 'text', which may hold NULs. */
LIMEN_API void limen_builder_string(limen_builder *builder, const char *key, const char *text,
                                    size_t length);

/*
 * Adds text for people, such as an error: 'text' ends at a NUL, bytes that are not UTF-8
 * become U+FFFD, and NULL is null.
 */
LIMEN_API void limen_builder_text(limen_builder *builder, const char *key, const char *text);

/* Adds an integer. */
LIMEN_API void limen_builder_int(limen_builder *builder, const char *key, int64_t value);

/* Adds a number that is finite, in the shortest form that reads back as the same double. */
LIMEN_API void limen_builder_real(limen_builder *builder, const char *key, double value);

/* Add a boolean, and null. */
LIMEN_API void limen_builder_bool(limen_builder *builder, const char *key, bool value);
LIMEN_API void limen_builder_null(limen_builder *builder, const char *key);

/* Adds a copy of 'value', a node of any document; none is a failure. */
LIMEN_API void limen_builder_value(limen_builder *builder, const char *key, limen_value value);

/*
 * Returns the value that was built, or none after a failure.  It is good until
 * limen_builder_free(); what it was given to, such as a reply or a request, keeps the
 * memory it needs.  Later calls add nothing, and return the same value.
 */
LIMEN_API limen_value limen_builder_finish(limen_builder *builder);

LIMEN_END_DECLS

#endif
