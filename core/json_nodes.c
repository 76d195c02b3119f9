/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grammar of JSON (RFC 8259), in one pass.  What is refused, where, and in
 * which words follows Python's json module, whose messages pScheduler passes on
 * to operators.
 *
 * The zeros behind the text end every run of characters, so nothing here asks
 * whether the text is at its end.  While a container is open its 'span' holds the
 * index of the container around it, so depth costs nothing.  Where the reader is
 * goes from function to function in a register; NULL says that it has failed.
 */
#include "json_nodes.h"

#include <stdlib.h>

#include "document_layout.h"
#include "json_block.h"
#include "number.h"
#include "object_members.h"
#include "recycle.h"

_Static_assert(READ_DEPTH_MAX == 1000, "a message names the limit");
_Static_assert(SOURCE_PADDING >= JSON_BLOCK, "the last block is a whole one");

/* Most texts have a node for eight bytes or more; those of megabytes may grow. */
#define BYTES_A_NODE 8
#define FIRST_NODES_MAX ((size_t)4096)

/* Keys of open objects of which a print is kept; beyond, each is looked at again. */
#define PRINTS_MAX 256

typedef struct reader {
	json_nodes *out;
	char *text;
	uint64_t *marks; /* json_block_mark() of the whole text */
	node *next;     /* where the next node goes */
	node *limit;
	node *around;   /* the innermost container */
	unsigned depth; /* containers that are open */
	unsigned keys;  /* of all objects that are open */
	bool comments;
	bool nan;
	key_print prints[PRINTS_MAX]; /* of those keys */
	char *spare;    /* where the next string with escapes goes, or NULL */
} reader;

static char *
fail(reader *in, const char *at, const char *error)
{
	json_fail(&in->out->cursor, (size_t)(at - in->text), error);
	return NULL;
}

static bool
grow(reader *in)
{
	size_t count = (size_t)(in->next - in->out->items);
	size_t capacity = 2 * count;
	node *grown;

	if (capacity > UINT32_MAX || capacity > SIZE_MAX / sizeof(*grown))
		return false;
	grown = recycle_resize(in->out->items, capacity * sizeof(*grown));
	if (grown == NULL)
		return false;
	in->around = grown + (in->around - in->out->items);
	in->out->items = grown;
	in->next = grown + count;
	in->limit = grown + capacity;
	return true;
}

/* Adds a node that begins at 'at'; false when memory is short. */
static inline bool
add_node(reader *in, limen_type type, const char *at, const char *text, size_t length)
{
	if (in->next == in->limit && !grow(in))
		return false;
	/* One by one, because a literal is cleared before it is filled. */
	in->next->type = (uint8_t)type;
	in->next->flags = 0;
	in->next->origin = 0;
	in->next->offset = (uint32_t)(at - in->text);
	in->next->length = (uint32_t)length;
	in->next->span = 1;
	in->next->text = text;
	in->next++;
	return true;
}

static inline char *
skip_space(char *at)
{
	while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
		at++;
	return at;
}

/*
 * Escapes are longer than what they stand for, so the rest of the text is more
 * than all strings with escapes can fill, with a NUL for each closing quote.
 */
static char *
reserve_rest(reader *in, const char *at)
{
	size_t rest = in->out->cursor.length - (size_t)(at - in->text);

	if (in->spare == NULL)
		in->spare = arena_alloc(&in->out->texts, rest);
	return in->spare;
}

/* Reads a string with escapes, or one that is wrong. */
static char *
read_hard_string(reader *in, char *at)
{
	json_cursor *cursor = &in->out->cursor;
	char *copy = reserve_rest(in, at);
	char *out = copy;

	cursor->at = (size_t)(at - in->text);
	if (copy == NULL || !json_string_read(cursor, in->marks, &out) ||
	    !add_node(in, LIMEN_TYPE_STRING, at, copy, (size_t)(out - copy)))
		return NULL;
	in->spare = out + 1;
	return in->text + cursor->at;
}

/* Keys and values alike: of two calls the compiler would make a function. */
static inline __attribute__((always_inline)) char *
read_string(reader *in, char *at)
{
	char *end = in->text + json_block_next(in->marks, (size_t)(at + 1 - in->text));

	if (*end != '"')
		return read_hard_string(in, at);
	*end = '\0';
	if (!add_node(in, LIMEN_TYPE_STRING, at, at + 1, (size_t)(end - at - 1)))
		return NULL;
	return end + 1;
}

/* Reads '"key":' and the space before the value. */
static inline char *
read_key(reader *in, char *at)
{
	if (*at != '"')
		return fail(in, at, "Expecting property name enclosed in double quotes");
	at = read_string(in, at);
	if (at == NULL)
		return NULL;
	if (in->keys < PRINTS_MAX)
		in->prints[in->keys] = key_get_print(in->next - 1);
	in->keys++;
	at = skip_space(at);
	if (*at != ':')
		return fail(in, at, "Expecting ':' delimiter");
	return skip_space(at + 1);
}

/* Reads NaN and its like, or any number. */
static char *
read_rare_number(reader *in, char *at)
{
	static const char *const words[] = { "NaN", "Infinity", "-Infinity" };
	size_t left = in->out->cursor.length - (size_t)(at - in->text);
	size_t length = number_scan(at, left);
	limen_type type;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && length == 0 && in->nan; i++) {
		if (strncmp(at, words[i], strlen(words[i])) == 0)
			length = strlen(words[i]);
	}
	if (length == 0)
		return fail(in, at, "Expecting value");
	type = number_is_integer(at, length) ? LIMEN_TYPE_INTEGER : LIMEN_TYPE_REAL;
	return add_node(in, type, at, at, length) ? at + length : NULL;
}

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline char *
read_number(reader *in, char *at)
{
	char *end = *at == '-' ? at + 1 : at;
	const char *digits = end;

	while (is_digit(*end))
		end++;
	/* Fractions and exponents are rare; zeros in front are no part of a number. */
	if (end == digits || *end == '.' || *end == 'e' || *end == 'E' ||
	    (*digits == '0' && end > digits + 1))
		return read_rare_number(in, at);
	if (!add_node(in, LIMEN_TYPE_INTEGER, at, at, (size_t)(end - at)))
		return NULL;
	return end;
}

static char *
read_word(reader *in, char *at)
{
	bool added;

	if (memcmp(at, "null", 4) == 0)
		added = add_node(in, LIMEN_TYPE_NULL, at, NULL, 0);
	else if (memcmp(at, "true", 4) == 0)
		added = add_node(in, LIMEN_TYPE_BOOL, at, "t", 0);
	else if (memcmp(at, "false", 5) == 0)
		added = add_node(in, LIMEN_TYPE_BOOL, at, NULL, 0);
	else
		return fail(in, at, "Expecting value");
	return added ? at + (*at == 'f' ? 5 : 4) : NULL;
}

static inline char *
read_scalar(reader *in, char *at)
{
	if (*at == '"')
		return read_string(in, at);
	if (*at == 'n' || *at == 't' || *at == 'f')
		return read_word(in, at);
	return read_number(in, at);
}

/* What closes a container of this type. */
static inline char
get_closer(const node *container)
{
	return container->type == LIMEN_TYPE_OBJECT ? '}' : ']';
}

/* Reads the bracket and the space behind it. */
static inline char *
begin_container(reader *in, char *at)
{
	node *opened;

	if (in->depth == READ_DEPTH_MAX)
		return fail(in, at, "Nested more than 1000 levels deep");
	if (!add_node(in, *at == '{' ? LIMEN_TYPE_OBJECT : LIMEN_TYPE_ARRAY, at, NULL, 0))
		return NULL;
	opened = in->next - 1;
	opened->span = (uint32_t)(in->around - in->out->items);
	in->around = opened;
	in->depth++;
	at = skip_space(at + 1);
	opened->length = *at == get_closer(opened) ? 0 : 1;
	return at;
}

/* Most objects need no other look at their keys than at their prints. */
static inline bool
end_object(reader *in, node *object)
{
	bool printed = in->keys <= PRINTS_MAX;

	in->keys -= object->length;
	if (object->length < 2 && !in->comments)
		return true;
	if (printed && !in->comments && prints_differ(in->prints + in->keys, object->length))
		return true;
	return object_hide_members(object, in->comments);
}

/* Leaves the innermost container; false when memory is short. */
static inline bool
end_container(reader *in)
{
	node *closed = in->around;

	in->around = in->out->items + closed->span;
	in->depth--;
	closed->span = (uint32_t)(in->next - closed);
	return closed->type == LIMEN_TYPE_ARRAY || end_object(in, closed);
}

/*
 * Reads what follows a value, up to the next one, or to its key.  With no
 * container left open there is none.
 */
static inline char *
read_after(reader *in, char *at)
{
	while (in->depth > 0) {
		at = skip_space(at);
		if (*at == ',') {
			in->around->length++;
			return skip_space(at + 1);
		}
		if (*at != get_closer(in->around))
			return fail(in, at, "Expecting ',' delimiter");
		if (!end_container(in))
			return NULL;
		at++;
	}
	return at;
}

/* Reads a scalar and what follows, or the beginning of a container. */
static inline char *
read_value(reader *in, char *at)
{
	if (*at != '{' && *at != '[') {
		at = read_scalar(in, at);
	} else {
		at = begin_container(in, at);
		if (at != NULL && in->around->length > 0)
			return at;
	}
	return at == NULL ? NULL : read_after(in, at);
}

static bool
read_document(reader *in)
{
	char *at = skip_space(in->text);

	do {
		if (in->depth > 0 && in->around->type == LIMEN_TYPE_OBJECT)
			at = read_key(in, at);
		if (at != NULL)
			at = read_value(in, at);
	} while (at != NULL && in->depth > 0);
	if (at == NULL)
		return false;
	at = skip_space(at);
	if ((size_t)(at - in->text) < in->out->cursor.length)
		return fail(in, at, "Extra data") != NULL;
	return true;
}

/* Checks a text that is not all ASCII. */
static bool
check_utf8(reader *in)
{
	size_t length = in->out->cursor.length;
	size_t valid = utf8_valid(in->text, length);

	if (valid < length)
		return fail(in, in->text + valid, "Invalid UTF-8") != NULL;
	if (length >= 3 && memcmp(in->text, "\xEF\xBB\xBF", 3) == 0)
		return fail(in, in->text, "Unexpected UTF-8 BOM (decode using utf-8-sig)") != NULL;
	return true;
}

/* Makes room for about as many nodes as 'length' bytes hold, and marks the text. */
static bool
prepare(reader *in, size_t length)
{
	size_t capacity = length / BYTES_A_NODE + 4;
	size_t blocks = length / JSON_BLOCK + 1;

	if (capacity > FIRST_NODES_MAX)
		capacity = FIRST_NODES_MAX;
	in->out->items = recycle_alloc(capacity * sizeof(node));
	in->marks = recycle_alloc(blocks * sizeof(*in->marks));
	if (in->out->items == NULL || in->marks == NULL)
		return false;
	in->next = in->around = in->out->items;
	in->limit = in->out->items + capacity;
	return json_block_mark(in->text, in->marks, blocks) || check_utf8(in);
}

bool
json_nodes_read(json_nodes *out, char *text, size_t length, unsigned flags)
{
	bool good;
	reader in;

	/* Not as a literal, which would clear the prints. */
	in.out = out;
	in.text = text;
	in.marks = NULL;
	in.depth = in.keys = 0;
	in.spare = NULL;
	in.comments = (flags & READ_COMMENTS) != 0;
	in.nan = (flags & READ_NAN) != 0;
	*out = (json_nodes){ .texts = ARENA_INIT, .cursor = { .text = text, .length = length } };
	good = prepare(&in, length) && read_document(&in);
	if (good)
		out->count = (size_t)(in.next - out->items);
	recycle_free(in.marks);
	return good;
}
