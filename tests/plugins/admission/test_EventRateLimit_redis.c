/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EventRateLimit over a store in Redis: two engines have one allowance, and many
 * events leave nothing behind.
 */
#include <dirent.h>
#include <malloc.h>
#include <unistd.h>

#include "event_case.h"
#include "redis_server.h"

#define LIMITS                                                              \
	"\"limits\":[{\"type\":\"Server\",\"qps\":2,\"burst\":%d},"         \
	"{\"type\":\"Namespace\",\"qps\":1,\"burst\":%d,\"cacheSize\":50}]"

enum {
	SERVER_BURST = 240,
	NAMESPACE_BURST = 160
};

static struct redis_server *
start_server(void)
{
	struct redis_server *server = redis_server_new(NULL);

	if (server != NULL && !redis_server_start(server)) {
		redis_server_free(server);
		return NULL;
	}
	return server;
}

/* An engine of one entry, whose buckets are in 'server'. */
static limen_engine *
open_shared(const struct redis_server *server, const char *mode, int server_burst,
            int namespace_burst)
{
	limen_engine_options settings = {
		.size = sizeof settings,
		.module_path = getenv("LIMEN_MODULE_PATH")
	};
	limen_engine *engine = limen_engine_new(&settings);
	char policy[1024];

	snprintf(policy, sizeof policy,
	         "{\"stores\":{\"default\":{\"type\":\"redis\",\"data\":{\"path\":\"%s\","
	         "\"mode\":\"%s\",\"on-error\":\"deny\",\"timeout\":\"PT20S\"}}},"
	         "\"admission\":[{\"name\":\"events\",\"plugin\":\"EventRateLimit\",\"data\":{"
	         LIMITS "}}]}",
	         redis_server_path(server), mode, server_burst, namespace_burst);
	CU_ASSERT_FATAL(engine != NULL);
	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(engine, "policy", policy, strlen(policy),
	                                             NULL), LIMEN_OK);
	CU_ASSERT_TRUE_FATAL(limen_engine_wait_ready(engine, 30 * LIMEN_SECOND));
	return engine;
}

/* How many of 'count' events, sent to two engines in turn, are admitted by each. */
static void
send_in_turn(limen_engine *const engines[2], const char *namespace, size_t count,
             size_t admitted[2])
{
	const struct event_request event = { .namespace = namespace };

	admitted[0] = admitted[1] = 0;
	for (size_t i = 0; i < count; i++)
		admitted[i % 2] += event_admitted(engines[i % 2], &event, 1);
}

/* What may have come to a bucket of 'qps' since 'start', and what was there. */
static size_t
allowance(size_t burst, size_t qps, int64_t start)
{
	return burst + (size_t)((limen_host_monotonic() - start) / 1000000000 + 1) * qps;
}

static void
share(const char *mode, bool exact)
{
	struct redis_server *server = start_server();
	limen_engine *engines[2];
	int64_t start = limen_host_monotonic();
	size_t first[2], second[2];

	if (server == NULL)
		return;
	for (int i = 0; i < 2; i++)
		engines[i] = open_shared(server, mode, SERVER_BURST, NAMESPACE_BURST);
	send_in_turn(engines, "shop", 1000, first);
	ASSERT(first[0] + first[1] <= allowance(NAMESPACE_BURST, 1, start), "%s: %zu and %zu",
	       mode, first[0], first[1]);
	/* Whatever the first namespace was refused has emptied the server's bucket, too. */
	send_in_turn(engines, "farm", 1000, second);
	ASSERT(first[0] + first[1] + second[0] + second[1] <= allowance(SERVER_BURST, 2, start),
	       "%s: %zu, %zu, %zu and %zu", mode, first[0], first[1], second[0], second[1]);
	if (exact) {
		CU_ASSERT(first[0] + first[1] >= NAMESPACE_BURST);
		CU_ASSERT(first[0] > 0 && first[1] > 0);
	}
	for (int i = 0; i < 2; i++)
		limen_engine_free(engines[i]);
	redis_server_free(server);
}

static void
test_strict(void)
{
	share("strict", true);
}

/* Who has leased the last tokens is not the one who is asked, perhaps. */
static void
test_lease(void)
{
	share("lease", false);
}

/* In the end everything that may be admitted is, whoever is asked. */
static void
test_lease_spends_all(void)
{
	struct redis_server *server = start_server();
	limen_engine *engines[2];
	size_t sum = 0;

	if (server == NULL)
		return;
	for (int i = 0; i < 2; i++)
		engines[i] = open_shared(server, "lease", 1000000, NAMESPACE_BURST);
	for (int round = 0; round < 6000 && sum < NAMESPACE_BURST; round++) {
		size_t admitted[2];

		send_in_turn(engines, "shop", 2, admitted);
		sum += admitted[0] + admitted[1];
		usleep(5000);
	}
	ASSERT(sum >= NAMESPACE_BURST, "%zu", sum);
	for (int i = 0; i < 2; i++)
		limen_engine_free(engines[i]);
	redis_server_free(server);
}

static size_t
count_files(void)
{
	DIR *directory = opendir("/proc/self/fd");
	size_t count = 0;

	while (directory != NULL && readdir(directory) != NULL)
		count++;
	if (directory != NULL)
		closedir(directory);
	return count;
}

static void
send_many(limen_engine *engine, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char namespace[16];
		const struct event_request event = { .namespace = namespace };

		snprintf(namespace, sizeof namespace, "ns%zu", i % 100);
		event_code(engine, &event);
	}
}

/* Memory in use is that of the same hundred buckets, early and late. */
static void
stay_flat(const char *mode, size_t count)
{
	struct redis_server *server = start_server();
	limen_engine *engine;
	size_t memory, files, grown;

	if (server == NULL)
		return;
	engine = open_shared(server, mode, 1000000, 1000000);
	send_many(engine, count / 10);
	memory = mallinfo2().uordblks;
	files = count_files();
	send_many(engine, count);
	grown = mallinfo2().uordblks;
	ASSERT(grown < memory + 64 * 1024, "%s: from %zu to %zu bytes", mode, memory, grown);
	CU_ASSERT(count_files() <= files);
	limen_engine_free(engine);
	redis_server_free(server);
}

static void
test_flat_lease(void)
{
	stay_flat("lease", 100000);
}

static void
test_flat_strict(void)
{
	const char *many = getenv("LIMEN_TEST_EVENTS");

	/* Each waits for Redis: a tenth of the others, unless told otherwise. */
	stay_flat("strict", many == NULL ? 10000 : (size_t)atol(many));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "two engines share one allowance, to the token", test_strict },
		{ "with leases they never have more", test_lease },
		{ "and spend it all in the end", test_lease_spends_all },
		{ "100000 events with leases leave nothing behind", test_flat_lease },
		{ "nor do many that ask Redis", test_flat_strict },
		{ NULL, NULL },
	};

	return suite_run("EventRateLimit_redis", tests);
}
