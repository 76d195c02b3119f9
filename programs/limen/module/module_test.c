/* SPDX-License-Identifier: Apache-2.0 */
/*
 * module_test.c - "limen module test": runs a module on the requests of a file, and compares what
 * it says with what the file expects.
 */
#include <limen/documents.h>
#include <stdio.h>
#include <string.h>

#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/auto.h"
#include "common/member.h"
#include "policy/policy.h"
#include "policy/problems.h"
#include "trial.h"

static const char *const verdicts[] = { "error", "pass", "fail", "skip", NULL };

/* Keys of the file, and of one case. */
static const char *const file_keys[] = { "data", "cases", NULL };
static const char *const case_keys[] = { "name", "data", "request", "hints", "verdict", "reason",
	                                 "document", "priority", NULL };

/* ---- reading ---- */

static bool
check_keys(limen_value object, const char *const *keys, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key, member;

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return limen_diag_refuse(diag, object, "an object is needed");
	while (limen_iter_next(&iter, &key, &member))
		if (!g_strv_contains(keys, limen_value_string(key, NULL)))
			return limen_diag_refuse(diag, member, "unknown key '%s'",
			                         limen_value_string(key, NULL));
	return true;
}

static bool
check_case(limen_value item, limen_diag *diag)
{
	const char *verdict = member_text(item, "verdict");

	if (!check_keys(item, case_keys, diag))
		return false;
	if (member_text(item, "name") == NULL)
		return limen_diag_refuse(diag, item, "a case needs a 'name'");
	if (verdict == NULL || !g_strv_contains(verdicts, verdict))
		return limen_diag_refuse(diag, item, "a case needs a 'verdict': pass, fail, skip or error");
	return true;
}

static bool
check_cases(limen_value root, limen_diag *diag)
{
	limen_value cases = limen_value_get(root, "cases");
	limen_iter iter = limen_iter_start(cases);
	bool good = check_keys(root, file_keys, diag);
	limen_value item;

	if (good && (limen_value_type(cases) != LIMEN_TYPE_ARRAY || limen_value_count(cases) == 0))
		return limen_diag_refuse(diag, root, "'cases' must be a list of cases");
	while (good && limen_iter_next(&iter, NULL, &item))
		good = check_case(item, diag);
	return good;
}

/* Returns the cases, or NULL after a message. */
static limen_documents *
read_cases(const char *name)
{
	g_autofree char *why = NULL;
	GString *text = input_read(name, &why);
	g_autoptr(limen_diag) diag = policy_diag();
	limen_documents *parsed = NULL;

	if (text == NULL) {
		message_error("%s", why);
		return NULL;
	}
	if (limen_documents_parse(name, text->str, text->len, 0, &parsed, diag) == LIMEN_OK &&
	    !check_cases(limen_documents_get(parsed, 0), diag))
		g_clear_pointer(&parsed, limen_documents_free);
	problems_print_request(diag, name, true);
	g_string_free(text, TRUE);
	return parsed;
}

/* ---- running, in the child ---- */

static char *
member_json(limen_value object, const char *key)
{
	limen_value member = limen_value_get(object, key);

	return limen_value_exists(member) ? limen_value_to_json(member, 0, NULL) : NULL;
}

/* Returns how the run differs from what 'item' expects, to g_free(), or NULL. */
static char *
compare(const trial *self, limen_value item, limen_verdict verdict)
{
	const limen_decision *decision = limen_kit_decision(self->kit);
	limen_value document = limen_value_get(item, "document");
	const char *reason = member_text(item, "reason");
	const char *given = limen_kit_reason(self->kit);
	double wanted, priority = 0;

	if (strcmp(verdicts[verdict], member_text(item, "verdict")) != 0)
		return g_strdup_printf("the verdict is %s%s%s", verdicts[verdict],
		                       *given == '\0' ? "" : ": ", given);
	if (reason != NULL && strstr(given, reason) == NULL)
		return g_strdup_printf("the reason is '%s'", given);
	if (limen_value_exists(document) &&
	    !limen_value_equal(document, limen_decision_rewritten(decision))) {
		g_auto(heap_text) json = limen_value_to_json(limen_decision_rewritten(decision), 0, NULL);

		return g_strdup_printf("the document is %s", json == NULL ? "as it was" : json);
	}
	if (limen_value_real(limen_value_get(item, "priority"), &wanted) &&
	    (!limen_decision_priority(decision, &priority) || priority != wanted))
		return g_strdup_printf("the priority is %g", priority);
	return NULL;
}

static void
run_case(trial *self, limen_value item, unsigned number)
{
	g_auto(heap_text) document = member_json(item, "request");
	g_auto(heap_text) hints = member_json(item, "hints");
	limen_verdict verdict = trial_call(self, document, hints);
	g_autofree char *wrong = compare(self, item, verdict);

	message_print_line(self->out, "%sok %u - %s", wrong == NULL ? "" : "not ", number,
	                   member_text(item, "name"));
	if (wrong != NULL)
		message_print_line(self->out, "# %s", wrong);
	fflush(self->out);
	self->result->errors += wrong == NULL ? 0 : 1;
}

static void
run_cases(trial *self, void *data)
{
	limen_value root = limen_documents_get(data, 0);
	limen_iter iter = limen_iter_start(limen_value_get(root, "cases"));
	g_autofree char *opened = NULL;
	unsigned number = 0;
	limen_value item;

	fprintf(self->out, "1..%zu\n", limen_value_count(limen_value_get(root, "cases")));
	while (limen_iter_next(&iter, NULL, &item)) {
		bool own = limen_value_exists(limen_value_get(item, "data"));
		g_auto(heap_text) json = member_json(own ? item : root, "data");
		const char *options = json == NULL ? "{}" : json;

		/* A store keeps its counts from case to case. */
		if (g_strcmp0(opened, options) != 0 && !trial_open(self, options))
			return;
		g_free(opened);
		opened = g_strdup(options);
		run_case(self, item, ++number);
	}
}

static int
run_test(common_options *common)
{
	trial self = { .common = common, .seconds = TRIAL_SECONDS, .quiet = true };
	const GOptionEntry rows[] = { TRIAL_TIMEOUT(&self), OPTION_END };
	g_autoptr(limen_documents) cases = NULL;

	if (!trial_read(&self, rows))
		return common->status;
	cases = read_cases(self.arguments[1]);
	return cases == NULL ? STATUS_ERROR : trial_run(&self, run_cases, cases);
}

const command module_test_command = {
	.name = "module test",
	.arguments = "FILE CASES",
	.summary = "Run a module on requests, and compare its verdicts",
	.details =
		"FILE is the shared object, and CASES a file in YAML or JSON: an object with\n"
		"\"data\", the options of the module, and \"cases\", a list of objects with\n"
		"  name      what the case is about\n"
		"  verdict   what the module is to say: pass, fail, skip or error\n"
		"  reason    a part of the reason it is to give\n"
		"  document  the document that a rewriter or \"mutate\" is to make\n"
		"  priority  the priority that a prioritizer is to give\n"
		"  request   the task or object; {} if there is none\n"
		"  hints     an object\n"
		"  data      options of this case\n"
		"All but name and verdict may be left out.  Prints TAP; what the module prints\n"
		"goes to standard error.\n"
		"\n"
		"The exit status is 1 if a case fails or the module is refused, and 2 for wrong\n"
		"usage and files that cannot be read.\n"
		"\n"
		"Example:\n"
		"  limen module test limit/at-most.so cases.yaml\n",
	.numbers = trial_numbers,
	.run = run_test,
};
