/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_growth.c - what a decision costs as something in the policy or the request
 * grows.  Rows are named SERIES, a space and a number; plots.py draws them.
 */
#include <glib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../plugins/support/bucket/table.h"
#include "subject.h"

/* Measures one point of a series. */
static void
measure(const char *series, size_t size, const char *policy, limen_request *req)
{
	subject about = { .engine = subject_engine_text(policy),
		          .request = req,
		          .options = { .size = sizeof(about.options) },
		          .unsettled = true };
	char *name = g_strdup_printf("%s %zu", series, size);

	bench_rows(&(bench_row){ .name = name, .run = subject_decide, .data = &about }, 1);
	g_free(name);
	limen_request_free(req);
	limen_engine_free(about.engine);
}

static void
add_cidrs(GString *out, size_t from, size_t count)
{
	for (size_t i = from; i < from + count; i++)
		g_string_append_printf(out, "%s\"%zu.%zu.%zu.0/25\"", i == from ? "" : ",",
		                       10 + i / 65536, i / 256 % 256, i % 256);
}

/* 'identifiers' of 'cidrs' networks each, and 'limits'. */
static void
measure_task(const char *series, size_t size, size_t identifiers, size_t cidrs, size_t limits)
{
	GString *text = g_string_new("{\"schema\":4,\"identifiers\":[");

	for (size_t i = 0; i < identifiers; i++) {
		g_string_append_printf(text,
		                       "%s{\"name\":\"i%zu\",\"description\":\"\",\"type\":"
		                       "\"ip-cidr-list\",\"data\":{\"cidrs\":[",
		                       i == 0 ? "" : ",", i);
		add_cidrs(text, i * cidrs, cidrs);
		g_string_append(text, "]}}");
	}
	g_string_append(text, "],\"classifiers\":[{\"name\":\"c\",\"description\":\"\","
	                      "\"identifiers\":[\"i0\"]}],\"limits\":[");
	for (size_t i = 0; i < limits; i++)
		g_string_append_printf(text,
		                       "%s{\"name\":\"l%zu\",\"description\":\"\",\"type\":"
		                       "\"pass-fail\",\"data\":{\"pass\":true}}",
		                       i == 0 ? "" : ",", i);
	g_string_append(text, "],\"applications\":[{\"description\":\"\",\"classifier\":\"c\","
	                      "\"apply\":[{\"require\":\"all\",\"limits\":[");
	for (size_t i = 0; i < limits; i++)
		g_string_append_printf(text, "%s\"l%zu\"", i == 0 ? "" : ",", i);
	g_string_append(text, "]}]}]}");
	measure(series, size, text->str, subject_task("{\"test\":{\"type\":\"rtt\"}}", "10.0.0.17"));
	g_string_free(text, TRUE);
}

/* A pod of so many containers, all without resources, and so many LimitRanges for it. */
static void
measure_pod(const char *series, size_t size, size_t containers, size_t ranges)
{
	GString *policy = g_string_new("{\"admission\":[{\"name\":\"r\",\"plugin\":\"LimitRanger\","
	                               "\"data\":{\"manifests\":[");
	GString *review = g_string_new(
		"{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":"
		"{\"uid\":\"1\",\"kind\":{\"group\":\"\",\"version\":\"v1\",\"kind\":\"Pod\"},"
		"\"resource\":{\"group\":\"\",\"version\":\"v1\",\"resource\":\"pods\"},"
		"\"namespace\":\"shop\",\"operation\":\"CREATE\",\"userInfo\":{\"username\":\"u\"},"
		"\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\"},"
		"\"spec\":{\"containers\":[");

	for (size_t i = 0; i < ranges; i++)
		g_string_append_printf(
			policy,
			"%s{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{\"name\":"
			"\"r%zu\",\"namespace\":\"shop\"},\"spec\":{\"limits\":[{\"type\":"
			"\"Container\",\"min\":{\"cpu\":\"10m\"},\"max\":{\"cpu\":\"2\"},"
			"\"default\":{\"cpu\":\"500m\"},\"defaultRequest\":{\"cpu\":\"250m\"}}]}}",
			i == 0 ? "" : ",", i);
	g_string_append(policy, "]}}]}");
	for (size_t i = 0; i < containers; i++)
		g_string_append_printf(review, "%s{\"name\":\"c%zu\",\"image\":\"example/c:%zu\"}",
		                       i == 0 ? "" : ",", i, i);
	g_string_append(review, "]}}}}");
	measure(series, size, policy->str, subject_review(review->str, review->len));
	g_string_free(review, TRUE);
	g_string_free(policy, TRUE);
}

/* ---- buckets: the store by itself ---- */

typedef struct keys {
	tables *all;
	handle *held;
	uint64_t count;
	uint64_t state;
	limen_time now;
} keys;

static void
take_any(void *data, size_t calls)
{
	keys *run = data;

	for (size_t i = 0; i < calls; i++) {
		uint64_t number[8] = { bench_random(&run->state) % run->count, 1, 2, 3, 4, 5, 6, 7 };
		limen_store_take one = { .table = run->held, .key = (const char *)number,
			                 .key_length = sizeof(number), .amount = 1 };

		take_batch(run->all, &one, 1, 0, run->now);
		run->now += 100;
	}
}

static void
measure_buckets(size_t count)
{
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 50,
		                        .period = LIMEN_SECOND, .burst = 100,
		                        .capacity = count };
	keys run = { .all = tables_new(), .count = bench_size(count),
		     .state = 88172645463325252U };
	char *name = g_strdup_printf("buckets %zu", count);

	if (run.all == NULL)
		bench_die("out of memory");
	run.held = table_open(run.all, "bench/t", &spec, NULL);
	if (run.held == NULL)
		bench_die("out of memory");
	take_any(&run, bench_size(4 * count));
	bench_rows(&(bench_row){ .name = name, .run = take_any, .data = &run }, 1);
	table_close(run.all, run.held);
	tables_free(run.all);
	g_free(name);
}

/* ---- threads ---- */

static atomic_bool ended;

static void *
decide_on(void *data)
{
	while (!atomic_load(&ended))
		subject_decide(data, 100);
	return NULL;
}

/* What a thread spends on a decision beside others that do the same. */
static void
measure_threads(size_t count)
{
	size_t length;
	char *text = subject_read("reviews/event.json", &length);
	subject about[8];
	pthread_t threads[8];
	char *name = g_strdup_printf("threads %zu", count);

	about[0] = (subject){
		.engine = subject_engine_text(
			"{\"admission\":[{\"name\":\"e\",\"plugin\":\"EventRateLimit\",\"data\":"
			"{\"limits\":[{\"type\":\"Server\",\"qps\":1000000000,\"burst\":1000000000}]}}]}"),
		.request = subject_review(text, length),
		.options = { .size = sizeof(about[0].options) },
	};
	atomic_store(&ended, false);
	bench_unpin();
	for (size_t i = 1; i < count; i++) {
		about[i] = about[0];
		about[i].request = subject_review(text, length);
		if (pthread_create(&threads[i], NULL, decide_on, &about[i]) != 0)
			bench_die("no thread can be made");
	}
	bench_rows(&(bench_row){ .name = name, .run = subject_decide, .data = &about[0] }, 1);
	atomic_store(&ended, true);
	for (size_t i = 1; i < count; i++) {
		pthread_join(threads[i], NULL);
		limen_request_free(about[i].request);
	}
	bench_pin();
	limen_request_free(about[0].request);
	limen_engine_free(about[0].engine);
	g_free(name);
	free(text);
}

int
main(int argc, char **argv)
{
	static const size_t sizes[] = { 1, 10, 100, 1000, 4000 };
	static const size_t lists[] = { 10, 100, 1000, 10000, 100000 };
	static const size_t pods[] = { 1, 2, 5, 10, 20, 50 };
	static const size_t stores[] = { 100, 1000, 10000, 100000, 1000000 };
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	bench_start("bench_growth", argc, argv);
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
		measure_task("identifiers", sizes[i], bench_size(sizes[i]), 1, 1);
	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++)
		measure_task("limits", sizes[i], 1, 1, bench_size(sizes[i]));
	for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
		measure_task("CIDRs", lists[i], 1, bench_size(lists[i]), 1);
	for (size_t i = 0; i < G_N_ELEMENTS(pods); i++)
		measure_pod("containers", pods[i], pods[i], 1);
	for (size_t i = 0; i < G_N_ELEMENTS(pods); i++)
		measure_pod("LimitRanges", pods[i], 2, pods[i]);
	for (size_t i = 0; i < G_N_ELEMENTS(stores); i++)
		measure_buckets(stores[i]);
	for (size_t i = 1; i <= 2 && (long)i <= cores; i++)
		measure_threads(i);
	return bench_finish();
}
