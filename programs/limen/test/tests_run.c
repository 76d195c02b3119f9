/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_run.c - runs tests in parallel, the steps of each in order, on a simulated clock.
 */
#include <inttypes.h>
#include <limen/duration.h>
#include <stdlib.h>
#include <string.h>

#include "ask/decision_text.h"
#include "cli/auto.h"
#include "cli/jobs.h"
#include "cli/progress.h"
#include "cli/terminal.h"
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

	if (test->why != NULL)
		return;
	va_start(arguments, format);
	test->why = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	test->outcome = TEST_BROKEN;
}

/* Adds the reason and the trace of the decision to the last failure of the step. */
static void
explain(const run *self, guint first, const limen_decision *decision)
{
	const GPtrArray *failures = self->test->failures;
	test_failure *failure;
	size_t length;
	FILE *to;

	if (failures->len == first)
		return;
	failure = g_ptr_array_index(failures, failures->len - 1);
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
	guint before = test->failures->len;
	int64_t times = 1;

	limen_value_int(tests_find(view, "repeat"), &times);
	if (times < 1 || times > REPEAT_MAX)
		fail(test, "%s'repeat' is a number from 1 to %d", label, REPEAT_MAX);
	/* Repetitions stop at the first failure. */
	for (int64_t i = 0; test->why == NULL && i < times && test->failures->len == before; i++) {
		g_autoptr(limen_decision) decision = NULL;
		int result = limen_engine_decide(policy->engine, item->request, &item->options,
		                                 &decision);
		g_autofree char *name = times > 1
		                                ? g_strdup_printf("%stime %" PRId64 ": ", label,
		                                                  i + 1)
		                                : g_strdup(label);

		if (result != LIMEN_OK)
			fail(test, "%s%s", label, limen_result_text((limen_result)result));
		else if (!tests_compare(test, view, name, decision, i == 0))
			fail(test, "out of memory");
		else
			explain(self, before, decision);
		if (result == LIMEN_OK && self->settings->cover != NULL)
			tests_cover_decision(self->settings->cover, policy->name, decision);
	}
	return test->why == NULL;
}

static bool
run_step(const run *self, const test_policy *policy, const test_view *view, const char *label,
         limen_time clock)
{
	g_autofree char *why = NULL;
	ask_case item;
	bool good = tests_request_make(&item, self->test->file, view, clock, &why);

	item.options.trace = true;
	if (!good)
		fail(self->test, "%s%s", label, why);
	good = good && decide_step(self, policy, view, label, &item);
	limen_request_free(item.request);
	return good;
}

/* Advances the clock to the time of the step. */
static bool
move_clock(test_case *test, limen_value step, const char *label, limen_time *clock)
{
	limen_value time = limen_value_get(step, "time");
	size_t length = 0;
	const char *after = limen_value_string(limen_value_get(step, "after"), &length);
	limen_duration wait = 0;

	if (limen_value_exists(time) && !ask_read_time(time, clock))
		fail(test, "%s'time' must be a time or seconds since 1970", label);
	else if (after != NULL && (limen_duration_parse(after, length, 0, &wait, NULL) != LIMEN_OK ||
	                           __builtin_add_overflow(*clock, wait, clock)))
		fail(test, "%s'after' takes a period (PT30S, P1D), not '%s'", label, after);
	return test->why == NULL;
}

/* Runs the steps, or the test, which is its own single step without them. */
static void
run_steps(const run *self, const test_policy *policy)
{
	test_case *test = self->test;
	limen_iter iter = limen_iter_start(test->steps);
	limen_time clock = TESTS_TIME_DEFAULT;
	limen_value time = tests_find(&test->view, "time");
	test_view view = test->view;

	if (limen_value_exists(time) && !ask_read_time(time, &clock))
		fail(test, "'time' must be a time or seconds since 1970");
	else if (!limen_value_exists(test->steps))
		run_step(self, policy, &view, "", clock);
	for (size_t number = 1; test->why == NULL &&
	                        limen_iter_next(&iter, NULL, &view.layers[LAYER_STEP]); number++) {
		limen_value step = view.layers[LAYER_STEP];
		const char *name = limen_value_string(limen_value_get(step, "name"), NULL);
		g_autofree char *label = g_strdup_printf("step %zu%s%s: ", number,
		                                         name == NULL ? "" : ", ",
		                                         name == NULL ? "" : name);

		if (move_clock(test, step, label, &clock))
			run_step(self, policy, &view, label, clock);
	}
}

static void
run_test(job *base)
{
	run *self = (run *)base;
	test_case *test = self->test;
	const char *skip = limen_value_string(tests_find(&test->view, "skip"), NULL);
	gint64 begin = g_get_monotonic_time();
	g_autofree char *why = NULL;
	test_policy policy;

	if (skip != NULL) {
		test->outcome = TEST_SKIPPED;
		test->why = g_strdup(skip);
		return;
	}
	if (tests_policy_open(self->policies, test, &policy, &why))
		run_steps(self, &policy);
	else
		fail(test, "%s", why == NULL ? "no policy" : why);
	if (test->why == NULL && test->failures->len > 0)
		test->outcome = TEST_FAILED;
	tests_policy_close(&policy);
	test->microseconds = g_get_monotonic_time() - begin;
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
		const GPtrArray *tests = i % 2 == 0 ? file->tests : file->others;

		for (guint k = 0; k < tests->len; k++) {
			run *entry = g_new(run, 1);

			*entry = (run){ .job.run = run_test, .policies = policies,
				        .settings = settings,
				        .test = g_ptr_array_index(tests, k) };
			g_ptr_array_add(runs, entry);
			jobs_give(pool, &entry->job);
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
