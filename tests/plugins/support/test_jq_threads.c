/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_threads.c - one script run by many threads at once, and many runs that
 * leave nothing behind.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jq_rows.h"
#include "sanitizers.h"
#include "suite.h"

enum { THREADS = 8, RUNS = 500, MANY = 100000 };

static atomic_int wrong;

static void *
run_many(void *data)
{
	jq_script *script = data;

	for (int i = 0; i < RUNS; i++) {
		char input[64];
		char expected[64];
		char *found;

		snprintf(input, sizeof input, "{\"a\":\"x%d\",\"b\":[%d]}", i, i);
		snprintf(expected, sizeof expected, "{\"c\":[\"k\",\"%d\"],\"b\":[%d]}", i, i + 1);
		found = jq_rows_run(script, input);
		if (found == NULL || strcmp(found, expected) != 0)
			atomic_fetch_add(&wrong, 1);
		free(found);
	}
	return NULL;
}

static void
test_threads(void)
{
	jq_script *script = jq_rows_open("{c: [\"k\", (.a | ltrimstr(\"x\"))], b: (.b | map(. + 1))}",
	                                 300 * LIMEN_SECOND);
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, run_many, script), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(atomic_load(&wrong), 0);
	jq_script_close(script);
}

static void *
open_and_close(void *data)
{
	(void)data;
	for (int i = 0; i < 4; i++) {
		jq_script *script = jq_rows_open("if . == 1 then last(repeat(1)) else . end", 20000);
		char *found = jq_rows_run(script, "1");

		if (found == NULL || strstr(found, "it took longer") == NULL)
			atomic_fetch_add(&wrong, 1);
		free(found);
		jq_script_close(script);
	}
	return NULL;
}

/* Templates come and go. */
static void
test_templates(void)
{
	pthread_t threads[3];

	atomic_store(&wrong, 0);
	for (int i = 0; i < 3; i++)
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, open_and_close, NULL), 0);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(atomic_load(&wrong), 0);
}

static void *
run_endless(void *data)
{
	free(jq_rows_run(data, "true"));
	return NULL;
}

/* With all workers busy, a run that waits for one gives up in time. */
static void
test_waiting(void)
{
	jq_script *script = jq_rows_open("if . then last(repeat(1)) else 1 end", LIMEN_SECOND / 2);
	pthread_t thread;
	char *found = jq_rows_run(script, "false");
	int failed = 0;

	CU_ASSERT_STRING_EQUAL(found, "1");
	free(found);
	CU_ASSERT_EQUAL(pthread_create(&thread, NULL, run_endless, script), 0);
	for (int i = 0; i < 3; i++) {
		found = jq_rows_run(script, "false");
		if (strcmp(found, "1") != 0) {
			failed++;
			CU_ASSERT_PTR_NOT_NULL(strstr(found, "it took longer than PT0.5S"));
		}
		free(found);
	}
	CU_ASSERT(failed <= 2);
	pthread_join(thread, NULL);
	jq_script_close(script);
}

static size_t
count_entries(const char *directory)
{
	DIR *listing = opendir(directory);
	size_t count = 0;

	while (listing != NULL && readdir(listing) != NULL)
		count++;
	if (listing != NULL)
		closedir(listing);
	return count;
}

static long
resident_pages(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long total = 0;
	long resident = 0;

	if (file != NULL && fscanf(file, "%ld %ld", &total, &resident) != 2)
		resident = 0;
	if (file != NULL)
		fclose(file);
	return resident;
}

/* Every sort of ending. */
static void
run_all_sorts(jq_script *script, int runs)
{
	static const char *const inputs[] = {
		"{\"a\":\"x1\"}", "[]", "null", "\"xyx\"", "{\"halt\":true}", "{\"empty\":true}"
	};

	for (int i = 0; i < runs; i++)
		free(jq_rows_run(script, inputs[i % 6]));
}

static void
test_flat(void)
{
	jq_script *script = jq_rows_open("if type == \"string\" then [test(\"x\")]"
	                                 " elif type == \"array\" then .a"
	                                 " elif .halt then halt elif .empty then empty"
	                                 " else {b: .a, c: ([.a] | tojson)} end",
	                                 300 * LIMEN_SECOND);
	size_t threads;
	size_t files;
	long pages;

	run_all_sorts(script, MANY / 10);
	threads = count_entries("/proc/self/task");
	files = count_entries("/proc/self/fd");
	pages = resident_pages();
	run_all_sorts(script, MANY);
	CU_ASSERT_EQUAL(count_entries("/proc/self/task"), threads);
	CU_ASSERT_EQUAL(count_entries("/proc/self/fd"), files);
	/* Sanitizers keep freed memory for a while. */
#ifndef OWN_MALLOC
	CU_ASSERT(resident_pages() - pages < 1024);
#else
	(void)pages;
#endif
	jq_script_close(script);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "eight threads, one script", test_threads },
		{ "templates come and go", test_templates },
		{ "waiting for a busy script", test_waiting },
		{ "100,000 runs leave nothing behind", test_flat },
		{ NULL, NULL }
	};

	return suite_run("support/jq: threads", tests);
}
