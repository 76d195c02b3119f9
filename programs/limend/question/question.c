/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question.c - reads the id, the subject, the hints and the options of a question in JSON.  Checks
 * that its members are known, fit a task or an object, and may be set by the sender.  Owns the
 * tables of known members and of advice for unknown ones.
 */
#include "question.h"

#include <limen/nearest.h>
#include <stdlib.h>
#include <string.h>

#include "../common/claims.h"
#include "../common/hints.h"
#include "../common/review.h"
#include "../common/switches.h"

/* Rules of a member: the subjects it is valid for, and whether its sender must be trusted. */
enum {
	FOR_TASKS = 1 << 0,
	FOR_OBJECTS = 1 << 1,
	FOR_ANY = FOR_TASKS | FOR_OBJECTS,
	FROM_TRUSTED = 1 << 2
};

static const struct {
	const char *key;
	unsigned rules;
} known[] = {
	{ "task", FOR_TASKS },
	{ "object", FOR_OBJECTS },
	{ "oldObject", FOR_OBJECTS | FROM_TRUSTED },
	{ "id", FOR_ANY },
	{ "hints", FOR_ANY | FROM_TRUSTED },
	{ "rewrite", FOR_TASKS },
	{ "prioritize", FOR_TASKS },
	{ "diagnostics", FOR_ANY },
	{ "explain", FOR_ANY },
	{ "dryRun", FOR_ANY },
	{ "run", FOR_TASKS },
	{ "operation", FOR_OBJECTS | FROM_TRUSTED },
	{ "namespace", FOR_OBJECTS | FROM_TRUSTED },
	{ "user", FOR_OBJECTS | FROM_TRUSTED },
	{ "groups", FOR_OBJECTS | FROM_TRUSTED },
	/* Older names, from the lines of limen check --batch. */
	{ "request", FOR_ANY },
	{ "subject", FOR_ANY },
	{ "dry_run", FOR_ANY },
};

/* Number of members that may be suggested; the older names are not. */
#define TOLD (G_N_ELEMENTS(known) - 3)

/* Returns the subject: the member 'key' ("task" or "object"), or else the member "request". */
static limen_value
find_member(limen_value members, const char *key)
{
	limen_value member = claims_member(members, key);

	return limen_value_exists(member) ? member : claims_member(members, "request");
}

bool
question_is_read(int result, const limen_diag *diag, const char *what, fault *why)
{
	const limen_problem *first = limen_diag_get(diag, 0);

	if (result == LIMEN_OK)
		return true;
	if (result == LIMEN_EINVAL && first != NULL)
		return fault_set(why, 400, "%s: %s", what, first->text);
	return fault_memory(why);
}

limen_documents *
question_open(const char *what, const char *text, size_t length, fault *why)
{
	limen_diag *diag = limen_diag_new();
	limen_documents *made = NULL;
	int result = limen_documents_parse("question.json", text, length, 0, &made, diag);

	question_is_read(result, diag, what, why);
	limen_diag_free(diag);
	return made;
}

/* Advice for members that show a common mistake, such as sending a bare task or manifest. */
static const struct {
	const char *key;
	const char *advice;
} parts[] = {
	{ "test", "the task is the value of 'task'" },
	{ "schema", "the task is the value of 'task'" },
	{ "schedule", "the task is the value of 'task'" },
	{ "run_schedule", "the task is the value of 'task'" },
	{ "policy", "limend has one policy" },
	{ "time", "limend decides now, and limen check at any time" },
	{ "apiVersion", "the manifest is the value of 'object'" },
	{ "kind", "the manifest is the value of 'object'" },
	{ "metadata", "the manifest is the value of 'object'" },
	{ "spec", "the manifest is the value of 'object'" },
};

static bool
refuse_unknown(limen_value key, fault *why)
{
	const char *name = limen_value_string(key, NULL);
	limen_nearest best = limen_nearest_to(name);

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
		if (limen_value_is(key, parts[i].key))
			return fault_set(why, 400, "Unknown member '%s'; %s", name,
			                 parts[i].advice);
	}
	for (size_t i = 0; i < TOLD; i++)
		limen_nearest_offer(&best, known[i].key);
	if (best.word == NULL)
		return fault_set(why, 400, "Unknown member '%.100s'", name);
	return fault_set(why, 400, "Unknown member '%.100s'; did you mean '%s'?", name, best.word);
}

/* Checks that all members are known.  A key that begins with "#" is a comment, as in a task. */
static bool
check_keys(limen_value members, fault *why)
{
	limen_iter iter = limen_iter_start(members);
	limen_value key;

	while (limen_iter_next(&iter, &key, NULL)) {
		size_t i = 0;

		while (i < G_N_ELEMENTS(known) && !limen_value_is(key, known[i].key))
			i++;
		if (i == G_N_ELEMENTS(known) && limen_value_string(key, NULL)[0] != '#')
			return refuse_unknown(key, why);
	}
	return true;
}

bool
question_distrust(const char *key, fault *why)
{
	return fault_set(why, 403,
	                 "'%s' counts only from trusted clients: the unix socket, a client "
	                 "certificate, an address of --trust-hints-from",
	                 key);
}

static bool
check_rules(const http_peer *peer, limen_value members, unsigned subject, fault *why)
{
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		const char *key = known[i].key;

		if (!limen_value_exists(claims_member(members, key)))
			continue;
		if ((known[i].rules & subject) == 0)
			return fault_set(why, 400, "'%s' is for %s", key,
			                 subject == FOR_TASKS ? "objects" : "tasks");
		if ((known[i].rules & FROM_TRUSTED) != 0 && !peer->trusted)
			return question_distrust(key, why);
	}
	return true;
}

/* Reads the older member "subject": "task" (the default) or "object". */
static bool
read_subject_word(limen_value members, unsigned *subject, fault *why)
{
	limen_value word = claims_member(members, "subject");

	*subject = limen_value_is(word, "object") ? FOR_OBJECTS : FOR_TASKS;
	if (!limen_value_exists(word) || limen_value_is(word, "object") ||
	    limen_value_is(word, "task"))
		return true;
	return fault_set(why, 400, "'subject' must be \"task\" or \"object\"");
}

/* Finds the one subject.  An object that is being deleted may be given as "oldObject" alone. */
static bool
find_subject(limen_value members, unsigned *subject, fault *why)
{
	bool task = limen_value_exists(claims_member(members, "task"));
	bool object = limen_value_exists(claims_member(members, "object"));
	bool request = limen_value_exists(claims_member(members, "request"));

	if (task + object + request > 1)
		return fault_set(why, 400, "There must be 'task' or 'object', not both");
	if (request)
		return read_subject_word(members, subject, why);
	if (!task && !object && !limen_value_exists(claims_member(members, "oldObject")))
		return fault_set(why, 400, "There must be 'task' or 'object'");
	if (limen_value_exists(claims_member(members, "subject")))
		return fault_set(why, 400, "'subject' is for 'request'");
	*subject = task ? FOR_TASKS : FOR_OBJECTS;
	return true;
}

/* Reads the id before all else, so that faults of the question can be reported with it. */
static bool
read_id(limen_value members, question *out, fault *why)
{
	limen_value id = claims_member(members, "id");

	if (limen_value_exists(id))
		out->id = limen_value_to_json(id, 0, NULL);
	return !limen_value_exists(id) || out->id != NULL || fault_memory(why);
}

/* Sets a fault of status 400 with 'reason' and frees it (NULL: memory is short). */
static bool
refuse_reason(char *reason, fault *why)
{
	if (reason == NULL)
		return fault_memory(why);
	fault_set(why, 400, "%s", reason);
	g_free(reason);
	return false;
}

/* ---- objects ---- */

/* Sets kind, name and namespace of the request from 'shown', the object or the old object. */
static bool
describe(limen_value members, limen_value shown, limen_request *req, fault *why)
{
	review_identity identity;
	const char *given;
	char *reason = NULL;

	/* Texts that are none are left out: admission entries refuse such manifests. */
	review_identify(shown, NULL, &identity);
	if (!claims_text(members, "namespace", &given, &reason))
		return refuse_reason(reason, why);
	if (identity.namespace == NULL || identity.namespace[0] == '\0')
		identity.namespace = given;
	return review_describe(req, &identity) || fault_memory(why);
}

static bool
set_object(limen_value object, limen_request *req, fault *why)
{
	if (!limen_value_exists(object))
		return true;
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "'object' must be an object");
	if (review_is(object))
		return fault_set(why, 400,
		                 "An AdmissionReview goes to /admission/mutate and "
		                 "/admission/validate");
	return limen_request_set_document(req, object) == LIMEN_OK || fault_memory(why);
}

static bool
read_object(limen_value members, limen_request **out, fault *why)
{
	limen_value object = find_member(members, "object");
	limen_value old = claims_member(members, "oldObject");
	limen_value shown = limen_value_exists(object) ? object : old;
	char *reason = NULL;

	*out = limen_request_new(LIMEN_SUBJECT_OBJECT);
	if (*out == NULL)
		return fault_memory(why);
	limen_request_set_manifest(*out, true);
	if (!set_object(object, *out, why) || !describe(members, shown, *out, why))
		return false;
	return claims_read(members, *out, &reason) || refuse_reason(reason, why);
}

/* ---- the whole ---- */

static bool
set_hint(limen_request *req, const char *name, const char *value)
{
	return value == NULL || limen_request_set_hint(req, name, value) == LIMEN_OK;
}

bool
question_set_hints(const http_peer *peer, limen_request *req, limen_value hints,
                   fault *why)
{
	if (limen_value_exists(hints) && limen_value_type(hints) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "'hints' must be an object");
	if (!set_hint(req, "requester", peer->address) ||
	    !set_hint(req, "server", peer->local) ||
	    (limen_value_exists(hints) && !hints_add(req, hints)))
		return fault_memory(why);
	return true;
}

static bool
read_options(limen_value members, question *out, fault *why)
{
	switches said = { .dry_run = false };
	char *reason = NULL;

	if (!switches_read(members, &said, &reason))
		return refuse_reason(reason, why);
	out->options.rewrite = said.rewrite;
	out->options.prioritize = said.prioritize;
	out->options.diagnostics = said.diagnostics;
	out->options.trace = said.explain;
	limen_request_set_dry_run(out->request, said.dry_run);
	return true;
}

static bool
read_subject(limen_value members, unsigned subject, question *out, fault *why)
{
	limen_value task = find_member(members, "task");

	if (subject != FOR_TASKS) {
		out->options.origins = true;
		return read_object(members, &out->request, why);
	}
	if (limen_value_type(task) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "'task' must be an object");
	out->request = limen_request_new(LIMEN_SUBJECT_TASK);
	return limen_request_set_task(out->request, task) == LIMEN_OK || fault_memory(why);
}

bool
question_read(const http_peer *peer, limen_value members, question *out, fault *why)
{
	unsigned subject = 0;

	*out = (question){ .options = { .size = sizeof(out->options) } };
	if (limen_value_type(members) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "A question must be an object with 'task' or 'object'");
	return read_id(members, out, why) && check_keys(members, why) &&
	       find_subject(members, &subject, why) &&
	       check_rules(peer, members, subject, why) &&
	       read_subject(members, subject, out, why) &&
	       read_options(members, out, why) &&
	       question_set_hints(peer, out->request, claims_member(members, "hints"), why);
}

void
question_clear(question *of)
{
	limen_request_free(of->request);
	free(of->id);
	*of = (question){ .request = NULL };
}
