/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buckets_remote.c - asks limend at /v1/buckets and /v1/buckets/reset.  Checks every bucket of the answer
 * before the first one is passed on.
 */
#include "buckets_remote.h"

#include <string.h>

#include "cli/command.h"
#include "cli/message.h"
#include "common/auto.h"
#include "common/bucket_json.h"
#include "common/json_out.h"

/* Returns the path of the request, to g_free(). */
static char *
write_path(const buckets_query *query)
{
	GString *out = g_string_new(NULL);

	g_string_append_printf(out, "/v1/buckets?number=%d", query->number);
	if (query->store != NULL) {
		g_string_append(out, "&store=");
		g_string_append_uri_escaped(out, query->store, NULL, FALSE);
	}
	return g_string_free(out, FALSE);
}

/* The receiver of the buckets in the answer. */
typedef struct reading {
	void (*each)(void *data, const limen_bucket *bucket);
	void *data;
	int64_t *count; /* of buckets that were reset; NULL: list */
} reading;

/* Passes each bucket on if 'pass'; returns false if the list is none of buckets. */
static bool
read_all(const reading *self, limen_value list, bool pass)
{
	limen_value element;
	limen_bucket bucket;

	for (limen_iter iter = limen_iter_start(list); limen_iter_next(&iter, NULL, &element);) {
		if (!bucket_json_read(element, &bucket))
			return false;
		if (pass)
			self->each(self->data, &bucket);
	}
	return limen_value_type(list) == LIMEN_TYPE_ARRAY;
}

/* Reads the answer 'root' of status 200; returns false if it is none. */
static bool
read_good(const reading *self, limen_value root)
{
	limen_value list = limen_value_get(root, "buckets");

	if (self->count != NULL)
		return limen_value_int(limen_value_get(root, "reset"), self->count);
	return read_all(self, list, false) && read_all(self, list, true);
}

static int
ask(const reading *self, const buckets_query *query, const char *path, const char *body)
{
	g_autoptr(limen_documents) parsed = NULL;
	g_autofree char *why = NULL;
	long status = remote_ask(&query->at, path, body, &parsed, &why);

	if (status == 200 && read_good(self, limen_documents_get(parsed, 0)))
		return STATUS_GOOD;
	if (status == 200) {
		g_autofree char *place = remote_shown(&query->at);

		message_error("%s: the answer is not %s", place,
		              self->count == NULL ? "a list of buckets" : "the count of a reset");
	} else {
		message_error("%s", why);
	}
	return status == 404 && query->store != NULL ? STATUS_BAD : STATUS_ERROR;
}

int
buckets_remote_list(const buckets_query *query,
                    void (*each)(void *data, const limen_bucket *bucket), void *data)
{
	const reading self = { .each = each, .data = data };
	g_autofree char *path = write_path(query);

	return ask(&self, query, path, NULL);
}

int
buckets_remote_reset(const buckets_query *query, int64_t *count)
{
	const reading self = { .count = count };
	g_autoptr(GString) body = g_string_new(NULL);

	json_write(body, "{key:s store:S}", query->reset, query->store);
	return ask(&self, query, "/v1/buckets/reset", body->str);
}
