/* SPDX-License-Identifier: Apache-2.0 */
/*
 * header.c - the identifier "header": compares a header of HTTP requests with a text.  pScheduler
 * has no such identifier.
 */
#include <limen/module.h>
#include <limen/version.h>
#include <stdlib.h>
#include <string.h>

struct header {
	const char *name;
	const char *exact;
	const char *prefix;
	bool any;
	char *lower; /* the name, as requests have it */
};

static const limen_option options[] = {
	LIMEN_OPT_STRING(struct header, name, .key = "name", .required = true,
	                 .help = "The name of the header, such as X-User"),
	LIMEN_OPT_STRING(struct header, exact, .key = "exact", .help = "The whole value"),
	LIMEN_OPT_STRING(struct header, prefix, .key = "prefix", .help = "How the value begins"),
	LIMEN_OPT_BOOL(struct header, any, .key = "any",
	               .help = "Whether any value will do, also an empty one"),
	LIMEN_OPT_END
};

static int
open_header(void *self, limen_opening *opening, limen_diag *diag)
{
	struct header *header = self;
	int result;

	if ((header->exact != NULL) + (header->prefix != NULL) + header->any != 1) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(),
		               "one of 'exact', 'prefix' and 'any: true' is needed");
		return LIMEN_EINVAL;
	}
	header->lower = strdup(header->name);
	if (header->lower == NULL)
		return LIMEN_ENOMEM;
	for (char *c = header->lower; *c != '\0'; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c - 'A' + 'a');
	result = limen_opening_use_http(opening, 0, header->lower);
	if (result != LIMEN_OK)
		free(header->lower);
	return result;
}

static void
close_header(void *self)
{
	free(((struct header *)self)->lower);
}

static bool
matches(const struct header *header, const char *text, size_t length)
{
	const char *wanted = header->exact == NULL ? header->prefix : header->exact;
	size_t size = wanted == NULL ? 0 : strlen(wanted);

	if (header->any)
		return true;
	return (header->exact == NULL ? length >= size : length == size) &&
	       memcmp(text, wanted, size) == 0;
}

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct header *header = self;
	limen_value headers = limen_value_get(limen_request_document(req), "headers");
	size_t length;
	const char *text;

	if (limen_request_subject(req) != LIMEN_SUBJECT_HTTP)
		return LIMEN_SKIP;
	text = limen_value_string(limen_value_get(headers, header->lower), &length);
	if (text != NULL)
		return matches(header, text, length) ? LIMEN_PASS : LIMEN_FAIL;
	if (limen_reply_wants_bounds(reply))
		limen_reply_note(reply, "header '%s' is not given", header->lower);
	return LIMEN_SKIP;
}

LIMEN_IDENTIFIER("header",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters by a header of their HTTP request",
	.options = options,
	.instance_size = sizeof(struct header),
	.open = open_header,
	.close = close_header,
	.identify = identify);
