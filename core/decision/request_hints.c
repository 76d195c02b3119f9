/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request_hints.c - the hints of a request: setting and reading them.
 */
#include <string.h>

#include "document/document.h"
#include "request.h"
#include "base/recycle.h"
#include "base/utf8.h"

#define REQUESTER_FORM (LIMEN_NETWORK_MASKS | LIMEN_NETWORK_SCOPE)

/* Parses the hint once per request, not for each decision and identifier. */
static int
read_requester(limen_value hints, limen_network *out)
{
	limen_value hint = limen_value_get(hints, "requester");
	size_t length;
	const char *text = limen_value_string(hint, &length);

	if (!limen_value_exists(hint))
		return LIMEN_ENOENT;
	if (text == NULL)
		return LIMEN_EINVAL;
	return limen_network_parse(text, length, REQUESTER_FORM, out);
}

void
request_drop_hints(limen_request *req)
{
	hint_source *from = req->hints;

	document_unref(atomic_load_explicit(&from->made, memory_order_relaxed));
	document_unref(from->groups.document);
	atomic_init(&from->made, NULL);
	from->groups = limen_value_none();
	from->is_envelope = false;
}

static int
replace_hints(limen_request *req, document *hints)
{
	if (hints == NULL)
		return LIMEN_ENOMEM;
	request_drop_hints(req);
	atomic_init(&req->hints->made, hints);
	req->requester_result = read_requester(document_root(hints), &req->requester);
	return LIMEN_OK;
}

/* The places for the next node and the next text of the document of hints. */
typedef struct tail {
	node *next;
	char *text;
} tail;

static void
put_text(tail *to, const char *text)
{
	char *end = stpcpy(to->text, text);

	*to->next++ = (node){
		.type = LIMEN_TYPE_STRING,
		.origin = ORIGIN_NONE,
		.length = (uint32_t)(end - to->text),
		.span = 1,
		.text = to->text,
	};
	to->text = end + 1;
}

/*
 * Puts the nodes of 'value', whose texts stay in their document, which is kept.  Values of a
 * document that keeps others are copied: a chain of hints made of hints would keep all of them.
 */
static bool
put_value(document *doc, tail *to, limen_value value)
{
	const document *from = value.document;
	const document *owner = from->whole == NULL ? from : from->whole;
	size_t count = doc->held_count;

	if (owner->held_count > 0) {
		from = document_copy(value);
		if (from == NULL)
			return false;
		value = document_root(from);
		doc->held[doc->held_count++] = from;
	} else if (count == 0 || doc->held[count - 1] != from) {
		doc->held[doc->held_count++] = document_ref(from);
	}
	memcpy(to->next, value.node, ((const node *)value.node)->span * sizeof(node));
	to->next += ((const node *)value.node)->span;
	return true;
}

/* Adds the size of the hints to 'doc', '*bytes' and '*values'; false if one says nothing. */
static bool
measure(document *doc, const limen_hint *hints, size_t count, size_t *bytes, size_t *values)
{
	doc->count = 1;
	for (size_t i = 0; i < count; i++) {
		const node *value = hints[i].value.node;

		if (hints[i].name == NULL)
			return false;
		*bytes += strlen(hints[i].name) + 1;
		doc->count += 2;
		if (hints[i].text != NULL) {
			*bytes += strlen(hints[i].text) + 1;
		} else if (value != NULL) {
			doc->count += value->span - 1;
			++*values;
		} else {
			return false;
		}
	}
	return doc->count <= UINT32_MAX && *bytes <= UINT32_MAX;
}

static int
fill(document *doc, const limen_hint *hints, size_t count, size_t bytes)
{
	char *texts = (char *)(doc->nodes + doc->count);
	tail to = { doc->nodes + 1, texts };

	for (size_t i = 0; i < count; i++) {
		put_text(&to, hints[i].name);
		if (hints[i].text != NULL)
			put_text(&to, hints[i].text);
		else if (!put_value(doc, &to, hints[i].value))
			return LIMEN_ENOMEM;
	}
	doc->count = (size_t)(to.next - doc->nodes);
	doc->nodes[0] = (node){
		.type = LIMEN_TYPE_OBJECT,
		.origin = ORIGIN_NONE,
		.length = (uint32_t)count,
		.span = (uint32_t)doc->count,
	};
	/* One check covers all texts: a NUL between two of them is valid UTF-8. */
	return utf8_valid(texts, bytes) == bytes ? LIMEN_OK : LIMEN_EINVAL;
}

int
request_make_object(const limen_hint *hints, size_t count, document **out)
{
	document *doc = document_new();
	size_t bytes = 0;
	size_t values = 0;
	int result = LIMEN_ENOMEM;

	if (doc == NULL)
		return LIMEN_ENOMEM;
	if (!measure(doc, hints, count, &bytes, &values)) {
		document_unref(doc);
		return LIMEN_EINVAL;
	}
	doc->nodes = recycle_alloc(doc->count * sizeof(node) + bytes);
	doc->held = values == 0 ? NULL : recycle_alloc(values * sizeof(const document *));
	if (doc->nodes != NULL && (values == 0 || doc->held != NULL))
		result = fill(doc, hints, count, bytes);
	if (result == LIMEN_OK)
		*out = doc;
	else
		document_unref(doc);
	return result;
}

/* Returns true if one of 'count' hints has this name. */
static bool
is_replaced(const limen_hint *hints, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (hints[i].name != NULL && strcmp(hints[i].name, name) == 0)
			return true;
	return false;
}

/* Sets 'count' hints; those of other names stay. */
static int
merge_hints(limen_request *req, const limen_hint *hints, size_t count)
{
	limen_iter iter = limen_iter_start(limen_request_hints(req));
	limen_value key, value;
	size_t used = 0;
	document *doc;
	int result;
	limen_hint *all = recycle_alloc((iter.left + count + 1) * sizeof(*all));

	if (all == NULL)
		return LIMEN_ENOMEM;
	while (limen_iter_next(&iter, &key, &value)) {
		size_t length;
		const char *name = limen_value_string(key, &length);

		/* A name with a NUL would be cut there. */
		if (strlen(name) == length && !is_replaced(hints, count, name))
			all[used++] = (limen_hint){ name, NULL, value };
	}
	if (count > 0)
		memcpy(all + used, hints, count * sizeof(*all));
	result = request_make_object(all, used + count, &doc);
	recycle_free(all);
	if (result != LIMEN_OK)
		return result;
	if (object_hide_members(doc->nodes, false))
		return replace_hints(req, doc);
	document_unref(doc);
	return LIMEN_ENOMEM;
}

int
limen_request_set_hint_list(limen_request *req, const limen_hint *hints, size_t count)
{
	int result;

	if (req == NULL)
		return LIMEN_ENOMEM;
	if (hints == NULL && count > 0)
		return LIMEN_EINVAL;
	result = request_make_hints(req);
	return result == LIMEN_OK ? merge_hints(req, hints, count) : result;
}

int
limen_request_set_hint(limen_request *req, const char *name, const char *value)
{
	return limen_request_set_hint_list(req, &(limen_hint){ .name = name, .text = value }, 1);
}

int
limen_request_set_hints(limen_request *req, limen_value object)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key, value;
	limen_hint *hints;
	size_t count = 0;
	int result;

	if (req == NULL)
		return LIMEN_ENOMEM;
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return LIMEN_EINVAL;
	result = request_make_hints(req);
	if (result != LIMEN_OK)
		return result;
	if (limen_value_count(limen_request_hints(req)) == 0)
		return replace_hints(req, document_share(object));
	hints = recycle_alloc((iter.left + 1) * sizeof(*hints));
	if (hints == NULL)
		return LIMEN_ENOMEM;
	while (limen_iter_next(&iter, &key, &value)) {
		size_t length;
		const char *name = limen_value_string(key, &length);

		if (strlen(name) == length)
			hints[count++] = (limen_hint){ name, NULL, value };
	}
	result = merge_hints(req, hints, count);
	recycle_free(hints);
	return result;
}

#define ENVELOPE_MOST 7

/* Lists the hints of an envelope, and returns their number. */
static size_t
list_envelope(const limen_request *req, limen_value groups, const char *requester,
              const char *server, limen_hint list[ENVELOPE_MOST])
{
	const limen_hint rows[ENVELOPE_MOST] = {
		{ .name = "groups", .value = groups },
		{ .name = "requester", .text = requester },
		{ .name = "server", .text = server },
		{ .name = "user", .text = req->fields[LIMEN_FIELD_USER] },
		{ .name = "operation", .text = req->fields[LIMEN_FIELD_OPERATION] },
		{ .name = "namespace", .text = req->fields[LIMEN_FIELD_NAMESPACE] },
		{ .name = "resource", .text = req->fields[LIMEN_FIELD_RESOURCE] },
	};
	size_t count = 0;

	for (size_t i = 0; i < ENVELOPE_MOST; i++)
		if (rows[i].text != NULL || limen_value_type(rows[i].value) == LIMEN_TYPE_ARRAY)
			list[count++] = rows[i];
	return count;
}

int
request_make_hints(limen_request *req)
{
	hint_source *from = req->hints;
	limen_hint list[ENVELOPE_MOST];
	document *none = NULL;
	document *doc;
	size_t count;
	int result;

	if (!from->is_envelope || atomic_load(&from->made) != NULL)
		return LIMEN_OK;
	count = list_envelope(req, from->groups, from->requester, from->server, list);
	result = request_make_object(list, count, &doc);
	if (result == LIMEN_OK && !atomic_compare_exchange_strong(&from->made, &none, doc))
		document_unref(doc);
	return result;
}

static int
keep_text(limen_request *req, const char *text, char **out)
{
	if (text == NULL)
		return LIMEN_OK;
	if (utf8_valid(text, strlen(text)) != strlen(text))
		return LIMEN_EINVAL;
	*out = request_keep_text(req, text);
	return *out == NULL ? LIMEN_ENOMEM : LIMEN_OK;
}

int
request_hint_envelope(limen_request *req, limen_value groups, const char *requester,
                      const char *server)
{
	hint_source *from = req->hints;
	int result;

	if (request_has_hints(req)) {
		limen_hint list[ENVELOPE_MOST];
		size_t count = list_envelope(req, groups, requester, server, list);

		return count == 0 ? LIMEN_OK : limen_request_set_hint_list(req, list, count);
	}
	result = keep_text(req, requester, &from->requester);
	if (result == LIMEN_OK)
		result = keep_text(req, server, &from->server);
	if (result != LIMEN_OK)
		return result;
	from->is_envelope = true;
	if (limen_value_type(groups) == LIMEN_TYPE_ARRAY) {
		from->groups = groups;
		document_ref(groups.document);
	}
	if (requester != NULL)
		req->requester_result = limen_network_parse(requester, strlen(requester),
		                                            REQUESTER_FORM, &req->requester);
	return LIMEN_OK;
}

bool
request_has_hints(const limen_request *req)
{
	return req->hints->is_envelope || limen_value_count(limen_request_hints(req)) > 0;
}

/* A request without hints gets a static empty object, so that nothing is built. */
limen_value
limen_request_hints(const limen_request *req)
{
	static node nothing = { .type = LIMEN_TYPE_OBJECT, .origin = ORIGIN_NONE, .span = 1 };
	static document none = { .references = 1, .nodes = &nothing, .count = 1 };
	const document *doc;

	if (req == NULL)
		return document_root(&none);
	if (request_make_hints((limen_request *)req) != LIMEN_OK) {
		/* A rule that misses a hint may admit: the decision fails instead. */
		if (req->view != NULL)
			req->view->failed = true;
		return limen_value_none();
	}
	doc = atomic_load(&req->hints->made);
	return document_root(doc == NULL ? &none : doc);
}
