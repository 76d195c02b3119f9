/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_redis.c - what a decision with one take costs in each store, Redis being at
 * the Unix socket that LIMEN_BENCH_REDIS names.
 */
#include <stdio.h>
#include <stdlib.h>

#include "subject.h"

static limen_engine *
make_engine(const char *store)
{
	char policy[2048];

	snprintf(policy, sizeof(policy),
	         "{\"schema\":4,\"stores\":{\"default\":%s},"
	         "\"identifiers\":[{\"name\":\"i\",\"description\":\"\",\"type\":\"always\","
	         "\"data\":{}}],"
	         "\"classifiers\":[{\"name\":\"c\",\"description\":\"\",\"identifiers\":[\"i\"]}],"
	         "\"limits\":[{\"name\":\"l\",\"description\":\"\",\"type\":\"rate\",\"data\":"
	         "{\"rate\":\"10000000/PT1S\"}}],"
	         "\"applications\":[{\"description\":\"\",\"classifier\":\"c\","
	         "\"apply\":[{\"require\":\"all\",\"limits\":[\"l\"]}]}]}",
	         store);
	return subject_engine_text(policy);
}

static void
measure(const char *about, const char *store, double goal, bool wall)
{
	subject about_it = { .options = { .size = sizeof(about_it.options) },
		             .unsettled = true };

	if (!bench_wants(about))
		return;
	about_it.engine = make_engine(store);
	about_it.request = subject_task("{}", NULL);
	bench_rows(&(bench_row){ .name = about, .run = subject_decide, .data = &about_it,
	                         .goal = goal, .wall = wall }, 1);
	limen_request_free(about_it.request);
	limen_engine_free(about_it.engine);
}

int
main(int argc, char **argv)
{
	const char *socket = getenv("LIMEN_BENCH_REDIS");
	char store[512];

	bench_start("bench_redis", argc, argv);
	measure("a rate in store memory", "{\"type\":\"memory\"}", 0, false);
	if (socket == NULL) {
		bench_skip("a rate in store redis", "no redis-server is installed");
		return bench_finish();
	}
	snprintf(store, sizeof(store), "{\"type\":\"redis\",\"data\":{\"path\":\"%s\"}}", socket);
	measure("a rate in store redis, leased: this thread's time", store, 2000, false);
	measure("a rate in store redis, leased: wall", store, 12000, true);
	snprintf(store, sizeof(store),
	         "{\"type\":\"redis\",\"data\":{\"path\":\"%s\",\"mode\":\"strict\"}}", socket);
	measure("a rate in store redis, strict: wall", store, 0, true);
	return bench_finish();
}
