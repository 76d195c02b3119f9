/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_case.h - for tests of the module EventRateLimit: policies of one entry,
 * events at moments of the test's own, and what becomes of them.
 */
#ifndef LIMEN_TESTS_PLUGINS_EVENT_CASE_H
#define LIMEN_TESTS_PLUGINS_EVENT_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limen/limen.h>

#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

/* A second in which nothing else happens. */
#define EVENT_START ((limen_time)1782028800 * LIMEN_SECOND)

/* One event; NULL: not given. */
struct event_request {
	const char *namespace;
	const char *user;
	const char *object; /* NULL: an empty one */
	limen_time at;      /* after EVENT_START */
};

/* Loads a policy of one entry "events" with the members 'data'. */
static inline limen_engine *
event_open(const char *data)
{
	limen_engine_options settings = {
		.size = sizeof settings,
		.module_path = getenv("LIMEN_MODULE_PATH")
	};
	limen_engine *engine = limen_engine_new(&settings);
	limen_diag *diag = limen_diag_new();
	char *policy = NULL;
	int result;

	if (engine == NULL || diag == NULL ||
	    asprintf(&policy, "{\"admission\":[{\"name\":\"events\",\"plugin\":"
	                      "\"EventRateLimit\",\"data\":{%s}}]}", data) < 0)
		abort();
	result = limen_engine_load_text(engine, "policy", policy, strlen(policy), diag);
	ASSERT(result == LIMEN_OK, "%s does not load: %s", policy,
	       limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0 ? "?"
	                                                           : limen_diag_get(diag, 0)->text);
	if (result != LIMEN_OK)
		abort();
	limen_diag_free(diag);
	free(policy);
	return engine;
}

static inline limen_request *
event_request_new(const struct event_request *from)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	const char *object = from->object == NULL ? "{}" : from->object;

	if (req == NULL || limen_request_parse(req, object, strlen(object), NULL) != LIMEN_OK)
		abort();
	limen_request_set_field(req, LIMEN_FIELD_OPERATION, "CREATE");
	limen_request_set_field(req, LIMEN_FIELD_KIND, "Event");
	limen_request_set_field(req, LIMEN_FIELD_RESOURCE, "events");
	if (from->namespace != NULL)
		limen_request_set_field(req, LIMEN_FIELD_NAMESPACE, from->namespace);
	if (from->user != NULL)
		limen_request_set_field(req, LIMEN_FIELD_USER, from->user);
	limen_request_set_now(req, EVENT_START + from->at);
	return req;
}

static inline limen_decision *
event_decide(limen_engine *engine, const struct event_request *from)
{
	limen_request *req = event_request_new(from);
	limen_decision *decision = NULL;

	if (limen_engine_decide(engine, req, NULL, &decision) != LIMEN_OK)
		abort();
	limen_request_free(req);
	return decision;
}

/* The code of the answer to one event. */
static inline int
event_code(limen_engine *engine, const struct event_request *from)
{
	limen_decision *decision = event_decide(engine, from);
	int code = limen_decision_code(decision);

	limen_decision_free(decision);
	return code;
}

/* How many of 'count' equal events are admitted; all others must be refused as too many. */
static inline size_t
event_admitted(limen_engine *engine, const struct event_request *from, size_t count)
{
	size_t admitted = 0;

	for (size_t i = 0; i < count; i++) {
		int code = event_code(engine, from);

		ASSERT(code == 200 || code == 429, "code %d", code);
		admitted += code == 200 ? 1 : 0;
	}
	return admitted;
}

#endif
