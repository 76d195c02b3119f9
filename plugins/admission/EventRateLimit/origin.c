/* SPDX-License-Identifier: Apache-2.0 */
/*
 * origin.c - who reports an event, and about what.  The two forms of an event
 * have the same fields under different names (kubernetes: conversion of
 * events.k8s.io).
 */
#include "event.h"

#include <stdio.h>

/* Where the fields stand. */
typedef struct form_names {
	const char *source;
	const char *object;
	const char *reporter; /* beside the source: the component ... */
	const char *instance; /* ... and where it runs */
} form_names;

static const form_names core_names = {
	"source", "involvedObject", "reportingComponent", "reportingInstance"
};

static const form_names new_names = {
	"deprecatedSource", "regarding", "reportingController", "reportingInstance"
};

/* The members of an object, from ORIGIN_KIND on. */
static const char *const object_members[] = { "kind", "namespace", "name", "uid", "apiVersion" };

typedef struct origin_reader {
	limen_reply *reply;
	limen_verdict verdict;
} origin_reader;

static void
refuse(origin_reader *reader, const char *field, const char *what)
{
	limen_reply_violation(reader->reply, LIMEN_INVALID, field, "%s: must be %s", field, what);
	reader->verdict = LIMEN_FAIL;
}

/* Null is as good as absent, as in every object of Kubernetes. */
static bool
is_left_out(limen_value value)
{
	limen_type type = limen_value_type(value);

	return type == LIMEN_TYPE_NONE || type == LIMEN_TYPE_NULL;
}

static void
refuse_text(origin_reader *reader, const char *parent, const char *key)
{
	char field[64];

	snprintf(field, sizeof field, "%s%s%s", parent == NULL ? "" : parent,
	         parent == NULL ? "" : ".", key);
	refuse(reader, field, "a string");
}

/* 'parent' may be NULL: a member of the event itself. */
static event_text
read_text(origin_reader *reader, limen_value object, const char *parent, const char *key)
{
	limen_value value = limen_value_get(object, key);
	event_text found;

	found.text = limen_value_string(value, &found.length);
	if (found.text != NULL)
		return found;
	if (!is_left_out(value))
		refuse_text(reader, parent, key);
	return (event_text){ "", 0 };
}

static limen_value
read_object(origin_reader *reader, limen_value object, const char *key)
{
	limen_value value = limen_value_get(object, key);

	if (!is_left_out(value) && limen_value_type(value) != LIMEN_TYPE_OBJECT)
		refuse(reader, key, "an object");
	return limen_value_type(value) == LIMEN_TYPE_OBJECT ? value : limen_value_none();
}

/* Recorders of events.k8s.io leave the source empty and name themselves beside it. */
static void
take_reporter(origin_reader *reader, const event *about, const form_names *names,
              event_origin *out)
{
	event_text reporter = read_text(reader, event_object(about), NULL, names->reporter);
	event_text instance = read_text(reader, event_object(about), NULL, names->instance);

	if (out->fields[ORIGIN_COMPONENT].length + out->fields[ORIGIN_HOST].length > 0)
		return;
	out->fields[ORIGIN_COMPONENT] = reporter;
	out->fields[ORIGIN_HOST] = instance;
}

limen_verdict
event_read_origin(const event *about, bool exact, event_origin *out, limen_reply *reply)
{
	const form_names *names = about->is_new ? &new_names : &core_names;
	origin_reader reader = { .reply = reply, .verdict = LIMEN_PASS };
	limen_value source = read_object(&reader, event_object(about), names->source);
	limen_value object = read_object(&reader, event_object(about), names->object);

	out->fields[ORIGIN_COMPONENT] = read_text(&reader, source, names->source, "component");
	out->fields[ORIGIN_HOST] = read_text(&reader, source, names->source, "host");
	for (size_t i = ORIGIN_KIND; i < ORIGIN_FIELDS; i++)
		out->fields[i] = read_text(&reader, object, names->object,
		                           object_members[i - ORIGIN_KIND]);
	if (!exact)
		take_reporter(&reader, about, names, out);
	return reader.verdict;
}
