/* SPDX-License-Identifier: Apache-2.0 */
/*
 * web_request.c - from the options and the task to a URL and headers.
 *
 * A transform's input is an object with the thing it may change, the task under
 * the name the document gives it (.task) and the one pScheduler does (.run), and
 * what hint() reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "url_fetch.h"

static const struct {
	const char *key;
	const char *failed; /* pScheduler's words */
} parts[PARTS] = { [PART_URL] = { "url", "URL transform failed" },
	           [PART_HEADERS] = { "headers", "Header transform failed" },
	           [PART_PARAMS] = { "params", "Parameter transform failed" } };

static jv
make_input(const url_fetch *self, url_fetch_part part, const limen_request *req)
{
	limen_value own = part == PART_HEADERS ? self->headers : self->params;
	jv task = jq_document(req);
	jv input;

	/* A run on an invalid value fails with its message. */
	if (!jv_is_valid(task))
		return task;
	input = jv_object_set(jv_object(), jv_string("run"), jv_copy(task));
	input = jv_object_set(input, jv_string("task"), task);
	input = jv_object_set(input, jv_string("__URLFETCH_PRIVATE__"),
	                      jv_object_set(jv_object(), jv_string("hints"), jq_hints(req)));
	if (part == PART_URL)
		return jv_object_set(input, jv_string("url"), jv_string(self->url));
	return jv_object_set(input, jv_string(parts[part].key),
	                     limen_value_exists(own) ? jq_from_value(own) : jv_object());
}

/* Fills 'why' with PREFIX: TEXT and returns LIMEN_EINVAL, or LIMEN_ENOMEM. */
static int
explain(url_fetch_part part, const char *text, char **why)
{
	if (asprintf(why, "%s: %s", parts[part].failed, text) >= 0)
		return LIMEN_EINVAL;
	*why = NULL;
	return LIMEN_ENOMEM;
}

/* Is there something among what the script sees that must not be shown? */
static bool
sees_secrets(const url_fetch *self, url_fetch_part part)
{
	const limen_value seen[PARTS] = {
		[PART_HEADERS] = self->headers, [PART_PARAMS] = self->params
	};

	return limen_value_count(self->transforms[part].args) > 0 ||
	       limen_value_count(seen[part]) > 0 ||
	       (part == PART_URL && strpbrk(self->url, "@?#") != NULL);
}

/*
 * As explain(), for an error of the script.  jq's errors quote the beginning of a value
 * ("string (\"Basic dXNl...) and number (1) cannot be added"), which may be a secret; the requester
 * may control the other value.  The text from the first bracket or quote on is left out.
 */
static int
explain_error(const url_fetch *self, url_fetch_part part, const jq_result *failed, char **why)
{
	const char *text = jq_result_error(failed);
	size_t length = strcspn(text, "([{\"'");
	char shown[256];

	if (text[length] == '\0' || !sees_secrets(self, part))
		return explain(part, text, why);
	snprintf(shown, sizeof(shown), "%.*s...", length < 200 ? (int)length : 200, text);
	return explain(part, shown, why);
}

/* Runs a transform; 'out' is its first output. */
static int
transform(const url_fetch *self, url_fetch_part part, const limen_request *req, jv *out, char **why)
{
	jq_result result;
	int code;

	jq_run(self->scripts[part], make_input(self, part, req), limen_request_deadline(req),
	       &result);
	if (result.outcome == JQ_VALUE) {
		*out = jv_copy(result.value);
		code = LIMEN_OK;
	} else {
		code = explain_error(self, part, &result, why);
	}
	jq_result_clear(&result);
	return code;
}

/* Consumes 'value'. */
static int
take_url(jv value, web_request *out, char **why)
{
	int code = LIMEN_OK;

	if (jv_get_kind(value) != JV_KIND_STRING)
		code = explain(PART_URL, "Transform did not return a string", why);
	/* A URL ends at its first NUL here, but must not hold one. */
	else if (strlen(jv_string_value(value)) != (size_t)jv_string_length_bytes(jv_copy(value)) ||
	         !http_url_valid(jv_string_value(value)))
		code = explain(PART_URL, "Transform did not return a URL", why);
	if (code == LIMEN_OK) {
		out->url = strdup(jv_string_value(value));
		code = out->url == NULL ? LIMEN_ENOMEM : LIMEN_OK;
	}
	jv_free(value);
	return code;
}

static int
make_url(const url_fetch *self, const limen_request *req, web_request *out, char **why)
{
	jv value;
	int code;

	if (self->scripts[PART_URL] == NULL) {
		out->url = strdup(self->url);
		return out->url == NULL ? LIMEN_ENOMEM : LIMEN_OK;
	}
	code = transform(self, PART_URL, req, &value, why);
	return code == LIMEN_OK ? take_url(value, out, why) : code;
}

/* Takes the member that a transform may have changed out of its output; none is {}. */
static int
transform_object(const url_fetch *self, url_fetch_part part, const limen_request *req, jv *out,
                 char **why)
{
	jv value = jv_invalid();
	jv member;
	int code = transform(self, part, req, &value, why);

	if (code != LIMEN_OK)
		return code;
	if (jv_get_kind(value) != JV_KIND_OBJECT) {
		jv_free(value);
		return explain(part, "Transform did not return an object", why);
	}
	member = jv_object_get(value, jv_string(parts[part].key));
	if (!jv_is_valid(member)) {
		jv_free(member);
		member = jv_object();
	}
	*out = member;
	return LIMEN_OK;
}

static int
make_headers(const url_fetch *self, const limen_request *req, web_request *out, char **why)
{
	const char *text = "";
	jv value;
	int code;

	out->headers = &self->fixed_headers;
	if (self->scripts[PART_HEADERS] == NULL)
		return LIMEN_OK;
	code = transform_object(self, PART_HEADERS, req, &value, why);
	if (code != LIMEN_OK)
		return code;
	out->headers = &out->own_headers;
	code = fields_make_headers(value, &out->own_headers, &text);
	return code == LIMEN_EINVAL ? explain(PART_HEADERS, text, why) : code;
}

static int
make_full_url(const buffer *query, web_request *out, char **why)
{
	out->full_url.max = FIELDS_MAX;
	fields_extend_url(out->url, query, &out->full_url);
	if (out->full_url.too_long)
		return explain(PART_URL, "The URL is too long", why);
	return out->full_url.no_memory ? LIMEN_ENOMEM : LIMEN_OK;
}

static int
add_params(const url_fetch *self, const limen_request *req, web_request *out, char **why)
{
	const char *text = "";
	buffer query;
	jv value;
	int code;

	if (self->scripts[PART_PARAMS] == NULL)
		return make_full_url(&self->fixed_query, out, why);
	code = transform_object(self, PART_PARAMS, req, &value, why);
	if (code != LIMEN_OK)
		return code;
	code = fields_make_query(value, &query, &text);
	if (code == LIMEN_EINVAL)
		return explain(PART_PARAMS, text, why);
	if (code == LIMEN_OK)
		code = make_full_url(&query, out, why);
	buffer_clear(&query);
	return code;
}

int
web_request_make(const url_fetch *self, const limen_request *req, web_request *out, char **why)
{
	int code;

	*out = (web_request){ .url = NULL };
	*why = NULL;
	code = make_url(self, req, out, why);
	if (code == LIMEN_OK)
		code = make_headers(self, req, out, why);
	if (code == LIMEN_OK)
		code = add_params(self, req, out, why);
	if (code != LIMEN_OK)
		web_request_clear(out);
	return code;
}

char *
web_request_show(const url_fetch *self, const web_request *request)
{
	return self->scripts[PART_URL] != NULL ? http_url_origin(request->url)
	                                       : http_url_shown(request->url);
}

void
web_request_clear(web_request *self)
{
	free(self->url);
	buffer_clear(&self->full_url);
	header_lines_clear(&self->own_headers);
	*self = (web_request){ .url = NULL };
}
