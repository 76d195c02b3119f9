/* SPDX-License-Identifier: Apache-2.0 */
/*
 * audit.c - "limen audit": what would break if a policy were enforced on the objects of files or of
 * a cluster.  Compares with another policy, or with the findings of an earlier audit.
 */
#include "audit.h"

#include <string.h>

#include "common/auto.h"
#include "common/member.h"
#include "cli/input.h"
#include "cli/message.h"
#include "policy/policy.h"
#include "policy/problems.h"

/* The policy, and what it is compared with; without an engine: nothing, or a baseline. */
enum { NOW, BEFORE, SIDES };

static void
take(audit *run, void *data, const char *name, const audit_object *object)
{
	audit_side *sides = data;
	g_autofree char *why = NULL;

	for (int i = 0; why == NULL && i < SIDES; i++)
		if (sides[i].engine != NULL)
			audit_judge(run, &sides[i], object, &why);
	if (why == NULL)
		return;
	message_error("%s:%u: %s \"%s\": %s", name, object->line, object->kind, object->name, why);
	run->status = STATUS_ERROR;
}

/* Reads the findings of an earlier audit.  Returns false after a message. */
static bool
read_baseline(const char *path, tally *out)
{
	g_autofree char *why = NULL;
	g_autoptr(GString) text = input_read(path, &why);
	g_autoptr(limen_documents) parsed = NULL;
	limen_value findings = limen_value_none();
	limen_value item;

	if (text != NULL &&
	    limen_documents_parse("baseline.json", text->str, text->len, 0, &parsed, NULL) == LIMEN_OK)
		findings = limen_value_get(limen_documents_get(parsed, 0), "findings");
	if (limen_value_type(findings) != LIMEN_TYPE_ARRAY) {
		message_error("%s%s", why == NULL ? path : why,
		              why == NULL ? ": not the output of 'limen audit --format json'" : "");
		return false;
	}
	for (limen_iter iter = limen_iter_start(findings); limen_iter_next(&iter, NULL, &item);) {
		tally_finding finding = { .kind = TALLY_REFUSED };

		while (finding.kind < TALLY_WARNING &&
		       !limen_value_is(limen_value_get(item, "verdict"), tally_words[finding.kind]))
			finding.kind++;
		for (size_t i = 0; i < TALLY_TEXTS; i++)
			finding.texts[i] = member_text_or(item, tally_text_names[i], "");
		tally_add(out, &finding);
	}
	return true;
}

/* Loads a policy, or the LimitRanges of the input.  Returns false after messages. */
static bool
load(audit *run, audit_side *side, char *const *paths)
{
	const unsigned flags = LIMEN_ENGINE_MEMORY_STORES | LIMEN_ENGINE_ENFORCE;

	side->engine = policy_engine_for(run->common, flags, run->ask.namespace);
	return paths == NULL ? audit_load_met(run, side->engine) : policy_open(side->engine, paths);
}

static int
print(const audit *run, const audit_side *sides)
{
	const tally *found = &sides[NOW].found;
	const tally *before = run->against != NULL || run->baseline != NULL ? &sides[BEFORE].found
	                                                                    : NULL;
	int status = run->status;

	switch (run->common->format) {
	case FORMAT_JSON:
		audit_print_json(found, before);
		break;
	case FORMAT_JUNIT:
		audit_print_junit(run, found);
		break;
	case FORMAT_POLICYREPORT:
		audit_print_policy_reports(found);
		break;
	case FORMAT_HTML:
		audit_print_html(found);
		break;
	default:
		audit_print_text(run, found, before);
	}
	for (guint i = 0; i < found->sorted_findings->len; i++)
		if (audit_fails(run, g_ptr_array_index(found->sorted_findings, i)))
			status = status_worse(status, STATUS_BAD);
	return status;
}

static int
run_sides(audit *run)
{
	audit_side sides[SIDES] = { { .engine = NULL } };
	int status = STATUS_ERROR;

	for (int i = 0; i < SIDES; i++)
		tally_start(&sides[i].found);
	if (load(run, &sides[NOW], run->policies) &&
	    (run->against == NULL || load(run, &sides[BEFORE], run->against)) &&
	    (run->baseline == NULL || read_baseline(run->baseline, &sides[BEFORE].found))) {
		audit_read(run, take, sides);
		for (int i = 0; i < SIDES; i++) {
			audit_lint(&sides[i]);
			tally_finish(&sides[i].found);
		}
		tally_compare(&sides[NOW].found, &sides[BEFORE].found);
		tally_compare(&sides[BEFORE].found, &sides[NOW].found);
		status = print(run, sides);
	}
	for (int i = 0; i < SIDES; i++) {
		tally_clear(&sides[i].found);
		limen_engine_free(sides[i].engine);
	}
	audit_end(run);
	return status;
}

/* Returns the error in the combination of options, or NULL. */
static const char *
find_conflict(audit *run)
{
	static const char *const fail_words[] = { "refused", "changed", "none", NULL };
	const char *input = audit_find_input_error(run);

	if (run->against != NULL && run->policies == NULL)
		return "--against needs --policy";
	if (run->against != NULL && run->baseline != NULL)
		return "--against and --baseline exclude each other";
	if (run->fail_on != NULL && !g_strv_contains(fail_words, run->fail_on))
		return "--fail-on takes refused, changed or none";
	if (input == NULL && input_streams(run->policies) + input_streams(run->against) +
	                     input_streams(run->files) > 1)
		return "standard input can be read only once";
	return input;
}

static int
run_audit(common_options *common)
{
	audit run = audit_new(common);
	const GOptionEntry rows[] = {
		OPTION_POLICY(&run.policies, "FILE|DIR", "The policy; may be repeated"),
		OPTION_TEXTS("against", 0, &run.against, "FILE|DIR",
		             "Show only what changes from this policy to the other"),
		AUDIT_INPUT_OPTIONS(&run),
		OPTION_TEXT("baseline", 0, &run.baseline, "FILE",
		            "Findings of this earlier audit do not count"),
		OPTION_TEXT("fail-on", 0, &run.fail_on, "WHAT",
		            "Exit with 1 for refused (default), changed, none"),
		OPTION_FLAG("all", 0, &run.all, "Print all findings and namespaces"),
		OPTION_FORMAT(common, "text, json, junit, policyreport, html"),
		OPTION_END,
	};
	const char *conflict;

	if (!options_read(common, rows))
		return common->status;
	conflict = find_conflict(&run);
	return conflict != NULL ? message_usage(common->self, "%s", conflict) : run_sides(&run);
}

const command audit_command = {
	.name = "audit",
	.arguments = "[FILE...]",
	.summary = "Tell what would break if a policy were enforced",
	.formats = FORMATS_PLAIN | FORMAT_BIT(FORMAT_JUNIT) |
	           FORMAT_BIT(FORMAT_POLICYREPORT) | FORMAT_BIT(FORMAT_HTML),
	.details =
		"Judges the objects of files, directories, - (standard input) or a cluster as if\n"
		"they were created again, and prints what would be refused, changed or not\n"
		"judged, by namespace, rule and owner.  Entries of the policy that only warn or\n"
		"audit count as if they refused.  Without --policy the LimitRanges among the\n"
		"objects are the policy.\n"
		"\n"
		"Files hold JSON or YAML: objects, lists of them as kubectl prints them, several\n"
		"documents.  They are read object by object, so a list may be of any size.\n"
		"\n"
		"Pods stand under the Deployment, CronJob or other workload that owns them; the\n"
		"template of a workload is judged even if it has no pods.  Left out, and counted,\n"
		"are finished pods, what is being deleted, ReplicaSets and Jobs that a workload\n"
		"controls, and mirror pods that the policy exempts.\n"
		"\n"
		"The exit status is 0, 1 if there are findings as --fail-on says that the\n"
		"baseline does not have, and 2 if something could not be read or judged.\n"
		"\n"
		"Examples:\n"
		"  kubectl get pods,deploy,limits -A -o json | limen audit -\n"
		"  limen audit --cluster\n"
		"  limen audit --policy new.yaml --against old.yaml cluster.json\n"
		"  limen audit --policy limits.yaml --format junit manifests/\n",
	.run = run_audit,
};
