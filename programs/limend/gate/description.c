/* SPDX-License-Identifier: Apache-2.0 */
/*
 * description.c - builds the document of an HTTP request: method, host, path, query, client and the
 * header fields that the policy reads.
 */
#include "description.h"

#include <limen/builder.h>
#include <stdlib.h>
#include <string.h>

#include "../common/print.h"

/* Adds bytes of the client; those that are not UTF-8 are escaped as in a URI. */
static void
put(limen_builder *build, const char *key, const char *text, size_t length)
{
	GString *escaped;

	if (g_utf8_validate_len(text, length, NULL)) {
		limen_builder_string(build, key, text, length);
		return;
	}
	escaped = g_string_sized_new(3 * length);
	for (size_t i = 0; i < length; i++) {
		if ((unsigned char)text[i] < 0x80)
			g_string_append_c(escaped, text[i]);
		else
			print_append(escaped, "%%%02X", (unsigned)(unsigned char)text[i]);
	}
	limen_builder_string(build, key, escaped->str, escaped->len);
	g_string_free(escaped, TRUE);
}

static void
put_host(limen_builder *build, const char *host)
{
	char name[HTTP_HOST_MAX + 1];
	const char *text = http_read_host(host, name) ? name : host;

	put(build, "host", text, strlen(text));
}

/* Adds the values of one field, of which there are 'count': a text, or an array of several. */
static void
put_field(limen_builder *build, const char *name, const http_pair *const *values, size_t count)
{
	if (count == 0)
		return;
	if (count > 1)
		limen_builder_array(build, name);
	for (size_t i = 0; i < count; i++)
		put(build, count > 1 ? NULL : name, values[i]->value, values[i]->length);
	if (count > 1)
		limen_builder_end(build);
}

/* The order of names, and of fields with the same name that of the request. */
static int
compare(const void *a, const void *b)
{
	const http_pair *first = *(const http_pair *const *)a;
	const http_pair *second = *(const http_pair *const *)b;
	int order = g_ascii_strcasecmp(first->name, second->name);

	return order != 0 ? order : (first > second) - (first < second);
}

static void
put_all_fields(limen_builder *build, const arguments *fields, const http_pair **sorted)
{
	size_t count = fields->count;
	size_t end;

	for (size_t i = 0; i < count; i++)
		sorted[i] = &fields->pairs[i];
	qsort(sorted, count, sizeof(const http_pair *), compare);
	for (size_t i = 0; i < count; i = end) {
		char *name = g_ascii_strdown(sorted[i]->name, -1);

		for (end = i + 1; end < count; end++)
			if (g_ascii_strcasecmp(sorted[end]->name, name) != 0)
				break;
		put_field(build, name, sorted + i, end - i);
		g_free(name);
	}
}

static void
put_named_fields(limen_builder *build, const char *const *names, const arguments *fields,
                 const http_pair **found)
{
	for (; *names != NULL; names++) {
		size_t length = strlen(*names);
		size_t count = 0;

		for (size_t i = 0; i < fields->count; i++)
			if (http_is_named(&fields->pairs[i], *names, length))
				found[count++] = &fields->pairs[i];
		put_field(build, *names, found, count);
	}
}

static void
put_fields(limen_builder *build, const arguments *fields, const limen_http_needs *needs)
{
	const http_pair **room = g_newa(const http_pair *, fields->count);

	if ((needs->parts & LIMEN_HTTP_HEADERS) == 0 && needs->headers[0] == NULL)
		return;
	limen_builder_object(build, "headers");
	if ((needs->parts & LIMEN_HTTP_HEADERS) != 0)
		put_all_fields(build, fields, room);
	else
		put_named_fields(build, needs->headers, fields, room);
	limen_builder_end(build);
}

static limen_value
build(limen_builder *to, const description *self, const limen_http_needs *needs)
{
	const client_request *from_client = &self->from_client;
	size_t path = strcspn(from_client->uri, "?");

	limen_builder_object(to, NULL);
	put(to, "method", from_client->method, strlen(from_client->method));
	if (from_client->host != NULL)
		put_host(to, from_client->host);
	put(to, "path", from_client->uri, path);
	if (from_client->uri[path] == '?')
		put(to, "query", from_client->uri + path + 1, strlen(from_client->uri + path + 1));
	if (from_client->client[0] != '\0')
		put(to, "client", from_client->client, strlen(from_client->client));
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
