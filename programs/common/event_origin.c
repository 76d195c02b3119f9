/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_origin.c - reads source, reporter and object of an event.  Two tables map the fields to
 * the member names of the core API and events.k8s.io (Kubernetes: conversion of events.k8s.io).
 */
#include "event_origin.h"

#include <string.h>

#include "print.h"

typedef struct event_form {
	const char *source;
	const char *object;
	const char *reporter[EVENT_SOURCE_FIELDS];
} event_form;

/* Member names in the core API and in events.k8s.io (Kubernetes: conversion of events.k8s.io). */
static const event_form core_form = {
	"source", "involvedObject", { "reportingComponent", "reportingInstance" }
};
static const event_form new_form = {
	"deprecatedSource", "regarding", { "reportingController", "reportingInstance" }
};

static const char *const source_members[EVENT_SOURCE_FIELDS] = { "component", "host" };
static const char *const object_members[EVENT_OBJECT_FIELDS] = { "kind", "namespace", "name", "uid",
	                                                         "apiVersion" };

static void
read_texts(event_origin *self, limen_value object, const char *const *keys, size_t count,
           const char **out)
{
	for (size_t i = 0; i < count; i++) {
		size_t length = 0;
		const char *text = limen_value_string(limen_value_get(object, keys[i]), &length);

		out[i] = text == NULL ? "" : text;
		self->odd = self->odd || (text != NULL && strlen(text) != length);
	}
}

bool
event_origin_is_new(limen_value event)
{
	const char *version = limen_value_string(limen_value_get(event, "apiVersion"), NULL);

	return version != NULL && strncmp(version, EVENT_GROUP "/", strlen(EVENT_GROUP "/")) == 0;
}

void
event_origin_read(event_origin *out, limen_value event, bool is_new)
{
	const event_form *form = is_new ? &new_form : &core_form;

	out->odd = false;
	read_texts(out, limen_value_get(event, form->source), source_members, EVENT_SOURCE_FIELDS,
	           out->source);
	read_texts(out, limen_value_get(event, form->object), object_members, EVENT_OBJECT_FIELDS,
	           out->object);
	read_texts(out, event, form->reporter, EVENT_SOURCE_FIELDS, out->reporter);
}

static bool
are_empty(const char *const *texts)
{
	for (size_t i = 0; i < EVENT_SOURCE_FIELDS; i++)
		if (texts[i][0] != '\0')
			return false;
	return true;
}

bool
event_origin_needs_reporter(const event_origin *self)
{
	return are_empty(self->source) && !are_empty(self->reporter);
}

char *
event_origin_join(const char *const *texts, size_t count)
{
	GString *joined = g_string_new(NULL);

	for (size_t i = 0; i < count; i++) {
		const char *text = texts[i] == NULL ? "" : texts[i];

		if (i > 0)
			g_string_append_c(joined, '/');
		for (const char *at = text; *at != '\0'; at++) {
			if (*at == '/' || *at == '%')
				print_append(joined, "%%%02X", (unsigned)(unsigned char)*at);
			else
				g_string_append_c(joined, *at);
		}
	}
	return g_string_free(joined, FALSE);
}
