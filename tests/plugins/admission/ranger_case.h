/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranger_case.h - for tests of the module LimitRanger: policies made of
 * LimitRanges, objects that are decided about, and answers as text.
 */
#ifndef LIMEN_TESTS_PLUGINS_RANGER_CASE_H
#define LIMEN_TESTS_PLUGINS_RANGER_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limen/limen.h>

#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

/* A LimitRange of the namespace "default" with the items 'items'. */
#define RANGE(name, items)                                                              \
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":\"" name \
	"\"},\"spec\":{\"limits\":[" items "]}}"

/* A pod with the containers 'containers', and one container with 'resources'. */
#define POD(containers)                                                              \
	"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},"     \
	"\"spec\":{\"containers\":[" containers "]}}"
#define CONTAINER(name, resources) "{\"name\":\"" name "\",\"resources\":" resources "}"

enum { RANGER_TEXT = 8192 };

/* A request beside its document; NULL: not given. */
struct ranger_envelope {
	const char *operation;
	const char *kind;
	const char *group;
	const char *subresource;
	const char *namespace;
	const char *user_group;
	const char *old;
};

/*
 * Loads a policy of one LimitRanger with the options 'options' (members, or "")
 * and the manifests 'manifests' (elements).  Returns NULL if it does not load;
 * the problems are in 'diag', which may be NULL.
 */
static inline limen_engine *
ranger_load(const char *options, const char *manifests, limen_diag *diag)
{
	limen_engine_options settings = {
		.size = sizeof settings,
		.module_path = getenv("LIMEN_MODULE_PATH")
	};
	limen_engine *engine = limen_engine_new(&settings);
	char *policy = NULL;
	int result;

	if (engine == NULL ||
	    asprintf(&policy, "{\"schema\":4,\"admission\":[{\"name\":\"ranger\",\"plugin\":"
	                      "\"LimitRanger\",\"data\":{%s%s\"manifests\":[%s]}}]}",
	             options, *options == '\0' ? "" : ",", manifests) < 0)
		abort();
	result = limen_engine_load_text(engine, "policy", policy, strlen(policy), diag);
	free(policy);
	if (result == LIMEN_OK)
		return engine;
	limen_engine_free(engine);
	return NULL;
}

/* As ranger_load(); fails the test if the policy does not load. */
static inline limen_engine *
ranger_open(const char *options, const char *manifests)
{
	limen_diag *diag = limen_diag_new();
	limen_engine *engine = ranger_load(options, manifests, diag);

	if (engine == NULL) {
		ASSERT(false, "%s does not load: %s", manifests,
		       limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0
		               ? "?"
		               : limen_diag_get(diag, 0)->text);
		abort();
	}
	limen_diag_free(diag);
	return engine;
}

static inline void
set_envelope(limen_request *req, const struct ranger_envelope *envelope)
{
	const struct {
		limen_field field;
		const char *text;
	} fields[] = {
		{ LIMEN_FIELD_OPERATION, envelope->operation },
		{ LIMEN_FIELD_KIND, envelope->kind },
		{ LIMEN_FIELD_GROUP, envelope->group },
		{ LIMEN_FIELD_SUBRESOURCE, envelope->subresource },
		{ LIMEN_FIELD_NAMESPACE, envelope->namespace },
	};

	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		if (fields[i].text != NULL)
			limen_request_set_field(req, fields[i].field, fields[i].text);
	}
	if (envelope->user_group != NULL)
		limen_request_add_group(req, envelope->user_group);
	if (envelope->old != NULL)
		limen_request_parse_old(req, envelope->old, strlen(envelope->old), NULL);
}

/* Decides about 'object'; 'envelope' may be NULL. */
static inline limen_decision *
ranger_decide(limen_engine *engine, const char *object, const struct ranger_envelope *envelope)
{
	const limen_decide_options options = { .size = sizeof options, .trace = true };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_decision *decision = NULL;

	if (req == NULL || limen_request_parse(req, object, strlen(object), NULL) != LIMEN_OK)
		abort();
	if (envelope != NULL)
		set_envelope(req, envelope);
	if (limen_engine_decide(engine, req, &options, &decision) != LIMEN_OK)
		abort();
	limen_request_free(req);
	return decision;
}

static inline void
append_text(char *out, const char *text)
{
	size_t length = strlen(out);

	snprintf(out + length, RANGER_TEXT - length, "%s%s", length == 0 ? "" : "\n", text);
}

/* The messages of all violations, one a line. */
static inline void
ranger_messages(const limen_decision *decision, char out[RANGER_TEXT])
{
	const limen_violation *violation = limen_decision_violation(decision, 0);

	out[0] = '\0';
	for (size_t i = 1; violation != NULL; i++) {
		append_text(out, violation->message);
		violation = limen_decision_violation(decision, i);
	}
	if (limen_decision_code(decision) == 500)
		append_text(out, limen_decision_reason(decision));
}

/* All entries of 'diag' that are as severe as 'severity', one a line. */
static inline void
ranger_problems(const limen_diag *diag, limen_severity severity, char out[RANGER_TEXT])
{
	out[0] = '\0';
	for (size_t i = 0; i < limen_diag_count(diag, LIMEN_SEVERITY_NOTE); i++) {
		if (limen_diag_get(diag, i)->severity == severity)
			append_text(out, limen_diag_get(diag, i)->text);
	}
}

/* The violations of 'object' are the lines of 'expected'; "" admits it. */
static inline void
ranger_check(limen_engine *engine, const char *about, const char *object,
             const struct ranger_envelope *envelope, const char *expected)
{
	limen_decision *decision = ranger_decide(engine, object, envelope);
	char found[RANGER_TEXT];

	ranger_messages(decision, found);
	ASSERT(strcmp(found, expected) == 0, "%s: '%s', want '%s'", about, found, expected);
	ASSERT(limen_decision_admitted(decision) == (*expected == '\0'), "%s: code %d", about,
	       limen_decision_code(decision));
	limen_decision_free(decision);
}

/* The patch of 'object' is 'expected', or there is none if that is "". */
static inline void
ranger_check_patch(limen_engine *engine, const char *about, const char *object,
                   const char *expected)
{
	limen_decision *decision = ranger_decide(engine, object, NULL);
	char *found = limen_value_to_json(limen_decision_patch(decision), LIMEN_JSON_SORTED, NULL);

	ASSERT(strcmp(found == NULL ? "" : found, expected) == 0, "%s: %s, want %s", about,
	       found == NULL ? "no patch" : found, expected);
	free(found);
	limen_decision_free(decision);
}

#endif
