/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask.c - builds a request from a task, a manifest or an AdmissionReview, adds hints, run and
 * time, and calls the engine.  Lists and workloads are refused here: each of their objects
 * needs a request of its own.
 */
#include "ask.h"

#include <glib.h>
#include <string.h>

#include "policy/problems.h"
#include "common/workload.h"

/* 0001-01-01 and 9999-12-31T23:59:59, the years that a timestamp can hold. */
#define SECONDS_LEAST (-62135596800.0)
#define SECONDS_MOST 253402300799.0

static bool
time_from_seconds(double seconds, limen_time *out)
{
	double exact = seconds * (double)LIMEN_SECOND;

	/* Written so that NaN is refused. */
	if (!(seconds >= SECONDS_LEAST && seconds <= SECONDS_MOST))
		return false;
	*out = (limen_time)(exact < 0 ? exact - 0.5 : exact + 0.5);
	return true;
}

bool
ask_parse_time(const char *text, limen_time *out)
{
	limen_timestamp stamp;
	char *end = NULL;
	double seconds;

	/* "2026" is a number of seconds: a year or date alone is not a point in time. */
	if (text[0] != '\0' && strspn(text, "+-.0123456789") == strlen(text)) {
		seconds = g_ascii_strtod(text, &end);
		if (*end == '\0')
			return time_from_seconds(seconds, out);
	}
	if (limen_timestamp_parse(text, strlen(text), 0, &stamp, NULL) != LIMEN_OK)
		return false;
	*out = stamp.time;
	return true;
}

bool
ask_read_time(limen_value value, limen_time *out)
{
	const char *text = limen_value_string(value, NULL);
	double seconds;

	if (text != NULL)
		return ask_parse_time(text, out);
	return limen_value_real(value, &seconds) && time_from_seconds(seconds, out);
}

bool
ask_parse_phase(const char *text, uint32_t *out)
{
	static const char *const words[] = { [LIMEN_PHASE_MUTATE] = "mutate",
		                             [LIMEN_PHASE_VALIDATE] = "validate",
		                             [LIMEN_PHASE_WORKLOAD] = "workload" };

	for (*out = LIMEN_PHASE_WORKLOAD; *out > LIMEN_PHASE_BOTH; --*out)
		if (g_strcmp0(text, words[*out]) == 0)
			return true;
	return false;
}

limen_switch
ask_read_switch(limen_value value)
{
	bool on = false;

	if (!limen_value_bool(value, &on))
		return LIMEN_SWITCH_AUTO;
	return on ? LIMEN_SWITCH_ON : LIMEN_SWITCH_OFF;
}

bool
ask_is_object(limen_value document)
{
	return limen_value_exists(limen_value_get(document, "kind")) &&
	       limen_value_exists(limen_value_get(document, "apiVersion"));
}

bool
ask_is_policy(limen_value document)
{
	return (limen_value_exists(limen_value_get(document, "applications")) ||
	        limen_value_exists(limen_value_get(document, "limits"))) &&
	       !limen_value_exists(limen_value_get(document, "test")) && !ask_is_object(document);
}

char *
ask_refuse_several(limen_value document)
{
	const char *api = limen_value_string(limen_value_get(document, "apiVersion"), NULL);
	const char *kind = limen_value_string(limen_value_get(document, "kind"), NULL);

	if (kind == NULL)
		return NULL;
	if (g_str_has_suffix(kind, "List")
	            ? !limen_value_exists(limen_value_get(document, "items"))
	            : api == NULL || !workload_is(NULL, api, kind))
		return NULL;
	return g_strdup_printf("a %s has several objects: check each of them, or run 'limen check "
	                       "FILE', which finds them", kind);
}

void
ask_set_hints(const ask_settings *settings, limen_request *req)
{
	for (char **text = settings->hints; text != NULL && *text != NULL; text++) {
		const char *equals = strchr(*text, '=');
		g_autofree char *name = g_strndup(*text, (size_t)(equals - *text));

		if (limen_request_set_hint(req, name, equals + 1) != LIMEN_OK)
			g_error("out of memory");
	}
}

/* Reads an AdmissionReview or a manifest; returns NULL with problems in 'diag'. */
static limen_request *
make_object(const ask_settings *settings, limen_value document, const char *api, const char *kind,
            limen_diag *diag)
{
	const limen_question_options options = { .size = sizeof(options), .incomplete = true };
	limen_request *req = NULL;
	int result;

	if (limen_review_is(document)) {
		result = limen_review_read(document, &options, &req, diag);
	} else {
		req = limen_request_new(LIMEN_SUBJECT_OBJECT);
		result = limen_request_set_document(req, document);
		if (result == LIMEN_OK)
			result = limen_request_describe(req, api, kind, settings->namespace, diag);
		limen_request_set_manifest(req, !settings->as_received);
	}
	if (result == LIMEN_ENOMEM)
		g_error("out of memory");
	if (result == LIMEN_OK)
		return req;
	limen_request_free(req);
	return NULL;
}

limen_request *
ask_read_object(const ask_settings *settings, limen_value document, const char *api,
                const char *kind, limen_diag *diag, char **why)
{
	return ask_complete(settings, make_object(settings, document, api, kind, diag), why);
}

bool
ask_is_hint(const char *text)
{
	const char *equals = strchr(text, '=');

	return equals != NULL && equals != text && g_utf8_validate(text, -1, NULL);
}

static bool
set_run(const ask_settings *settings, limen_request *req, char **why)
{
	char now[LIMEN_TIMESTAMP_TEXT_MAX];
	const char *duration = settings->duration == NULL ? "PT10S" : settings->duration;
	limen_timestamp stamp;
	int result;

	if (limen_request_subject(req) != LIMEN_SUBJECT_TASK) {
		*why = g_strdup("--run, --start and --duration are for tasks");
		return false;
	}
	limen_timestamp_local(settings->has_time ? settings->time : limen_host_wall_time(), &stamp);
	limen_timestamp_print(&stamp, now);
	result = limen_request_set_run(req, settings->start == NULL ? now : settings->start,
	                               duration);
	if (result != LIMEN_OK)
		*why = g_strdup_printf("run: %s", limen_result_text(result));
	return result == LIMEN_OK;
}

limen_request *
ask_complete(const ask_settings *settings, limen_request *req, char **why)
{
	if (req == NULL)
		return NULL;
	ask_set_hints(settings, req);
	if (*why != NULL || (settings->run && !set_run(settings, req, why))) {
		limen_request_free(req);
		return NULL;
	}
	if (settings->has_time)
		limen_request_set_now(req, settings->time);
	if (settings->dry_run)
		limen_request_set_dry_run(req, true);
	return req;
}

limen_request *
ask_finish_task(const ask_settings *settings, limen_request *req, limen_diag *diag, char **why)
{
	limen_value document = limen_request_document(req);
	bool is_policy = ask_is_policy(document);

	if (limen_value_type(document) == LIMEN_TYPE_OBJECT && !is_policy)
		return ask_complete(settings, req, why);
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, document, "%s",
	               is_policy ? "a policy is not a request: name it with --policy"
	                         : "the task is not an object");
	limen_request_free(req);
	return NULL;
}

limen_request *
ask_read(const ask_settings *settings, limen_value document, limen_diag *diag, char **why)
{
	const limen_question_options http = { .size = sizeof(http), .trusted = true };
	limen_request *req = NULL;

	if (settings->subject == ASK_HTTP) {
		limen_http_read(document, &http, &req, diag);
		return ask_complete(settings, req, why);
	}
	if (settings->subject != ASK_OBJECT) {
		req = limen_request_new(LIMEN_SUBJECT_TASK);
		if (limen_request_set_task(req, document) != LIMEN_OK)
			g_error("out of memory");
		return ask_finish_task(settings, req, diag, why);
	}
	req = make_object(settings, document, NULL, NULL, diag);
	if (req == NULL)
		*why = g_strdup(problems_first(diag, "out of memory"));
	else if (!limen_review_is(document))
		*why = ask_refuse_several(document);
	return ask_complete(settings, req, why);
}

limen_decision *
ask_decide(const limen_decide_options *options, limen_engine *engine, const limen_request *req,
           char **why)
{
	limen_decide_options complete = *options;
	limen_decision *decision = NULL;
	int result;

	complete.origins = limen_request_subject(req) == LIMEN_SUBJECT_OBJECT;
	result = limen_engine_decide(engine, req, &complete, &decision);
	if (result != LIMEN_OK)
		*why = g_strdup(limen_result_text(result));
	return decision;
}
