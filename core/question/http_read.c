/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_read.c - makes requests of HTTP requests: checks their members, gives the path one spelling
 * and sets the hint "requester".  Owns the table of known members.
 */
#include "question.h"

#include <limen/cidr.h>
#include <limen/nearest.h>

#include "base/sized.h"
#include "base/utf8.h"
#include "scalar/scalar.h"

enum { AT_METHOD, AT_SCHEME, AT_HOST, AT_PATH, AT_QUERY, AT_CLIENT, AT_HEADERS, AT_COUNT };

static const limen_key members[AT_COUNT] = {
	[AT_METHOD] = LIMEN_KEY("method"), [AT_SCHEME] = LIMEN_KEY("scheme"),
	[AT_HOST] = LIMEN_KEY("host"),     [AT_PATH] = LIMEN_KEY("path"),
	[AT_QUERY] = LIMEN_KEY("query"),   [AT_CLIENT] = LIMEN_KEY("client"),
	[AT_HEADERS] = LIMEN_KEY("headers"),
};

static bool
refuse_unknown(limen_value key, limen_diag *diag)
{
	limen_nearest best = limen_nearest_to(limen_value_string(key, NULL));

	for (size_t i = 0; i < AT_COUNT; i++)
		limen_nearest_offer(&best, members[i].text);
	return limen_diag_refuse(diag, key, "unknown member '%.100s' of 'http'%s%s%s",
	                         limen_value_string(key, NULL),
	                         best.word == NULL ? "" : "; did you mean '",
	                         best.word == NULL ? "" : best.word, best.word == NULL ? "" : "'?");
}

/* Finds all members; false if there are others. */
static bool
find_members(limen_value http, limen_value found[AT_COUNT], limen_diag *diag)
{
	limen_iter iter = limen_iter_start(http);
	limen_value key;
	size_t known = 0;

	if (limen_value_type(http) != LIMEN_TYPE_OBJECT)
		return limen_diag_refuse(diag, http, "'http' must be an object");
	limen_value_pick(http, members, AT_COUNT, found);
	for (size_t i = 0; i < AT_COUNT; i++)
		known += limen_value_exists(found[i]);
	while (known < limen_value_count(http) && limen_iter_next(&iter, &key, NULL)) {
		size_t i = 0;

		while (i < AT_COUNT && !limen_value_is(key, members[i].text))
			i++;
		if (i == AT_COUNT)
			return refuse_unknown(key, diag);
	}
	return question_check_repeated(http, diag) == LIMEN_OK;
}

static bool
is_missing(const char *method)
{
	return method == NULL || *method == '\0';
}

static bool
check_texts(const limen_value found[AT_COUNT], const char *texts[AT_HEADERS], limen_diag *diag)
{
	for (size_t i = 0; i < AT_HEADERS; i++) {
		if (!question_text(found[i], &texts[i]) || (i == AT_METHOD && is_missing(texts[i])))
			return limen_diag_refuse(diag, found[i],
			                         "'%s' must be a string without a NUL",
			                         members[i].text);
	}
	return true;
}

/* A header's value is a string, or an array of strings if the header came several times. */
static bool
check_header(limen_value key, limen_value value, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(value);
	const char *name = limen_value_string(key, NULL);
	bool good = limen_value_type(value) == LIMEN_TYPE_STRING ||
	            limen_value_type(value) == LIMEN_TYPE_ARRAY;
	limen_value element;

	while (limen_value_type(value) == LIMEN_TYPE_ARRAY && limen_iter_next(&iter, NULL, &element))
		good = good && limen_value_type(element) == LIMEN_TYPE_STRING;
	if (!good)
		return limen_diag_refuse(diag, value,
		                         "header '%.100s' must be a string or an array of strings",
		                         name);
	for (const char *c = name; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			return limen_diag_refuse(diag, key, "header '%.100s' must be in lower case",
			                         name);
	return true;
}

static bool
check_headers(limen_value headers, limen_diag *diag)
{
	limen_value key, value;

	if (limen_value_type(headers) <= LIMEN_TYPE_NULL)
		return true;
	if (limen_value_type(headers) != LIMEN_TYPE_OBJECT)
		return limen_diag_refuse(diag, headers, "'headers' must be an object");
	for (limen_iter iter = limen_iter_start(headers); limen_iter_next(&iter, &key, &value);)
		if (!check_header(key, value, diag))
			return false;
	return question_check_repeated(headers, diag) == LIMEN_OK;
}

static bool
check_client(limen_value client, limen_diag *diag)
{
	limen_address address;
	size_t length;
	const char *text = limen_value_string(client, &length);

	return text == NULL || limen_address_parse(text, length, &address) == LIMEN_OK ||
	       limen_diag_refuse(diag, client, "'client' must be an address, not '%.100s'", text);
}

static bool
is_path(const char *text)
{
	return text != NULL && (text[0] == '/' || strcmp(text, "*") == 0);
}

static bool
check_path(limen_value path, const char *text, limen_diag *diag)
{
	if (!is_path(text))
		return limen_diag_refuse(diag, path, "'path' must begin with '/'");
	return strchr(text, '?') == NULL ||
	       limen_diag_refuse(diag, path, "'path' must end before the '?': the rest is 'query'");
}

/* Gives the path the spelling that all others have, too; false when memory is short. */
static bool
spell_path(limen_request *req, const char **path, arena *memory)
{
	size_t length = strlen(*path);
	char *normal;
	size_t size;

	if (!uri_path_is_special(*path, length))
		return true;
	normal = arena_alloc(memory, length + 1);
	size = normal == NULL ? 0 : uri_path_normalize(*path, length, normal);
	req->ambiguous = size == 0;
	if (size > 0) {
		normal[size] = '\0';
		*path = normal;
	}
	return normal != NULL;
}

static int
receive(limen_request *req, const limen_hint *list, size_t count)
{
	document *doc;
	int result = request_make_object(list, count, &doc);

	return result == LIMEN_OK ? request_receive(req, doc) : result;
}

/* Sets the document to 'http', whose members stay as they are if the path gets another spelling. */
static int
set_document(limen_request *req, limen_value http, const char *path, arena *memory)
{
	limen_iter iter = limen_iter_start(http);
	const char *spelled = path;
	limen_hint list[AT_COUNT];
	size_t count = 0;
	limen_value key, value;

	if (!spell_path(req, &spelled, memory))
		return LIMEN_ENOMEM;
	if (spelled == path)
		return limen_request_set_document(req, http);
	while (limen_iter_next(&iter, &key, &value))
		list[count++] = (limen_hint){
			.name = limen_value_string(key, NULL),
			.text = limen_value_is(key, "path") ? spelled : NULL,
			.value = value,
		};
	return receive(req, list, count);
}

/* Writes the bytes beyond ASCII as in a URI, unless they are UTF-8. */
static bool
escape(const char **text, arena *memory)
{
	size_t length = *text == NULL ? 0 : strlen(*text);
	char *out, *end;

	if (length == 0 || utf8_valid(*text, length) == length)
		return true;
	out = end = arena_alloc(memory, 3 * length + 1);
	for (const char *from = *text; out != NULL && *from != '\0'; from++)
		end += sprintf(end, (unsigned char)*from < 0x80 ? "%c" : "%%%02X", (unsigned char)*from);
	*text = out;
	return out != NULL;
}

static int
receive_parts(limen_request *req, const char *const texts[AT_HEADERS], limen_value headers)
{
	limen_hint list[AT_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < AT_HEADERS; i++)
		if (texts[i] != NULL)
			list[count++] = (limen_hint){ .name = members[i].text, .text = texts[i] };
	if (limen_value_exists(headers))
		list[count++] = (limen_hint){ .name = members[AT_HEADERS].text, .value = headers };
	return receive(req, list, count);
}

static int
set_parts(limen_request *req, const char *texts[AT_HEADERS], limen_value headers, arena *memory)
{
	int result;

	if (!spell_path(req, &texts[AT_PATH], memory))
		return LIMEN_ENOMEM;
	result = receive_parts(req, texts, headers);
	if (result != LIMEN_EINVAL)
		return result;
	for (size_t i = 0; i < AT_HEADERS; i++)
		if (!escape(&texts[i], memory))
			return LIMEN_ENOMEM;
	return receive_parts(req, texts, headers);
}

/* Sets the rest of a request whose document has been set with this result. */
static int
finish(limen_request *req, int result, const char *client, const limen_question_options *options)
{
	if (result == LIMEN_OK)
		result = request_hint_envelope(req, limen_value_none(),
		                               client == NULL ? options->requester : client,
		                               options->server);
	limen_request_set_dry_run(req, options->dry_run);
	if (options->timeout > 0)
		limen_request_set_timeout(req, options->timeout);
	return result;
}

int
limen_http_fill(limen_request *req, limen_value http, const limen_question_options *options,
                limen_diag *diag)
{
	limen_value found[AT_COUNT];
	const char *texts[AT_HEADERS];
	limen_question_options settings;
	arena memory = ARENA_INIT;
	int result;

	if (req == NULL)
		return LIMEN_ENOMEM;
	if (limen_request_subject(req) != LIMEN_SUBJECT_HTTP ||
	    !question_options_copy(options, &settings) || !find_members(http, found, diag))
		return LIMEN_EINVAL;
	if (!check_texts(found, texts, diag) || !check_headers(found[AT_HEADERS], diag) ||
	    !check_path(found[AT_PATH], texts[AT_PATH], diag) || !check_client(found[AT_CLIENT], diag))
		return LIMEN_EINVAL;
	if (texts[AT_CLIENT] != NULL && !settings.trusted) {
		limen_diag_refuse(diag, found[AT_CLIENT],
		                  "'client' counts only from trusted clients");
		return LIMEN_EACCES;
	}
	result = set_document(req, http, texts[AT_PATH], &memory);
	arena_free(&memory);
	return finish(req, result, texts[AT_CLIENT], &settings);
}

int
limen_http_fill_parts(limen_request *req, const limen_http_parts *parts,
                      const limen_question_options *options)
{
	limen_http_parts known = { .size = 0 };
	limen_question_options settings;
	const char *texts[AT_HEADERS];
	arena memory = ARENA_INIT;
	size_t length;
	int result;

	if (req == NULL)
		return LIMEN_ENOMEM;
	if (limen_request_subject(req) != LIMEN_SUBJECT_HTTP || parts == NULL ||
	    parts->size < offsetof(limen_http_parts, scheme) ||
	    !sized_copy(&known, sizeof(known), parts) || !question_options_copy(options, &settings) ||
	    is_missing(known.method) || !is_path(known.uri))
		return LIMEN_EINVAL;
	length = strcspn(known.uri, "?");
	texts[AT_METHOD] = known.method;
	texts[AT_SCHEME] = known.scheme;
	texts[AT_HOST] = known.host;
	texts[AT_PATH] = arena_strndup(&memory, known.uri, length);
	texts[AT_QUERY] = known.uri[length] == '?' ? known.uri + length + 1 : NULL;
	texts[AT_CLIENT] = known.client;
	if (texts[AT_PATH] == NULL)
		return LIMEN_ENOMEM;
	result = set_parts(req, texts, known.headers, &memory);
	result = finish(req, result, texts[AT_CLIENT], &settings);
	arena_free(&memory);
	return result;
}

int
limen_http_read(limen_value http, const limen_question_options *options, limen_request **out,
                limen_diag *diag)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_HTTP);
	int result = out == NULL ? LIMEN_EINVAL : limen_http_fill(req, http, options, diag);

	if (result == LIMEN_OK)
		*out = req;
	else
		limen_request_free(req);
	return result;
}
