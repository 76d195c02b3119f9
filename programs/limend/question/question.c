/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question.c - reads the id, the subject and the options of a question in JSON.  Checks that its
 * members are known, fit a task or an object, and may be set by the sender.  Owns the tables of
 * known members and of advice for unknown ones.
 */
#include "question.h"

#include <limen/nearest.h>
#include <stdlib.h>
#include <string.h>

#include "../common/claims.h"
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

limen_value
question_subject(limen_value members, const char *key)
{
	limen_value member = claims_member(members, key);

	return limen_value_exists(member) ? member : claims_member(members, "request");
}

bool
question_parse(limen_request *holder, const char *what, const char *text, size_t length,
               fault *why)
{
	limen_diag *diag = limen_diag_new();
	const limen_problem *first;
	int result = LIMEN_ENOMEM;

	if (diag != NULL && holder != NULL)
		result = limen_request_parse(holder, text, length, diag);
	first = diag == NULL ? NULL : limen_diag_get(diag, 0);
	if (result == LIMEN_EINVAL && first != NULL)
		fault_set(why, 400, "%s: %s", what, first->text);
	else if (result != LIMEN_OK)
		fault_memory(why);
	limen_diag_free(diag);
	return result == LIMEN_OK;
}

limen_request *
question_open(const char *text, size_t length, fault *why)
{
	limen_request *holder = limen_request_new(LIMEN_OBJECT);

	if (question_parse(holder, "The body", text, length, why))
		return holder;
	limen_request_free(holder);
	return NULL;
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
			return fault_set(why, 400, "There is no member '%s'; %s", name,
			                 parts[i].advice);
	}
	for (size_t i = 0; i < TOLD; i++)
		limen_nearest_offer(&best, known[i].key);
	if (best.word == NULL)
		return fault_set(why, 400, "There is no member '%.100s'", name);
	return fault_set(why, 400, "There is no member '%.100s'; did you mean '%s'?", name, best.word);
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

static bool
check_rules(const question_sender *sender, limen_value members, unsigned subject, fault *why)
{
	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		const char *key = known[i].key;

		if (!limen_value_exists(claims_member(members, key)))
			continue;
		if ((known[i].rules & subject) == 0)
			return fault_set(why, 400, "'%s' is for %s", key,
			                 subject == FOR_TASKS ? "objects" : "tasks");
		if ((known[i].rules & FROM_TRUSTED) != 0 && !sender->trusted)
			return fault_set(why, 403,
			                 "'%s' counts only from those who are trusted: the unix "
			                 "socket, a client certificate, an address of "
			                 "--trust-hints-from",
			                 key);
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
		out->id = limen_value_print(id, 0, NULL);
	return limen_value_exists(id) && out->id == NULL ? fault_memory(why) : true;
}

bool
question_refuse(char *reason, fault *why)
{
	if (reason == NULL)
		return fault_memory(why);
	fault_set(why, 400, "%s", reason);
	g_free(reason);
	return false;
}

static bool
read_options(limen_value members, question *out, fault *why)
{
	switches said = { .dry_run = false };
	char *reason = NULL;

	if (!switches_read(members, &said, &reason))
		return question_refuse(reason, why);
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
	limen_value task = question_subject(members, "task");

	if (subject != FOR_TASKS) {
		out->options.origins = true;
		return question_read_object(members, &out->request, why);
	}
	if (limen_value_type(task) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "'task' must be an object");
	out->request = limen_request_new(LIMEN_TASK);
	return limen_request_set_task(out->request, task) == LIMEN_OK || fault_memory(why);
}

bool
question_read(const question_sender *sender, limen_value members, question *out, fault *why)
{
	unsigned subject = 0;

	*out = (question){ .options = { .size = sizeof(out->options) } };
	if (limen_value_type(members) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "A question must be an object with 'task' or 'object'");
	return read_id(members, out, why) && check_keys(members, why) &&
	       find_subject(members, &subject, why) &&
	       check_rules(sender, members, subject, why) &&
	       read_subject(members, subject, out, why) &&
	       read_options(members, out, why) &&
	       question_set_hints(sender, out->request, claims_member(members, "hints"), why);
}

void
question_clear(question *of)
{
	limen_request_free(of->request);
	free(of->id);
	*of = (question){ .request = NULL };
}
