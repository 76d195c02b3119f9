/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http.c - tests the content type, checks by its connection or address whether a peer is trusted,
 * and writes error responses as JSON with the reason phrases of RFC 9110, 15.
 */
#include "http.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../common/json_out.h"
#include "../common/print.h"

/* First size of the further header fields of an answer. */
#define FIELDS_USUAL 511

const char *
http_words(int status)
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
http_fail(http_response *response, int status, const char *text)
{
	response->status = status;
	response->content_type = "application/json";
	g_string_truncate(response->body, 0);
	json_write(response->body, "{code:d reason:s message:s}", status, http_words(status), text);
	g_string_append_c(response->body, '\n');
}

static const struct {
	http_type type;
	const char *name;
} types[] = {
	{ HTTP_JSON, "application/json" },
	{ HTTP_LINES, "application/x-ndjson" },
	{ HTTP_FORM, "application/x-www-form-urlencoded" },
	{ HTTP_YAML, "application/yaml" },
};

unsigned
http_type_of(const http_request *request)
{
	const char *found = request->content_type;

	for (size_t i = 0; found != NULL && i < G_N_ELEMENTS(types); i++) {
		size_t length = strlen(types[i].name);

		if (g_ascii_strncasecmp(found, types[i].name, length) == 0 &&
		    (found[length] == '\0' || strchr("; \t", found[length]) != NULL))
			return types[i].type;
	}
	return 0;
}

bool
http_check_type(const http_request *request, unsigned set, fault *why)
{
	GString *names;

	if ((set & http_type_of(request)) != 0)
		return true;
	names = g_string_new(NULL);
	for (size_t i = 0; i < G_N_ELEMENTS(types); i++)
		if ((set & types[i].type) != 0)
			print_append(names, "%s%s", names->len == 0 ? "" : " or ", types[i].name);
	fault_set(why, 415, "The content type must be %s", names->str);
	g_string_free(names, TRUE);
	return false;
}

void
http_add_field(http_response *response, const char *name, const char *value)
{
	GString *out = http_begin_field(response, name);

	print_bytes(out, value, strlen(value));
	http_end_field(response);
}

GString *
http_begin_field(http_response *response, const char *name)
{
	http_fields *fields = response->fields;

	if (fields == NULL) {
		fields = response->fields = g_new0(http_fields, 1);
		fields->values = g_string_sized_new(FIELDS_USUAL);
	}
	g_assert(fields->count < HTTP_FIELDS_MAX);
	fields->names[fields->count] = name;
	fields->starts[fields->count++] = fields->values->len;
	return fields->values;
}

void
http_end_field(http_response *response)
{
	g_string_append_c(response->fields->values, '\0');
}

void
http_fields_free(http_fields *fields)
{
	if (fields == NULL)
		return;
	g_string_free(fields->values, TRUE);
	g_free(fields);
}

void
http_response_clear(http_response *response)
{
	if (response->stream != NULL)
		response->stream->end(response->stream);
	response->stream = NULL;
	g_string_free(response->body, TRUE);
	http_fields_free(response->fields);
}

bool
http_is_token(const char *text, size_t length)
{
	static const bool known[UCHAR_MAX + 1] = {
		['!'] = true, ['#' ... '\''] = true, ['*'] = true, ['+'] = true, ['-'] = true,
		['.'] = true, ['0' ... '9'] = true, ['A' ... 'Z'] = true, ['^' ... 'z'] = true,
		['|'] = true, ['~'] = true,
	};
	size_t i = 0;

	while (i < length && known[(unsigned char)text[i]])
		i++;
	return i == length && length > 0;
}

/* The two forms of an ASCII letter differ in one bit. */
static bool
is_same_letter(char a, char b)
{
	return a == b || ((a ^ b) == ('a' ^ 'A') && g_ascii_isalpha(a));
}

bool
http_is_named(const http_pair *field, const char *name, size_t length)
{
	if (field->name_length != length)
		return false;
	/* From the end: many names begin alike. */
	while (length > 0 && is_same_letter(field->name[length - 1], name[length - 1]))
		length--;
	return length == 0;
}

bool
http_field(const http_request *request, const char *name, const char **out, fault *why)
{
	size_t length = strlen(name);

	*out = NULL;
	for (size_t i = 0; i < request->fields.count; i++) {
		const http_pair *field = &request->fields.pairs[i];

		if (!http_is_named(field, name, length))
			continue;
		if (*out != NULL)
			return fault_set(why, 400, "The field %s appears twice", name);
		*out = field->value;
	}
	return true;
}

/* Is there nothing behind the name, or a port, which may be empty (RFC 3986, 3.2.3)? */
static bool
is_port(const char *rest)
{
	size_t digits = rest[0] == ':' ? strspn(rest + 1, "0123456789") : 0;

	return rest[0] == '\0' ||
	       (rest[0] == ':' && rest[1 + digits] == '\0' && digits <= 5 &&
	        strtoul(rest + 1, NULL, 10) <= UINT16_MAX);
}

bool
http_read_host(const char *host, char out[HTTP_HOST_MAX + 1])
{
	size_t length = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");

	if (length > strlen(host) || length > HTTP_HOST_MAX || !is_port(host + length))
		return false;
	if (length > 1 && host[length - 1] == '.')
		length--;
	for (size_t i = 0; i < length; i++)
		out[i] = g_ascii_tolower(host[i]);
	out[length] = '\0';
	return true;
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
