/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_run.c - runs tests in parallel, the steps of each in order, on a simulated clock.
 */
#include <limen/duration.h>
#include <string.h>

#include "ask/decision_text.h"
#include "ask/judgement.h"
#include "cli/jobs.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "common/auto.h"
#include "tests.h"

/* Largest number of repetitions of a step. */
#define REPEAT_MAX 1000000

/* The job of one test. */
typedef struct run {
	job job;
	tests_policies *policies;
	const tests_settings *settings;
	test_case *test;
} run;

static void G_GNUC_PRINTF(2, 3)
fail(test_case *test, const char *format, ...)
{
	va_list arguments;

	if (test->result.why != NULL)
		return;
	va_start(arguments, format);
	test->result.why = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	test->result.outcome = REPORT_BROKEN;
}

/* Returns false, and fails the test, if no entry looked at an object of an unknown kind. */
static bool
is_judged(test_case *test, const test_policy *policy, const char *label, const ask_case *item,
          const limen_decision *decision)
{
	judgement judged = judge_decision(policy->engine, item, decision);
	/* A test may say that no LimitRange applies to a pod or a claim. */
	bool good = judged.kind != JUDGED_NOT || item->limited;

	if (!good)
		fail(test, "%snot judged: %s%s%s", label, judged.reason,
		     judged.hint == NULL ? "" : "; ", judged.hint == NULL ? "" : judged.hint);
	judgement_clear(&judged);
	return good;
}

/* Adds the reason and the trace of the decision to the last failure of the step. */
static void
explain(const run *self, guint first, const limen_decision *decision)
{
	GArray *failures = self->test->result.remarks;
	report_remark *failure;
	size_t length;
	FILE *to;

	if (failures->len == first)
		return;
	failure = &g_array_index(failures, report_remark, failures->len - 1);
	failure->because = g_strdup(limen_decision_reason(decision));
	to = open_memstream(&failure->trace, &length);
	if (to == NULL)
		return;
	trace_print(to, decision, terminal_colored(self->settings->common));
	fclose(to);
}

/* Decides the step as often as "repeat" says; returns false if that fails. */
static bool
decide_step(const run *self, const test_policy *policy, const test_view *view, const char *label,
            ask_case *item)
{
	test_case *test = self->test;
	guint before = test->result.remarks->len;
	int64_t times = 1;

	limen_value_int(tests_find(view, "repeat"), &times);
	if (times < 1 || times > REPEAT_MAX) {
		fail(test, "%s'repeat' is a number from 1 to %d", label, REPEAT_MAX);
		return false;
	}
	/* Repetitions stop at the first failure. */
	for (int64_t i = 0; i < times && test->result.remarks->len == before; i++) {
		g_autoptr(limen_decision) decision = NULL;
		int result = limen_engine_decide(policy->engine, item->request, &item->options,
		                                 &decision);
		g_autofree char *name = times > 1 ? g_strdup_printf("%stime %" G_GINT64_FORMAT ": ",
		                                                    label, i + 1)
		                                  : g_strdup(label);

		if (result != LIMEN_OK)
			fail(test, "%s%s", label, limen_result_text((limen_result)result));
		else if (is_judged(test, policy, label, item, decision) &&
		         !tests_compare(test, view, name, decision, i == 0))
			fail(test, "out of memory");
		else
			explain(self, before, decision);
		if (result == LIMEN_OK && self->settings->cover != NULL)
			tests_cover_decision(self->settings->cover, policy->name, decision);
		if (test->result.why != NULL)
			return false;
	}
	return true;
}

static bool
run_step(const run *self, const test_policy *policy, const test_view *view, const char *label,
         limen_time *clock)
{
	ask_case item;
	g_autofree char *why = NULL;
	bool good = tests_request_make(&item, self->test->file, view, *clock, &why);

	item.options.trace = true;
	if (good)
		good = decide_step(self, policy, view, label, &item);
	else
		fail(self->test, "%s%s", label, why == NULL ? "out of memory" : why);
	limen_request_free(item.request);
	return good;
}

/* Advances the clock to the time of the step. */
static bool
move_clock(test_case *test, limen_value step, const char *label, limen_time *clock)
{
	limen_value after = limen_value_get(step, "after");
	limen_value at = limen_value_get(step, "time");
	size_t length = 0;
	const char *text = limen_value_string(after, &length);
	limen_duration wait = 0;

	if (limen_value_exists(at) && !ask_read_time(at, clock)) {
		fail(test, "%s'time' must be a time or seconds since 1970", label);
		return false;
	}
	if (text == NULL)
		return true;
	if (limen_duration_parse(text, length, LIMEN_DURATION_SHORT, &wait, NULL) != LIMEN_OK ||
	    __builtin_add_overflow(*clock, wait, clock)) {
		fail(test, "%s'after' takes a duration (30s, PT30S, P1D), not '%s'", label, text);
		return false;
	}
	return true;
}

static void
run_steps(const run *self, const test_policy *policy, limen_time clock)
{
	test_case *test = self->test;
	limen_iter iter = limen_iter_start(test->steps);
	bool good = true;
	limen_value step;

	for (size_t number = 1; good && limen_iter_next(&iter, NULL, &step); number++) {
		const char *name = limen_value_string(limen_value_get(step, "name"), NULL);
		g_autofree char *label = g_strdup_printf("step %zu%s%s: ", number,
		                                         name == NULL ? "" : ", ",
		                                         name == NULL ? "" : name);
		test_view view = test->view;

		view.layers[LAYER_STEP] = step;
		good = move_clock(test, step, label, &clock) &&
		       run_step(self, policy, &view, label, &clock);
	}
}

static void
run_policy(const run *self, const test_policy *policy)
{
	test_case *test = self->test;
	limen_value at = tests_find(&test->view, "time");
	limen_time clock = TESTS_TIME_DEFAULT;

	if (limen_value_exists(at) && !ask_read_time(at, &clock))
		fail(test, "'time' must be a time or seconds since 1970");
	else if (limen_value_exists(test->steps))
		run_steps(self, policy, clock);
	else
		run_step(self, policy, &test->view, "", &clock);
}

static void
run_test(job *base)
{
	run *self = (run *)base;
	test_case *test = self->test;
	const char *skip = limen_value_string(tests_find(&test->view, "skip"), NULL);
	gint64 begin = g_get_monotonic_time();
	test_policy policy;
	g_autofree char *why = NULL;

	if (skip != NULL) {
		test->result.outcome = REPORT_SKIPPED;
		test->result.why = g_strdup(skip);
		return;
	}
	if (tests_policy_open(self->policies, test, &policy, &why))
		run_policy(self, &policy);
	else
		fail(test, "%s", why == NULL ? "no policy" : why);
	if (test->result.why == NULL && test->result.remarks->len > 0)
		test->result.outcome = REPORT_FAILED;
	tests_policy_close(&policy);
	test->result.microseconds = g_get_monotonic_time() - begin;
}

void
tests_run(const tests_settings *settings, const GPtrArray *files)
{
	tests_policies *policies = tests_policies_new(settings);
	jobs *pool = jobs_start();
	g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(g_free);
	progress bar;

	for (guint i = 0; i < 2 * files->len; i++) {
		const test_file *file = g_ptr_array_index(files, i / 2);
		const GPtrArray *tests = i % 2 == 0 ? file->suite.cases : file->others;

		for (guint k = 0; k < tests->len; k++) {
			run *item = g_new(run, 1);

			*item = (run){ .job.run = run_test, .policies = policies,
				      .settings = settings,
				      .test = g_ptr_array_index(tests, k) };
			g_ptr_array_add(runs, item);
			jobs_give(pool, &item->job);
		}
	}
	progress_start(&bar, runs->len, false);
	for (guint i = 0; i < runs->len; i++) {
		jobs_wait(pool, g_ptr_array_index(runs, i));
		progress_update(&bar, i + 1, i + 1, "tests");
	}
	progress_end(&bar);
	jobs_finish(pool);
	tests_policies_free(policies);
}
