/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply_trace.c - what a module says for whoever asked for a trace: notes, bounds that
 * were missed, where values come from.
 */
#include <string.h>

#include "decision_private.h"
#include "reply_private.h"

/* Of a value that misses a bound, and of a bound, in bytes: they are for people. */
#define HAVE_TEXT_MAX  200
#define BOUND_TEXT_MAX 4000

void
limen_reply_note(limen_reply *reply, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	reply_add_text(reply, &reply->notes, NULL, format, arguments);
	va_end(arguments);
}

bool
limen_reply_wants_origins(const limen_reply *reply)
{
	return reply->wants_origins;
}

void
limen_reply_origin(limen_reply *reply, const char *pointer, const char *format, ...)
{
	va_list arguments;

	if (!reply->wants_origins)
		return;
	va_start(arguments, format);
	reply_add_text(reply, &reply->origins, pointer, format, arguments);
	va_end(arguments);
}

bool
limen_reply_wants_bounds(const limen_reply *reply)
{
	return reply->wants_bounds;
}

/* Values come from requests, so they are made valid and cut. */
static const char * LIMEN_PRINTF(2, 3)
copy_text(limen_reply *reply, const char *format, ...)
{
	va_list arguments;
	const char *copy;

	va_start(arguments, format);
	copy = reply_write_text(reply, format, arguments);
	va_end(arguments);
	return copy;
}

/* What is cut says so, or a number would be another. */
static const char *
copy_cut(limen_reply *reply, const char *text, int most)
{
	return copy_text(reply, "%.*s%s", most, text,
	                 strnlen(text, (size_t)most + 1) > (size_t)most ? "..." : "");
}

void
limen_reply_bound(limen_reply *reply, const char *field, const char *have,
                  limen_relation relation, const char *bound)
{
	const char *key;
	const char *text;
	text_item *item = NULL;

	if (!reply->wants_bounds)
		return;
	/* Of the others only the number is told. */
	if (reply->bounds.count >= TRACE_LISTED_MAX) {
		reply->bounds.count++;
		return;
	}
	key = copy_text(reply, "%s", field);
	text = copy_cut(reply, bound, BOUND_TEXT_MAX);
	if (key != NULL && text != NULL)
		item = text_list_add(&reply->bounds, reply->arena, key, text, (int)relation);
	if (item != NULL && have != NULL)
		item->detail = copy_cut(reply, have, HAVE_TEXT_MAX);
	if (item == NULL || (have != NULL && item->detail == NULL))
		reply->untold = true;
}
