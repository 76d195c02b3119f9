/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request.c - builds requests.  request_hints.c has the hints, request_read.c the
 * getters.
 */
#include "request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/recycle.h"
#include "reader/reader.h"

/* Bytes for the texts of an envelope: one and a half times their usual size. */
#define ROOM_SIZE 768

/* The request, and behind it its hints and the room. */
typedef struct roomy_request {
	limen_request request;
	hint_source hints;
	char room[ROOM_SIZE];
} roomy_request;

/* Room is never given back; what is too long for it is in malloc()ed memory. */
char *
request_keep_text(limen_request *req, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = req->room;

	if (size > req->room_left)
		return strdup(text);
	req->room += size;
	req->room_left -= size;
	return memcpy(copy, text, size);
}

/* Frees what request_keep_text() returned; NULL is fine. */
static void
drop_text(limen_request *req, char *text)
{
	const char *first = ((roomy_request *)req)->room;

	if (text == NULL)
		return;
	if ((uintptr_t)text < (uintptr_t)first || (uintptr_t)text >= (uintptr_t)first + ROOM_SIZE)
		free(text);
}

limen_request *
limen_request_new(limen_subject subject)
{
	const subject_row *row = subject_find(subject);
	roomy_request *made;
	limen_request *req;

	if (row == NULL) {
		errno = EINVAL;
		return NULL;
	}
	made = recycle_alloc(sizeof(*made));
	if (made == NULL)
		return NULL;
	req = &made->request;
	*req = (limen_request){ .hints = &made->hints, .room = made->room, .room_left = ROOM_SIZE };
	made->hints = (hint_source){ .made = NULL };
	req->subject = row;
	req->requester_result = LIMEN_ENOENT;
	return req;
}

void
limen_request_free(limen_request *req)
{
	if (req == NULL)
		return;
	document_unref(req->received);
	document_unref(req->old);
	request_drop_hints(req);
	drop_text(req, req->hints->requester);
	drop_text(req, req->hints->server);
	document_unref(req->id);
	for (size_t i = 0; i < FIELD_COUNT; i++)
		drop_text(req, req->fields[i]);
	for (size_t i = 0; i < req->group_count; i++)
		drop_text(req, req->groups[i]);
	recycle_free(req->groups);
	recycle_free(req);
}

static int
replace_document(document **slot, document *doc)
{
	if (doc == NULL)
		return LIMEN_ENOMEM;
	document_unref(*slot);
	*slot = doc;
	return LIMEN_OK;
}

static int
parse(limen_request *req, const char *text, size_t length, document **out, limen_diag *diag)
{
	if (req == NULL)
		return LIMEN_ENOMEM;
	return text == NULL ? LIMEN_EINVAL
	                    : json_read_result(NULL, text, length, req->subject->read_flags,
	                                      out, diag);
}

int
request_receive(limen_request *req, document *doc)
{
	int result = replace_document(&req->received, doc);

	if (result == LIMEN_OK)
		req->received_type = (uint8_t)limen_value_type(document_root(doc));
	return result;
}

int
limen_request_parse(limen_request *req, const char *text, size_t length, limen_diag *diag)
{
	document *doc;
	int result = parse(req, text, length, &doc, diag);

	return result == LIMEN_OK ? request_receive(req, doc) : result;
}

int
limen_request_set_document(limen_request *req, limen_value value)
{
	return req == NULL ? LIMEN_ENOMEM : request_receive(req, document_share(value));
}

int
limen_request_set_task(limen_request *req, limen_value value)
{
	return req == NULL ? LIMEN_ENOMEM : request_receive(req, document_without_comments(value));
}

int
limen_request_set_id(limen_request *req, limen_value id)
{
	return req == NULL ? LIMEN_ENOMEM : replace_document(&req->id, document_share(id));
}

int
limen_request_set_old(limen_request *req, limen_value value)
{
	return req == NULL ? LIMEN_ENOMEM : replace_document(&req->old, document_share(value));
}

int
limen_request_parse_old(limen_request *req, const char *text, size_t length, limen_diag *diag)
{
	document *doc;
	int result = parse(req, text, length, &doc, diag);

	return result == LIMEN_OK ? replace_document(&req->old, doc) : result;
}

static document *
run_document(const char *start, const char *duration)
{
	builder *build = builder_new();

	if (build == NULL)
		return NULL;
	builder_begin_object(build, ORIGIN_NONE, 0);
	builder_text(build, "start");
	builder_text(build, start);
	builder_text(build, "duration");
	builder_text(build, duration);
	builder_end(build);
	return builder_finish(build);
}

int
limen_request_set_run(limen_request *req, const char *start, const char *duration)
{
	limen_value root;
	document *run;
	document *doc;

	if (req == NULL)
		return LIMEN_ENOMEM;
	root = limen_request_original(req);
	if (start == NULL || duration == NULL ||
	    limen_value_type(root) != LIMEN_TYPE_OBJECT)
		return LIMEN_EINVAL;
	run = run_document(start, duration);
	if (run == NULL)
		return LIMEN_ENOMEM;
	doc = document_apply(req->received,
	                     &(change){ .kind = CHANGE_SET,
	                                .target = root,
	                                .key = "run_schedule",
	                                .key_length = strlen("run_schedule"),
	                                .value = document_root(run) },
	                     1);
	document_unref(run);
	return request_receive(req, doc);
}

int
limen_request_set_field(limen_request *req, limen_field field, const char *value)
{
	char *copy;
	int result;

	if (req == NULL)
		return LIMEN_ENOMEM;
	if (value == NULL || (unsigned)field >= FIELD_COUNT)
		return LIMEN_EINVAL;
	result = request_make_hints(req);
	copy = result == LIMEN_OK ? request_keep_text(req, value) : NULL;
	if (copy == NULL)
		return result == LIMEN_OK ? LIMEN_ENOMEM : result;
	drop_text(req, req->fields[field]);
	req->fields[field] = copy;
	return LIMEN_OK;
}

int
limen_request_add_group(limen_request *req, const char *group)
{
	size_t count;
	char **groups;
	char *copy;

	if (req == NULL)
		return LIMEN_ENOMEM;
	if (group == NULL)
		return LIMEN_EINVAL;
	count = req->group_count;
	groups = req->groups;
	/* The array is full if the count is a power of two, from the fourth group on. */
	if (count == 0 || (count >= 4 && (count & (count - 1)) == 0))
		groups = recycle_resize(groups, (count == 0 ? 4 : 2 * count) * sizeof(*groups));
	if (groups == NULL)
		return LIMEN_ENOMEM;
	req->groups = groups;
	copy = request_keep_text(req, group);
	if (copy == NULL)
		return LIMEN_ENOMEM;
	groups[count] = copy;
	req->group_count = count + 1;
	return LIMEN_OK;
}

void
limen_request_set_now(limen_request *req, limen_time now)
{
	if (req == NULL)
		return;
	req->now = now;
	req->has_now = true;
}

void
limen_request_set_timeout(limen_request *req, limen_duration timeout)
{
	if (req == NULL)
		return;
	req->timeout = timeout;
}

void
limen_request_set_dry_run(limen_request *req, bool dry_run)
{
	if (req == NULL)
		return;
	req->dry_run = dry_run;
}

void
limen_request_set_manifest(limen_request *req, bool manifest)
{
	if (req == NULL)
		return;
	req->manifest = manifest;
}
