/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/value.h - a read-only view of one node of a document, and compiled
 * paths to nodes.
 *
 * A limen_value is two pointers; pass it by value and never look inside.  It
 * borrows from the document it was taken from and is good for as long as that
 * document: inside a module's methods for the duration of the call, in
 * limen_opening_data() and in options for the life of the instance.  A value may
 * stand for "nothing there" (LIMEN_TYPE_NONE); every function takes such a
 * value and finds nothing in it, so look-ups can be chained without checks.
 *
 * Documents never change, so any number of threads may read one.
 */
#ifndef LIMEN_VALUE_H
#define LIMEN_VALUE_H

#include <limen/types.h>

LIMEN_BEGIN_DECLS

/* A node, or nothing; the fields are private, and zeroed ones are nothing. */
typedef struct limen_value {
	const void *document;
	const void *node;
} limen_value;

/* The type of a node.  The one number type of JSON is two here, by how it was written. */
typedef enum limen_type {
	LIMEN_TYPE_NONE = 0, /* no such node */
	LIMEN_TYPE_NULL = 1,
	LIMEN_TYPE_BOOL = 2,
	LIMEN_TYPE_INTEGER = 3, /* written without fraction and exponent */
	LIMEN_TYPE_REAL = 4,    /* any other number */
	LIMEN_TYPE_STRING = 5,
	LIMEN_TYPE_ARRAY = 6,
	LIMEN_TYPE_OBJECT = 7
} limen_type;

/* Returns the value of type LIMEN_TYPE_NONE. */
LIMEN_API limen_value limen_value_none(void);

/* Returns the type of 'value'. */
LIMEN_API limen_type limen_value_type(limen_value value);

/* Is there a node at all (null counts)? */
LIMEN_API bool limen_value_exists(limen_value value);

/* Stores whether 'value' is true and returns true; returns false if it is no boolean. */
LIMEN_API bool limen_value_bool(limen_value value, bool *out);

/*
 * Stores a number without a fractional part that fits 64 bits and returns true,
 * or returns false; "1.0" and "1e3" are such numbers, as in JSON Schema.
 */
LIMEN_API bool limen_value_int(limen_value value, int64_t *out);

/* Stores the double nearest to a number and returns true; false if it is none. */
LIMEN_API bool limen_value_real(limen_value value, double *out);

/*
 * Returns a string's UTF-8 text, NUL-terminated, or NULL if 'value' is no string.  The text may
 * itself hold NULs: 'length' (may be NULL) receives the number of bytes, and comparisons that
 * matter must use it.  Borrowed from the document of 'value'.
 */
LIMEN_API const char *limen_value_string(limen_value value, size_t *length);

/* Is 'value' the string 'text', to the byte?  A 'value' that holds a NUL never is. */
LIMEN_API bool limen_value_is(limen_value value, const char *text);

/*
 * Returns a number as it was written, so that no digit is lost, or NULL if 'value' is no number.
 * Not NUL-terminated; 'length' receives the number of bytes.  Borrowed from the document of
 * 'value'.
 */
LIMEN_API const char *limen_value_number(limen_value value, size_t *length);

/* Returns the number of elements or members; 0 for everything else. */
LIMEN_API size_t limen_value_count(limen_value value);

/* Returns the member 'key' of an object, or none.  Of repeated keys the last counts. */
LIMEN_API limen_value limen_value_get(limen_value object, const char *key);

/* As limen_value_get(), for a key of 'length' bytes that may hold NULs. */
LIMEN_API limen_value limen_value_member(limen_value object, const char *key, size_t length);

/* The key of a member: 'length' bytes, which may hold NULs.  Borrowed. */
typedef struct limen_key {
	const char *text;
	size_t length;
} limen_key;

/* Initialises a limen_key with a string literal: limen_key keys[] = { LIMEN_KEY("name"), ... }. */
#define LIMEN_KEY(literal) { literal, sizeof(literal) - 1 }

/*
 * Stores in 'found' what limen_value_member() finds for each of 'count' different keys, in
 * one walk over the members.  If 'object' is none all are none.
 */
LIMEN_API void limen_value_pick(limen_value object, const limen_key *keys, size_t count,
                                limen_value *found);

/* Returns element 'index' of an array, or none.  Costs one step an element. */
LIMEN_API limen_value limen_value_at(limen_value array, size_t index);

/*
 * Walks an array or object:
 *
 *	limen_iter iter = limen_iter_start(value);
 *	limen_value key, member;
 *	while (limen_iter_next(&iter, &key, &member))
 *		...
 *
 * 'key' (may be NULL) is a string, or none for arrays.  The fields are private.
 */
typedef struct limen_iter {
	const void *document;
	const void *node;
	uint64_t left;
} limen_iter;

/* Begins a walk; it is empty unless 'container' is an array or an object. */
LIMEN_API limen_iter limen_iter_start(limen_value container);

/* Stores the next element or member and returns true; false when there is none left. */
LIMEN_API bool limen_iter_next(limen_iter *iter, limen_value *key, limen_value *member);

/* Are 'a' and 'b' equal as JSON values?  1 and 1.0 are; member order does not count. */
LIMEN_API bool limen_value_equal(limen_value a, limen_value b);

/* How JSON is written; 0: on one line without blanks, members in their order. */
enum {
	LIMEN_JSON_PRETTY = 1 << 0, /* indented by two, one member a line */
	LIMEN_JSON_SORTED = 1 << 1  /* members in byte order of their keys */
};

/*
 * Returns 'value' as JSON text, numbers as they were written and control characters
 * (DEL and C1, too) escaped, in memory the caller frees with free().  'flags' is a set
 * of LIMEN_JSON_*; 'length' (may be NULL) receives the bytes.  NULL when memory is
 * short or 'value' is none.
 */
LIMEN_API char *limen_value_to_json(limen_value value, unsigned flags, size_t *length);

/*
 * Returns where 'value' stands in its document, in memory the caller frees with free(): an
 * RFC 6901 pointer ("/spec/containers/2/image"), or a field path as Kubernetes writes it
 * ("spec.containers[2].image", "metadata.labels[example.com/team]": a key in brackets is
 * one with other characters than letters, digits and "_").  Both are "" for the root.  NULL
 * when memory is short, if 'value' is none, or if a key on the way holds a NUL.  The first
 * call for a document takes time linear in its size.
 */
LIMEN_API char *limen_value_pointer(limen_value value);
LIMEN_API char *limen_value_field_path(limen_value value);

/*
 * Returns a copy of 'value' that does not depend on its document, such as that of a request
 * beyond the call of a module.  It is the caller's, who frees it with limen_value_free(), and
 * it has no place in a file for limen_diag_add().  None when memory is short, or of none.
 */
LIMEN_API limen_value limen_value_keep(limen_value value);

/* Frees what limen_value_keep() returned, and nothing else.  None is fine. */
LIMEN_API void limen_value_free(limen_value kept);

/*
 * Compiles an RFC 6901 pointer ("/test/spec/duration", "" for the whole
 * document).  'length' is in bytes.  Returns LIMEN_OK, LIMEN_EINVAL or
 * LIMEN_ENOMEM.  Options of type path are compiled by the core.
 */
LIMEN_API int limen_path_new(const char *pointer, size_t length, limen_path **out);

/* Frees 'path'.  Values found with it stay valid. */
LIMEN_API void limen_path_free(limen_path *path);

/* Returns the pointer 'path' was made from.  Borrowed from 'path'. */
LIMEN_API const char *limen_path_text(const limen_path *path);

/* Returns the node 'path' leads to from 'root', or none. */
LIMEN_API limen_value limen_value_find(limen_value root, const limen_path *path);

LIMEN_END_DECLS

#endif
