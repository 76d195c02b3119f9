/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch_line.c - parses one line of a batch: the policy, the task or object, hints, claims,
 * switches and the decision time.  Refuses unknown members and suggests the nearest name.  Most
 * members are those of docs/decision-service.md.
 */
#include "batch_line.h"

#include <glib.h>
#include <limen/nearest.h>
#include <stdlib.h>
#include <string.h>

#include "common/claims.h"
#include "policy/policy.h"
#include "policy/problems.h"

/* The members of a question to limend (docs/decision-service.md), and further ones. */
static const char *const members[] = {
	"task",  "object",  "oldObject",  "id",          "hints",   "diagnostics", "explain",
	"dryRun", "rewrite", "prioritize", "run",         "operation", "namespace", "user",
	"groups", "policy",  "time",       NULL
};

/* Older names that are still accepted. */
static const char *const older_members[] = { "request", "subject", "dry_run", NULL };

/* Reads "subject", which says whether "request" is a task or an object. */
static bool
read_subject_word(limen_value line, ask_settings *ask, char **why)
{
	limen_value member = claims_member(line, "subject");

	/* The form of the text is not trusted: a line may hold untrusted input. */
	if (ask->subject == ASK_INFER)
		ask->subject = ASK_TASK;
	if (!limen_value_exists(member))
		return true;
	if (limen_value_is(member, "task"))
		ask->subject = ASK_TASK;
	else if (limen_value_is(member, "object"))
		ask->subject = ASK_OBJECT;
	else
		*why = g_strdup("'subject' must be \"task\" or \"object\"");
	return *why == NULL;
}

/* Members with the subject of a line; the first one present counts. */
typedef enum asked_member { ASKED_TASK, ASKED_OBJECT, ASKED_REQUEST, ASKED_OLD, ASKED } asked_member;

/* Returns the first member present and its value in '*found', or ASKED if there is none. */
static asked_member
find_asked(limen_value document, limen_value *found)
{
	static const char *const names[ASKED] = { "task", "object", "request", "oldObject" };

	for (size_t i = 0; i < ASKED; i++) {
		/* A null "request" counts as present, for compatibility. */
		*found = i == ASKED_REQUEST ? limen_value_get(document, names[i])
		                            : claims_member(document, names[i]);
		if (limen_value_exists(*found))
			return (asked_member)i;
	}
	return ASKED;
}

/* Returns true if a second subject follows 'first'. */
static bool
asks_twice(limen_value document, asked_member first)
{
	return (first < ASKED_OBJECT && limen_value_exists(claims_member(document, "object"))) ||
	       (first < ASKED_REQUEST && limen_value_exists(claims_member(document, "request")));
}

/*
 * Reads the subject, of which there must be exactly one; a deleted object may be given as
 * "oldObject" alone.
 */
static bool
read_request(limen_value document, batch_line *line, char **why)
{
	asked_member which = find_asked(document, &line->request);

	if (which == ASKED)
		return claims_refuse(why, "there must be 'task' or 'object'");
	if (asks_twice(document, which))
		return claims_refuse(why, "give only one of 'task', 'object' and 'request'");
	if (which == ASKED_REQUEST)
		return read_subject_word(document, &line->ask, why);
	if (limen_value_exists(claims_member(document, "subject")))
		return claims_refuse(why, "'subject' is for 'request'");
	line->gone = which == ASKED_OLD;
	line->ask.subject = which == ASKED_TASK ? ASK_TASK : ASK_OBJECT;
	return true;
}

/* Reads the members about the operation on an object. */
static bool
read_claims(limen_value document, batch_line *line, char **why)
{
	const char *claim = claims_first(document);
	const char *namespace;

	if (!claims_text(document, "namespace", &namespace, why))
		return false;
	if (claim == NULL && namespace != NULL)
		claim = "namespace";
	if (claim == NULL)
		return true;
	if (line->ask.subject != ASK_OBJECT) {
		*why = g_strdup_printf("'%s' is for objects", claim);
		return false;
	}
	if (namespace != NULL)
		line->ask.namespace = namespace;
	line->ask.claims = document;
	return true;
}

static bool
read_time(limen_value line, ask_settings *ask, char **why)
{
	limen_value member = claims_member(line, "time");

	if (!limen_value_exists(member))
		return true;
	ask->has_time = true;
	if (ask_read_time(member, &ask->time))
		return true;
	*why = g_strdup("'time' must be a time (\"2026-01-31T12:00:00Z\") or seconds since 1970");
	return false;
}

static bool
is_known(limen_value key)
{
	for (size_t i = 0; members[i] != NULL; i++)
		if (limen_value_is(key, members[i]))
			return true;
	for (size_t i = 0; older_members[i] != NULL; i++)
		if (limen_value_is(key, older_members[i]))
			return true;
	return g_str_has_prefix(limen_value_string(key, NULL), "#");
}

/* Refuses unknown members: with "policy" misspelt, another policy would decide the line. */
static bool
check_members(limen_value line, char **why)
{
	limen_iter iter = limen_iter_start(line);
	limen_value key;

	while (limen_iter_next(&iter, &key, NULL)) {
		const char *near;
		char *name;

		if (is_known(key))
			continue;
		near = limen_nearest_of(limen_value_string(key, NULL), members);
		name = limen_value_to_json(key, 0, NULL);
		*why = g_strdup_printf("unknown member %s%s%s%s", name == NULL ? "" : name,
		                       near == NULL ? "" : " (did you mean '",
		                       near == NULL ? "" : near, near == NULL ? "" : "'?)");
		free(name);
		return false;
	}
	return true;
}

static bool
read_members(batch_line *line, limen_value document, char **why)
{
	limen_type type;

	line->policy = claims_member(document, "policy");
	line->ask.hint_object = claims_member(document, "hints");
	type = limen_value_type(line->policy);
	if (!check_members(document, why) || !read_request(document, line, why))
		return false;
	if (type != LIMEN_TYPE_NONE && type != LIMEN_TYPE_STRING && type != LIMEN_TYPE_OBJECT)
		*why = g_strdup("'policy' must be a path or an object");
	else if (limen_value_exists(line->ask.hint_object) &&
	         limen_value_type(line->ask.hint_object) != LIMEN_TYPE_OBJECT)
		*why = g_strdup("'hints' must be an object");
	return *why == NULL && switches_read(document, &line->ask.how, why) &&
	       read_claims(document, line, why) && read_time(document, &line->ask, why);
}

bool
batch_line_read(batch_line *line, const ask_settings *defaults, limen_value document, char **why)
{
	*line = (batch_line){ .ask = *defaults };
	line->id = limen_value_to_json(limen_value_get(document, "id"), 0, NULL);
	if (limen_value_type(document) == LIMEN_TYPE_OBJECT)
		return read_members(line, document, why);
	*why = g_strdup("a line must be an object");
	return false;
}

limen_request *
batch_line_request(const batch_line *line, char **why)
{
	limen_diag *diag = policy_diag();
	limen_request *req = ask_read(&line->ask, line->request, diag, why);

	/* A deleted object has only its old state, so the document becomes null. */
	if (req != NULL && line->gone &&
	    limen_request_parse(req, "null", strlen("null"), NULL) != LIMEN_OK) {
		limen_request_free(req);
		req = NULL;
	}
	if (req == NULL && *why == NULL)
		*why = g_strdup(problems_first(diag, "out of memory"));
	limen_diag_free(diag);
	return req;
}

void
batch_line_finish(batch_line *line)
{
	free(line->id);
}
