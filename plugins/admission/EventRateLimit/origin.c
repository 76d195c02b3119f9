/* SPDX-License-Identifier: Apache-2.0 */
/*
 * origin.c - who reports an event, and about what.  The two forms of an event
 * have the same fields under different names (kubernetes: conversion of
 * events.k8s.io).
 */
#include "event_rate_limit.h"

#include <stdio.h>

/* The members with the fields: two objects, the reporter and its instance. */
typedef enum part {
	PART_SOURCE = 0,
	PART_OBJECT = 1,
	PART_REPORTER = 2,
	PART_INSTANCE = 3,
	PARTS = 4
} part;

static const limen_key core_parts[PARTS] = {
	LIMEN_KEY("source"), LIMEN_KEY("involvedObject"), LIMEN_KEY("reportingComponent"),
	LIMEN_KEY("reportingInstance")
};

static const limen_key new_parts[PARTS] = {
	LIMEN_KEY("deprecatedSource"), LIMEN_KEY("regarding"), LIMEN_KEY("reportingController"),
	LIMEN_KEY("reportingInstance")
};

/* The members of the two objects, in the order of origin_field. */
#define SOURCE_FIELDS ORIGIN_KIND
#define OBJECT_FIELDS (ORIGIN_FIELDS - ORIGIN_KIND)

static const limen_key source_members[SOURCE_FIELDS] = {
	LIMEN_KEY("component"), LIMEN_KEY("host")
};

static const limen_key object_members[OBJECT_FIELDS] = {
	LIMEN_KEY("kind"), LIMEN_KEY("namespace"), LIMEN_KEY("name"), LIMEN_KEY("uid"),
	LIMEN_KEY("apiVersion")
};

typedef struct origin_reader {
	limen_reply *reply;
	limen_verdict verdict;
} origin_reader;

static void
refuse(origin_reader *reader, const char *field, const char *name)
{
	limen_reply_violation(reader->reply, LIMEN_CLASS_INVALID, field, "%s: must be %s", field,
	                      name);
	reader->verdict = LIMEN_FAIL;
}
/* 'parent' may be NULL: a member of the event itself. */
static event_text
read_text(origin_reader *reader, limen_value value, const char *parent, const char *key)
{
	event_text found;
	char field[64];

	found.text = limen_value_string(value, &found.length);
	if (found.text != NULL)
		return found;
	if (!rate_is_left_out(value)) {
		snprintf(field, sizeof field, "%s%s%s", parent == NULL ? "" : parent,
		         parent == NULL ? "" : ".", key);
		refuse(reader, field, "a string");
	}
	return (event_text){ "", 0 };
}

static limen_value
read_object(origin_reader *reader, limen_value value, const char *key)
{
	if (limen_value_type(value) == LIMEN_TYPE_OBJECT)
		return value;
	if (!rate_is_left_out(value))
		refuse(reader, key, "an object");
	return limen_value_none();
}

static void
read_members(origin_reader *reader, limen_value object, const char *parent, const limen_key *keys,
             size_t count, event_text *out)
{
	limen_value members[OBJECT_FIELDS];

	limen_value_pick(object, keys, count, members);
	for (size_t i = 0; i < count; i++)
		out[i] = read_text(reader, members[i], parent, keys[i].text);
}

/* Recorders of events.k8s.io leave the source empty and name themselves beside it. */
static void
take_reporter(origin_reader *reader, const limen_value *parts, const limen_key *names,
              event_origin *out)
{
	event_text reporter = read_text(reader, parts[PART_REPORTER], NULL,
	                                names[PART_REPORTER].text);
	event_text instance = read_text(reader, parts[PART_INSTANCE], NULL,
	                                names[PART_INSTANCE].text);

	if (out->fields[ORIGIN_COMPONENT].length + out->fields[ORIGIN_HOST].length > 0)
		return;
	out->fields[ORIGIN_COMPONENT] = reporter;
	out->fields[ORIGIN_HOST] = instance;
}

limen_verdict
event_read_origin(const event *subject, bool exact, event_origin *out, limen_reply *reply)
{
	const limen_key *names = subject->is_new ? new_parts : core_parts;
	origin_reader reader = { .reply = reply, .verdict = LIMEN_PASS };
	limen_value parts[PARTS], source, object;

	limen_value_pick(limen_request_document(subject->request), names,
	                 exact ? PART_REPORTER : PARTS, parts);
	source = read_object(&reader, parts[PART_SOURCE], names[PART_SOURCE].text);
	object = read_object(&reader, parts[PART_OBJECT], names[PART_OBJECT].text);
	read_members(&reader, source, names[PART_SOURCE].text, source_members, SOURCE_FIELDS,
	             &out->fields[ORIGIN_COMPONENT]);
	read_members(&reader, object, names[PART_OBJECT].text, object_members, OBJECT_FIELDS,
	             &out->fields[ORIGIN_KIND]);
	if (!exact)
		take_reporter(&reader, parts, names, out);
	return reader.verdict;
}
