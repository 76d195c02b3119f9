/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event.c - which requests are about events: creations and updates of the kind
 * Event, as the plugin in kube-apiserver has it, and of events.k8s.io too.
 */
#include "event_rate_limit.h"

#include <string.h>

#define NEW_GROUP "events.k8s.io"

typedef enum form { FORM_UNKNOWN, FORM_OTHER, FORM_CORE, FORM_NEW } form;

static bool
is_empty(const char *text)
{
	return text == NULL || *text == '\0';
}

static form
form_of_group(const char *group, size_t length)
{
	if (length == 0)
		return FORM_CORE;
	if (length == strlen(NEW_GROUP) && memcmp(group, NEW_GROUP, length) == 0)
		return FORM_NEW;
	return FORM_OTHER;
}

/* The group stands before the slash; the core group has none. */
static form
form_of_version(limen_value version)
{
	size_t length = 0;
	const char *text = limen_value_string(version, &length);
	const char *slash;

	if (limen_value_type(version) <= LIMEN_TYPE_NULL)
		return FORM_CORE;
	if (text == NULL || length == 0)
		return FORM_UNKNOWN;
	slash = memchr(text, '/', length);
	return form_of_group(text, slash == NULL ? 0 : (size_t)(slash - text));
}

static form
form_of_object(limen_value object)
{
	limen_value own = limen_value_get(object, "kind");

	if (limen_value_type(own) != LIMEN_TYPE_STRING || limen_value_is(own, ""))
		return FORM_UNKNOWN;
	if (!limen_value_is(own, "Event"))
		return FORM_OTHER;
	return form_of_version(limen_value_get(object, "apiVersion"));
}

/* The object is looked into only where the envelope does not tell: it may be in no cache. */
static form
find_form(const limen_request *req)
{
	const char *kind = limen_request_field(req, LIMEN_FIELD_KIND);
	const char *group = limen_request_field(req, LIMEN_FIELD_GROUP);

	if (is_empty(kind))
		return form_of_object(limen_request_document(req));
	if (strcmp(kind, "Event") != 0)
		return FORM_OTHER;
	return form_of_group(group, group == NULL ? 0 : strlen(group));
}

static event_text
text_of(const char *text_or_null)
{
	const char *found = text_or_null == NULL ? "" : text_or_null;

	return (event_text){ found, strlen(found) };
}

/* Returns false if the object's namespace is invalid. */
static bool
find_namespace(event_text *out, const limen_request *req)
{
	const char *namespace = limen_request_field(req, LIMEN_FIELD_NAMESPACE);
	limen_value metadata, own;

	*out = text_of(namespace);
	if (namespace != NULL)
		return true;
	metadata = limen_value_get(limen_request_document(req), "metadata");
	if (limen_value_type(metadata) <= LIMEN_TYPE_NULL)
		return true;
	if (limen_value_type(metadata) != LIMEN_TYPE_OBJECT)
		return false;
	own = limen_value_get(metadata, "namespace");
	if (limen_value_type(own) <= LIMEN_TYPE_NULL)
		return true;
	out->text = limen_value_string(own, &out->length);
	return out->text != NULL;
}

limen_verdict
event_find(event *out, const limen_request *req, bool core_only, limen_reply *reply)
{
	const char *operation = limen_request_field(req, LIMEN_FIELD_OPERATION);
	const char *sent = limen_request_field(req, LIMEN_FIELD_REQUESTED_GROUP);
	form found;

	/* A manifest that comes without an envelope is about to be created. */
	if (!is_empty(operation) && strcmp(operation, "CREATE") != 0 &&
	    strcmp(operation, "UPDATE") != 0)
		return LIMEN_SKIP;
	found = find_form(req);
	if (found == FORM_UNKNOWN) {
		limen_reply_reason(reply, "the kind of the object is not known");
		return LIMEN_ERROR;
	}
	/*
	 * With matchPolicy Equivalent a webhook gets an event of events.k8s.io converted to the
	 * core group; requestKind holds the original kind.
	 */
	if (found == FORM_OTHER ||
	    (core_only && (found == FORM_NEW || (sent != NULL && strcmp(sent, NEW_GROUP) == 0))))
		return LIMEN_SKIP;
	*out = (event){
		.request = req,
		.is_new = found == FORM_NEW,
	};
	if (find_namespace(&out->namespace, req))
		return LIMEN_PASS;
	limen_reply_reason(reply, "the namespace of the object is not known");
	return LIMEN_ERROR;
}
event_text
event_user(const event *subject)
{
	return text_of(limen_request_field(subject->request, LIMEN_FIELD_USER));
}
