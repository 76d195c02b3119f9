/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_options.c - makes an HTTP request of command line options, as the text of a question's
 * member "http".
 */
#include "http_options.h"

#include <limen/builder.h>
#include <limen/cidr.h>
#include <string.h>

#include "cli/message.h"
#include "common/auto.h"
#include "common/http_document.h"

bool
http_options_are_given(const http_options *given)
{
	return given->method != NULL || given->path != NULL || given->headers != NULL ||
	       given->client != NULL;
}

/* Returns the first header without a name or a colon, or NULL. */
static const char *
find_wrong_header(char **headers)
{
	while (headers != NULL && *headers != NULL && strchr(*headers, ':') != NULL &&
	       **headers != ':')
		headers++;
	return headers == NULL ? NULL : *headers;
}

bool
http_options_understand(const command *self, const http_options *given)
{
	const char *header = find_wrong_header(given->headers);
	limen_address address;

	if (given->method == NULL || given->path == NULL)
		message_usage(self, "--method and --path belong together; --header and --client "
		                    "need both");
	else if (header != NULL)
		message_usage(self, "--header takes NAME:VALUE, not '%s'", header);
	else if (*given->method == '\0')
		message_usage(self, "--method takes a method such as GET, not ''");
	else if ((*given->path != '/' && strcmp(given->path, "*") != 0) ||
	         !g_utf8_validate(given->path, -1, NULL))
		message_usage(self, "--path takes a path in UTF-8 that begins with '/', not '%s'",
		              given->path);
	else if (given->client != NULL &&
	         limen_address_parse(given->client, strlen(given->client), &address) != LIMEN_OK)
		message_usage(self, "--client takes an IP address, not '%s'", given->client);
	else
		return true;
	return false;
}

static void
add_headers(limen_builder *build, char **headers)
{
	g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(http_pair));

	for (; headers != NULL && *headers != NULL; headers++) {
		size_t length = strcspn(*headers, ":");
		const char *value = *headers + length + 1 + strspn(*headers + length + 1, " ");
		http_pair pair = { *headers, value, strlen(value), length };

		g_array_append_val(pairs, pair);
	}
	limen_builder_object(build, "headers");
	http_document_fields(build, (const http_pair *)(void *)pairs->data, pairs->len);
	limen_builder_end(build);
}

char *
http_options_text(const http_options *given)
{
	g_autoptr(limen_builder) build = limen_builder_new();
	size_t length = strcspn(given->path, "?");
	char *text;

	limen_builder_object(build, NULL);
	limen_builder_text(build, "method", given->method);
	limen_builder_string(build, "path", given->path, length);
	if (given->path[length] == '?')
		limen_builder_text(build, "query", given->path + length + 1);
	if (given->client != NULL)
		limen_builder_text(build, "client", given->client);
	add_headers(build, given->headers);
	limen_builder_end(build);
	text = limen_value_to_json(limen_builder_finish(build), 0, NULL);
	if (text == NULL)
		g_error("out of memory");
	return text;
}
