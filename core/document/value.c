/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading one node of a document, and walking its members.  Members that were
 * overridden (NODE_DEAD) are invisible here and so everywhere above.
 */
#include "document_layout.h"
#include "scalar/scalar.h"

/* Marks an iterator over an object; the other bits of 'left' count members. */
#define ITER_OBJECT (UINT64_C(1) << 63)

/* Returns the node if it is of 'type', else NULL. */
static const node *
get_node(limen_value value, limen_type type)
{
	const node *item = value.node;

	return item != NULL && item->type == (uint8_t)type ? item : NULL;
}

static const node *
get_number(limen_value value)
{
	const node *item = get_node(value, LIMEN_TYPE_INTEGER);

	return item != NULL ? item : get_node(value, LIMEN_TYPE_REAL);
}

limen_value
limen_value_none(void)
{
	return (limen_value){ NULL, NULL };
}

limen_type
limen_value_type(limen_value value)
{
	const node *item = value.node;

	return item == NULL ? LIMEN_TYPE_NONE : (limen_type)item->type;
}

const char *
value_type_words(limen_type type)
{
	static const char *const words[] = {
		[LIMEN_TYPE_NONE] = "nothing",   [LIMEN_TYPE_NULL] = "null",
		[LIMEN_TYPE_BOOL] = "a boolean", [LIMEN_TYPE_INTEGER] = "a number",
		[LIMEN_TYPE_REAL] = "a number",  [LIMEN_TYPE_STRING] = "a string",
		[LIMEN_TYPE_ARRAY] = "an array", [LIMEN_TYPE_OBJECT] = "an object",
	};

	return words[type];
}

bool
limen_value_exists(limen_value value)
{
	return value.node != NULL;
}

bool
limen_value_bool(limen_value value, bool *out)
{
	const node *item = get_node(value, LIMEN_TYPE_BOOL);

	if (item == NULL || out == NULL)
		return false;
	*out = item->text != NULL;
	return true;
}

bool
limen_value_int(limen_value value, int64_t *out)
{
	const node *item = get_number(value);

	return item != NULL && out != NULL && number_int(item->text, item->length, out);
}

bool
limen_value_real(limen_value value, double *out)
{
	const node *item = get_number(value);

	return item != NULL && out != NULL && number_real(item->text, out);
}

const char *
limen_value_string(limen_value value, size_t *length)
{
	const node *item = get_node(value, LIMEN_TYPE_STRING);

	if (item == NULL)
		return NULL;
	if (length != NULL)
		*length = item->length;
	return item->text;
}

bool
limen_value_is(limen_value value, const char *text)
{
	const node *item = get_node(value, LIMEN_TYPE_STRING);

	return item != NULL && text != NULL && node_has_text(item, text, strlen(text));
}

const char *
limen_value_number(limen_value value, size_t *length)
{
	const node *item = get_number(value);

	if (item == NULL)
		return NULL;
	if (length != NULL)
		*length = item->length;
	return item->text;
}

size_t
limen_value_count(limen_value value)
{
	const node *item = value.node;

	return item != NULL && node_is_container(item) ? item->length : 0;
}

limen_value
limen_value_get(limen_value object, const char *key)
{
	return key == NULL ? limen_value_none() : limen_value_member(object, key, strlen(key));
}

limen_value
limen_value_member(limen_value object, const char *key, size_t length)
{
	const node *item = get_node(object, LIMEN_TYPE_OBJECT);
	const node *next;

	if (item == NULL || key == NULL)
		return limen_value_none();
	next = item + 1;
	for (uint32_t left = item->length; left > 0; left--) {
		next = node_live_key(next);
		if (node_has_text(next, key, length))
			return (limen_value){ object.document, next + 1 };
		next = node_after(next + 1);
	}
	return limen_value_none();
}

/* Returns which of 'keys' has the text of 'key', or 'count'. */
static inline size_t
find_key(const limen_key *keys, size_t count, const node *key)
{
	size_t i = 0;

	while (i < count && !node_has_text(key, keys[i].text, keys[i].length))
		i++;
	return i;
}

void
limen_value_pick(limen_value object, const limen_key *keys, size_t count, limen_value *found)
{
	const node *item = get_node(object, LIMEN_TYPE_OBJECT);
	const node *key = item == NULL ? NULL : item + 1;
	uint64_t lengths = 0; /* one bit for those of 64 */
	size_t missing = count;

	if ((keys == NULL && count > 0) || found == NULL)
		return;
	for (size_t i = 0; i < count; i++) {
		lengths |= UINT64_C(1) << (keys[i].length & 63);
		found[i] = (limen_value){ NULL, NULL };
	}
	for (uint32_t left = item == NULL ? 0 : item->length; left > 0 && missing > 0; left--) {
		size_t i = count;

		key = node_live_key(key);
		if ((lengths >> (key->length & 63) & 1) != 0)
			i = find_key(keys, count, key);
		if (i < count) {
			found[i] = (limen_value){ object.document, key + 1 };
			missing--;
		}
		key = node_after(key + 1);
	}
}

limen_value
limen_value_at(limen_value array, size_t index)
{
	const node *item = get_node(array, LIMEN_TYPE_ARRAY);
	const node *next;

	if (item == NULL || index >= item->length)
		return limen_value_none();
	next = item + 1;
	for (; index > 0; index--)
		next = node_after(next);
	return (limen_value){ array.document, next };
}

limen_iter
limen_iter_start(limen_value container)
{
	const node *item = container.node;

	if (item == NULL || !node_is_container(item))
		return (limen_iter){ NULL, NULL, 0 };
	return (limen_iter){
		.document = container.document,
		.node = item + 1,
		.left = item->length | (item->type == LIMEN_TYPE_OBJECT ? ITER_OBJECT : 0),
	};
}

bool
limen_iter_next(limen_iter *iter, limen_value *key, limen_value *member)
{
	limen_value name = limen_value_none();
	const node *next;

	if (iter == NULL || (iter->left & ~ITER_OBJECT) == 0)
		return false;
	next = iter->node;
	if ((iter->left & ITER_OBJECT) != 0) {
		next = node_live_key(next);
		name = (limen_value){ iter->document, next };
		next++;
	}
	if (key != NULL)
		*key = name;
	if (member != NULL)
		*member = (limen_value){ iter->document, next };
	iter->node = node_after(next);
	iter->left--;
	return true;
}
