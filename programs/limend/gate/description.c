/* SPDX-License-Identifier: Apache-2.0 */
/*
 * description.c - builds the document of an HTTP request: method, host, path, query, client and the
 * header fields that the policy reads.
 */
#include "description.h"

#include <limen/builder.h>
#include <string.h>

#include "../common/http_document.h"

static void
put_host(limen_builder *build, const char *host)
{
	char name[HTTP_HOST_MAX + 1];
	const char *text = http_read_host(host, name) ? name : host;

	http_document_text(build, "host", text, strlen(text));
}

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

static void
put_fields(limen_builder *build, const arguments *fields, const limen_http_needs *needs)
{
	if ((needs->parts & LIMEN_HTTP_HEADERS) == 0 && needs->headers[0] == NULL)
		return;
	limen_builder_object(build, "headers");
	if ((needs->parts & LIMEN_HTTP_HEADERS) != 0)
		http_document_fields(build, fields->pairs, fields->count);
	else
		put_named_fields(build, needs->headers, fields);
	limen_builder_end(build);
}

static limen_value
build(limen_builder *to, const description *self, const limen_http_needs *needs)
{
	const client_request *from_client = &self->from_client;
	size_t path = strcspn(from_client->uri, "?");

	limen_builder_object(to, NULL);
	http_document_text(to, "method", from_client->method, strlen(from_client->method));
	if (from_client->host != NULL)
		put_host(to, from_client->host);
	http_document_text(to, "path", from_client->uri, path);
	if (from_client->uri[path] == '?')
		http_document_text(to, "query", from_client->uri + path + 1,
		                   strlen(from_client->uri + path + 1));
	if (from_client->client[0] != '\0')
		http_document_text(to, "client", from_client->client, strlen(from_client->client));
	put_fields(to, &self->request->fields, needs);
	limen_builder_end(to);
	return limen_builder_finish(to);
}

int
description_fill(void *data, const limen_http_needs *needs)
{
	const limen_question_options options = { .size = sizeof(options), .trusted = true };
	const description *self = data;
	limen_builder *to = limen_builder_new();
	int result = limen_http_fill(self->item->request, build(to, self, needs), &options, NULL);

	self->item->fields = (limen_http_fields)needs->fields;
	limen_builder_free(to);
	return result;
}
