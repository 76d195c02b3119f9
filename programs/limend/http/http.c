/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http.c - tests the content type, checks by its connection or address whether a peer is trusted,
 * and writes error responses as JSON with the reason phrases of RFC 9110, 15.
 */
#include "http.h"

#include <string.h>

#include "../common/json_out.h"
#include "../common/print.h"

/* Returns the reason phrase (RFC 9110, 15) of a status that limend sends in error responses. */
static const char *
status_words(int status)
{
	static const struct {
		int status;
		const char *words;
	} known[] = {
		{ 400, "Bad Request" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 408, "Request Timeout" },
		{ 413, "Content Too Large" },
		{ 414, "URI Too Long" },
		{ 415, "Unsupported Media Type" },
		{ 421, "Misdirected Request" },
		{ 422, "Unprocessable Content" },
		{ 429, "Too Many Requests" },
		{ 500, "Internal Server Error" },
		{ 503, "Service Unavailable" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
		if (known[i].status == status)
			return known[i].words;
	return "Error";
}

void
http_fail(http_response *response, int status, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = print_vtext(format, args);
	va_end(args);
	response->status = status;
	response->content_type = "application/json";
	g_string_truncate(response->body, 0);
	json_write(response->body, "{code:d reason:s message:s}", status, status_words(status),
	           text);
	g_string_append_c(response->body, '\n');
	g_free(text);
}

bool
http_is_type(const http_request *request, const char *type)
{
	const char *found = request->content_type;

	if (found == NULL || g_ascii_strncasecmp(found, type, strlen(type)) != 0)
		return false;
	found += strlen(type);
	return *found == '\0' || *found == ';' || *found == ' ' || *found == '\t';
}

bool
http_trusts(const limen_cidr_set *trusted, const http_peer *peer)
{
	limen_address address;

	if (peer->unix_socket || peer->certified)
		return true;
	if (trusted == NULL || peer->address == NULL ||
	    limen_address_parse(peer->address, strlen(peer->address), &address) != LIMEN_OK)
		return false;
	return limen_cidr_set_contains(trusted, &address);
}
