/* SPDX-License-Identifier: Apache-2.0 */
/*
 * description.c - fills the request of a proxy's client: method, host, URI, client and the header
 * fields that the policy reads.
 */
#include "description.h"

#include <limen/builder.h>
#include <limen/question.h>
#include <string.h>

#include "../common/http_document.h"

static void
put_named_fields(limen_builder *build, const char *const *names, const arguments *fields)
{
	const http_pair **found = g_newa(const http_pair *, fields->count);

	for (; *names != NULL; names++) {
		size_t length = strlen(*names);
		size_t count = 0;

		for (size_t i = 0; i < fields->count; i++)
			if (http_is_named(&fields->pairs[i], *names, length))
				found[count++] = &fields->pairs[i];
		http_document_field(build, *names, found, count);
	}
}

/* Returns the header fields that the policy reads; none if it reads none. */
static limen_value
put_fields(limen_builder *build, const arguments *fields, const limen_http_needs *needs)
{
	limen_builder_object(build, NULL);
	if ((needs->parts & LIMEN_HTTP_HEADERS) != 0)
		http_document_fields(build, fields->pairs, fields->count);
	else
		put_named_fields(build, needs->headers, fields);
	limen_builder_end(build);
	return limen_builder_finish(build);
}

int
description_fill(void *data, const limen_http_needs *needs)
{
	const description *self = data;
	const client_request *from = &self->from_client;
	bool headed = (needs->parts & LIMEN_HTTP_HEADERS) != 0 || needs->headers[0] != NULL;
	limen_builder *to = headed ? limen_builder_new() : NULL;
	char host[HTTP_HOST_MAX + 1];
	const limen_http_parts parts = {
		.size = sizeof(parts),
		.method = from->method,
		.uri = from->uri,
		.host = from->host != NULL && http_read_host(from->host, host) ? host : from->host,
		.client = from->client[0] == '\0' ? NULL : from->client,
		.headers = headed ? put_fields(to, &self->request->fields, needs) : limen_value_none(),
	};
	int result = headed && !limen_value_exists(parts.headers)
	                     ? LIMEN_ENOMEM
	                     : limen_http_fill_parts(self->item->request, &parts, NULL);

	self->item->fields = (limen_http_fields)needs->fields;
	limen_builder_free(to);
	return result;
}
