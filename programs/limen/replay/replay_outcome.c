/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_outcome.c - extracts the outcome of a decision, names the rule behind it, compares
 * outcomes, and describes requests and outcomes in report text.  Each quoted text is cut to 300
 * bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "common/cut.h"
#include "replay.h"

/* Bytes of a text that are kept for an example. */
#define TEXT_SHOWN ((size_t)300)

int
outcome_verdict(const replay_outcome *what)
{
	if (what->admitted)
		return VERDICT_ADMITTED;
	return what->code == 500 ? VERDICT_ERROR : VERDICT_REFUSED;
}

replay_outcome
outcome_of(const limen_decision *decision)
{
	size_t warnings = 0;

	limen_decision_warnings(decision, &warnings);
	return (replay_outcome){ .code = limen_decision_code(decision),
		                 .admitted = limen_decision_admitted(decision),
		                 .entry = limen_decision_entry(decision),
		                 .reason = limen_decision_reason(decision),
		                 .warnings = (int64_t)warnings };
}

/* Copies 'length' bytes, cut to the size of 'out'. */
static void
copy_rule(char *out, const char *text, size_t length)
{
	size_t most = cut_length(text, length, OUTCOME_RULE_MAX - 1);

	memcpy(out, text, most);
	out[most] = '\0';
}

void
outcome_rule(const replay_outcome *what, char out[OUTCOME_RULE_MAX])
{
	static const char application[] = "application '";
	const char *reason = what->reason == NULL ? "(no reason)" : what->reason;
	const char *named;

	if (what->entry == NULL) {
		copy_rule(out, reason, strcspn(reason, "\n"));
		return;
	}
	/*
	 * Keeps "application 'A' fails: limit 'ENTRY'" only: the rest is specific to this
	 * request.
	 */
	named = strncmp(reason, application, strlen(application)) == 0
	                ? strstr(reason + strlen(application), what->entry)
	                : NULL;
	if (named != NULL && named[-1] == '\'' && named[strlen(what->entry)] == '\'')
		copy_rule(out, reason, (size_t)(named - reason) + strlen(what->entry) + 1);
	else
		copy_rule(out, what->entry, strlen(what->entry));
}

/* ---- comparing ---- */

static bool
same_result(const limen_decision *old, const limen_decision *new)
{
	limen_value before = limen_decision_patch(old);
	limen_value after = limen_decision_patch(new);

	if (limen_value_exists(before) != limen_value_exists(after))
		return limen_value_count(before) == 0 && limen_value_count(after) == 0;
	return !limen_value_exists(before) || limen_value_equal(before, after);
}

static bool
same_priority(const limen_decision *old, const limen_decision *new)
{
	double before = 0;
	double after = 0;
	bool had = limen_decision_priority(old, &before);

	return had == limen_decision_priority(new, &after) && !(before < after) &&
	       !(before > after);
}

static bool
same_warnings(const limen_decision *old, const limen_decision *new)
{
	size_t count = 0;
	size_t other = 0;
	const char *const *before = limen_decision_warnings(old, &count);
	const char *const *after = limen_decision_warnings(new, &other);

	if (count != other)
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(before[i], after[i]) != 0)
			return false;
	return true;
}

unsigned
outcome_compare(const replay_outcome outcomes[SIDES], limen_decision *const decisions[SIDES])
{
	const replay_outcome *was = &outcomes[WAS], *is = &outcomes[IS];
	const limen_decision *old = decisions[WAS], *new = decisions[IS];
	unsigned differs = 0;

	if (outcome_verdict(was) != outcome_verdict(is))
		differs |= 1U << DIFFERS_VERDICT;
	if (was->code != is->code)
		differs |= 1U << DIFFERS_CODE;
	/* A log records the number of warnings at most, and no result. */
	if (old == NULL ? was->warnings >= 0 && was->warnings != is->warnings
	                : !same_warnings(old, new))
		differs |= 1U << DIFFERS_WARNINGS;
	/* Results of refused requests have no effect, so they are not compared. */
	if (old == NULL || !was->admitted || !is->admitted)
		return differs;
	if (!same_result(old, new))
		differs |= 1U << DIFFERS_RESULT;
	if (!same_priority(old, new))
		differs |= 1U << DIFFERS_PRIORITY;
	return differs;
}

/* ---- report text ---- */

/* Appends 'before' and 'text', cut to TEXT_SHOWN bytes; appends nothing if 'text' is NULL. */
static void
append_cut(GString *out, const char *before, const char *text)
{
	size_t length = text == NULL ? 0 : strlen(text);
	size_t most = text == NULL ? 0 : cut_length(text, length, TEXT_SHOWN);

	if (text == NULL)
		return;
	g_string_append(out, before);
	g_string_append_len(out, text, (gssize)most);
	if (most < length)
		g_string_append(out, "...");
}

static void
describe_task(GString *out, const limen_request *req)
{
	limen_value test = limen_value_get(limen_request_document(req), "test");
	const char *type = limen_value_string(limen_value_get(test, "type"), NULL);
	limen_value requester = limen_value_get(limen_request_hints(req), "requester");

	g_string_append(out, limen_request_is_run(req) ? "run" : "task");
	append_cut(out, " ", type == NULL ? "of no type" : type);
	append_cut(out, " from ", limen_value_string(requester, NULL));
}

void
outcome_describe(GString *out, const limen_request *req)
{
	const char *operation = limen_request_field(req, LIMEN_FIELD_OPERATION);
	const char *resource = limen_request_field(req, LIMEN_FIELD_RESOURCE);
	const char *subresource = limen_request_field(req, LIMEN_FIELD_SUBRESOURCE);
	const char *namespace = limen_request_field(req, LIMEN_FIELD_NAMESPACE);
	const char *name = limen_request_field(req, LIMEN_FIELD_NAME);
	const char *user = limen_request_field(req, LIMEN_FIELD_USER);

	if (limen_request_subject(req) == LIMEN_SUBJECT_TASK) {
		describe_task(out, req);
		return;
	}
	if (name == NULL)
		name = limen_request_field(req, LIMEN_FIELD_GENERATE_NAME);
	append_cut(out, "", operation == NULL ? "object" : operation);
	append_cut(out, " ", resource);
	if (subresource != NULL && subresource[0] != '\0')
		append_cut(out, "/", subresource);
	append_cut(out, " ", namespace);
	append_cut(out, namespace == NULL ? " " : "/", name == NULL ? "?" : name);
	append_cut(out, " by ", user);
}

/* Appends the changes that the decision made to the request, as text. */
static void
append_result(GString *out, const limen_decision *decision)
{
	limen_value patch = limen_decision_patch(decision);
	const char *const *warnings;
	size_t count = 0;
	double priority;

	if (limen_value_count(patch) > 0)
		g_string_append_printf(out, "; %zu change%s", limen_value_count(patch),
		                       limen_value_count(patch) == 1 ? "" : "s");
	if (limen_decision_priority(decision, &priority))
		g_string_append_printf(out, "; priority %g", priority);
	warnings = limen_decision_warnings(decision, &count);
	if (count > 0)
		append_cut(out, "; warning: ", warnings[0]);
}

void
outcome_append(GString *out, const replay_outcome *what, const limen_decision *decision)
{
	g_string_append(out, replay_verdicts[outcome_verdict(what)]);
	if (!what->admitted)
		g_string_append_printf(out, ", %d", what->code);
	append_cut(out, ": ", what->reason);
	if (decision != NULL)
		append_result(out, decision);
}
