/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_redis.c - what a decision with one take costs in each store, Redis being
 * at the Unix socket that is named.
 *
 *	make tests/bench/bench_redis && tests/bench/bench_redis /run/redis/redis.sock
 */
#include <limen/limen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static limen_engine *
load(const char *store)
{
	const limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
	};
	limen_engine *engine = limen_engine_new(&options);
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
	if (limen_engine_load_text(engine, NULL, policy, strlen(policy), NULL) != LIMEN_OK)
		abort();
	limen_engine_wait_ready(engine, 10 * LIMEN_SECOND);
	return engine;
}

static void
measure(const char *about, const char *store, int calls)
{
	limen_engine *engine = load(store);
	limen_request *req = limen_request_new(LIMEN_TASK);
	int64_t best = INT64_MAX;
	int admitted = 0;

	limen_request_parse(req, "{}", 2, NULL);
	for (int round = 0; round < 10; round++) {
		int64_t start = limen_host_monotonic();

		for (int i = 0; i < calls; i++) {
			limen_decision *decision = NULL;

			if (limen_engine_decide(engine, req, NULL, &decision) != LIMEN_OK)
				abort();
			admitted += limen_decision_admitted(decision);
			limen_decision_free(decision);
		}
		start = (limen_host_monotonic() - start) / calls;
		best = start < best ? start : best;
	}
	printf("%-8s %8lld ns a decision, %d of %d admitted\n", about, (long long)best, admitted,
	       calls * 10);
	limen_request_free(req);
	limen_engine_free(engine);
}

int
main(int argc, char **argv)
{
	char store[512];

	if (argc != 2)
		return 2;
	measure("memory", "{\"type\":\"memory\"}", 100000);
	snprintf(store, sizeof(store), "{\"type\":\"redis\",\"data\":{\"path\":\"%s\"}}", argv[1]);
	measure("lease", store, 100000);
	snprintf(store, sizeof(store),
	         "{\"type\":\"redis\",\"data\":{\"path\":\"%s\",\"mode\":\"strict\"}}", argv[1]);
	measure("strict", store, 2000);
	return 0;
}
