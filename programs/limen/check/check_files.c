/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_files.c - "limen check" of files: reads them, decides all requests in them, and returns
 * the worst result.
 */
#include <stdio.h>

#include "ask/answer.h"
#include "check_output.h"
#include "common/auto.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/sources.h"
#include "policy/policy.h"
#include "policy/problems.h"

/* The judgements of all files; an object and the pods it makes count once, with the worst. */
typedef struct judgement_counts {
	size_t judgements[JUDGEMENTS];
	size_t total;
	bool tasks; /* some are tasks, or cannot be read */
} judgement_counts;

/* Prints the line of counts: "5 objects: 1 refused, 4 admitted". */
static void
print_counts(const judgement_counts *counts)
{
	static const judgement_kind order[] = { JUDGED_ERROR, JUDGED_REFUSED, JUDGED_NOT,
		                                JUDGED_NOT_CONCERNED, JUDGED_ADMITTED };
	const char *before = ":";

	printf("%zu %s%s", counts->total, counts->tasks ? "request" : "object",
	       counts->total == 1 ? "" : "s");
	for (size_t i = 0; i < JUDGEMENTS; i++) {
		if (counts->judgements[order[i]] == 0)
			continue;
		printf("%s %zu %s", before, counts->judgements[order[i]], judgement_words[order[i]]);
		before = ",";
	}
	putchar('\n');
}

/* Reports a failure; in JSON every request gets an answer, so that the two can be paired. */
static int
report_failure(check_output *to, const limen_diag *diag, const char *why)
{
	if (why != NULL)
		message_error("%s", why);
	if (diag != NULL)
		problems_print_request(diag, to->name, true);
	check_output_problems(to, diag, why, true);
	if (to->settings->common->format == FORMAT_JSON)
		answer_error(why != NULL ? why : problems_first(diag, "unusable request"), diag);
	return STATUS_ERROR;
}

/* Decides one request; '*kind' becomes its judgement if that is worse. */
static int
decide(check_output *to, limen_engine *engine, ask_case *item, judgement_kind *kind)
{
	case_result result;
	int status;

	/* The text takes from the trace whether an entry looked at the object. */
	item->options.trace = item->options.trace || to->settings->common->format == FORMAT_TEXT;
	result = judge(engine, item, to->settings->strict);
	*kind = MAX(*kind, result.judged.kind);
	check_output_decision(to, &result);
	status = result.why == NULL ? result.status : report_failure(to, NULL, result.why);
	case_result_clear(&result);
	return status;
}

static int
decide_all(check_output *to, limen_engine *engine, const GPtrArray *cases, judgement_counts *counts)
{
	int status = STATUS_GOOD;

	to->headings = to->headings || cases->len > 1;
	for (guint i = 0; i < cases->len;) {
		ask_case *item = g_ptr_array_index(cases, i);
		judgement_kind kind = JUDGED_NOT_CONCERNED;

		counts->tasks = counts->tasks || !item->object;
		/* The pods and claims of a workload follow it. */
		do {
			status = status_worse(status, decide(to, engine, item, &kind));
			item = ++i < cases->len ? g_ptr_array_index(cases, i) : NULL;
		} while (item != NULL && item->derived);
		counts->judgements[kind]++;
		counts->total++;
	}
	return status;
}

static int
check_file(check_output *to, limen_engine *engine, const char *path, judgement_counts *counts)
{
	g_autoptr(limen_diag) diag = policy_diag();
	g_autofree char *why = NULL;
	size_t documents = 0;
	g_autoptr(GPtrArray) cases = cases_read(&to->settings->ask, engine, path, &documents, diag,
	                                              &why);
	bool notes;
	int status;

	if (cases == NULL) {
		if (to->settings->common->format == FORMAT_TEXT && !to->settings->quiet)
			check_output_heading(to, NULL);
		counts->judgements[JUDGED_ERROR]++;
		counts->total++;
		counts->tasks = true;
		return report_failure(to, diag, why);
	}
	/* Notes are printed for objects only: pScheduler has none for tasks. */
	notes = cases->len > 0 && limen_diag_get(diag, 0) != NULL &&
	        ((const ask_case *)cases->pdata[0])->object;
	if (notes) {
		problems_print_request(diag, to->name, false);
		check_output_problems(to, diag, NULL, false);
	}
	if (to->settings->common->format == FORMAT_PATCH)
		to->patches = g_ptr_array_new();
	status = decide_all(to, engine, cases, counts);
	if (to->patches != NULL)
		check_output_patches(to, documents);
	return notes && to->settings->strict ? status_worse(status, STATUS_BAD) : status;
}

static int
check_paths(const check *settings, limen_engine *engine, const GPtrArray *paths)
{
	output_format format = settings->common->format;
	g_autoptr(GPtrArray) results = report_new();
	judgement_counts counts = { .tasks = false };
	int status = STATUS_GOOD;
	bool printed = false;
	progress bar;

	progress_start(&bar, paths->len, true);
	for (guint i = 0; i < paths->len; i++) {
		const char *path = g_ptr_array_index(paths, i);
		check_output to = { .settings = settings,
			            .name = input_name(path),
			            .headings = paths->len > 1,
			            .printed = &printed };

		if (format == FORMAT_JUNIT || format == FORMAT_GITHUB)
			to.suite = report_add_suite(results, to.name);
		status = status_worse(status, check_file(&to, engine, path, &counts));
		progress_update(&bar, i + 1, i + 1, "files");
	}
	progress_end(&bar);
	if (format == FORMAT_TEXT && (settings->quiet || counts.total > 1)) {
		fputs(printed ? "\n" : "", stdout);
		print_counts(&counts);
	}
	if (format == FORMAT_JUNIT)
		report_print_junit(results);
	if (format == FORMAT_GITHUB)
		report_print_github(results);
	return status;
}

int
check_files(const check *settings)
{
	g_autoptr(limen_engine) engine = NULL;
	g_autoptr(limen_diag) diag = NULL;
	g_autoptr(GPtrArray) paths = NULL;
	g_autoptr(limen_documents) first = NULL;
	g_autofree char *why = NULL;

	if (settings->policies == NULL)
		first = policy_peek(settings->files[0]);
	if (ask_is_policy(limen_documents_get(first, 0))) {
		message_error("%s is a policy, not a request: write --policy %s", settings->files[0],
		              settings->files[0]);
		return STATUS_ERROR;
	}
	engine = policy_engine_for(settings->common, settings->engine_flags,
	                           settings->ask.namespace);
	diag = policy_diag();
	paths = sources_expand(settings->files);
	if (policy_load_all(engine, settings->policies, diag, &why))
		return check_paths(settings, engine, paths);
	if (why != NULL)
		message_error("%s", why);
	problems_print_policy(diag, LIMEN_SEVERITY_PROBLEM);
	/* Every file gets one answer object, even if the policy did not load. */
	for (guint i = 0; settings->common->format == FORMAT_JSON && i < paths->len; i++)
		answer_error(why != NULL ? why : problems_first(diag, "unusable policy"), diag);
	return STATUS_ERROR;
}
