/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_origin.h - who reports an event, and about what: what the buckets of
 * EventRateLimit for a source and its object are told by.
 */
#ifndef LIMEN_PROGRAM_EVENT_ORIGIN_H
#define LIMEN_PROGRAM_EVENT_ORIGIN_H

#include <limen/value.h>
#include <stdbool.h>
#include <stddef.h>

#define EVENT_GROUP "events.k8s.io"

#define EVENT_SOURCE_FIELDS 2
#define EVENT_OBJECT_FIELDS 5

/* Texts are borrowed from the event; what is not there is empty. */
typedef struct event_origin {
	const char *source[EVENT_SOURCE_FIELDS];   /* component, host */
	const char *reporter[EVENT_SOURCE_FIELDS]; /* likewise; stands in for an empty source */
	const char *object[EVENT_OBJECT_FIELDS];   /* kind, namespace, name, uid, apiVersion */
	bool odd; /* a text holds a NUL, so that it ends too early here */
} event_origin;

/* Does its version say that the event has the form of events.k8s.io? */
bool event_origin_is_new(limen_value event);

void event_origin_read(event_origin *out, limen_value event, bool is_new);

/* Is the source empty, and is there a reporter? */
bool event_origin_needs_reporter(const event_origin *self);

#endif
