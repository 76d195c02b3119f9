/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redact_reason.c - which texts of a request its refusal may quote: names as
 * kube-apiserver looks for them, and what an event is about.
 */
#include "redact.h"

static const char *
member(limen_value object, const char *key)
{
	return limen_value_string(limen_value_get(object, key), NULL);
}

static void
add_field(redact_list *hidden, redaction part, const limen_request *req, limen_field which)
{
	redact_list_add(hidden, part, limen_request_field(req, which));
}

/* An event in the first of its two forms, or in the other. */
static void
add_event(redact_list *hidden, limen_value event)
{
	limen_value about = limen_value_get(event, "involvedObject");

	if (!limen_value_exists(about))
		about = limen_value_get(event, "regarding");
	redact_list_add(hidden, REDACT_NAME, member(about, "name"));
	redact_list_add(hidden, REDACT_NAME, member(about, "uid"));
	redact_list_add(hidden, REDACT_NAMESPACE, member(about, "namespace"));
}

static void
add_object(redact_list *hidden, limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");

	redact_list_add(hidden, REDACT_NAME, member(metadata, "name"));
	redact_list_add(hidden, REDACT_NAME, member(metadata, "generateName"));
	redact_list_add(hidden, REDACT_NAMESPACE, member(metadata, "namespace"));
	add_event(hidden, object);
}

static void
add_groups(redact_list *hidden, const limen_request *req)
{
	size_t count;
	const char *const *groups = limen_request_groups(req, &count);

	for (size_t i = 0; i < count; i++)
		redact_list_add(hidden, REDACT_GROUPS, groups[i]);
}

/* An address, or the whole of the hint that stands for it. */
static void
add_peers(redact_list *hidden, const record *made)
{
	redact_list_add(hidden, REDACT_PEER, member(limen_request_hints(made->request), "requester"));
	if (made->peer != NULL)
		redact_list_add(hidden, REDACT_PEER, made->peer->address);
}

/* Of a task they say what fields say of an object. */
static void
add_hints(redact_list *hidden, limen_value hints)
{
	limen_value groups = limen_value_get(hints, "groups");
	limen_iter iter = limen_iter_start(groups);
	limen_value one;

	redact_list_add(hidden, REDACT_USER, member(hints, "user"));
	redact_list_add(hidden, REDACT_NAMESPACE, member(hints, "namespace"));
	redact_list_add(hidden, REDACT_GROUPS, limen_value_string(groups, NULL));
	while (limen_iter_next(&iter, NULL, &one))
		redact_list_add(hidden, REDACT_GROUPS, limen_value_string(one, NULL));
}

void
redact_list_add_request(redact_list *self, const record *made)
{
	const limen_request *req = made->request;

	add_field(self, REDACT_USER, req, LIMEN_FIELD_USER);
	add_peers(self, made);
	add_field(self, REDACT_NAME, req, LIMEN_FIELD_NAME);
	add_field(self, REDACT_NAME, req, LIMEN_FIELD_GENERATE_NAME);
	add_field(self, REDACT_NAMESPACE, req, LIMEN_FIELD_NAMESPACE);
	add_object(self, limen_request_document(req));
	add_object(self, limen_request_old(req));
	add_groups(self, req);
	if (limen_request_subject(req) == LIMEN_TASK)
		add_hints(self, limen_request_hints(req));
}

char *
redact_reason(const line_rules *rules, const record *made, size_t most)
{
	redact_list hidden;
	char *text;

	redact_list_open(&hidden, rules);
	redact_list_add_request(&hidden, made);
	text = redact_list_apply(&hidden, limen_decision_reason(made->decision), most);
	redact_list_close(&hidden);
	return text;
}
