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

/* Gives the path the spelling that all others have, too. */
static bool
spell_path(limen_request *req, const char **path, size_t length, arena *memory)
{
	char *normal = arena_alloc(memory, length + 1);
	size_t size = normal == NULL ? 0 : uri_path_normalize(*path, length, normal);

	req->ambiguous = size == 0;
	if (size > 0) {
		normal[size] = '\0';
		*path = normal;
	}
	return normal != NULL;
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
make_document(const char *const texts[AT_HEADERS], limen_value headers, document **out)
{
	limen_hint list[AT_COUNT];
	size_t count = 0;

	for (size_t i = 0; i < AT_HEADERS; i++)
		if (texts[i] != NULL)
			list[count++] = (limen_hint){ .name = members[i].text, .text = texts[i] };
	if (limen_value_exists(headers))
		list[count++] = (limen_hint){ .name = members[AT_HEADERS].text, .value = headers };
	return request_make_object(list, count, out);
}

/* Sets the document to 'http', or if that is none or its path has another spelling, makes it. */
static int
set_document(limen_request *req, limen_value http, const char *texts[AT_HEADERS],
             limen_value headers, arena *memory)
{
	size_t length = strlen(texts[AT_PATH]);
	bool special = uri_path_is_special(texts[AT_PATH], length);
	document *doc;
	int result;

	if (special && !spell_path(req, &texts[AT_PATH], length, memory))
		return LIMEN_ENOMEM;
	if (!special && limen_value_exists(http))
		return limen_request_set_document(req, http);
	result = make_document(texts, headers, &doc);
	if (result == LIMEN_EINVAL) {
		for (size_t i = 0; i < AT_HEADERS; i++)
			if (!escape(&texts[i], memory))
				return LIMEN_ENOMEM;
		result = make_document(texts, headers, &doc);
	}
	return result == LIMEN_OK ? request_receive(req, doc) : result;
}

static int
fill(limen_request *req, limen_value http, const char *texts[AT_HEADERS], limen_value headers,
     const limen_question_options *options, arena *memory)
{
	int result = set_document(req, http, texts, headers, memory);

	if (result == LIMEN_OK)
		result = request_hint_envelope(req, limen_value_none(),
		                               texts[AT_CLIENT] == NULL ? options->requester : texts[AT_CLIENT],
		                               options->server);
	limen_request_set_dry_run(req, options->dry_run);
	if (options->timeout > 0)
		limen_request_set_timeout(req, options->timeout);
	arena_free(memory);
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
	return fill(req, http, texts, found[AT_HEADERS], &settings, &memory);
}

int
limen_http_fill_parts(limen_request *req, const limen_http_parts *parts,
                      const limen_question_options *options)
{
	limen_http_parts known = { .size = 0 };
	limen_question_options settings;
	arena memory = ARENA_INIT;
	size_t length;
	char *path;

	if (req == NULL)
		return LIMEN_ENOMEM;
	if (limen_request_subject(req) != LIMEN_SUBJECT_HTTP || parts == NULL ||
	    parts->size < sizeof(known) || !sized_copy(&known, sizeof(known), parts) ||
	    !question_options_copy(options, &settings) || is_missing(known.method) ||
	    !is_path(known.uri))
		return LIMEN_EINVAL;
	length = strcspn(known.uri, "?");
	path = arena_strndup(&memory, known.uri, length);
	if (path == NULL)
		return LIMEN_ENOMEM;
	return fill(req, limen_value_none(),
	            (const char *[AT_HEADERS]){
		            [AT_METHOD] = known.method, [AT_SCHEME] = known.scheme,
		            [AT_HOST] = known.host, [AT_PATH] = path,
		            [AT_QUERY] = known.uri[length] == '?' ? known.uri + length + 1 : NULL,
		            [AT_CLIENT] = known.client },
	            known.headers, &settings, &memory);
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
