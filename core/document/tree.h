/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - documents, into which a limen_value points: an immutable tree of nodes in one
 * flat array, and the builder that readers use.
 *
 * The array is in document order.  A container's node is followed by its
 * members' nodes; in an object each member is a key node (a string) followed by
 * the node of its value.  'span' skips a whole subtree.  The reader of YAML
 * (yaml_read.c) and everything that derives one document from others
 * (document_edit.c) go through the builder; JSON, which is what requests come in,
 * is read straight into nodes (json_nodes.c).
 *
 * A node remembers which source text it came from and at which byte, so a
 * place (file, line, column) and a JSON pointer can be worked out for any node
 * at any time without keeping them (place.c).
 */
#ifndef LIMEN_CORE_DOCUMENT_TREE_H
#define LIMEN_CORE_DOCUMENT_TREE_H

#include <limen/diag.h>
#include <limen/value.h>

/* A text that was read, kept for as long as a node refers to it. */
typedef struct source source;

/* Copies 'name' (may be NULL) and 'length' bytes of 'text'; one reference. */
source *source_new(const char *name, const char *text, size_t length);
source *source_ref(source *shared);
void source_unref(source *shared); /* NULL is fine; thread-safe */

typedef struct document document;

typedef struct node {
	uint8_t type;    /* limen_type */
	uint8_t flags;   /* NODE_* */
	uint16_t origin; /* index of the source among the document's */
	uint32_t offset; /* byte in that source where the node begins */
	uint32_t length; /* strings, numbers: bytes; containers: live members */
	uint32_t span;   /* nodes in this subtree, itself included */
	/*
	 * Strings: NUL-terminated.  Numbers: followed by a NUL or by what ends a number in
	 * JSON.  true: "t", false: NULL.
	 */
	const char *text;
} node;

enum {
	/* Key node of a member that does not count: overridden by a later one, or a comment. */
	NODE_DEAD = 1 << 0
};

#define ORIGIN_NONE UINT16_MAX

/* One without anything, and with one reference; NULL when memory is short. */
document *document_new(void);

/* Keeps a reference to the one source of 'doc', which has none so far. */
void document_set_source(document *doc, source *from);

document *document_ref(const document *doc);
void document_unref(const document *doc); /* NULL is fine; thread-safe */
limen_value document_root(const document *doc);

/* Adds how many values 'doc' has, keys included, and how many bytes of text they are. */
void document_measure(const document *doc, size_t *values, size_t *bytes);

/*
 * Sets the pointer of the document's root within the file it was taken from
 * ("/limits/3/data"), so that pointers of derived documents stay true.
 */
bool document_set_base(document *doc, const char *pointer);
const char *document_base(const document *doc);

/* Gives 'doc' the pointer that 'from' has; false when memory is short. */
bool document_stand_as(document *doc, limen_value from);

/* ---- builder: members are added in document order ---- */

typedef struct builder builder;

builder *builder_new(void);
void builder_free(builder *build); /* NULL is fine */

/* Does the next value need a key before it? */
bool builder_wants_key(const builder *build);

/* Makes builder_finish() fail, for a value that cannot be added. */
void builder_fail(builder *build);

/* Hides members whose key begins with "#" in all objects that end from now on. */
void builder_drop_comments(builder *build);

/* Adds a source and returns its index, or ORIGIN_NONE.  The same source gives the same index. */
uint16_t builder_source(builder *build, source *from);

/* 'origin', 'offset': where in which source the node begins. */
void builder_null(builder *build, uint16_t origin, uint32_t offset);
void builder_bool(builder *build, uint16_t origin, uint32_t offset, bool value);
/* Copies 'text', a JSON number (or NaN, Infinity, -Infinity). */
void builder_number(builder *build, uint16_t origin, uint32_t offset, const char *text,
                    size_t length);
/* Copies 'text'.  Within an object, strings alternate: key, value, key, value. */
void builder_string(builder *build, uint16_t origin, uint32_t offset, const char *text,
                    size_t length);
/* The same for a C string without a source. */
void builder_text(builder *build, const char *text);
/* The same for one that is never freed, and so not copied. */
void builder_constant(builder *build, const char *text);
/* The same for a text that may be invalid UTF-8, such as file names and answers of servers. */
void builder_repaired(builder *build, const char *text);
void builder_begin_array(builder *build, uint16_t origin, uint32_t offset);
void builder_begin_object(builder *build, uint16_t origin, uint32_t offset);
/* Closes the innermost container; in an object a repeated key overrides the earlier one. */
void builder_end(builder *build);
/* Adds a copy of 'value', which must exist, and everything below it, with its origins. */
void builder_copy(builder *build, limen_value value);

/* Begins a container of the type of 'value', and where that is written. */
void builder_begin_like(builder *build, limen_value value);

/* As builder_copy(); the nodes keep the pointers they have in their own file, too. */
void builder_graft(builder *build, limen_value value);

/*
 * Makes the document and frees the builder.  Returns NULL when memory ran
 * short at any earlier call, or when the calls did not make exactly one value.
 */
document *builder_finish(builder *build);

/* The same; gives the document the pointer that 'from', which may be none, has. */
document *builder_finish_as(builder *build, limen_value from);

/* ---- caps of a text that becomes a document ---- */

#define READ_DEPTH_MAX 1000
#define READ_SIZE_MAX ((size_t)64 << 20)

/* Adds a note for every repeated key not beginning with "#", up to a bound. */
void document_note_duplicates(const document *doc, limen_diag *diag);

/*
 * Returns the first key of 'object' that a later one overrides, or none.  Members whose key
 * begins with "#" do not count.  Linear in the number of members.
 */
limen_value value_repeated_key(limen_value object);

/* ---- places ---- */

typedef struct place {
	const char *file; /* owned by the source; NULL if unknown */
	unsigned line;    /* from 1; 0 if unknown */
	unsigned column;  /* from 1, in characters */
} place;

/* Returns the place where 'value' begins. */
place value_place(limen_value value);

/* The RFC 6901 pointer of 'value' in its file; malloc()ed, NULL when memory is short. */
char *value_pointer(limen_value value);

struct strbuf;

/* As value_pointer(), into 'out', which is empty. */
void value_pointer_write(struct strbuf *out, limen_value value);

/* Returns a type with its article, as messages name it: "an array". */
const char *value_type_words(limen_type type);

/* Adds 'value', or 'length' bytes of UTF-8 as a string, as limen_value_to_json() prints them. */
void value_json_write(struct strbuf *out, limen_value value);
void value_json_string(struct strbuf *out, const char *text, size_t length);

/* ---- derived documents (document_edit.c) ---- */

/*
 * Makes a document of 'value' that shares nodes and texts with the document it is in,
 * and keeps that alive.  Reads as document_copy() does.
 */
document *document_share(limen_value value);

/* Copies 'value' into a new document, keeping places and pointers. */
document *document_copy(limen_value value);

/* Makes an empty object that stands where 'where' does. */
document *document_empty(limen_value where);

/* As document_share(), but leaves out members of objects whose key begins with "#". */
document *document_without_comments(limen_value value);

/*
 * Merges 'over' into 'base': objects member by member, recursively; all other values,
 * arrays included, are replaced by 'over'.  Either may be none; if both are, the result
 * is an empty object.
 */
document *document_merge(limen_value base, limen_value over);

/* One change to a document, as a reply records it. */
typedef enum change_kind { CHANGE_SET, CHANGE_INSERT, CHANGE_REMOVE } change_kind;

typedef struct change {
	change_kind kind;
	limen_value target; /* SET, INSERT: the container; REMOVE: the node itself */
	const char *key;    /* SET in an object: the member */
	size_t key_length;
	size_t index;       /* SET in an array, INSERT: the element (count = append) */
	limen_value value;  /* SET, INSERT: the new value, of another document; a string may have none */
} change;

/*
 * Applies 'count' changes, whose targets must be nodes of 'doc', and returns the
 * result.  Keys and indices are those of 'doc', even if other changes move elements.
 * A later change to the same place wins, but all insertions at one index are made, in
 * their order.  Changes below a node that is replaced or removed are lost.  Returns
 * NULL when memory is short.
 */
document *document_apply(const document *doc, const change *changes, size_t count);

/*
 * Returns the RFC 6902 patch that turns 'before' into 'after' (an array,
 * empty when they are equal), or NULL when memory is short.
 */
document *document_diff(limen_value before, limen_value after);

/* Approximate bytes of a patch operation without its path and value: seven nodes. */
#define PATCH_OPERATION_COST ((size_t)256)

/*
 * Returns the cap, in bytes, on the operations of a patch without their values; 'nodes' is
 * the sum of both documents.
 */
size_t document_patch_room(size_t nodes);

/*
 * Returns what document_diff() finds between 'doc' and what document_apply() makes of
 * it.  Returns NULL if not all of the 'count' changes add one member each that was not there,
 * if there are many or their paths have no room, and when memory is short.
 */
document *document_patch(const document *doc, const change *changes, size_t count);

#endif
