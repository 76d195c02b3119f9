/* SPDX-License-Identifier: Apache-2.0 */
/*
 * changes.c - compares a task with what a script made of it.
 *
 * jq keeps what is not assigned to, so most of both is the same object and known
 * to be equal at a glance.  Members of objects are changed one by one; an array
 * with any difference is replaced as a whole.
 */
#include "changes.h"

#include <stdlib.h>
#include <string.h>

typedef struct changes {
	limen_reply *reply;
	bool needs_document; /* something cannot be told as a change of a member */
	bool failed;
} changes;

static void compare_objects(changes *all, limen_value node, jv before, jv after);

static bool
is_equal(jv a, jv b)
{
	return jv_identical(jv_copy(a), jv_copy(b)) || jv_equal(jv_copy(a), jv_copy(b));
}

/* Sets the member 'key' of 'object' to 'value', which is consumed. */
static void
set_member(changes *all, limen_value object, jv key, jv value)
{
	const char *name = jv_string_value(key);
	char *json;

	/* Changes take plain text for a key. */
	if (strlen(name) != (size_t)jv_string_length_bytes(jv_copy(key))) {
		all->needs_document = true;
		jv_free(value);
		return;
	}
	json = jq_to_json(value);
	if (json == NULL)
		all->failed = true;
	else
		limen_reply_set(all->reply, object, name, json);
	free(json);
}

/* The values of 'key', before at 'node' in 'object'; consumes both jv. */
static void
compare_members(changes *all, limen_value object, limen_value node, jv key, jv before, jv after)
{
	if (jv_get_kind(before) == JV_KIND_OBJECT && jv_get_kind(after) == JV_KIND_OBJECT &&
	    !jv_identical(jv_copy(before), jv_copy(after))) {
		compare_objects(all, node, before, after);
		return;
	}
	if (!is_equal(before, after))
		set_member(all, object, key, jv_copy(after));
	jv_free(before);
	jv_free(after);
}

/* Returns how many members of 'object' are still there. */
static int
compare_kept(changes *all, limen_value object, jv before, jv after)
{
	limen_iter iter = limen_iter_start(object);
	limen_value name, member;
	int kept = 0;

	while (limen_iter_next(&iter, &name, &member)) {
		size_t length;
		const char *text = limen_value_string(name, &length);
		jv key = jv_string_sized(text, (int)length);
		jv now = jv_object_get(jv_copy(after), jv_copy(key));

		if (jv_is_valid(now)) {
			jv old = jv_object_get(jv_copy(before), jv_copy(key));

			compare_members(all, object, member, key, old, now);
			kept++;
		} else {
			jv_free(now);
			limen_reply_remove(all->reply, member);
		}
		jv_free(key);
	}
	return kept;
}

static void
add_members(changes *all, limen_value object, jv before, jv after)
{
	for (int iterator = jv_object_iter(after); jv_object_iter_valid(after, iterator);
	     iterator = jv_object_iter_next(after, iterator)) {
		jv key = jv_object_iter_key(after, iterator);

		if (!jv_object_has(jv_copy(before), jv_copy(key)))
			set_member(all, object, key, jv_object_iter_value(after, iterator));
		jv_free(key);
	}
}

/*
 * 'node' is the document's object, 'before' the same for jq; consumes both jv.  The document
 * is walked, as it would take as long to look a member of it up.
 */
static void
compare_objects(changes *all, limen_value node, jv before, jv after)
{
	if (compare_kept(all, node, before, after) < jv_object_length(jv_copy(after)))
		add_members(all, node, before, after);
	jv_free(before);
	jv_free(after);
}

static bool
write_document(limen_reply *reply, jv after)
{
	char *json = jq_to_json(after);

	if (json == NULL)
		return false;
	limen_reply_replace(reply, json, strlen(json));
	free(json);
	return true;
}

bool
changes_write(const limen_request *req, jv after, limen_reply *reply)
{
	changes all = { .reply = reply };

	compare_objects(&all, limen_request_document(req), jq_document(req), jv_copy(after));
	if (all.needs_document && !all.failed)
		return write_document(reply, after);
	jv_free(after);
	return !all.failed;
}
