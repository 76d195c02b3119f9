/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case_step.c - one request of a case: making it, having it decided, and
 * comparing the decision.
 */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const step_keys[] = { "request",    "request-text", "hints",   "run",
	                                 "rewrite",    "prioritize",   "time",    "timeout",
	                                 "subject",    "trace",        "error",   "expect",
	                                 "fields",     "groups",       "old",     "dry-run",
	                                 "phase",      "http",         NULL };

static const char *const expect_keys[] = { "admitted",   "code",        "reason",
	                                   "messages",   "diagnostics", "diagnostics-contain",
	                                   "identifiers", "classifiers", "priority",
	                                   "rewritten",  "patch",       "warnings",
	                                   "retry_after", "annotations", "trace",
	                                   "details",    "entry",       "steps",
	                                   "quotas",       "rates",
	                                   NULL };

/* Texts of the envelope as cases call them. */
static const char *const field_keys[] = {
	[LIMEN_FIELD_UID] = "uid",
	[LIMEN_FIELD_USER] = "user",
	[LIMEN_FIELD_OPERATION] = "operation",
	[LIMEN_FIELD_NAMESPACE] = "namespace",
	[LIMEN_FIELD_NAME] = "name",
	[LIMEN_FIELD_GENERATE_NAME] = "generateName",
	[LIMEN_FIELD_GROUP] = "group",
	[LIMEN_FIELD_VERSION] = "version",
	[LIMEN_FIELD_KIND] = "kind",
	[LIMEN_FIELD_REQUESTED_GROUP] = "requested-group",
	[LIMEN_FIELD_REQUESTED_VERSION] = "requested-version",
	[LIMEN_FIELD_REQUESTED_KIND] = "requested-kind",
	[LIMEN_FIELD_RESOURCE_GROUP] = "resource-group",
	[LIMEN_FIELD_RESOURCE_VERSION] = "resource-version",
	[LIMEN_FIELD_RESOURCE] = "resource",
	[LIMEN_FIELD_SUBRESOURCE] = "subresource",
	[LIMEN_FIELD_SUBRESOURCE + 1] = NULL,
};

static limen_switch
read_switch(const json_t *step, const char *key)
{
	const json_t *value = json_object_get(step, key);

	if (value == NULL)
		return LIMEN_SWITCH_AUTO;
	return json_is_true(value) ? LIMEN_SWITCH_ON : LIMEN_SWITCH_OFF;
}

static limen_phase
read_phase(test_case *test, const char *where, const json_t *step)
{
	const char *word = json_string_value(json_object_get(step, "phase"));

	if (word == NULL)
		return LIMEN_PHASE_BOTH;
	if (strcmp(word, "mutate") == 0)
		return LIMEN_PHASE_MUTATE;
	if (strcmp(word, "workload") == 0)
		return LIMEN_PHASE_WORKLOAD;
	if (strcmp(word, "validate") != 0)
		case_fail(test, where, "there is no phase '%s'", word);
	return LIMEN_PHASE_VALIDATE;
}

/* The document that stands in the step, as text. */
static char *
request_text(test_case *test, const char *where, const json_t *step)
{
	const json_t *text = json_object_get(step, "request-text");

	if (text != NULL)
		return case_text(test, where, text);
	return json_dumps(json_object_get(step, "request"), JSON_ENCODE_ANY);
}

/* Hints may be of any type, and so come from a document. */
static void
set_hints(limen_request *req, const json_t *hints)
{
	limen_request *carrier = limen_request_new(LIMEN_SUBJECT_OBJECT);
	char *text = json_dumps(hints, 0);

	limen_request_parse(carrier, text, strlen(text), NULL);
	limen_request_set_hints(req, limen_request_document(carrier));
	limen_request_free(carrier);
	free(text);
}

/* "run": true is a run somewhere in a summer; an object says when and how long. */
static void
set_run(test_case *test, const char *where, limen_request *req, const json_t *run)
{
	static const char *const keys[] = { "start", "duration", NULL };
	const char *start = "2026-06-21T08:00:00Z";
	const char *duration = "PT10S";

	if (json_is_object(run)) {
		case_check_keys(test, where, run, keys);
		start = json_string_value(json_object_get(run, "start"));
		duration = json_string_value(json_object_get(run, "duration"));
	}
	if (limen_request_set_run(req, start, duration) != LIMEN_OK)
		case_fail(test, where, "the request cannot be made a run");
}

/* What an AdmissionReview says beside the object. */
static void
set_envelope(test_case *test, const char *where, limen_request *req, const json_t *step)
{
	const json_t *fields = json_object_get(step, "fields");
	const json_t *groups = json_object_get(step, "groups");
	const json_t *old = json_object_get(step, "old");

	if (fields != NULL)
		case_check_keys(test, where, fields, field_keys);
	for (int i = 0; field_keys[i] != NULL; i++) {
		const char *text = json_string_value(json_object_get(fields, field_keys[i]));

		if (text != NULL)
			limen_request_set_field(req, (limen_field)i, text);
	}
	for (size_t i = 0; i < json_array_size(groups); i++)
		limen_request_add_group(req, json_string_value(json_array_get(groups, i)));
	if (old != NULL) {
		char *text = json_dumps(old, JSON_ENCODE_ANY);

		limen_request_parse_old(req, text, strlen(text), NULL);
		free(text);
	}
	limen_request_set_dry_run(req, json_is_true(json_object_get(step, "dry-run")));
}

static void
set_times(test_case *test, const char *where, limen_request *req, const json_t *step)
{
	const char *now = json_string_value(json_object_get(step, "time"));
	const char *timeout = json_string_value(json_object_get(step, "timeout"));
	limen_timestamp time;
	limen_duration length;

	if (now != NULL && limen_timestamp_parse(now, strlen(now), 0, &time, NULL) == LIMEN_OK)
		limen_request_set_now(req, time.time);
	else if (now != NULL)
		case_fail(test, where, "the time cannot be read");
	if (timeout != NULL &&
	    limen_duration_parse(timeout, strlen(timeout), 0, &length, NULL) == LIMEN_OK)
		limen_request_set_timeout(req, length);
	else if (timeout != NULL)
		case_fail(test, where, "the timeout cannot be read");
}

/* Makes a request of the member "http"; NULL if that cannot be read. */
static limen_request *
read_http(const json_t *http, limen_diag *diag)
{
	const limen_question_options options = { .size = sizeof(options), .trusted = true };
	char *text = json_dumps(http, JSON_ENCODE_ANY);
	limen_documents *parsed = NULL;
	limen_request *req = NULL;

	limen_documents_parse("http.json", text, strlen(text), 0, &parsed, diag);
	limen_http_read(limen_documents_get(parsed, 0), &options, &req, diag);
	limen_documents_free(parsed);
	free(text);
	return req;
}

static limen_request *
read_request(const json_t *step, const char *text, limen_diag *diag)
{
	const char *subject = json_string_value(json_object_get(step, "subject"));
	bool object = subject != NULL && strcmp(subject, "object") == 0;
	limen_request *req;

	if (json_object_get(step, "http") != NULL)
		return read_http(json_object_get(step, "http"), diag);
	req = limen_request_new(object ? LIMEN_SUBJECT_OBJECT : LIMEN_SUBJECT_TASK);
	if (limen_request_parse(req, text, strlen(text), diag) == LIMEN_OK)
		return req;
	limen_request_free(req);
	return NULL;
}

/* Returns the request, or NULL if it was refused, which the step then has to expect. */
static limen_request *
make_request(test_case *test, const char *where, const json_t *step)
{
	limen_diag *diag = limen_diag_new();
	char *text = request_text(test, where, step);
	limen_request *req = read_request(step, text, diag);

	if (req == NULL) {
		const limen_problem *problem = limen_diag_get(diag, 0);
		json_t *found = json_string(problem == NULL ? "?" : problem->text);

		case_compare(test, where, json_object_get(step, "error"), found);
		json_decref(found);
	} else {
		if (json_object_get(step, "hints") != NULL)
			set_hints(req, json_object_get(step, "hints"));
		if (json_object_get(step, "run") != NULL)
			set_run(test, where, req, json_object_get(step, "run"));
		set_envelope(test, where, req, step);
		set_times(test, where, req, step);
	}
	limen_diag_free(diag);
	free(text);
	return req;
}

/* What holds for every decision: admitted exactly when the code is 200; a reason of one line. */
static void
check_sense(test_case *test, const char *where, const limen_decision *decision)
{
	bool admitted = limen_decision_admitted(decision);
	const char *reason = limen_decision_reason(decision);

	if (admitted != (limen_decision_code(decision) == 200))
		case_fail(test, where, "the code is %d although the request is %s",
		          limen_decision_code(decision), admitted ? "admitted" : "refused");
	if (reason[0] == '\0' || strpbrk(reason, "\r\n") != NULL)
		case_fail(test, where, "the reason is not one line: %s", reason);
}

/* Whom a refusal is blamed on is no member of the decision object. */
static void
compare_entry(test_case *test, const char *where, const json_t *expected,
              const limen_decision *decision)
{
	const char *entry = limen_decision_entry(decision);
	json_t *found = entry == NULL ? json_null() : json_string(entry);

	case_compare(test, where, expected, found);
	json_decref(found);
}

/* Readings of rates are no member of it, either. */
static void
compare_quotas(test_case *test, const char *where, const json_t *expected,
               const limen_decision *decision)
{
	json_t *found = json_array();
	const limen_quota *quota;

	for (size_t i = 0; (quota = limen_decision_quota(decision, i)) != NULL; i++)
		json_array_append_new(found, json_pack("{s:s, s:I, s:I, s:I, s:I}", "name",
		                                       quota->name, "quota", quota->quota,
		                                       "window", quota->window, "remaining",
		                                       quota->remaining, "reset", quota->reset));
	case_compare(test, where, expected, found);
	json_decref(found);
}

static void
compare_member(test_case *test, const char *where, const char *key, const json_t *expected,
               const limen_decision *decision, const json_t *object)
{
	const char *diagnostics = limen_decision_diagnostics(decision);
	char place[200];

	snprintf(place, sizeof(place), "%s: %s", where, key);
	if (strcmp(key, "diagnostics") == 0)
		case_compare_lines(test, place, expected, diagnostics);
	else if (strcmp(key, "diagnostics-contain") == 0)
		case_contain_lines(test, place, expected, diagnostics);
	else if (strcmp(key, "entry") == 0)
		compare_entry(test, place, expected, decision);
	else if (strcmp(key, "quotas") == 0)
		compare_quotas(test, place, expected, decision);
	else if (strcmp(key, "trace") == 0 || strcmp(key, "steps") == 0)
		case_cover(test, place, expected, json_object_get(object, key));
	else
		case_compare(test, place, expected, json_object_get(object, key));
}

static void
compare_decision(test_case *test, const char *where, const json_t *expected,
                 const limen_decision *decision)
{
	size_t length = 0;
	char *text = limen_decision_to_json(decision, 0, &length);
	json_t *object = json_loadb(text, length, 0, NULL);
	const char *key;
	json_t *member;

	case_check_keys(test, where, expected, expect_keys);
	json_object_foreach((json_t *)expected, key, member) {
		if (key[0] != '#')
			compare_member(test, where, key, member, decision, object);
	}
	check_sense(test, where, decision);
	json_decref(object);
	free(text);
}

/* A step expects a decision, or the error that there is none. */
static void
decide(test_case *test, const char *where, const json_t *step, const limen_request *req)
{
	limen_decide_options options = {
		.size = sizeof(options),
		.rewrite = read_switch(step, "rewrite"),
		.prioritize = read_switch(step, "prioritize"),
		.diagnostics = true,
		.trace = json_is_true(json_object_get(step, "trace")),
		.phase = read_phase(test, where, step),
	};
	const json_t *error = json_object_get(step, "error");
	limen_decision *decision = NULL;
	int result = limen_engine_decide(test->engine, req, &options, &decision);
	json_t *found = json_string(limen_result_text(result));

	if (result != LIMEN_OK || error != NULL)
		case_compare(test, where, error, found);
	else
		compare_decision(test, where, json_object_get(step, "expect"), decision);
	json_decref(found);
	limen_decision_free(decision);
}

void
case_step(test_case *test, const char *where, const json_t *step)
{
	limen_request *req;

	case_check_keys(test, where, step, step_keys);
	req = make_request(test, where, step);
	if (req != NULL)
		decide(test, where, step, req);
	limen_request_free(req);
}
