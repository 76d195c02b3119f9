/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints values as JSON.  Numbers keep the form they were written in.
 * Recursion is bounded by DOCUMENT_DEPTH_MAX.
 */
#include <stdlib.h>

#include "document_layout.h"
#include "scalar/scalar.h"
#include "base/strbuf.h"
#include "base/utf8.h"

/* Room on the stack: most texts fit, and are allocated once, when complete. */
#define ROOM_SIZE ((size_t)1024)

/* Typical bytes of a printed node, and the cap on a first guess. */
#define NODE_BYTES ((size_t)12)
#define GUESS_MAX ((size_t)16384)

/* Deepest indentation: below it, blanks could be a thousand times the text. */
#define INDENT_MAX 64u

typedef struct printer {
	strbuf out;
	unsigned flags;
	unsigned depth;
} printer;

static void print_node(printer *to, const node *item);

static void
print_escape(strbuf *out, unsigned char c)
{
	static const char letters[] = "btn\0fr"; /* from backspace on; \v has none */

	if (c == '"' || c == '\\')
		strbuf_addf(out, "\\%c", c);
	else if (c >= '\b' && c <= '\r' && c != '\v')
		strbuf_addf(out, "\\%c", letters[c - '\b']);
	else
		strbuf_addf(out, "\\u%04x", c);
}

/*
 * Has one of eight bytes to be escaped?  Bytes of the upper half seem to, the others never
 * do.  A quote, 0x22, is below 0x21 with one bit flipped, as control characters are, and a
 * blank is not; DEL and one more has its top bit set.
 */
static bool
may_need_escape(uint64_t word)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t low = (word ^ ones * 0x02) - ones * 0x21;
	uint64_t slashes = (word ^ ones * '\\') - ones;

	return ((low | slashes | (word + ones)) & ones * 0x80) != 0;
}

/* JSON takes C1 as it is, and DEL, but documents are shown on terminals, too. */
static bool
is_c1(const char *text, size_t length)
{
	return length > 1 && utf8_is_c1(text[0], text[1]);
}

/* One bit per byte value: bytes that need an escape, and 0xc2, the first byte of C1. */
static const uint64_t marks[] = { UINT64_C(0x00000004ffffffff), UINT64_C(0x8000000010000000), 0,
	                          UINT64_C(0x0000000000000004) };

static bool
needs_escape(const char *text, size_t length)
{
	unsigned char c = (unsigned char)text[0];

	return (marks[c >> 6] >> (c & 63) & 1) != 0 && (c != 0xc2 || is_c1(text, length));
}

/* Returns how many bytes at the start are written as they are. */
static size_t
count_plain(const char *text, size_t length)
{
	size_t count = 0;
	uint64_t word;

	for (; length - count >= sizeof(word); count += sizeof(word)) {
		memcpy(&word, text + count, sizeof(word));
		if (may_need_escape(word))
			break;
	}
	while (count < length && !needs_escape(text + count, length - count))
		count++;
	return count;
}

/* Returns where 'size' bytes more can be written, or NULL. */
static char *
make_room(strbuf *out, size_t size)
{
	if (out->failed || out->capacity - out->length <= size)
		strbuf_reserve(out, size);
	return out->failed ? NULL : out->text + out->length;
}

static void
print_escaped(strbuf *out, const char *text, size_t length)
{
	strbuf_addc(out, '"');
	while (length > 0) {
		size_t plain = count_plain(text, length);

		strbuf_add(out, text, plain);
		if (plain == length)
			break;
		/* C1 characters have two bytes; the second is the code point. */
		plain += is_c1(text + plain, length - plain) ? 1 : 0;
		print_escape(out, (unsigned char)text[plain]);
		text += plain + 1;
		length -= plain + 1;
	}
	strbuf_addc(out, '"');
}

/* Most texts are short, and have nothing to escape. */
static void
print_string(strbuf *out, const char *text, size_t length)
{
	char *to;

	if (count_plain(text, length) < length) {
		print_escaped(out, text, length);
		return;
	}
	to = make_room(out, length + 2);
	if (to == NULL)
		return;
	to[0] = '"';
	if (length > 0)
		memcpy(to + 1, text, length);
	to[length + 1] = '"';
	to[length + 2] = '\0';
	out->length += length + 2;
}

static void
print_char(strbuf *out, char c)
{
	char *to = make_room(out, 1);

	if (to == NULL)
		return;
	to[0] = c;
	to[1] = '\0';
	out->length++;
}

static void
print_number(strbuf *out, const node *item)
{
	/* NaN and the infinities, which readers may accept, are not valid JSON. */
	if (number_scan(item->text, item->length) == item->length)
		strbuf_add(out, item->text, item->length);
	else
		strbuf_adds(out, "null");
}

static void
print_break(printer *to)
{
	if ((to->flags & LIMEN_JSON_PRETTY) == 0)
		return;
	print_char(&to->out, '\n');
	for (unsigned i = 0; i < to->depth && i < INDENT_MAX; i++)
		strbuf_adds(&to->out, "  ");
}

static void
print_array(printer *to, const node *array)
{
	const node *element = array + 1;

	print_char(&to->out, '[');
	to->depth++;
	for (uint32_t i = 0; i < array->length; i++) {
		if (i > 0)
			print_char(&to->out, ',');
		print_break(to);
		print_node(to, element);
		element = node_after(element);
	}
	to->depth--;
	if (array->length > 0)
		print_break(to);
	print_char(&to->out, ']');
}

static void
print_member(printer *to, const node *key, bool first)
{
	if (!first)
		print_char(&to->out, ',');
	print_break(to);
	print_string(&to->out, key->text, key->length);
	print_char(&to->out, ':');
	if ((to->flags & LIMEN_JSON_PRETTY) != 0)
		print_char(&to->out, ' ');
	print_node(to, key + 1);
}

static int
compare_keys(const void *a, const void *b)
{
	const node *left = *(const node *const *)a;
	const node *right = *(const node *const *)b;
	uint32_t common = left->length < right->length ? left->length : right->length;
	int order = memcmp(left->text, right->text, common);

	return order != 0 ? order : (left->length > right->length) - (left->length < right->length);
}

/* Returns the keys of 'object' in order, to be freed; NULL when memory is short. */
static const node **
sort_keys(const node *object)
{
	const node **keys = calloc(object->length, sizeof(*keys));
	const node *key = object + 1;

	if (keys == NULL)
		return NULL;
	for (uint32_t i = 0; i < object->length; i++) {
		keys[i] = node_live_key(key);
		key = node_after(keys[i] + 1);
	}
	qsort(keys, object->length, sizeof(*keys), compare_keys);
	return keys;
}

static void
print_sorted(printer *to, const node *object)
{
	const node **keys = sort_keys(object);

	if (keys == NULL) {
		to->out.failed = true;
		return;
	}
	for (uint32_t i = 0; i < object->length; i++)
		print_member(to, keys[i], i == 0);
	free(keys);
}

static void
print_object(printer *to, const node *object)
{
	const node *key = object + 1;

	print_char(&to->out, '{');
	to->depth++;
	if ((to->flags & LIMEN_JSON_SORTED) != 0 && object->length > 1) {
		print_sorted(to, object);
	} else {
		for (uint32_t i = 0; i < object->length; i++) {
			key = node_live_key(key);
			print_member(to, key, i == 0);
			key = node_after(key + 1);
		}
	}
	to->depth--;
	if (object->length > 0)
		print_break(to);
	print_char(&to->out, '}');
}

static void
print_node(printer *to, const node *item)
{
	switch ((limen_type)item->type) {
	case LIMEN_TYPE_BOOL:
		strbuf_adds(&to->out, item->text != NULL ? "true" : "false");
		break;
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		print_number(&to->out, item);
		break;
	case LIMEN_TYPE_STRING:
		print_string(&to->out, item->text, item->length);
		break;
	case LIMEN_TYPE_ARRAY:
		print_array(to, item);
		break;
	case LIMEN_TYPE_OBJECT:
		print_object(to, item);
		break;
	default:
		strbuf_adds(&to->out, "null");
	}
}

char *
limen_value_to_json(limen_value value, unsigned flags, size_t *length)
{
	char room[ROOM_SIZE];
	printer to = { .out = strbuf_within(room, sizeof(room)), .flags = flags };
	const node *item;
	size_t guess;

	if (value.node == NULL)
		return NULL;
	/* Few values grow often, and none takes far more than it needs. */
	item = value.node;
	guess = item->span > 1 ? (size_t)item->span * NODE_BYTES : item->length + 2;
	strbuf_reserve(&to.out, guess < GUESS_MAX ? guess : GUESS_MAX);
	print_node(&to, value.node);
	return strbuf_steal(&to.out, length);
}

void
value_json_write(strbuf *out, limen_value value)
{
	printer to = { .out = *out };

	print_node(&to, value.node);
	*out = to.out;
}

void
value_json_string(strbuf *out, const char *text, size_t length)
{
	print_string(out, text, length);
}
