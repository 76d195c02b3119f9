/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply_trace.c - collects the parts of a reply that are for traces: notes, missed bounds
 * and the origins of values.
 */
#include <string.h>

#include "decision_state.h"
#include "reply.h"
#include "request.h"

/* Caps on a value that misses a bound, and on a bound, in bytes: only people read them. */
#define HAVE_TEXT_MAX  200
#define BOUND_TEXT_MAX 4000

/* Bytes that each note or bound counts beside its text. */
#define EACH_BYTES ((size_t)64)

/* Returns the count against TOLD_MAX; a worker cannot share the decision's and has its own. */
static size_t *
find_told(limen_reply *reply)
{
	const limen_request *req = reply->request;

	return req == NULL || req->view == NULL || req->view->decision == NULL
	               ? &reply->told
	               : &req->view->decision->told;
}

bool
reply_has_room(limen_reply *reply)
{
	return *find_told(reply) < TOLD_MAX;
}

void
reply_take_room(limen_reply *reply, size_t bytes)
{
	size_t *told = find_told(reply);
	size_t rest = TOLD_MAX - *told;

	*told = bytes > rest || EACH_BYTES > rest - bytes ? TOLD_MAX : *told + bytes + EACH_BYTES;
}

/* May one more be listed?  If not, it is only counted. */
static bool
may_list(limen_reply *reply, item_list *list)
{
	if (list->count < TRACE_LISTED_MAX && reply_has_room(reply))
		return true;
	list->more++;
	return false;
}

void
limen_reply_note(limen_reply *reply, const char *format, ...)
{
	va_list arguments;
	const char *text;

	if (reply == NULL || !may_list(reply, &reply->notes))
		return;
	va_start(arguments, format);
	text = reply_write_text(reply, format, arguments);
	va_end(arguments);
	if (!text_list_add(&reply->notes, reply->arena, text))
		reply->untold = true;
	else
		reply_take_room(reply, strlen(text));
}

bool
reply_copy_notes(limen_reply *reply, const item_list *notes)
{
	for (const text_item *note = notes->first; note != NULL; note = note->next)
		limen_reply_note(reply, "%s", note->text);
	reply->notes.more += notes->more;
	return !reply->untold;
}

bool
limen_reply_wants_origins(const limen_reply *reply)
{
	return reply != NULL && reply->wants_origins;
}

void
limen_reply_origin(limen_reply *reply, const char *pointer, const char *format, ...)
{
	limen_origin origin;
	origin_item *item = NULL;
	va_list arguments;

	if (reply == NULL || pointer == NULL || !reply->wants_origins)
		return;
	va_start(arguments, format);
	origin.pointer = reply_copy_text(reply, pointer);
	origin.text = reply_write_text(reply, format, arguments);
	va_end(arguments);
	if (origin.pointer != NULL && origin.text != NULL)
		item = item_list_add(&reply->origins, reply->arena, sizeof(*item));
	if (item == NULL)
		reply->untold = true;
	else
		item->origin = origin;
}

bool
limen_reply_wants_bounds(const limen_reply *reply)
{
	return reply != NULL && reply->wants_bounds;
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

/* A cut text ends in "...": a number would otherwise read as another number. */
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
	limen_bound missed = { .relation = relation };
	bound_item *item = NULL;

	if (field == NULL || bound == NULL || !limen_reply_wants_bounds(reply) ||
	    !may_list(reply, &reply->bounds))
		return;
	missed.field = reply_copy_text(reply, field);
	missed.bound = copy_cut(reply, bound, BOUND_TEXT_MAX);
	missed.have = copy_cut(reply, have == NULL ? "" : have, HAVE_TEXT_MAX);
	if (missed.field != NULL && missed.bound != NULL && missed.have != NULL)
		item = item_list_add(&reply->bounds, reply->arena, sizeof(*item));
	if (item == NULL) {
		reply->untold = true;
		return;
	}
	reply_take_room(reply, strlen(missed.field) + strlen(missed.bound) + strlen(missed.have));
	if (have == NULL)
		missed.have = NULL;
	item->bound = missed;
}
