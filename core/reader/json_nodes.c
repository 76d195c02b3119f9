/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses JSON (RFC 8259) in one pass.  Errors, their places and their texts follow
 * Python's json module, whose messages pScheduler passes on to operators.
 *
 * The zeros behind the text end every run of characters, so this code never compares
 * with the end of the text.  While a container is open its 'span' holds the distance to
 * the container around it, so open containers need no separate stack.
 */
#include "reader.h"
#include "json_nodes.h"

#include "document/document.h"
#include "json_block.h"
#include "base/ascii.h"
#include "base/recycle.h"

_Static_assert(READ_DEPTH_MAX == 1000, "a message names the limit");
_Static_assert(SOURCE_PADDING >= JSON_BLOCK, "the last block is a whole one");

/* Most texts have a node for eight bytes or more; those of megabytes may grow. */
#define BYTES_A_NODE 8
#define FIRST_NODES_MAX ((size_t)4096)

/* Cap on the key prints kept for open objects; keys beyond it are compared in full. */
#define PRINTS_MAX 256

typedef struct reader {
	json_nodes *out;
	char *text;
	uint64_t *marks; /* json_block_mark() of the whole text */
	node *limit;     /* of the room for nodes */
	unsigned depth;  /* containers that are open */
	bool comments;
	json_tokens rare;
	key_print prints[PRINTS_MAX]; /* of the first keys of objects that are open */
} reader;

/*
 * The reader's position, kept in registers: its address is passed to inlined functions
 * only.
 */
typedef struct spot {
	size_t at;    /* the byte that is next */
	node *next;   /* where the next node goes */
	node *around; /* the innermost container */
	size_t keys;  /* of all objects that are open */
} spot;

#define PART_OF_CALLER static inline __attribute__((always_inline))

static bool
fail(reader *in, size_t offset, const char *error)
{
	json_fail(&in->out->cursor, offset, error);
	return false; /* rather than what that returns, so that compilers know */
}

/* Makes room for more than 'count' nodes. */
static bool
grow(reader *in, size_t count)
{
	size_t capacity = 2 * count;
	node *grown;

	if (capacity > UINT32_MAX || capacity > SIZE_MAX / sizeof(*grown))
		return false;
	grown = recycle_resize(in->out->items, capacity * sizeof(*grown));
	if (grown == NULL)
		return false;
	in->out->items = grown;
	in->limit = grown + capacity;
	return true;
}

/* Makes room for the next node; false when memory is short. */
PART_OF_CALLER bool
reserve_node(reader *in, spot *here)
{
	ptrdiff_t around = here->around - in->out->items;
	ptrdiff_t count = here->next - in->out->items;

	if (!grow(in, (size_t)count))
		return false;
	here->around = in->out->items + around;
	here->next = in->out->items + count;
	return true;
}

/* Adds a node that begins at 'offset'; false when memory is short. */
PART_OF_CALLER bool
add_node(reader *in, spot *here, limen_type type, size_t offset, const char *text, size_t length)
{
	node *fresh;

	if (here->next == in->limit && !reserve_node(in, here))
		return false;
	fresh = here->next++;
	/* One by one, because a literal is cleared before it is filled. */
	fresh->type = (uint8_t)type;
	fresh->flags = 0;
	fresh->origin = 0;
	fresh->offset = (uint32_t)offset;
	fresh->length = (uint32_t)length;
	fresh->span = 1;
	fresh->text = text;
	return true;
}

/* Adds the node of a token, and goes on behind it. */
PART_OF_CALLER bool
add_token(reader *in, spot *here, const json_token *read)
{
	size_t begin = here->at;

	here->at = read->end;
	return add_node(in, here, read->type, begin, read->text, read->length);
}

PART_OF_CALLER void
skip_space(const reader *in, spot *here)
{
	const char *text = in->text;
	size_t offset = here->at;

	while (text[offset] == ' ' || text[offset] == '\n' || text[offset] == '\r' ||
	       text[offset] == '\t')
		offset++;
	here->at = offset;
}

PART_OF_CALLER bool
read_string(reader *in, spot *here)
{
	char *text = in->text;
	size_t begin = here->at;
	size_t end = json_block_next(in->marks, begin + 1);

	if (text[end] != '"') {
		json_token hard;

		return json_token_string(&in->rare, in->marks, begin, &hard) &&
		       add_token(in, here, &hard);
	}
	text[end] = '\0';
	here->at = end + 1;
	return add_node(in, here, LIMEN_TYPE_STRING, begin, text + begin + 1, end - begin - 1);
}

/* Reads '"key":' and the space before the value. */
PART_OF_CALLER bool
read_key(reader *in, spot *here)
{
	if (in->text[here->at] != '"')
		return fail(in, here->at, "Expecting property name enclosed in double quotes");
	if (!read_string(in, here))
		return false;
	if (here->keys < PRINTS_MAX)
		in->prints[here->keys] = key_get_print(here->next - 1);
	here->keys++;
	skip_space(in, here);
	if (in->text[here->at] != ':')
		return fail(in, here->at, "Expecting ':' delimiter");
	here->at++;
	skip_space(in, here);
	return true;
}

PART_OF_CALLER bool
read_number(reader *in, spot *here)
{
	const char *text = in->text + here->at;
	const char *digits = *text == '-' ? text + 1 : text;
	const char *end = digits;
	size_t begin = here->at;

	while (ascii_is_digit(*end))
		end++;
	/* Fractions and exponents are rare; a number that begins with "0" ends behind it. */
	if (end == digits || *end == '.' || *end == 'e' || *end == 'E' ||
	    (*digits == '0' && end > digits + 1)) {
		json_token rare;

		return json_token_number(&in->rare, begin, &rare) && add_token(in, here, &rare);
	}
	here->at += (size_t)(end - text);
	return add_node(in, here, LIMEN_TYPE_INTEGER, begin, text, (size_t)(end - text));
}

PART_OF_CALLER bool
read_word(reader *in, spot *here)
{
	const char *text = in->text + here->at;
	size_t begin = here->at;

	here->at += 4;
	if (memcmp(text, "null", 4) == 0)
		return add_node(in, here, LIMEN_TYPE_NULL, begin, NULL, 0);
	if (memcmp(text, "true", 4) == 0)
		return add_node(in, here, LIMEN_TYPE_BOOL, begin, "t", 0);
	here->at++;
	if (memcmp(text, "false", 5) == 0)
		return add_node(in, here, LIMEN_TYPE_BOOL, begin, NULL, 0);
	return fail(in, begin, "Expecting value");
}

PART_OF_CALLER bool
read_scalar(reader *in, spot *here)
{
	char c = in->text[here->at];

	if (c == '"')
		return read_string(in, here);
	if (c == 'n' || c == 't' || c == 'f')
		return read_word(in, here);
	return read_number(in, here);
}

/*
 * Reads the bracket and the space behind it, and of an empty container the other
 * bracket, too.
 */
PART_OF_CALLER bool
begin_container(reader *in, spot *here)
{
	char opening = in->text[here->at];
	node *opened;

	if (in->depth == READ_DEPTH_MAX)
		return fail(in, here->at, "Nested more than 1000 levels deep");
	if (!add_node(in, here, opening == '{' ? LIMEN_TYPE_OBJECT : LIMEN_TYPE_ARRAY, here->at,
	              NULL, 0))
		return false;
	here->at++;
	skip_space(in, here);
	/* In ASCII a closing bracket is two above the opening one. */
	if (in->text[here->at] == opening + 2) {
		here->at++;
		return true;
	}
	opened = here->next - 1;
	opened->length = 1;
	opened->span = (uint32_t)(opened - here->around);
	here->around = opened;
	in->depth++;
	return true;
}

/* For most objects the prints show that no key is repeated. */
PART_OF_CALLER bool
end_object(reader *in, spot *here, node *object)
{
	bool printed = here->keys <= PRINTS_MAX && !in->comments;

	here->keys -= object->length;
	if (printed && (object->length < 2 ||
	                prints_differ(in->prints + here->keys, object->length)))
		return true;
	return object_hide_members(object, in->comments);
}

/* Leaves the innermost container; false when memory is short. */
PART_OF_CALLER bool
end_container(reader *in, spot *here)
{
	node *closed = here->around;

	here->around = closed - closed->span;
	here->at++;
	in->depth--;
	closed->span = (uint32_t)(here->next - closed);
	return closed->type == LIMEN_TYPE_ARRAY || end_object(in, here, closed);
}

/* The reader's next step. */
typedef enum json_step {
	STEP_NONE,  /* nothing: something is wrong */
	STEP_VALUE, /* another value, or its key */
	STEP_END    /* all containers are closed */
} json_step;

/* Reads the comma or the closing brackets behind a value. */
PART_OF_CALLER json_step
read_after(reader *in, spot *here)
{
	do {
		char c;

		skip_space(in, here);
		c = in->text[here->at];
		if (c == ',') {
			here->around->length++;
			here->at++;
			skip_space(in, here);
			return STEP_VALUE;
		}
		if (c != (here->around->type == LIMEN_TYPE_OBJECT ? '}' : ']')) {
			fail(in, here->at, "Expecting ',' delimiter");
			return STEP_NONE;
		}
		if (!end_container(in, here))
			return STEP_NONE;
	} while (in->depth > 0);
	return STEP_END;
}

/* Reads a scalar and the punctuation behind it, or the beginning of a container. */
PART_OF_CALLER json_step
read_member(reader *in, spot *here)
{
	char c;

	if (here->around->type == LIMEN_TYPE_OBJECT && !read_key(in, here))
		return STEP_NONE;
	c = in->text[here->at];
	if (c != '{' && c != '[')
		return read_scalar(in, here) ? read_after(in, here) : STEP_NONE;
	if (!begin_container(in, here))
		return STEP_NONE;
	return here->next[-1].length > 0 ? STEP_VALUE : read_after(in, here);
}

PART_OF_CALLER bool
read_root(reader *in, spot *here)
{
	char c = in->text[here->at];
	json_step next;

	if (c != '{' && c != '[')
		return read_scalar(in, here);
	if (!begin_container(in, here))
		return false;
	/* An empty one is closed already. */
	if (in->depth == 0)
		return true;
	do
		next = read_member(in, here);
	while (next == STEP_VALUE);
	return next == STEP_END;
}

static bool
read_document(reader *in)
{
	spot here = { .next = in->out->items, .around = in->out->items };

	skip_space(in, &here);
	if (!read_root(in, &here))
		return false;
	skip_space(in, &here);
	if (here.at < in->out->cursor.length)
		return fail(in, here.at, "Extra data");
	in->out->count = (size_t)(here.next - in->out->items);
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
	in->limit = in->out->items + capacity;
	return json_block_mark(in->text, in->marks, blocks) || json_check_utf8(&in->out->cursor);
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
	in.depth = 0;
	in.comments = (flags & READ_COMMENTS) != 0;
	in.rare = (json_tokens){ &out->cursor, &out->texts, NULL, (flags & READ_NAN) != 0 };
	*out = (json_nodes){ .texts = ARENA_INIT, .cursor = { .text = text, .length = length } };
	good = prepare(&in, length) && read_document(&in);
	recycle_free(in.marks);
	return good;
}
