/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_output.c - prints a decision as text, JSON, YAML, a JSON Patch or an AdmissionReview
 * response, adds it to a report, and prints the headings between files and objects.  Collects
 * the patch operations of one document, with paths relative to it, and prints them as one line.
 */
#include "check_output.h"

#include <limen/documents.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/answer.h"
#include "ask/decision_text.h"
#include "cli/message.h"
#include "cli/terminal.h"
#include "cli/yaml_out.h"
#include "common/json_out.h"
#include "policy/problems.h"
#include "policy/resource_table.h"

/* Prints the file, or the place in it, and the object with its namespace. */
static void
print_name(const check_output *to, const subject *item, const char *place)
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
check_output_heading(check_output *to, const subject *item)
{
	if (!to->headings)
		return;
	if (*to->printed)
		fputc('\n', stdout);
	*to->printed = true;
	fputs("==> ", stdout);
	print_name(to, item, NULL);
	puts(" <==");
}

void
check_output_counts(const check_counts *counts)
{
	static const judgement_kind order[] = { JUDGED_ERROR, JUDGED_REFUSED, JUDGED_NOT,
		                                JUDGED_NOT_CONCERNED, JUDGED_ADMITTED };
	const char *before = ":";
	size_t total = 0;

	for (size_t i = 0; i < JUDGEMENTS; i++)
		total += counts->judgements[i];
	printf("%zu %s%s", total, counts->tasks ? "request" : "object", total == 1 ? "" : "s");
	for (size_t i = 0; i < JUDGEMENTS; i++) {
		if (counts->judgements[order[i]] == 0)
			continue;
		printf("%s %zu %s", before, counts->judgements[order[i]], judgement_words[order[i]]);
		before = ",";
	}
	putchar('\n');
}

/* Hides an admitted workload without warnings or changes: its pods are shown. */
static bool
is_worth_showing(const subject *item, const limen_decision *decision)
{
	size_t warnings = 0;

	limen_decision_warnings(decision, &warnings);
	return !item->workload || !limen_decision_admitted(decision) || warnings > 0 ||
	       limen_value_exists(limen_decision_rewritten(decision));
}

/* Returns why no priority was computed, or NULL. */
static const char *
explain_no_priority(const check *how, const limen_request *req)
{
	if (how->ask.decide.prioritize == LIMEN_SWITCH_OFF)
		return "--no-prioritize";
	if (how->ask.decide.prioritize == LIMEN_SWITCH_AUTO && !limen_request_is_run(req))
		return "by default only runs get one";
	return NULL;
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
		char *text = limen_value_to_json(value, 0, NULL);

		if (!resource_table_shows(path))
			message_print_line(stdout, "Changed: %s: %s", path,
			                   limen_value_exists(value) ? text : "removed");
		free(text);
	}
}

/* Prints what is refused, not judged or fails --strict on one line. */
static void
print_quiet(const check_output *to, const decision_text *text)
{
	const judgement *judged = text->judged;
	const limen_violation *violation = limen_decision_violation(text->decision, 0);
	const char *field = violation == NULL ? NULL : violation->field;
	const char *own = judged->reason;
	g_autofree char *reason = NULL;
	g_autofree char *place = NULL;
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(text->decision, &count);

	if (!to->how->strict)
		count = 0;
	if (judged->kind < JUDGED_NOT && count == 0)
		return;
	if (judged->kind >= JUDGED_REFUSED)
		own = limen_decision_reason(text->decision);
	reason = own == NULL ? NULL : g_strdelimit(g_strdup(own), "\n", ' ');
	if (field != NULL)
		place = problems_place_of(decision_find_field(text->item, field), to->name);
	print_name(to, text->item, place);
	fputs(": ", stdout);
	decision_print_word(text);
	if (reason != NULL)
		message_print_part(stdout, ": %s", reason);
	if (judged->hint != NULL)
		message_print_part(stdout, "; %s", judged->hint);
	for (size_t i = 0; i < count; i++)
		message_print_part(stdout, "; warning: %s", warnings[i]);
	putchar('\n');
}

static void
print_text(check_output *to, const subject *item, const limen_decision *decision,
           const judgement *judged)
{
	const check *how = to->how;
	const limen_request *req = item->request;
	const decision_text text = { .decision = decision,
		                     .item = item,
		                     .judged = judged,
		                     .unprioritized = explain_no_priority(how, req),
		                     .file = to->name,
		                     .colored = terminal_colored(how->common) };

	if (!is_worth_showing(item, decision))
		return;
	if (how->quiet) {
		print_quiet(to, &text);
		return;
	}
	check_output_heading(to, item);
	decision_print(&text);
	if (resource_table_print(decision, req))
		print_other_changes(decision);
	else
		decision_print_rewritten(decision, item->object);
	if (how->ask.decide.trace) {
		puts("Explanation:");
		trace_print(stdout, decision, text.colored);
	}
	/* The first line of a long answer has left the screen. */
	if (isatty(STDOUT_FILENO) &&
	    (how->ask.decide.trace || limen_value_count(limen_decision_patch(decision)) > 0))
		decision_print_verdict(&text);
}

static GString *
make_answer(const check_output *to, const subject *item, const limen_decision *decision,
            const judgement *judged)
{
	const limen_request *req = item->request;
	GString *description;
	GString *out;

	if (!item->object)
		return answer_make(decision, judged, NULL, NULL);
	/* Describes the object within its file. */
	description = g_string_new(NULL);
	json_write(description, "{file:s document:z path:s kind:S namespace:S name:S generateName:S}",
	           to->name, item->document + 1, item->pointer,
	           limen_request_field(req, LIMEN_FIELD_KIND),
	           limen_request_field(req, LIMEN_FIELD_NAMESPACE),
	           limen_request_field(req, LIMEN_FIELD_NAME),
	           limen_request_field(req, LIMEN_FIELD_GENERATE_NAME));
	if (judged->kind == JUDGED_NOT_CONCERNED && !item->workload)
		g_string_append(description, ",\"concerned\":false");
	out = answer_make(decision, judged, "about", description->str);
	g_string_free(description, TRUE);
	return out;
}

static bool
print_answer(const check_output *to, const subject *item, const limen_decision *decision,
             const judgement *judged)
{
	GString *answer = make_answer(to, item, decision, judged);
	bool good = true;

	if (answer == NULL)
		return false;
	if (to->how->format == FORMAT_YAML)
		good = yaml_print(answer, "---\n");
	else
		puts(answer->str);
	g_string_free(answer, TRUE);
	return good;
}

static bool
print_review(const subject *item, const limen_decision *decision, char **why)
{
	char *text;

	if (limen_request_review_version(item->request) == NULL) {
		*why = g_strdup(item->review
		                        ? "an AdmissionReview must be of admission.k8s.io/v1 or "
		                          "admission.k8s.io/v1beta1 to be answered"
		                        : "--format review answers AdmissionReviews");
		return false;
	}
	text = limen_request_answer(item->request, decision, 0, NULL);
	if (text == NULL) {
		*why = g_strdup("out of memory");
		return false;
	}
	puts(text);
	free(text);
	return true;
}

/* ---- reports for other programs ---- */

/* Adds the violations of a refusal, at the places of their values. */
static void
add_violations(report_case *entry, const subject *item, const limen_decision *decision)
{
	const limen_violation *violation = limen_decision_violation(decision, 0);

	for (size_t i = 1; violation != NULL; i++) {
		const char *field = violation->field;
		report_remark *remark = report_add_remark(
			entry, g_strdup(violation->message),
			field == NULL ? NULL : g_strconcat(item->field, field, NULL));

		if (field != NULL)
			problems_locate(decision_find_field(item, field), &remark->line,
			                &remark->column);
		violation = limen_decision_violation(decision, i);
	}
	if (entry->remarks->len == 0)
		report_add_remark(entry, g_strdup(limen_decision_reason(decision)), NULL);
}

static void
add_reason(report_case *entry, const subject *item, const judgement *judged, bool strict)
{
	entry->why = g_strdup_printf("%s: %s%s%s", judgement_words[judged->kind], judged->reason,
	                             judged->hint == NULL ? "" : "; ",
	                             judged->hint == NULL ? "" : judged->hint);
	if (judged->kind == JUDGED_NOT) {
		report_remark *remark = report_add_remark(entry, g_strdup(entry->why), NULL);

		problems_locate(item->source, &remark->line, &remark->column);
		remark->warning = !strict;
	}
}

/* Adds the result of one request; admitted workloads are left out beside their pods. */
static void
add_result(check_output *to, const subject *item, const limen_decision *decision,
           const judgement *judged)
{
	static const report_outcome outcomes[JUDGEMENTS] = {
		[JUDGED_NOT_CONCERNED] = REPORT_SKIPPED, [JUDGED_ADMITTED] = REPORT_PASSED,
		[JUDGED_NOT] = REPORT_SKIPPED, [JUDGED_REFUSED] = REPORT_FAILED,
		[JUDGED_ERROR] = REPORT_BROKEN,
	};
	bool strict = to->how->strict;
	report_case *entry;
	size_t count = 0;
	const char *const *warnings = limen_decision_warnings(decision, &count);

	if (!is_worth_showing(item, decision))
		return;
	entry = report_add_case(to->suite, item->label == NULL ? "task" : item->label);
	entry->outcome = outcomes[judged->kind];
	if (judged->reason != NULL)
		add_reason(entry, item, judged, strict);
	else if (judged->kind == JUDGED_REFUSED)
		add_violations(entry, item, decision);
	else if (judged->kind == JUDGED_ERROR)
		entry->why = g_strdup(limen_decision_reason(decision));
	for (size_t i = 0; i < count; i++)
		report_add_remark(entry, g_strdup(warnings[i]), NULL)->warning = !strict;
	if (strict && entry->outcome != REPORT_BROKEN && (count > 0 || judged->kind == JUDGED_NOT))
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
	for (guint i = 0; to->how->strict && i < entry->remarks->len; i++)
		g_array_index(entry->remarks, report_remark, i).warning = false;
	if (broken)
		entry->why = g_strdup(why != NULL ? why : problems_first(diag, "unusable request"));
	entry->outcome = broken ? REPORT_BROKEN : to->how->strict ? REPORT_FAILED : REPORT_PASSED;
}

/* ---- JSON Patch ---- */

/* Prints the empty patches of the documents before 'document' that have none yet. */
static void
fill(patch_out *out, size_t document)
{
	for (; out->printed < document; out->printed++)
		puts("[]");
}

static void
flush(patch_out *out)
{
	if (out->operations == NULL)
		return;
	g_string_append(out->operations, "]\n");
	fputs(out->refused ? "null\n" : out->operations->str, stdout);
	g_string_free(out->operations, TRUE);
	*out = (patch_out){ .printed = out->document + 1 };
}

static void
begin(patch_out *out, size_t document)
{
	if (out->document != document)
		flush(out);
	fill(out, document);
	if (out->operations == NULL)
		out->operations = g_string_new("[");
	out->document = document;
}

/* Appends an operation with its path relative to the document. */
static void
add_operation(GString *out, const char *pointer, limen_value operation)
{
	const char *path = limen_value_string(limen_value_get(operation, "path"), NULL);
	char *whole = g_strconcat(pointer, path, NULL);
	limen_iter iter = limen_iter_start(operation);
	limen_value key, member;

	json_open(out, '{');
	while (limen_iter_next(&iter, &key, &member)) {
		json_key(out, limen_value_string(key, NULL));
		if (limen_value_is(key, "path"))
			json_string(out, whole);
		else
			json_value(out, member);
	}
	g_string_append_c(out, '}');
	g_free(whole);
}

static void
add_patch(patch_out *out, const subject *item, const limen_decision *decision)
{
	limen_iter iter = limen_iter_start(limen_decision_patch(decision));
	limen_value operation;

	begin(out, item->document);
	out->refused = out->refused || !limen_decision_admitted(decision);
	while (limen_iter_next(&iter, NULL, &operation))
		add_operation(out->operations, item->pointer, operation);
}

void
check_output_no_decision(check_output *to, const subject *item)
{
	if (to->how->format != FORMAT_PATCH)
		return;
	begin(&to->patch, item->document);
	to->patch.refused = true;
}

bool
check_output_decision(check_output *to, const subject *item, const limen_decision *decision,
                      const judgement *judged, char **why)
{
	switch (to->how->format) {
	case FORMAT_JSON:
	case FORMAT_YAML:
		if (print_answer(to, item, decision, judged))
			return true;
		*why = g_strdup("out of memory");
		return false;
	case FORMAT_PATCH:
		add_patch(&to->patch, item, decision);
		/*
		 * The patch of a refused object must not be applied, so the refusal is reported
		 * as an error.
		 */
		if (!limen_decision_admitted(decision))
			message_error("%s%s%s: %s", to->name, item->label == NULL ? "" : ": ",
			              item->label == NULL ? "" : item->label,
			              limen_decision_reason(decision));
		return true;
	case FORMAT_REVIEW:
		return print_review(item, decision, why);
	case FORMAT_JUNIT:
	case FORMAT_GITHUB:
		add_result(to, item, decision, judged);
		return true;
	default:
		print_text(to, item, decision, judged);
		return true;
	}
}

void
check_output_finish(check_output *to, size_t documents)
{
	if (to->how->format != FORMAT_PATCH)
		return;
	flush(&to->patch);
	fill(&to->patch, documents);
}
