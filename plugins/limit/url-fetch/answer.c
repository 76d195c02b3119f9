/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.c - what a server's answer means (limits.rst, "url-fetch").
 *
 * The reasons are pScheduler's.  A server says whatever it likes, and people
 * read it on a terminal, so its text is cut and made harmless.
 */
#include <limen/documents.h>
#include <stdlib.h>
#include <string.h>

#include "url_fetch.h"

/* Bytes of a server's text that go into a reason. */
enum { SHOWN_MAX = 8192 };

/* Returns 'text' as it may be shown, as a jq string: valid UTF-8 without NULs. */
static jv
make_harmless(const char *text, size_t length)
{
	size_t kept = length < SHOWN_MAX ? length : SHOWN_MAX;
	char *copy = malloc(kept + 4);
	jv shown;

	if (copy == NULL)
		return jv_null();
	/* Characters that could move a cursor are replaced.  Line ends and tabs stay. */
	for (size_t i = 0; i < kept; i++) {
		unsigned char c = (unsigned char)text[i];

		copy[i] = (c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7f ? '?'
		                                                                    : text[i];
	}
	memcpy(copy + kept, "...", 4);
	/* Bytes that are not UTF-8 become U+FFFD. */
	shown = jv_string_sized(copy, (int)(kept < length ? kept + 3 : kept));
	free(copy);
	return shown;
}

/* Adds a reason "FORMAT TEXT" whose text is the server's. */
static bool
add_reason(limen_reply *reply, const char *format_before, const char *text, size_t length,
           const char *after)
{
	jv shown = make_harmless(text, length);
	bool good = jv_get_kind(shown) == JV_KIND_STRING;

	if (good)
		limen_reply_reason(reply, "%s%s%s", format_before, jv_string_value(shown), after);
	jv_free(shown);
	return good;
}

limen_verdict
answer_missing(const url_fetch *self)
{
	return self->fail_result ? LIMEN_PASS : LIMEN_FAIL;
}

/* "Fetch URL failed: STATUS: BODY" */
static limen_verdict
fail_status(const url_fetch *self, const web_request *request, const http_answer *answer,
            limen_reply *reply)
{
	const char *text = answer->transport_failed ? answer->error : answer->body;
	size_t length = answer->transport_failed ? strlen(answer->error) : answer->length;
	char *shown = web_request_show(self, request);
	jv body = make_harmless(text, length);
	bool good = shown != NULL && jv_get_kind(body) == JV_KIND_STRING;

	if (good)
		limen_reply_reason(reply, "Fetch %s failed: %ld: %s", shown, answer->status,
		                   jv_string_value(body));
	jv_free(body);
	free(shown);
	return good ? answer_missing(self) : LIMEN_ERROR;
}

static limen_verdict
fail_body(const url_fetch *self, const char *text, const http_answer *answer, limen_reply *reply)
{
	if (!add_reason(reply, text, answer->body, answer->length, "'"))
		return LIMEN_ERROR;
	return answer_missing(self);
}

/* The message may be any JSON; pScheduler prints it with str(). */
static bool
add_message(limen_value message, limen_reply *reply)
{
	char *text;
	bool good;

	if (!limen_value_exists(message))
		return true;
	text = jq_to_text(jq_from_value(message));
	good = text != NULL && add_reason(reply, "", text, strlen(text), "");
	free(text);
	return good;
}

static limen_verdict
read_object(const url_fetch *self, limen_value object, const http_answer *answer,
            limen_reply *reply, bool *missing)
{
	bool passed;

	if (!limen_value_bool(limen_value_get(object, "passed"), &passed)) {
		*missing = true;
		return fail_body(self, "Server returned an invalid result '", answer, reply);
	}
	/* The message explains a refusal, which stands without it. */
	if (!add_message(limen_value_get(object, "message"), reply) && passed)
		return LIMEN_ERROR;
	return passed ? LIMEN_PASS : LIMEN_FAIL;
}

/* Members whose keys begin with "#" are comments, as pScheduler has it: those of a task are. */
static limen_verdict
read_body(const url_fetch *self, const http_answer *answer, limen_reply *reply, bool *missing)
{
	limen_documents *parsed = NULL;
	limen_verdict verdict;
	int result;

	if (!jq_text_fits(answer->body, answer->length)) {
		*missing = true;
		return fail_body(self, "Server returned too many values '", answer, reply);
	}
	result = limen_documents_parse("answer.json", answer->body, answer->length,
	                               LIMEN_DOCUMENTS_DROP_COMMENTS | LIMEN_DOCUMENTS_NAN, &parsed,
	                               NULL);
	if (result == LIMEN_ENOMEM)
		return LIMEN_ERROR;
	if (result != LIMEN_OK) {
		*missing = true;
		return fail_body(self, "Server returned invalid JSON '", answer, reply);
	}
	verdict = read_object(self, limen_documents_get(parsed, 0), answer, reply, missing);
	limen_documents_free(parsed);
	return verdict;
}

limen_verdict
answer_read(const url_fetch *self, const web_request *request, const http_answer *answer,
            limen_reply *reply, bool *missing)
{
	*missing = false;
	if (self->success_only && answer->status == 200)
		return LIMEN_PASS;
	if (self->success_only && answer->status == 404) {
		limen_reply_reason(reply, "Resource not found");
		return LIMEN_FAIL;
	}
	if (answer->status == 200)
		return read_body(self, answer, reply, missing);
	*missing = true;
	return fail_status(self, request, answer, reply);
}
