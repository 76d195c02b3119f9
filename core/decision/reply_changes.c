/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply_changes.c - collects the changes that a module makes to a document, and
 * applies them together afterwards.
 */
#include "reply_changes.h"

#include <stdlib.h>
#include <string.h>

#include "request.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "reader/reader.h"
#include "scalar/scalar.h"

/*
 * Cap on the bytes of the changes of one call: keys, texts and nodes.  It is far above the
 * size of a request; a module can return larger changes as a whole document.
 */
#define CHANGE_BYTES_MAX ((size_t)64 << 20)

bool
reply_may_change(limen_reply *reply, const char *call)
{
	if ((reply->may & REPLY_MAY_CHANGE) != 0)
		return true;
	reply_mistake(reply, "%s: only a rewriter, or 'mutate' of an admission module, changes "
	                     "the document", call);
	return false;
}

void
reply_refuse(limen_reply *reply, const char *call, limen_value target, const char *key,
             const char *format, ...)
{
	char *pointer = limen_value_pointer(target);
	strbuf text = STRBUF_INIT;
	va_list arguments;

	strbuf_addf(&text, "%s: ", call);
	if (pointer != NULL)
		strbuf_adds(&text, pointer[0] == '\0' && key == NULL ? "the document" : pointer);
	if (pointer != NULL && key != NULL)
		pointer_enter_member(&text, key, strlen(key));
	else if (key != NULL)
		strbuf_adds(&text, key);
	if (pointer != NULL || key != NULL)
		strbuf_adds(&text, ": ");
	va_start(arguments, format);
	strbuf_addv(&text, format, arguments);
	va_end(arguments);
	if (text.failed)
		reply->failed = true;
	else
		reply_mistake(reply, "%s", text.text);
	strbuf_free(&text);
	free(pointer);
}

bool
reply_take_bytes(limen_reply *reply, const char *call, size_t bytes)
{
	if (bytes > CHANGE_BYTES_MAX - reply->change_bytes) {
		reply->change_bytes = CHANGE_BYTES_MAX;
		reply_mistake(reply, "%s: the changes of one call have more than 64 MiB of keys, "
		                     "texts and values", call);
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
	reply->change_count = reply->change_room = 0;
}

limen_value
reply_keep_value(limen_reply *reply, const document *doc, limen_value value)
{
	value_document *kept = doc == NULL ? NULL : arena_alloc(reply->arena, sizeof(*kept));

	if (kept == NULL) {
		reply->failed = true;
		document_unref(doc);
		return limen_value_none();
	}
	*kept = (value_document){ reply->values, doc };
	reply->values = kept;
	return value;
}

limen_value
reply_share_value(limen_reply *reply, limen_value value)
{
	/* Values of one document often follow each other. */
	if (reply->values != NULL && reply->values->document == value.document)
		return value;
	return reply_keep_value(reply, document_ref(value.document), value);
}

/* Explains why 'length' bytes at 'json' could not be read, unless memory is short. */
static void
refuse_json(limen_reply *reply, const char *call, limen_value target, const char *key,
            const char *json, size_t length)
{
	limen_diag *diag = limen_diag_new();
	document *doc = json_read(NULL, json, length, 0, diag);
	const limen_problem *problem = limen_diag_get(diag, 0);

	if (doc != NULL || problem == NULL)
		reply->failed = true;
	else
		reply_refuse(reply, call, target, key, "'json': %s", problem->text);
	document_unref(doc);
	limen_diag_free(diag);
}

/* Reads the value for the member 'key' of 'target', or for an element of it. */
static limen_value
read_value(limen_reply *reply, const char *call, limen_value target, const char *key,
           const char *json)
{
	size_t length = json == NULL ? 0 : strlen(json);
	document *doc;

	if (json == NULL)
		reply_refuse(reply, call, target, key, "'json' is NULL");
	if (json == NULL || !reply_take_bytes(reply, call, VALUE_BYTES + length))
		return limen_value_none();
	doc = json_read(NULL, json, length, 0, NULL);
	if (doc == NULL) {
		refuse_json(reply, call, target, key, json, length);
		return limen_value_none();
	}
	return reply_keep_value(reply, doc, document_root(doc));
}

/* Room at first: most modules change little. */
#define CHANGES_FEW ((size_t)8)

/* Makes room for one more change; false when memory is short. */
static bool
make_room(limen_reply *reply)
{
	size_t room = reply->change_room == 0 ? CHANGES_FEW : 2 * reply->change_room;
	change *list = reply->changes;

	if (reply->change_count < reply->change_room)
		return true;
	list = arena_alloc(reply->arena, room * sizeof(*list));
	if (list == NULL)
		return false;
	if (reply->change_count > 0)
		memcpy(list, reply->changes, reply->change_count * sizeof(*list));
	reply->changes = list;
	reply->change_room = room;
	return true;
}

void
reply_add_change(limen_reply *reply, const char *call, const change *item)
{
	size_t nodes = limen_value_exists(item->value) ? ((const node *)item->value.node)->span : 0;
	char *key = NULL;

	if (!reply_take_bytes(reply, call, sizeof(*item) + nodes * sizeof(node) + item->key_length))
		return;
	if (item->key != NULL)
		key = arena_strndup(reply->arena, item->key, item->key_length);
	if ((item->key != NULL && key == NULL) || !make_room(reply)) {
		reply->failed = true;
		return;
	}
	reply->changes[reply->change_count] = *item;
	reply->changes[reply->change_count++].key = key;
}

/* Is 'target' inside a value that this call sets? */
static bool
is_set_now(const limen_reply *reply, limen_value target)
{
	const value_document *item = reply->values;

	while (item != NULL && item->document != target.document)
		item = item->next;
	return item != NULL;
}

/* Says why is_target() is false. */
static void
refuse_target(limen_reply *reply, const char *call, limen_value target, const char *key,
              limen_type type)
{
	bool newest = target.document == view_document(reply->request);

	if (!reply_may_change(reply, call))
		return;
	if (!limen_value_exists(target))
		reply_refuse(reply, call, target, key, "the document has no such node to change");
	else if (newest)
		reply_refuse(reply, call, target, NULL, "this is %s, not %s",
		             value_type_words(limen_value_type(target)), value_type_words(type));
	else if (is_set_now(reply, target))
		reply_refuse(reply, call, limen_value_none(), key,
		             "the node to change is in a value that the call sets: set a whole one, "
		             "or use limen_reply_set_at()");
	else
		reply_refuse(reply, call, limen_value_none(), key,
		             "the node to change is not one of the newest document");
}

/* Only nodes of the newest document can be changed, and only by some modules. */
static inline bool
is_target(limen_reply *reply, const char *call, limen_value target, const char *key,
          limen_type type)
{
	if (limen_value_exists(target) && target.document == view_document(reply->request) &&
	    (type == LIMEN_TYPE_NONE || limen_value_type(target) == type) &&
	    (reply->may & REPLY_MAY_CHANGE) != 0)
		return true;
	refuse_target(reply, call, target, key, type);
	return false;
}

/* Does nothing if there is no 'value': why not is known already. */
static void
set_member(limen_reply *reply, const char *call, limen_value object, const char *key,
           limen_value value)
{
	size_t length = key == NULL ? 0 : strlen(key);
	size_t valid;

	if (!limen_value_exists(value) || !is_target(reply, call, object, key, LIMEN_TYPE_OBJECT))
		return;
	if (key == NULL) {
		reply_refuse(reply, call, object, NULL, "the key is NULL");
		return;
	}
	/* An invalid byte replaced by '?' would name another member. */
	valid = utf8_valid(key, length);
	if (valid < length) {
		reply_refuse(reply, call, object, NULL, "the key is not UTF-8 at byte %zu", valid);
		return;
	}
	reply_add_change(reply, call, &(change){ .kind = CHANGE_SET,
	                                         .target = object,
	                                         .key = key,
	                                         .key_length = length,
	                                         .value = value });
}

void
limen_reply_set(limen_reply *reply, limen_value object, const char *key, const char *json)
{
	if (reply == NULL)
		return;
	set_member(reply, __func__, object, key, read_value(reply, __func__, object, key, json));
}

void
limen_reply_set_value(limen_reply *reply, limen_value object, const char *key, limen_value value)
{
	if (reply == NULL)
		return;
	if (!limen_value_exists(value))
		reply_refuse(reply, __func__, object, key, "the value is none");
	else if (reply_take_bytes(reply, __func__, VALUE_BYTES))
		set_member(reply, __func__, object, key, reply_share_value(reply, value));
}

limen_value
reply_keep_text(limen_reply *reply, const char *call, limen_value target, const char *key,
                const char *text, size_t length)
{
	node *kept;
	size_t valid;
	char *copy;

	if (text == NULL && length > 0)
		reply_refuse(reply, call, target, key, "the text is NULL");
	if ((text == NULL && length > 0) || !reply_take_bytes(reply, call, VALUE_BYTES + length))
		return limen_value_none();
	valid = utf8_valid(text, length);
	if (valid < length) {
		reply_refuse(reply, call, target, key, "the text is not UTF-8 at byte %zu", valid);
		return limen_value_none();
	}
	kept = arena_alloc(reply->arena, sizeof(*kept));
	copy = arena_strndup(reply->arena, length == 0 ? "" : text, length);
	if (kept == NULL || copy == NULL) {
		reply->failed = true;
		return limen_value_none();
	}
	*kept = (node){ .type = LIMEN_TYPE_STRING,
		        .origin = ORIGIN_NONE,
		        .length = (uint32_t)length,
		        .span = 1,
		        .text = copy };
	return (limen_value){ NULL, kept };
}

void
limen_reply_set_string(limen_reply *reply, limen_value object, const char *key, const char *text,
                       size_t length)
{
	if (reply == NULL)
		return;
	set_member(reply, __func__, object, key,
	           reply_keep_text(reply, __func__, object, key, text, length));
}

void
limen_reply_set_int(limen_reply *reply, limen_value object, const char *key, int64_t value)
{
	char text[NUMBER_INT_MAX + 1];

	if (reply == NULL)
		return;
	text[number_write_int(value, text)] = '\0';
	set_member(reply, __func__, object, key, read_value(reply, __func__, object, key, text));
}

void
limen_reply_set_bool(limen_reply *reply, limen_value object, const char *key, bool value)
{
	if (reply == NULL)
		return;
	set_member(reply, __func__, object, key,
	           read_value(reply, __func__, object, key, value ? "true" : "false"));
}

void
limen_reply_insert(limen_reply *reply, limen_value array, size_t index, const char *json)
{
	limen_value value;

	if (reply == NULL)
		return;
	value = read_value(reply, __func__, array, NULL, json);
	if (!limen_value_exists(value) || !is_target(reply, __func__, array, NULL, LIMEN_TYPE_ARRAY))
		return;
	if (index > limen_value_count(array)) {
		reply_refuse(reply, __func__, array, NULL, "there is no place %zu among %zu elements",
		             index, limen_value_count(array));
		return;
	}
	reply_add_change(reply, __func__, &(change){ .kind = CHANGE_INSERT,
	                                             .target = array,
	                                             .index = index,
	                                             .value = value });
}

void
limen_reply_remove(limen_reply *reply, limen_value target)
{
	if (reply == NULL || !is_target(reply, __func__, target, NULL, LIMEN_TYPE_NONE))
		return;
	if (target.node == limen_request_document(reply->request).node) {
		reply_refuse(reply, __func__, target, NULL, "the root cannot be removed");
		return;
	}
	reply_add_change(reply, __func__, &(change){ .kind = CHANGE_REMOVE, .target = target });
}

void
limen_reply_replace(limen_reply *reply, const char *json, size_t length)
{
	document *doc;

	if (reply == NULL || !reply_may_change(reply, __func__))
		return;
	if (json == NULL) {
		reply_mistake(reply, "%s: 'json' is NULL", __func__);
		return;
	}
	doc = json_read(NULL, json, length, 0, NULL);
	if (doc == NULL) {
		refuse_json(reply, __func__, limen_value_none(), NULL, json, length);
		return;
	}
	document_unref(reply->document);
	reply->document = doc;
}

/* Changes apply to the newest document, the one the module has read. */
revision *
reply_take_revision(limen_reply *reply, bool *failed)
{
	revision_source from = { .count = reply->change_count };
	revision *revised;

	*failed = false;
	if (reply->document == NULL && reply->change_count == 0)
		return NULL;
	if (reply->document != NULL) {
		revised = revision_of(reply->arena, reply->document);
		reply->document = NULL;
	} else {
		from.base = view_document(reply->request);
		from.changes = reply->changes;
		from.values = reply->values;
		reply->values = NULL;
		revised = revision_new(reply->arena, &from);
	}
	reply_free_changes(reply);
	*failed = revised == NULL;
	return revised;
}

void
limen_reply_attach(limen_reply *reply, const void *key, void *pointer,
                   void (*destroy)(void *pointer))
{
	attachment *entry = reply == NULL ? NULL : arena_alloc(reply->arena, sizeof(*entry));

	if (entry == NULL) {
		if (reply != NULL)
			reply->failed = true;
		if (destroy != NULL)
			destroy(pointer);
		return;
	}
	reply_may_change(reply, __func__);
	*entry = (attachment){ reply->attachments, key, pointer, destroy };
	reply->attachments = entry;
}
