/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_read.c - makes requests of HTTP requests: checks their members, gives the path one spelling
 * and sets the hint "requester".  Owns the table of known members.
 */
#include "question.h"

#include <limen/cidr.h>
#include <limen/nearest.h>
#include <stdlib.h>

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
check_texts(const limen_value found[AT_COUNT], limen_diag *diag)
{
	for (size_t i = 0; i < AT_HEADERS; i++) {
		const char *text;
		bool good = question_text(found[i], &text);

		if (!good || (i == AT_METHOD && (text == NULL || *text == '\0')))
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
check_path(limen_value path, limen_diag *diag)
{
	const char *text = limen_value_string(path, NULL);

	if (text == NULL || (text[0] != '/' && strcmp(text, "*") != 0))
		return limen_diag_refuse(diag, path, "'path' must begin with '/'");
	return strchr(text, '?') == NULL ||
	       limen_diag_refuse(diag, path, "'path' must end before the '?': the rest is 'query'");
}

/* Sets the document to 'http', whose path gets the spelling that all others have, too. */
static int
set_document(limen_request *req, limen_value http, limen_value path)
{
	size_t length;
	const char *text = limen_value_string(path, &length);
	limen_value key, value;
	limen_builder *build;
	char *normal;
	size_t size;
	int result;

	if (!uri_path_is_special(text, length))
		return limen_request_set_document(req, http);
	normal = malloc(length);
	if (normal == NULL)
		return LIMEN_ENOMEM;
	size = uri_path_normalize(text, length, normal);
	req->ambiguous = size == 0;
	build = limen_builder_new();
	limen_builder_object(build, NULL);
	for (limen_iter iter = limen_iter_start(http); limen_iter_next(&iter, &key, &value);) {
		if (limen_value_is(key, "path") && size > 0)
			limen_builder_string(build, "path", normal, size);
		else
			limen_builder_value(build, limen_value_string(key, NULL), value);
	}
	limen_builder_end(build);
	result = limen_request_set_document(req, limen_builder_finish(build));
	limen_builder_free(build);
	free(normal);
	return result;
}

static int
fill(limen_request *req, limen_value http, const limen_value found[AT_COUNT],
     const limen_question_options *options)
{
	const char *client = limen_value_string(found[AT_CLIENT], NULL);
	int result = set_document(req, http, found[AT_PATH]);

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
	limen_question_options settings;

	if (req == NULL)
		return LIMEN_ENOMEM;
	if (limen_request_subject(req) != LIMEN_SUBJECT_HTTP ||
	    !question_options_copy(options, &settings) || !find_members(http, found, diag))
		return LIMEN_EINVAL;
	if (!check_texts(found, diag) || !check_headers(found[AT_HEADERS], diag) ||
	    !check_path(found[AT_PATH], diag) || !check_client(found[AT_CLIENT], diag))
		return LIMEN_EINVAL;
	if (limen_value_type(found[AT_CLIENT]) == LIMEN_TYPE_STRING && !settings.trusted) {
		limen_diag_refuse(diag, found[AT_CLIENT],
		                  "'client' counts only from trusted clients");
		return LIMEN_EACCES;
	}
	return fill(req, http, found, &settings);
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
