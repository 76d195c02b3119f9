/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request_read.c - the getters of a request for modules, and the view of one
 * decision.
 */
#include "reply.h"
#include "request.h"

#include <string.h>

#include "base/clock.h"
#include <limen/host.h>

limen_subject
limen_request_subject(const limen_request *req)
{
	return req == NULL ? LIMEN_SUBJECT_TASK : req->subject->id;
}

limen_time
limen_request_now(const limen_request *req)
{
	if (req == NULL)
		return 0;
	return req->view == NULL ? req->now : view_now(req->view);
}

limen_deadline
limen_request_deadline(const limen_request *req)
{
	return req == NULL || req->view == NULL ? INT64_MAX : view_deadline(req->view);
}

limen_duration
limen_request_time_left(const limen_request *req)
{
	limen_deadline deadline = limen_request_deadline(req);
	int64_t left;

	if (deadline == INT64_MAX)
		return INT64_MAX;
	left = deadline - limen_host_monotonic();
	return left <= 0 ? 0 : (left - 1) / 1000 + 1;
}

bool
limen_request_is_dry_run(const limen_request *req)
{
	return req != NULL && req->dry_run;
}

bool
limen_request_is_manifest(const limen_request *req)
{
	return req != NULL && req->manifest;
}

const char *
limen_request_field(const limen_request *req, limen_field field)
{
	return req != NULL && (unsigned)field < FIELD_COUNT ? req->fields[field] : NULL;
}

static const char *const *
give_names(const names *list, size_t *count)
{
	if (count != NULL)
		*count = list->count;
	return list->count == 0 ? NULL : list->items;
}

const char *const *
limen_request_groups(const limen_request *req, size_t *count)
{
	if (req == NULL)
		return give_names(&(names){ NULL, 0 }, count);
	return give_names(&(names){ (const char *const *)req->groups, req->group_count }, count);
}

const char *const *
limen_request_identifiers(const limen_request *req, size_t *count)
{
	return give_names(req == NULL || req->view == NULL ? &(names){ NULL, 0 } : &req->view->identifiers,
	                  count);
}

const char *const *
limen_request_classifiers(const limen_request *req, size_t *count)
{
	return give_names(req == NULL || req->view == NULL ? &(names){ NULL, 0 } : &req->view->classifiers,
	                  count);
}

const char *
limen_request_asking_classifier(const limen_request *req)
{
	return req == NULL || req->view == NULL ? NULL : req->view->asking;
}

bool
limen_request_has_classifier(const limen_request *req, const char *name)
{
	size_t count;
	const char *const *items = limen_request_classifiers(req, &count);

	for (size_t i = 0; name != NULL && i < count; i++)
		if (strcmp(items[i], name) == 0)
			return true;
	return false;
}

limen_value
limen_request_original(const limen_request *req)
{
	return req == NULL || req->received == NULL ? limen_value_none() : document_root(req->received);
}

/* Returns NULL and sets 'failed' when memory is short: finish() then turns it into an error. */
const document *
view_document(const limen_request *req)
{
	const document *doc;

	if (req->view == NULL || req->view->newest == NULL)
		return req->received;
	doc = revision_document(req->view->newest);
	req->view->failed = req->view->failed || doc == NULL;
	return doc;
}

limen_value
limen_request_document(const limen_request *req)
{
	return document_root(req == NULL ? NULL : view_document(req));
}

limen_value
limen_request_id(const limen_request *req)
{
	return req == NULL || req->id == NULL ? limen_value_none() : document_root(req->id);
}

const char *
limen_request_review_version(const limen_request *req)
{
	return req == NULL || !req->subject->is_resource ? NULL : req->review;
}

limen_value
limen_request_old(const limen_request *req)
{
	return req == NULL || req->old == NULL ? limen_value_none() : document_root(req->old);
}

unsigned
limen_request_generation(const limen_request *req)
{
	return req == NULL || req->view == NULL ? 0 : req->view->generation;
}

limen_value
limen_request_find(const limen_request *req, const limen_path *path)
{
	return limen_value_find(limen_request_document(req), path);
}

/* ---- times and addresses, read once ---- */

bool
limen_request_is_run(const limen_request *req)
{
	return limen_request_subject(req) != LIMEN_SUBJECT_HTTP &&
	       limen_value_exists(limen_value_get(limen_request_document(req), "run_schedule"));
}

/* The texts are those of the exceptions pScheduler puts into its diagnostics. */
static int
read_run(limen_value schedule, limen_run *out, const char **why)
{
	limen_value start = limen_value_get(schedule, "start");
	limen_value duration = limen_value_get(schedule, "duration");
	const char *text;
	size_t length;

	*why = limen_value_exists(start) ? "'duration'" : "'start'";
	if (!limen_value_exists(start) || !limen_value_exists(duration))
		return LIMEN_EINVAL;
	*why = "Invalid ISO8601 date";
	text = limen_value_string(start, &length);
	if (text == NULL ||
	    limen_timestamp_parse(text, length, LIMEN_TIMESTAMP_RUN, &out->start, why) != LIMEN_OK)
		return LIMEN_EINVAL;
	*why = "Invalid ISO duration";
	text = limen_value_string(duration, &length);
	if (text == NULL ||
	    limen_duration_parse(text, length, LIMEN_DURATION_RUN, &out->duration, why) != LIMEN_OK)
		return LIMEN_EINVAL;
	*why = "date value out of range";
	return limen_timestamp_add(&out->start, out->duration, &out->end) == LIMEN_OK
	               ? LIMEN_OK
	               : LIMEN_EINVAL;
}

int
limen_request_run(const limen_request *req, limen_run *out, const char **why)
{
	limen_value schedule = limen_value_get(limen_request_document(req), "run_schedule");
	const char *text = NULL;
	limen_run run = { .duration = 0 };
	int result;

	if (req == NULL || out == NULL)
		return LIMEN_EINVAL;
	if (!limen_value_exists(schedule))
		return LIMEN_ENOENT;
	result = read_run(schedule, &run, &text);
	if (result == LIMEN_OK)
		*out = run;
	else if (why != NULL)
		*why = text;
	return result;
}

int
limen_request_requester(const limen_request *req, limen_network *out)
{
	if (req == NULL || out == NULL)
		return LIMEN_EINVAL;
	if (req->requester_result == LIMEN_OK)
		*out = req->requester;
	return req->requester_result;
}

/* ---- the view ---- */

limen_deadline
deadline_after(limen_duration timeout)
{
	return timeout <= 0 ? INT64_MAX : clock_deadline(timeout);
}

void
view_start(const limen_request *req, view *state, arena *memory, limen_request *copy)
{
	*state = (view){ .arena = memory, .deadline = INT64_MAX };
	if (req->has_now) {
		state->knows_now = state->knows_bucket_time = true;
		state->now = state->bucket_time = req->now;
	}
	state->deadline = deadline_after(req->timeout);
	*copy = *req;
	copy->view = state;
}

limen_deadline
view_deadline(view *state)
{
	if (state->deadline == INT64_MAX)
		state->deadline = deadline_after(state->timeout);
	return state->deadline;
}

limen_deadline
view_after(view *state, limen_duration time)
{
	if (state->started == 0)
		state->started = limen_host_monotonic();
	return time < (INT64_MAX - state->started) / 1000 ? state->started + time * 1000
	                                                  : INT64_MAX;
}

limen_deadline
limen_request_patience(const limen_request *req, limen_duration timeout)
{
	view *state = req == NULL ? NULL : req->view;
	limen_deadline end;

	if (state == NULL)
		return clock_deadline(timeout);
	if (state->share > 0 && state->share < timeout)
		timeout = state->share;
	end = view_after(state, timeout);
	if (end < state->patience)
		state->patience = end;
	return end;
}

limen_time
view_now(view *state)
{
	if (!state->knows_now) {
		state->now = limen_host_wall_time();
		state->knows_now = true;
	}
	return state->now;
}

limen_time
view_bucket_time(view *state)
{
	if (!state->knows_bucket_time) {
		state->bucket_time = clock_steady();
		state->knows_bucket_time = true;
	}
	return state->bucket_time;
}

void
attachments_drop(attachment **list)
{
	for (attachment *item = *list; item != NULL; item = item->next)
		if (item->destroy != NULL)
			item->destroy(item->pointer);
	*list = NULL;
}

void
view_adopt_attachments(view *state, attachment **list)
{
	attachment **end = list;

	while (*end != NULL)
		end = &(*end)->next;
	*end = state->attachments;
	state->attachments = *list;
	*list = NULL;
}

void
view_set_revision(view *state, revision *next)
{
	attachments_drop(&state->attachments);
	state->failed = state->failed || next == NULL;
	revision_unref(state->before);
	state->before = state->newest;
	state->newest = next;
	state->generation++;
}

void
view_finish(view *state)
{
	attachments_drop(&state->attachments);
	revision_unref(state->before);
	revision_unref(state->newest);
	state->before = NULL;
	state->newest = NULL;
}

int
limen_request_attach(const limen_request *req, const void *key, void *pointer,
                     void (*destroy)(void *pointer))
{
	attachment *entry = req == NULL || req->view == NULL ? NULL
	                                      : arena_alloc(req->view->arena, sizeof(*entry));

	if (entry == NULL) {
		if (destroy != NULL)
			destroy(pointer);
		return LIMEN_ENOMEM;
	}
	*entry = (attachment){ req->view->attachments, key, pointer, destroy };
	req->view->attachments = entry;
	return LIMEN_OK;
}

void *
limen_request_attachment(const limen_request *req, const void *key)
{
	const attachment *item = req == NULL || req->view == NULL ? NULL : req->view->attachments;

	while (item != NULL && item->key != key)
		item = item->next;
	return item == NULL ? NULL : item->pointer;
}

void *
limen_request_alloc(const limen_request *req, size_t size)
{
	return req == NULL || req->view == NULL ? NULL : arena_alloc(req->view->arena, size);
}

/* The key of the pattern among the attachments: the address of this. */
static const char route_key;

void
limen_reply_route(limen_reply *reply, const char *pattern)
{
	if (reply != NULL && limen_request_attach(reply->request, &route_key, (void *)pattern, NULL) !=
	                             LIMEN_OK)
		reply->failed = true;
}

const char *
limen_request_route(const limen_request *req)
{
	return limen_request_attachment(req, &route_key);
}
