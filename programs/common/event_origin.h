/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_origin.h - reads who reports an event, and about which object.  The bucket keys of
 * EventRateLimit for a source and its object are made of these fields.
 */
#ifndef LIMEN_PROGRAM_EVENT_ORIGIN_H
#define LIMEN_PROGRAM_EVENT_ORIGIN_H

#include <limen/value.h>
#include <stdbool.h>
#include <stddef.h>

#define EVENT_GROUP "events.k8s.io"

#define EVENT_SOURCE_FIELDS 2
#define EVENT_OBJECT_FIELDS 5

/* Texts are borrowed from the event; absent ones are empty. */
typedef struct event_origin {
	const char *source[EVENT_SOURCE_FIELDS];   /* component, host */
	const char *reporter[EVENT_SOURCE_FIELDS]; /* used if the source is empty */
	const char *object[EVENT_OBJECT_FIELDS];   /* kind, namespace, name, uid, apiVersion */
	bool odd; /* a text holds a NUL and is truncated here */
} event_origin;

/* Returns true if the event's apiVersion says that it has the form of events.k8s.io. */
bool event_origin_is_new(limen_value event);

void event_origin_read(event_origin *out, limen_value event, bool is_new);

/* Returns true if the source is empty and a reporter is given. */
bool event_origin_needs_reporter(const event_origin *self);

/*
 * Joins texts, NULL being empty, by '/' and escapes '/' and '%', so that different lists give
 * different texts.  g_free() it.
 */
char *event_origin_join(const char *const *texts, size_t count);

#endif
