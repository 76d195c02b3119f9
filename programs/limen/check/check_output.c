/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_output.c - prints a decision as text, JSON, YAML, a JSON Patch or an AdmissionReview
 * response, adds it to a report, and prints the headings between files and objects.  Collects
 * the patch operations of one document, with paths relative to it, and prints them as one line.
 */
#include "check_output.h"

#include <limen/documents.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ask/answer.h"
#include "ask/decision_text.h"
#include "cli/message.h"
#include "cli/terminal.h"
#include "cli/yaml_out.h"
#include "common/auto.h"
#include "common/json_out.h"
#include "policy/problems.h"
#include "policy/resource_table.h"

/* Hides an admitted workload without warnings or changes: its pods are shown. */
static bool
is_worth_showing(const case_result *result)
{
	size_t warnings = 0;

	limen_decision_warnings(result->decision, &warnings);
	return !result->item->workload || !limen_decision_admitted(result->decision) ||
	       warnings > 0 || limen_value_exists(limen_decision_rewritten(result->decision));
}

/* ---- text ---- */

/* Prints the file, or the place in it, and the object with its namespace. */
static void
print_name(const check_output *to, const ask_case *item, const char *place)
{
	const char *namespace = NULL;

	message_print_part(stdout, "%s", place == NULL ? to->name : place);
	if (item == NULL || !item->object)
		return;
	message_print_part(stdout, ": %s", item->label);
	if (item->limited || item->workload || item->names_namespace)
		namespace = limen_request_field(item->request, LIMEN_FIELD_NAMESPACE);
	if (namespace != NULL && namespace[0] != '\0')
		message_print_part(stdout, " (namespace %s)", namespace);
}

void
check_output_heading(check_output *to, const ask_case *item)
{
	if (!to->headings)
		return;
	fputs(*to->printed ? "\n==> " : "==> ", stdout);
	*to->printed = true;
	print_name(to, item, NULL);
	puts(" <==");
}

/* Prints the changes to an object that the table of its resources does not show. */
static void
print_other_changes(const limen_decision *decision)
{
	limen_iter iter = limen_iter_start(limen_decision_patch(decision));
	limen_value operation;

	while (limen_iter_next(&iter, NULL, &operation)) {
		const char *path = limen_value_string(limen_value_get(operation, "path"), NULL);
		limen_value value = limen_value_get(operation, "value");
		g_auto(heap_text) text = limen_value_to_json(value, 0, NULL);

		if (!resource_table_shows(path))
			message_print_line(stdout, "Changed: %s: %s", path,
			                   limen_value_exists(value) ? text : "removed");
	}
}

/* Prints what is refused, not judged or fails --strict on one line. */
static void
print_quiet(const check_output *to, const case_result *result, bool colored)
{
	const judgement *judged = &result->judged;
	const limen_violation *violation = limen_decision_violation(result->decision, 0);
	const char *own = judged->kind >= JUDGED_REFUSED ? limen_decision_reason(result->decision)
	                                                 : judged->reason;
	g_autofree char *reason = own == NULL ? NULL : g_strdelimit(g_strdup(own), "\n", ' ');
	g_autofree char *place = NULL;
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(result->decision, &count);

	if (!to->settings->strict)
		count = 0;
	if (judged->kind < JUDGED_NOT && count == 0)
		return;
	if (violation != NULL && violation->field != NULL)
		place = problems_place_of(decision_find_field(result->item, violation->field),
		                          to->name);
	print_name(to, result->item, place);
	fputs(": ", stdout);
	decision_print_word(judged->kind, colored);
	if (reason != NULL)
		message_print_part(stdout, ": %s", reason);
	if (judged->hint != NULL)
		message_print_part(stdout, "; %s", judged->hint);
	for (size_t i = 0; i < count; i++)
		message_print_part(stdout, "; warning: %s", warnings[i]);
	putchar('\n');
}

static void
print_text(check_output *to, case_result *result)
{
	const limen_decision *decision = result->decision;
	const limen_decide_options *options = &to->settings->ask.decide;
	limen_request *req = result->item->request;
	bool colored = terminal_colored(to->settings->common);
	const char *unprioritized = options->prioritize == LIMEN_SWITCH_OFF ? "--no-prioritize"
	                            : options->prioritize == LIMEN_SWITCH_AUTO &&
	                                            !limen_request_is_run(req)
	                                    ? "by default only runs get one"
	                                    : NULL;

	if (!is_worth_showing(result))
		return;
	if (to->settings->quiet) {
		print_quiet(to, result, colored);
		return;
	}
	check_output_heading(to, result->item);
	decision_print(result, to->name, unprioritized, options->trace, colored);
	if (resource_table_print(decision, req))
		print_other_changes(decision);
	else
		decision_print_rewritten(decision, result->item->object);
	if (options->trace) {
		puts("Explanation:");
		trace_print(stdout, decision, colored);
	}
	/* The first line of a long answer has left the screen. */
	if (isatty(STDOUT_FILENO) &&
	    (options->trace || limen_value_count(limen_decision_patch(decision)) > 0))
		decision_print_verdict(result, colored);
}

/* ---- JSON and reviews ---- */

static void
print_answer(check_output *to, case_result *result)
{
	const ask_case *item = result->item;
	const limen_request *req = item->request;
	g_autoptr(GString) description = g_string_new(NULL);
	g_autoptr(GString) answer = NULL;

	/* Describes the object within its file. */
	json_write(description, "{file:s document:z path:s kind:S namespace:S name:S generateName:S}",
	           to->name, item->document + 1, item->pointer,
	           limen_request_field(req, LIMEN_FIELD_KIND),
	           limen_request_field(req, LIMEN_FIELD_NAMESPACE),
	           limen_request_field(req, LIMEN_FIELD_NAME),
	           limen_request_field(req, LIMEN_FIELD_GENERATE_NAME));
	if (result->judged.kind == JUDGED_NOT_CONCERNED && !item->workload)
		g_string_append(description, ",\"concerned\":false");
	answer = answer_make(result, item->object ? "about" : NULL, description->str);
	if (answer != NULL && to->settings->common->format == FORMAT_JSON)
		puts(answer->str);
	else if (answer == NULL || !yaml_print(answer, "---\n"))
		result->why = g_strdup("out of memory");
}

static void
print_review(check_output *to, case_result *result)
{
	const limen_request *req = result->item->request;
	bool answers = limen_request_review_version(req) != NULL;
	g_auto(heap_text) text = answers ? limen_request_answer(req, result->decision, 0, NULL) : NULL;

	(void)to;
	if (text != NULL)
		puts(text);
	else
		result->why = g_strdup(answers ? "out of memory"
		                       : result->item->review
		                               ? "an AdmissionReview must be of admission.k8s.io/v1 or "
		                                 "admission.k8s.io/v1beta1 to be answered"
		                               : "--format review answers AdmissionReviews");
}

/* ---- reports for other programs ---- */

/* Adds the violations of a refusal, at the places of their values. */
static void
add_violations(report_case *entry, const case_result *result)
{
	const limen_violation *violation = limen_decision_violation(result->decision, 0);

	if (violation == NULL)
		report_add_remark(entry, g_strdup(limen_decision_reason(result->decision)), NULL);
	for (size_t i = 1; violation != NULL; i++) {
		const char *field = violation->field;
		report_remark *remark = report_add_remark(
			entry, g_strdup(violation->message),
			field == NULL ? NULL : g_strconcat(result->item->field, field, NULL));

		if (field != NULL)
			problems_locate(decision_find_field(result->item, field), &remark->line,
			                &remark->column);
		violation = limen_decision_violation(result->decision, i);
	}
}

/* Adds a remark about the whole request, at its place. */
static void
add_remark(report_case *entry, const case_result *result, const char *text, bool warning)
{
	report_remark *remark = report_add_remark(entry, g_strdup(text), NULL);

	problems_locate(result->item->source, &remark->line, &remark->column);
	remark->warning = warning;
}

/* Adds the result of one request; admitted workloads are left out beside their pods. */
static void
add_result(check_output *to, case_result *result)
{
	static const report_outcome outcomes[JUDGEMENTS] = {
		[JUDGED_NOT_CONCERNED] = REPORT_SKIPPED, [JUDGED_ADMITTED] = REPORT_PASSED,
		[JUDGED_NOT] = REPORT_SKIPPED, [JUDGED_REFUSED] = REPORT_FAILED,
		[JUDGED_ERROR] = REPORT_BROKEN,
	};
	const judgement *judged = &result->judged;
	bool unjudged = judged->kind == JUDGED_NOT;
	bool strict = to->settings->strict;
	report_case *entry;
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(result->decision, &count);

	if (!is_worth_showing(result))
		return;
	entry = report_add_case(to->suite,
	                        result->item->label == NULL ? "task" : result->item->label);
	entry->outcome = outcomes[judged->kind];
	if (judged->reason != NULL)
		entry->why = g_strconcat(judgement_words[judged->kind], ": ", judged->reason,
		                         judged->hint == NULL ? NULL : "; ", judged->hint, NULL);
	else
		entry->why = g_strdup(limen_decision_reason(result->decision));
	if (judged->kind == JUDGED_REFUSED)
		add_violations(entry, result);
	if (unjudged)
		add_remark(entry, result, entry->why, !strict);
	for (size_t i = 0; i < count; i++)
		add_remark(entry, result, warnings[i], !strict);
	if (strict && entry->outcome != REPORT_BROKEN && (count > 0 || unjudged))
		entry->outcome = REPORT_FAILED;
}

void
check_output_problems(check_output *to, const limen_diag *diag, const char *why, bool broken)
{
	report_case *entry;

	if (to->suite == NULL)
		return;
	entry = report_add_case(to->suite, to->name);
	if (diag != NULL)
		report_add_problems(entry, diag);
	for (guint i = 0; to->settings->strict && i < entry->remarks->len; i++)
		g_array_index(entry->remarks, report_remark, i).warning = false;
	if (broken)
		entry->why = g_strdup(why != NULL ? why : problems_first(diag, "unusable request"));
	entry->outcome = broken                 ? REPORT_BROKEN
	                 : to->settings->strict ? REPORT_FAILED
	                                        : REPORT_PASSED;
}

/* ---- JSON Patch ---- */

/* Appends an operation with its path relative to the document. */
static void
add_operation(GString *out, const char *pointer, limen_value operation)
{
	const char *path = limen_value_string(limen_value_get(operation, "path"), NULL);
	g_autofree char *whole = g_strconcat(pointer, path, NULL);
	limen_iter iter = limen_iter_start(operation);
	limen_value key, member;

	json_write(out, "{");
	while (limen_iter_next(&iter, &key, &member)) {
		json_key(out, limen_value_string(key, NULL));
		if (limen_value_is(key, "path"))
			json_string(out, whole);
		else
			json_value(out, member);
	}
	json_write(out, "}");
}

/*
 * Adds the changes of a decision to the patch of its document.  The patch of a refused object must
 * not be applied, so the refusal is reported as an error.
 */
static void
add_patch(check_output *to, case_result *result)
{
	const ask_case *item = result->item;
	const limen_decision *decision = result->decision;
	limen_iter iter = limen_iter_start(decision == NULL ? limen_value_none()
	                                                     : limen_decision_patch(decision));
	GString **patch;
	limen_value operation;

	if (to->patches->len <= item->document)
		g_ptr_array_set_size(to->patches, (gint)item->document + 1);
	patch = (GString **)&g_ptr_array_index(to->patches, item->document);
	if (*patch == NULL)
		*patch = g_string_new("[");
	if (decision == NULL || !limen_decision_admitted(decision))
		g_string_truncate(*patch, 0);
	while ((*patch)->len > 0 && limen_iter_next(&iter, NULL, &operation))
		add_operation(*patch, item->pointer, operation);
	if (decision != NULL && !limen_decision_admitted(decision))
		message_error("%s%s%s: %s", to->name, item->label == NULL ? "" : ": ",
		              item->label == NULL ? "" : item->label,
		              limen_decision_reason(decision));
}

void
check_output_patches(check_output *to, size_t documents)
{
	g_ptr_array_set_size(to->patches, (gint)documents);
	for (size_t i = 0; i < documents; i++) {
		GString *patch = g_ptr_array_index(to->patches, i);

		puts(patch == NULL ? "[]" : patch->len == 0 ? "null" : g_string_append(patch, "]")->str);
		if (patch != NULL)
			g_string_free(patch, TRUE);
	}
	g_ptr_array_unref(to->patches);
}

void
check_output_decision(check_output *to, case_result *result)
{
	static void (*const printers[])(check_output *to, case_result *result) = {
		[FORMAT_TEXT] = print_text,     [FORMAT_JSON] = print_answer,
		[FORMAT_YAML] = print_answer,   [FORMAT_PATCH] = add_patch,
		[FORMAT_REVIEW] = print_review, [FORMAT_JUNIT] = add_result,
		[FORMAT_GITHUB] = add_result,
	};
	output_format format = to->settings->common->format;

	/* Without a decision about one of its objects, a document has no patch. */
	if (result->decision != NULL || format == FORMAT_PATCH)
		printers[format](to, result);
}
