/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request_hints.c - the hints of a request: setting and reading them.
 */
#include <string.h>

#include "document/document.h"
#include "hint_document.h"
#include "request.h"
#include "base/utf8.h"

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
	return limen_network_parse(text, length, LIMEN_NETWORK_MASKS | LIMEN_NETWORK_SCOPE, out);
}

static int
replace_hints(limen_request *req, document *hints)
{
	if (hints == NULL)
		return LIMEN_ENOMEM;
	document_unref(req->hints);
	req->hints = hints;
	req->requester_result = read_requester(document_root(hints), &req->requester);
	return LIMEN_OK;
}

static bool
is_utf8(const char *text)
{
	size_t length = strlen(text);

	return utf8_valid(text, length) == length;
}

/* The members of 'before', with another value where one has that name, or one more. */
static document *
with_hint(limen_value before, const char *name, const char *value)
{
	limen_iter iter = limen_iter_start(before);
	builder *build = builder_new();
	limen_value key;
	limen_value member;
	bool there = false;

	if (build == NULL)
		return NULL;
	builder_begin_object(build, ORIGIN_NONE, 0);
	while (limen_iter_next(&iter, &key, &member)) {
		bool same = limen_value_is(key, name);

		builder_copy(build, key);
		if (same)
			builder_text(build, value);
		else
			builder_copy(build, member);
		there = there || same;
	}
	if (!there) {
		builder_text(build, name);
		builder_text(build, value);
	}
	builder_end(build);
	return builder_finish(build);
}

int
limen_request_set_hint(limen_request *req, const char *name, const char *value)
{
	if (req == NULL)
		return LIMEN_ENOMEM;
	if (!is_utf8(name) || !is_utf8(value))
		return LIMEN_EINVAL;
	return replace_hints(req, with_hint(document_root(req->hints), name, value));
}

int
limen_request_set_hints(limen_request *req, limen_value object)
{
	if (req == NULL)
		return LIMEN_ENOMEM;
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return LIMEN_EINVAL;
	return replace_hints(req, document_share(object));
}

int
limen_request_set_hint_list(limen_request *req, const limen_hint *hints, size_t count)
{
	document *made = NULL;
	int result = req == NULL ? LIMEN_ENOMEM : hint_document_make(hints, count, &made);

	return result == LIMEN_OK ? replace_hints(req, made) : result;
}

/* A request without hints gets a static empty object, so that nothing is built. */
limen_value
limen_request_hints(const limen_request *req)
{
	static node nothing = { .type = LIMEN_TYPE_OBJECT, .origin = ORIGIN_NONE, .span = 1 };
	static document none = { .references = 1, .nodes = &nothing, .count = 1 };

	return document_root(req->hints == NULL ? &none : req->hints);
}
