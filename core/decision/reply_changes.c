/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply_changes.c - collects the changes that a module makes to a document, and
 * applies them together afterwards.
 */
#include "reply_changes.h"

#include <string.h>

#include "request.h"
#include "base/utf8.h"
#include "reader/reader.h"

/*
 * Cap on the bytes of the changes of one call: keys, texts and nodes.  It is far above the
 * size of a request; a module can return larger changes as a whole document.
 */
#define CHANGE_BYTES_MAX ((size_t)64 << 20)

/* Bytes that the document of a value takes beside its texts and nodes. */
#define VALUE_BYTES ((size_t)128)

/* Counts the bytes of a change; above the cap the reply fails, as for an invalid change. */
static bool
take_bytes(limen_reply *reply, size_t bytes)
{
	if (bytes > CHANGE_BYTES_MAX - reply->change_bytes) {
		reply->change_bytes = CHANGE_BYTES_MAX;
		reply->failed = true;
		return false;
	}
	reply->change_bytes += bytes;
	return true;
}

void
reply_free_changes(limen_reply *reply)
{
	document_unref(reply->document);
	value_documents_free(reply->values);
	reply->document = NULL;
	reply->values = NULL;
	reply->changes = NULL;
	reply->change_count = 0;
}

/* Keeps the document of a value as long as the change; takes over the reference. */
static limen_value
keep_value(limen_reply *reply, const document *doc, limen_value value)
{
	value_document *kept = doc == NULL ? NULL : arena_alloc(reply->arena, sizeof(*kept));

	if (kept == NULL) {
		document_unref(doc);
		return limen_value_none();
	}
	*kept = (value_document){ reply->values, doc };
	reply->values = kept;
	return value;
}

static limen_value
read_value(limen_reply *reply, const char *json)
{
	size_t length = strlen(json);
	document *doc = NULL;

	if (take_bytes(reply, VALUE_BYTES + length))
		doc = json_read(NULL, json, length, 0, NULL);
	return keep_value(reply, doc, document_root(doc));
}

static void
add_change(limen_reply *reply, const change *what)
{
	size_t nodes = limen_value_exists(what->value) ? ((const node *)what->value.node)->span : 0;
	change_item *item = NULL;

	if (take_bytes(reply, sizeof(*item) + nodes * sizeof(node)))
		item = arena_alloc(reply->arena, sizeof(*item));
	if (item == NULL) {
		reply->failed = true;
		return;
	}
	*item = (change_item){ reply->changes, *what };
	reply->changes = item;
	reply->change_count++;
}

/* Only nodes of the newest document can be changed. */
static bool
is_target(const limen_reply *reply, limen_value target, limen_type type)
{
	limen_value root = limen_request_document(reply->request);

	return target.document == root.document && limen_value_exists(target) &&
	       (type == LIMEN_TYPE_NONE || limen_value_type(target) == type);
}

static void
set_member(limen_reply *reply, limen_value object, const char *key, limen_value value)
{
	size_t length = strlen(key);
	char *copy = NULL;

	/* An invalid byte replaced by '?' would name another member. */
	if (take_bytes(reply, length) && utf8_valid(key, length) == length)
		copy = arena_strdup(reply->arena, key);
	if (!limen_value_exists(value) || copy == NULL ||
	    !is_target(reply, object, LIMEN_TYPE_OBJECT)) {
		reply->failed = true;
		return;
	}
	add_change(reply, &(change){ .kind = CHANGE_SET,
	                             .target = object,
	                             .key = copy,
	                             .key_length = length,
	                             .value = value });
}

void
limen_reply_set(limen_reply *reply, limen_value object, const char *key, const char *json)
{
	set_member(reply, object, key, read_value(reply, json));
}

void
limen_reply_set_value(limen_reply *reply, limen_value object, const char *key, limen_value value)
{
	const document *doc = NULL;

	if (limen_value_exists(value) && take_bytes(reply, VALUE_BYTES))
		doc = document_ref(value.document);
	set_member(reply, object, key, keep_value(reply, doc, value));
}

void
limen_reply_set_string(limen_reply *reply, limen_value object, const char *key, const char *text,
                       size_t length)
{
	document *doc = NULL;

	if (take_bytes(reply, VALUE_BYTES + length) && utf8_valid(text, length) == length)
		doc = document_of_text(text, length);
	set_member(reply, object, key, keep_value(reply, doc, document_root(doc)));
}

void
limen_reply_insert(limen_reply *reply, limen_value array, size_t index, const char *json)
{
	limen_value value = read_value(reply, json);

	if (!limen_value_exists(value) || !is_target(reply, array, LIMEN_TYPE_ARRAY) ||
	    index > limen_value_count(array)) {
		reply->failed = true;
		return;
	}
	add_change(reply, &(change){ .kind = CHANGE_INSERT,
	                             .target = array,
	                             .index = index,
	                             .value = value });
}

void
limen_reply_remove(limen_reply *reply, limen_value target)
{
	if (!is_target(reply, target, LIMEN_TYPE_NONE) ||
	    target.node == limen_request_document(reply->request).node) {
		reply->failed = true;
		return;
	}
	add_change(reply, &(change){ .kind = CHANGE_REMOVE, .target = target });
}

void
limen_reply_replace(limen_reply *reply, const char *json, size_t length)
{
	document *doc = json_read(NULL, json, length, 0, NULL);

	if (doc == NULL) {
		reply->failed = true;
		return;
	}
	document_unref(reply->document);
	reply->document = doc;
}

/* The changes in the order in which they were made. */
static change *
ordered_changes(const limen_reply *reply)
{
	change *list = arena_alloc(reply->arena, reply->change_count * sizeof(*list));
	size_t i = reply->change_count;

	if (list == NULL)
		return NULL;
	for (const change_item *item = reply->changes; item != NULL; item = item->next) {
		i--;
		list[i] = item->change;
	}
	return list;
}

/* Changes apply to the newest document, the one the module has read. */
revision *
reply_take_revision(limen_reply *reply, bool *failed)
{
	revision_source from = { .count = reply->change_count };
	revision *made;

	*failed = false;
	if (reply->document == NULL && reply->change_count == 0)
		return NULL;
	if (reply->document != NULL) {
		made = revision_of(reply->arena, reply->document);
		reply->document = NULL;
	} else {
		from.base = view_document(reply->request);
		from.changes = ordered_changes(reply);
		from.values = reply->values;
		reply->values = NULL;
		made = revision_new(reply->arena, &from);
	}
	reply_free_changes(reply);
	*failed = made == NULL;
	return made;
}

void
limen_reply_attach(limen_reply *reply, const void *key, void *pointer,
                   void (*destroy)(void *pointer))
{
	attachment *entry = arena_alloc(reply->arena, sizeof(*entry));

	if (entry == NULL) {
		reply->failed = true;
		if (destroy != NULL)
			destroy(pointer);
		return;
	}
	*entry = (attachment){ reply->attachments, key, pointer, destroy };
	reply->attachments = entry;
}
