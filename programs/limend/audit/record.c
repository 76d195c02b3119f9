/* SPDX-License-Identifier: Apache-2.0 */
/*
 * record.c - reads from a decision and its request what metrics, the decision log and the kept
 * decisions all tell of it.
 */
#include "record.h"

#include <string.h>

/* Levels searched for Secrets.  Schemas of custom resources nest most, about fifty levels. */
#define SECRET_DEPTH_MAX 200

const char *const record_outcomes[RECORD_OUTCOMES] = {
	[RECORD_REFUSED] = "refused",
	[RECORD_WOULD_REFUSE] = "would-refuse",
	[RECORD_ERROR] = "error",
	[RECORD_ADMITTED] = "admitted",
};

record_outcome
record_outcome_of(const limen_decision *decision)
{
	if (limen_decision_admitted(decision))
		return limen_decision_observed(decision, 0) == NULL ? RECORD_ADMITTED
		                                                    : RECORD_WOULD_REFUSE;
	return limen_decision_code(decision) == 500 ? RECORD_ERROR : RECORD_REFUSED;
}

const char *
record_subject(const record *facts)
{
	static const char *const subjects[] = { [LIMEN_SUBJECT_TASK] = "task",
		                                [LIMEN_SUBJECT_OBJECT] = "object",
		                                [LIMEN_SUBJECT_HTTP] = "http" };

	return subjects[limen_request_subject(facts->request)];
}

const char *
record_requester(const record *facts)
{
	limen_value hints = limen_request_hints(facts->request);

	return limen_value_string(limen_value_get(hints, "requester"), NULL);
}

const char *
record_sender(const record *facts)
{
	const char *user = limen_request_field(facts->request, LIMEN_FIELD_USER);
	const char *requester = user == NULL ? record_requester(facts) : NULL;

	if (user != NULL)
		return user;
	if (requester != NULL)
		return requester;
	return facts->peer == NULL || facts->peer->address == NULL ? "" : facts->peer->address;
}

static bool
would_refuse(const limen_decision *decision, const char *entry)
{
	const limen_observed *item = limen_decision_observed(decision, 0);

	for (size_t i = 0; item != NULL; item = limen_decision_observed(decision, ++i))
		if (strcmp(item->enforce, "audit") == 0 && strcmp(item->entry, entry) == 0)
			return true;
	return false;
}

const limen_annotation *
record_next_refusal(const limen_decision *decision, size_t *index)
{
	const limen_annotation *note = NULL;

	if (limen_decision_observed(decision, 0) == NULL)
		return NULL;
	do
		note = limen_decision_annotation(decision, (*index)++);
	while (note != NULL && !would_refuse(decision, note->key));
	return note;
}

/* A reference to a Secret has the same kind but none of its members. */
static bool
is_secret(limen_value object)
{
	limen_value kind = limen_value_get(object, "kind");

	return limen_value_is(kind, "SecretList") ||
	       (limen_value_is(kind, "Secret") &&
	        (limen_value_exists(limen_value_get(object, "data")) ||
	         limen_value_exists(limen_value_get(object, "stringData")) ||
	         limen_value_exists(limen_value_get(object, "metadata"))));
}

/*
 * Searches all levels, because lists nest and some kinds contain manifests of others.  Levels
 * below 'depth' are not searched and count as a Secret.
 */
static bool
holds_secret(limen_value value, unsigned depth)
{
	limen_value member;

	if (is_secret(value))
		return true;
	for (limen_iter iter = limen_iter_start(value); limen_iter_next(&iter, NULL, &member);)
		if (depth == 0 || holds_secret(member, depth - 1))
			return true;
	return false;
}

bool
record_is_confidential(const record *facts)
{
	const limen_request *req = facts->request;
	const char *resource = limen_request_field(req, LIMEN_FIELD_RESOURCE);

	if (limen_request_subject(req) != LIMEN_SUBJECT_OBJECT)
		return false;
	return (resource != NULL && strcmp(resource, "secrets") == 0) ||
	       holds_secret(limen_request_original(req), SECRET_DEPTH_MAX) ||
	       holds_secret(limen_request_old(req), SECRET_DEPTH_MAX);
}
