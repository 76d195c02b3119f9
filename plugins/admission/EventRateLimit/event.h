/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event.h - the event a request is about, whichever of the two API groups its
 * form belongs to.  Everything is borrowed from the request.
 */
#ifndef LIMEN_EVENTRATELIMIT_EVENT_H
#define LIMEN_EVENTRATELIMIT_EVENT_H

#include <limen/module.h>

/* Bytes that may hold NULs. */
typedef struct event_text {
	const char *text;
	size_t length;
} event_text;

typedef struct event {
	const limen_request *request;
	bool is_new; /* in the form of events.k8s.io */
	event_text namespace;
} event;

/*
 * Finds the event of 'req'.  LIMEN_SKIP if the request does not count; with 'core_only',
 * requests to events.k8s.io do not.  LIMEN_ERROR, with a reason, if that is unknown.
 */
limen_verdict event_find(event *out, const limen_request *req, bool core_only,
                         limen_reply *reply);

/* Not every limit asks for these. */
limen_value event_object(const event *about);
event_text event_user(const event *about);

/* The fields that identify the source and the object of an event. */
typedef enum origin_field {
	ORIGIN_COMPONENT = 0,
	ORIGIN_HOST = 1,
	ORIGIN_KIND = 2,
	ORIGIN_NAMESPACE = 3,
	ORIGIN_NAME = 4,
	ORIGIN_UID = 5,
	ORIGIN_API_VERSION = 6,
	ORIGIN_FIELDS = 7
} origin_field;

typedef struct event_origin {
	event_text fields[ORIGIN_FIELDS];
} event_origin;

/*
 * Reads source and object of 'about'; what is not there is empty.  What is of a
 * wrong type is a violation, and the result LIMEN_FAIL; else LIMEN_PASS.  With
 * 'exact' the source is the one kube-apiserver looks at, else that of the
 * reporter stands in where there is none.
 */
limen_verdict event_read_origin(const event *about, bool exact, event_origin *out,
                                limen_reply *reply);

#endif
