/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key.c - builds the bucket key of an event from its namespace, its user, or its source and
 * object.  Fields are truncated to bound the size of a key.  Store keys separate fields with
 * '|'; printed keys concatenate them as kube-apiserver does.
 */
#include "event_rate_limit.h"

#include <string.h>

/*
 * A sender could fill the memory of the store with keys of megabytes.  Names
 * that are longer than these share the bucket of their beginning.
 */
#define FIELD_MAX ((size_t)256)
#define KEY_MAX ((size_t)LIMEN_KEY_MAX)

#define SEPARATOR '|'
#define ESCAPE '\\'

_Static_assert(ORIGIN_FIELDS * (2 * FIELD_MAX + 1) <= KEY_MAX,
               "a store takes the longest fields, all of them escaped");

/* The first 'most' bytes of 'whole', less what would split a character. */
static event_text
cut(event_text whole, size_t most)
{
	if (whole.length <= most)
		return whole;
	while (most > 0 && ((unsigned char)whole.text[most] & 0xC0) == 0x80)
		most--;
	return (event_text){ whole.text, most };
}

static char *
append_escaped(char *out, event_text field)
{
	/* Names hardly ever hold either. */
	if (field.length == 0 || (memchr(field.text, SEPARATOR, field.length) == NULL &&
	                          memchr(field.text, ESCAPE, field.length) == NULL)) {
		if (field.length > 0)
			memcpy(out, field.text, field.length);
		return out + field.length;
	}
	for (size_t i = 0; i < field.length; i++) {
		if (field.text[i] == SEPARATOR || field.text[i] == ESCAPE)
			*out++ = ESCAPE;
		*out++ = field.text[i];
	}
	return out;
}

/* kube-apiserver puts nothing between the fields, so "ab", "c" and "a", "bc" are one key to it. */
static event_text
join_origin(const key_facts *facts)
{
	event_text fields[ORIGIN_FIELDS];
	event_text made = { NULL, 0 };
	size_t room = ORIGIN_FIELDS;
	char *end;

	for (size_t i = 0; i < ORIGIN_FIELDS; i++) {
		fields[i] = cut(facts->origin.fields[i], FIELD_MAX);
		room += 2 * fields[i].length;
	}
	end = limen_request_alloc(facts->about->request, room);
	if (end == NULL)
		return made;
	made.text = end;
	for (size_t i = 0; i < ORIGIN_FIELDS; i++) {
		if (i > 0)
			*end++ = SEPARATOR;
		end = append_escaped(end, fields[i]);
	}
	made.length = (size_t)(end - made.text);
	return made;
}

event_text
key_make(const key_facts *facts, limit_type type)
{
	switch (type) {
	case LIMIT_NAMESPACE:
		return cut(facts->about->namespace, KEY_MAX);
	case LIMIT_USER:
		return cut(event_user(facts->about), KEY_MAX);
	case LIMIT_SOURCE_AND_OBJECT:
		return join_origin(facts);
	default:
		return (event_text){ "", 0 };
	}
}

static event_text
concatenate(const limen_request *req, const event_text *fields, size_t count, size_t most)
{
	event_text made = { NULL, 0 };
	size_t room = 1;
	char *start;

	for (size_t i = 0; i < count; i++)
		room += cut(fields[i], most).length;
	start = limen_request_alloc(req, room);
	if (start == NULL)
		return made;
	for (size_t i = 0; i < count; i++) {
		event_text field = cut(fields[i], most);

		memcpy(start + made.length, field.text, field.length);
		made.length += field.length;
	}
	/* Messages are texts that end at a NUL. */
	for (char *nul = start; (nul = memchr(nul, '\0', (size_t)(start + made.length - nul))) != NULL;)
		*nul = '?';
	start[made.length] = '\0';
	made.text = start;
	return made;
}

event_text
key_print(const key_facts *facts, limit_type type)
{
	const limen_request *req = facts->about->request;
	event_text user;

	switch (type) {
	case LIMIT_NAMESPACE:
		return concatenate(req, &facts->about->namespace, 1, KEY_MAX);
	case LIMIT_USER:
		user = event_user(facts->about);
		return concatenate(req, &user, 1, KEY_MAX);
	case LIMIT_SOURCE_AND_OBJECT:
		return concatenate(req, facts->origin.fields, ORIGIN_FIELDS, FIELD_MAX);
	default:
		return (event_text){ "", 0 };
	}
}
