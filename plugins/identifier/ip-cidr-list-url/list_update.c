/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_update.c - one attempt to download a list, on a worker thread, and when
 * to make the next.
 *
 * A failure of any sort keeps the list that is there.  That includes an answer
 * in which no line is a network although there are lines: an error page is no
 * list.  An answer without any line is a list, an empty one: it counts, with a
 * warning, unless the entry asks for a minimum of entries.
 */
#include <errno.h>
#include <inttypes.h>
#include <limen/documents.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "list_source.h"

/* An operator may write PT0S; a server must not be asked without a pause. */
#define PAUSE_MIN LIMEN_SECOND

#define CONDITION_MAX (HTTP_VALIDATOR_MAX + 32)
#define FAILURE_MAX 256

typedef struct attempt {
	http_answer answer;
	list_text text;
	network_list *made;
	char failure[FAILURE_MAX]; /* "": none */
} attempt;

static void LIMEN_PRINTF(2, 3) fail(attempt *result, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(result->failure, sizeof(result->failure), format, arguments);
	va_end(arguments);
}

/* ---- asking ---- */

static bool
is_stopping(void *data)
{
	return limen_host_stopping(data);
}

/*
 * Asks for nothing if the list is still the one we have; RFC 9110, 13.1: one of the two.
 * One that could not be kept is asked for again, to be kept then: its text is gone.
 */
static size_t
write_condition(const network_list *known, char out[CONDITION_MAX])
{
	if (known == NULL || known->unkept)
		return 0;
	if (known->version.etag[0] != '\0')
		snprintf(out, CONDITION_MAX, "If-None-Match: %s", known->version.etag);
	else if (known->version.modified[0] != '\0')
		snprintf(out, CONDITION_MAX, "If-Modified-Since: %s", known->version.modified);
	else
		return 0;
	return 1;
}

static bool
download(const list_source *source, const network_list *known, attempt *result)
{
	const list_settings *settings = source->settings;
	char condition[CONDITION_MAX];
	const char *headers[] = { condition };
	http_request request = {
		.headers = headers,
		.header_count = write_condition(known, condition),
		.url = settings->source,
		.bind = settings->bind,
		.ca_pem = source->ca_pem,
		.allow_file = true,
		.timeout = settings->timeout,
		.deadline = INT64_MAX,
		.max_body = (size_t)settings->max_size,
		.whole_body = true,
		.stop = is_stopping,
		.stop_data = source->host,
	};

	if (http_get(source->client, &request, &result->answer) != LIMEN_OK)
		fail(result, "out of memory");
	else if (result->answer.transport_failed)
		fail(result, "%s", result->answer.error);
	else if (result->answer.status != 200 &&
	         !(result->answer.status == 304 && request.header_count > 0))
		fail(result, "Status %ld", result->answer.status);
	return result->failure[0] == '\0';
}

/* ---- understanding the answer ---- */

/*
 * Outputs are joined by newlines and then cut at newlines, so each can be read
 * by itself.  A string is used as it is; anything else is what Python's str()
 * makes of it, whatever "output-raw" says.
 */
static void
take_output(jv output, void *data)
{
	list_text *out = data;
	char *text;

	if (jv_get_kind(output) == JV_KIND_STRING) {
		list_text_add(out, jv_string_value(output),
		              (size_t)jv_string_length_bytes(jv_copy(output)));
		jv_free(output);
		return;
	}
	text = jq_to_text(output);
	if (text == NULL)
		out->failure = "out of memory";
	else
		list_text_add(out, text, strlen(text));
	free(text);
}

/* pScheduler reads such a list with Python's json, without its comments. */
static limen_documents *
read_json(attempt *result)
{
	limen_documents *parsed = NULL;
	limen_diag *diag = limen_diag_new();
	const limen_problem *problem;

	if (limen_documents_parse("list.json", result->answer.body, result->answer.length,
	                          LIMEN_DOCUMENTS_DROP_COMMENTS | LIMEN_DOCUMENTS_NAN, &parsed,
	                          diag) != LIMEN_OK) {
		problem = diag == NULL ? NULL : limen_diag_get(diag, 0);
		fail(result, "%s", problem == NULL ? "out of memory" : problem->text);
	}
	limen_diag_free(diag);
	return parsed;
}

/* Adds the output of the operator's script, which reads the answer as JSON. */
static void
transform(const list_source *source, attempt *result)
{
	limen_documents *read;
	char *why = NULL;
	jv input;

	if (!jq_text_fits(result->answer.body, result->answer.length)) {
		fail(result, "the transform failed: The input is too large for a script");
		return;
	}
	read = read_json(result);
	if (read == NULL)
		return;
	input = jq_from_value(limen_documents_get(read, 0));
	limen_documents_free(read);
	if (jq_run_each(source->script, input, INT64_MAX, take_output, &result->text, &why) ==
	    JQ_FAILED)
		fail(result, "the transform failed: %s", why == NULL ? "out of memory" : why);
	free(why);
}

static void
read_lines(const list_source *source, attempt *result)
{
	const http_answer *answer = &result->answer;

	if (source->script != NULL)
		transform(source, result);
	else if (list_text_is_utf8(answer->body, answer->length))
		list_text_add(&result->text, answer->body, answer->length);
	else
		fail(result, "the answer is not UTF-8");
}

static void
read_answer(const list_source *source, attempt *result)
{
	list_version version;

	read_lines(source, result);
	if (result->failure[0] == '\0' && result->text.failure != NULL)
		fail(result, "%s", result->text.failure);
	if (result->failure[0] == '\0' && result->text.count == 0 && result->text.skipped > 0)
		fail(result, "no line of the answer is a network");
	if (result->failure[0] == '\0' &&
	    result->text.count < (size_t)source->settings->minimum_entries)
		fail(result, "the list has %zu entries, fewer than minimum-entries (%" PRId64 ")",
		     result->text.count, source->settings->minimum_entries);
	if (result->failure[0] != '\0')
		return;
	snprintf(version.etag, sizeof(version.etag), "%s", result->answer.etag);
	snprintf(version.modified, sizeof(version.modified), "%s", result->answer.modified);
	result->made = network_list_new(&result->text, &version, limen_host_monotonic());
	if (result->made == NULL)
		fail(result, "out of memory");
}

/* ---- taking it over ---- */

static void
write_cache(const list_source *source, attempt *result)
{
	int error;

	if (!source->has_cache)
		return;
	error = list_cache_write(source->cache, source->key, &result->text, &result->made->version);
	/* Another writer holds the file, maybe with an older list: try() checks. */
	if (error == EAGAIN)
		return;
	result->made->unkept = error != 0;
	if (error != 0)
		limen_host_log(source->host, LIMEN_LOG_WARNING,
		               "the list cannot be kept in %s: %s", source->cache, strerror(error));
}
static void
accept_list(list_source *source, attempt *result)
{
	limen_host_log(source->host, LIMEN_LOG_INFO, "downloaded %s: %zu entries", source->shown,
	               result->made->count);
	if (result->made->count == 0) {
		limen_host_counter_add(source->host, "empty", 1);
		limen_host_log(source->host, LIMEN_LOG_WARNING,
		               "downloaded %s: the list is empty, so fail-state decides",
		               source->shown);
	}
	if (result->made->skipped > 0) {
		limen_host_counter_add(source->host, "skipped", (int64_t)result->made->skipped);
		limen_host_log(source->host, LIMEN_LOG_WARNING,
		               "downloaded %s: %zu lines are not networks and were skipped",
		               source->shown, result->made->skipped);
	}
	write_cache(source, result);
	network_list_unref(swap_replace(&source->lists, result->made));
}
/* Returns whether there is a list that is new, or known to be the newest. */
static bool
try(list_source *source)
{
	/* Only this job replaces it. */
	network_list *known = atomic_load(&source->lists.current);
	attempt result = { .made = NULL };

	limen_host_counter_add(source->host, "attempts", 1);
	if (download(source, known, &result) && result.answer.status != 304)
		read_answer(source, &result);
	/* The status is set first, so that readers of the new list or counter see it. */
	pthread_mutex_lock(&source->lock);
	snprintf(source->error, sizeof(source->error), "%s", result.failure);
	pthread_mutex_unlock(&source->lock);
	if (limen_host_stopping(source->host)) {
		network_list_unref(result.made);
		result.made = NULL;
	} else if (result.failure[0] != '\0') {
		limen_host_counter_add(source->host, "failures", 1);
		limen_host_log(source->host, LIMEN_LOG_WARNING, "cannot download %s: %s; %s",
		               source->shown, result.failure,
		               known == NULL ? "no list was downloaded yet" : "the old list stays");
	} else if (result.made != NULL) {
		accept_list(source, &result);
	} else {
		atomic_store(&known->fresh, limen_host_monotonic());
		if (source->has_cache)
			known->unkept = !list_cache_touch(source->cache, source->key,
			                                  &known->version);
		limen_host_log(source->host, LIMEN_LOG_DEBUG, "%s has not changed", source->shown);
	}
	http_answer_clear(&result.answer);
	list_text_clear(&result.text);
	return result.failure[0] == '\0';
}

/* ---- when ---- */

limen_duration
list_update_first(const list_source *source)
{
	network_list *known = atomic_load(&source->lists.current);
	limen_duration age;

	if (known == NULL)
		return 0;
	age = (limen_host_monotonic() - atomic_load(&known->fresh)) / 1000;
	return age >= source->settings->update ? 0 : source->settings->update - age;
}

void
list_update_run(void *data)
{
	static const struct timespec pause = { .tv_sec = 1 };
	list_source *source = data;
	limen_duration delay = try(source) ? source->settings->update : source->settings->retry;

	limen_host_set_ready(source->host, true);
	if (delay < PAUSE_MIN)
		delay = PAUSE_MIN;
	/* Updates must not end because memory is short for a moment. */
	while (limen_host_after_blocking(source->host, delay, list_update_run, source) != LIMEN_OK)
		nanosleep(&pause, NULL);
}
