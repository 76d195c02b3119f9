/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_files.c - "limen check" of files: reads them, decides all requests in them, and returns
 * the worst result.
 */
#include <stdio.h>

#include "ask/answer.h"
#include "ask/judgement.h"
#include "check.h"
#include "check_output.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/sources.h"
#include "policy/policy.h"
#include "policy/problems.h"

/* Reports a failure; in JSON every request gets an answer, so that the two can be paired. */
static int
report_failure(check_output *to, const limen_diag *diag, const char *why)
{
	if (why != NULL)
		message_error("%s", why);
	if (diag != NULL)
		problems_print_request(diag, to->name);
	check_output_problems(to, diag, why, true);
	if (to->how->format == FORMAT_JSON)
		answer_error(why != NULL ? why : problems_first(diag, "unusable request"), diag);
	return STATUS_ERROR;
}

/* Decides one request; '*kind' becomes its judgement if that is worse. */
static int
decide(check_output *to, limen_engine *engine, const subject *item, judgement_kind *kind)
{
	limen_decide_options options = to->how->ask.decide;
	char *why = NULL;
	limen_decision *decision;
	judgement judged;
	int status;

	/* The text takes from the trace whether an entry looked at the object. */
	options.trace = options.trace || to->how->format == FORMAT_TEXT;
	decision = ask_decide(&options, engine, item->request, &why);
	judged = judge(&to->how->ask.decide, engine, item, decision);
	status = judgement_status(&judged, decision, to->how->strict);
	*kind = MAX(*kind, judged.kind);
	if (decision == NULL)
		check_output_no_decision(to, item);
	else if (!check_output_decision(to, item, decision, &judged, &why))
		status = STATUS_ERROR;
	if (why != NULL)
		report_failure(to, NULL, why);
	judgement_clear(&judged);
	limen_decision_free(decision);
	g_free(why);
	return status;
}

static int
decide_all(check_output *to, limen_engine *engine, const GPtrArray *subjects, size_t documents)
{
	int status = STATUS_GOOD;

	to->headings = to->headings || subjects->len > 1;
	for (guint i = 0; i < subjects->len;) {
		const subject *item = g_ptr_array_index(subjects, i);
		judgement_kind kind = JUDGED_NOT_CONCERNED;

		to->counts->tasks = to->counts->tasks || !item->object;
		/* The pods and claims of a workload follow it. */
		do {
			item = g_ptr_array_index(subjects, i);
			status = status_worse(status, decide(to, engine, item, &kind));
		} while (++i < subjects->len &&
		         ((const subject *)g_ptr_array_index(subjects, i))->derived);
		to->counts->judgements[kind]++;
	}
	check_output_finish(to, documents);
	return status;
}

static int
check_file(check_output *to, limen_engine *engine, const char *path)
{
	limen_diag *diag = policy_diag();
	char *why = NULL;
	size_t documents = 0;
	GPtrArray *subjects = subjects_read(&to->how->ask, path, &documents, diag, &why);
	int status;

	if (subjects == NULL) {
		if (to->how->format == FORMAT_TEXT && !to->how->quiet)
			check_output_heading(to, NULL);
		status = report_failure(to, diag, why);
		to->counts->judgements[JUDGED_ERROR]++;
		to->counts->tasks = true;
	} else {
		/* Notes are printed for objects only: pScheduler has none for tasks. */
		bool notes = subjects->len > 0 && limen_diag_get(diag, 0) != NULL &&
		             ((const subject *)subjects->pdata[0])->object;

		if (notes) {
			problems_print_notes(diag, to->name);
			check_output_problems(to, diag, NULL, false);
		}
		status = decide_all(to, engine, subjects, documents);
		if (notes && to->how->strict)
			status = status_worse(status, STATUS_BAD);
		g_ptr_array_unref(subjects);
	}
	limen_diag_free(diag);
	g_free(why);
	return status;
}

static int
check_paths(const check *how, limen_engine *engine, const GPtrArray *paths)
{
	int status = STATUS_GOOD;
	bool printed = false;
	check_counts counts = { .tasks = false };
	progress bar;
	report *results = report_new();
	bool reports = how->format == FORMAT_JUNIT || how->format == FORMAT_GITHUB;
	size_t total = 0;

	progress_start(&bar, paths->len, true);
	for (guint i = 0; i < paths->len; i++) {
		const char *path = g_ptr_array_index(paths, i);
		check_output to = { .how = how,
			            .name = input_name(path),
			            .headings = paths->len > 1,
			            .printed = &printed,
			            .counts = &counts };

		if (reports)
			to.suite = report_add_suite(results, to.name);
		status = status_worse(status, check_file(&to, engine, path));
		progress_update(&bar, i + 1, i + 1, "files");
	}
	progress_end(&bar);
	for (size_t i = 0; i < JUDGEMENTS; i++)
		total += counts.judgements[i];
	if (how->format == FORMAT_TEXT && (how->quiet || total > 1)) {
		if (printed)
			putchar('\n');
		check_output_counts(&counts);
	}
	if (how->format == FORMAT_JUNIT)
		report_print_junit(results);
	if (how->format == FORMAT_GITHUB)
		report_print_github(results);
	g_ptr_array_unref(results);
	return status;
}

/* Returns true if 'path' holds a policy; streams are not read, because they can be read once. */
static bool
is_policy(const char *path)
{
	limen_documents *parsed = NULL;
	char *why = NULL;
	GString *text = policy_is_stream(path) ? NULL : input_read(path, &why);
	bool found = text != NULL && limen_documents_parse(path, text->str, text->len, 0, &parsed,
	                                                   NULL) == LIMEN_OK &&
	             ask_is_policy(limen_documents_get(parsed, 0));

	if (text != NULL)
		g_string_free(text, TRUE);
	limen_documents_free(parsed);
	g_free(why);
	return found;
}

static int
refuse_policy(const check *how, const GPtrArray *paths, const limen_diag *diag, const char *why)
{
	if (why != NULL)
		message_error("%s", why);
	problems_print_policy(diag, LIMEN_SEVERITY_PROBLEM);
	/* Every file gets one answer object, even if the policy did not load. */
	for (guint i = 0; how->format == FORMAT_JSON && i < paths->len; i++)
		answer_error(why != NULL ? why : problems_first(diag, "unusable policy"), diag);
	return STATUS_ERROR;
}

int
check_files(const check *how)
{
	limen_engine *engine;
	limen_diag *diag;
	GPtrArray *paths;
	char *why = NULL;
	int status;

	if (how->policies == NULL && is_policy(how->files[0])) {
		message_error("%s is a policy, not a request: write --policy %s", how->files[0],
		              how->files[0]);
		return STATUS_ERROR;
	}
	engine = policy_engine_for(how->common, how->engine_flags, how->ask.namespace);
	diag = policy_diag();
	paths = sources_expand(how->files);
	if (policy_load_all(engine, how->policies, diag, &why))
		status = check_paths(how, engine, paths);
	else
		status = refuse_policy(how, paths, diag, why);
	g_free(why);
	g_ptr_array_unref(paths);
	limen_diag_free(diag);
	limen_engine_free(engine);
	return status;
}
