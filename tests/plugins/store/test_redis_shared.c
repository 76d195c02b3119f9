/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_redis_shared.c - two processes that share one allowance never admit more
 * than that, whatever becomes of Redis meanwhile.
 */
#include <limen/limen.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin.h"
#include "redis_party.h"
#include "redis_server.h"
#include "suite.h"

/* An outage as short as a decision: nothing may hang on it. */
#define SECOND INT64_C(1000000000)

static const char *const modes[] = { "lease", "strict" };

typedef struct scene {
	struct redis_server *server;
	struct party *all;
	const char *mode;
	int rate; /* a second */
	int burst;
	int64_t start;
} scene;

static bool
has_admitted(const party_count *now, int64_t bound)
{
	return now->admitted >= bound;
}

static bool
has_refused(const party_count *now, int64_t bound)
{
	return now->refused >= bound;
}

static bool
has_errors(const party_count *now, int64_t bound)
{
	return now->errors >= bound;
}

static bool
begin(scene *out, const char *mode, const char *on_error, const char *more)
{
	char options[512];
	char rate[32];

	out->server = redis_server_new(NULL);
	if (out->server == NULL || !redis_server_start(out->server))
		return false;
	out->mode = mode;
	snprintf(options, sizeof(options),
	         "\"path\":\"%s\",\"mode\":\"%s\",\"on-error\":\"%s\",\"timeout\":\"PT1S\"%s",
	         redis_server_path(out->server), mode, on_error, more);
	snprintf(rate, sizeof(rate), "%d/PT1S", out->rate);
	out->start = limen_host_monotonic();
	out->all = party_start(rate, out->burst, options);
	return true;
}

/* The most that may have been admitted since 'start' from buckets that held 'held' then. */
static int64_t
most_since(const scene *one, int64_t start, int64_t held)
{
	return held + (limen_host_monotonic() - start) * one->rate / SECOND + 1;
}

static void
check_most(const scene *one, int64_t admitted, int64_t most)
{
	plugin_assert(admitted <= most, __FILE__, __LINE__, "%s: admitted %ld, may %ld", one->mode,
	              (long)admitted, (long)most);
}

static void
end(scene *one)
{
	party_count sum = party_stop(one->all);

	check_most(one, sum.admitted, most_since(one, one->start, one->burst));
	redis_server_free(one->server);
}

static void
test_share(void)
{
	for (size_t i = 0; i < 2; i++) {
		scene one = { .rate = 50, .burst = 100 };

		if (!begin(&one, modes[i], "deny", ""))
			return;
		/* Everything that may be admitted is, in the end. */
		party_wait(one.all, has_admitted, 200);
		party_wait(one.all, has_refused, 200);
		CU_ASSERT(party_one(one.all, 0).admitted > 0);
		CU_ASSERT(party_one(one.all, 1).admitted > 0);
		CU_ASSERT_EQUAL(party_sum(one.all).errors, 0);
		end(&one);
	}
}

/* Whatever Redis forgot, its buckets fill from nothing. */
static void
test_deny(void)
{
	for (size_t i = 0; i < 2; i++) {
		scene one = { .rate = 200, .burst = 400 };
		party_count before;
		int64_t restart;

		if (!begin(&one, modes[i], "deny", ""))
			return;
		party_wait(one.all, has_admitted, 500);
		redis_server_kill(one.server);
		party_wait(one.all, has_errors, 100);
		before = party_sum(one.all);
		restart = limen_host_monotonic();
		redis_server_start(one.server);
		party_wait(one.all, has_admitted, before.admitted + 100);
		check_most(&one, party_sum(one.all).admitted - before.admitted,
		           most_since(&one, restart, 0));
		end(&one);
	}
}

/* A server that comes back with what it had saved long ago. */
static void
test_stale(void)
{
	for (size_t i = 0; i < 2; i++) {
		scene one = { .rate = 100, .burst = 400 };
		party_count before;
		int64_t restart;
		char answer[64];

		if (!begin(&one, modes[i], "deny", ""))
			return;
		party_wait(one.all, has_admitted, 20);
		redis_server_ask(one.server, "SAVE", answer, sizeof(answer));
		party_wait(one.all, has_refused, 100);
		redis_server_kill(one.server);
		party_wait(one.all, has_errors, 100);
		before = party_sum(one.all);
		restart = limen_host_monotonic();
		redis_server_start(one.server);
		party_wait(one.all, has_admitted, before.admitted + 50);
		check_most(&one, party_sum(one.all).admitted - before.admitted,
		           most_since(&one, restart, 0));
		end(&one);
	}
}

/* Redis goes on, but has forgotten everything: what was leased before still counts. */
static void
test_flush(void)
{
	for (size_t i = 0; i < 2; i++) {
		scene one = { .rate = 50, .burst = 200 };
		int64_t before;
		char answer[64];

		if (!begin(&one, modes[i], "deny", ""))
			return;
		party_wait(one.all, has_refused, 500);
		redis_server_ask(one.server, "FLUSHALL", answer, sizeof(answer));
		redis_server_ask(one.server, "SCRIPT FLUSH", answer, sizeof(answer));
		before = party_sum(one.all).admitted;
		party_wait(one.all, has_admitted, before + 50);
		end(&one);
	}
}

static void
test_local(void)
{
	for (size_t i = 0; i < 2; i++) {
		scene one = { .rate = 50, .burst = 100 };
		party_count before;
		int64_t start;

		if (!begin(&one, modes[i], "local", ",\"replicas\":2"))
			return;
		party_wait(one.all, has_admitted, 120);
		start = limen_host_monotonic();
		before = party_sum(one.all);
		redis_server_kill(one.server);
		/* Each has half a burst and half the rate. */
		party_wait(one.all, has_admitted, before.admitted + 90);
		party_wait(one.all, has_refused, before.refused + 500);
		check_most(&one, party_sum(one.all).admitted - before.admitted,
		           most_since(&one, start, 100) + 10);
		redis_server_start(one.server);
		CU_ASSERT_EQUAL(party_stop(one.all).errors, 0);
		redis_server_free(one.server);
	}
}

static void
test_allow(void)
{
	for (size_t i = 0; i < 2; i++) {
		scene one = { .rate = 1, .burst = 10 };
		int64_t before;

		if (!begin(&one, modes[i], "allow", ""))
			return;
		party_wait(one.all, has_refused, 100);
		redis_server_kill(one.server);
		before = party_sum(one.all).admitted;
		party_wait(one.all, has_admitted, before + 1000);
		CU_ASSERT_EQUAL(party_stop(one.all).errors, 0);
		redis_server_free(one.server);
	}
}

/* A server that neither answers nor goes away: nobody waits longer than he is told to. */
static void
test_slow(void)
{
	for (size_t i = 0; i < 2; i++) {
		scene one = { .rate = 100, .burst = 100 };
		int64_t before;
		party_count sum;

		if (!begin(&one, modes[i], "deny", ""))
			return;
		party_wait(one.all, has_admitted, 120);
		redis_server_stop(one.server);
		party_wait(one.all, has_errors, 500);
		redis_server_continue(one.server);
		before = party_sum(one.all).admitted;
		party_wait(one.all, has_admitted, before + 50);
		sum = party_sum(one.all);
		plugin_assert(sum.longest < (i == 0 ? 1 : 10) * SECOND, __FILE__, __LINE__,
		              "%s: a decision took %ld ms", modes[i], (long)(sum.longest / 1000000));
		end(&one);
	}
}

/* Restarts and pauses at odd times, again and again. */
static void
test_storm(void)
{
	for (size_t i = 0; i < 2; i++) {
		scene one = { .rate = 100, .burst = 50 };

		if (!begin(&one, modes[i], "deny", ""))
			return;
		for (int round = 0; round < 5; round++) {
			party_wait(one.all, has_admitted, party_sum(one.all).admitted + 7);
			redis_server_kill(one.server);
			usleep((unsigned)round * 20000);
			redis_server_start(one.server);
		}
		party_wait(one.all, has_admitted, party_sum(one.all).admitted + 20);
		end(&one);
	}
}

/* ---- threads of one process, at one key ---- */

enum {
	THREADS = 8,
	CALLS = 60,
	QUOTA = 200
};

typedef struct crowd {
	limen_engine *engine;
	limen_request *request;
	atomic_int admitted;
	atomic_int errors;
} crowd;

static void *
press(void *data)
{
	crowd *all = data;

	for (int i = 0; i < CALLS; i++) {
		limen_decision *decision = NULL;
		int code = limen_engine_decide(all->engine, all->request, NULL, &decision) == LIMEN_OK
		                   ? limen_decision_code(decision)
		                   : 500;

		atomic_fetch_add(&all->admitted, code == 200);
		atomic_fetch_add(&all->errors, code != 200 && code != 429);
		limen_decision_free(decision);
	}
	return NULL;
}

static void
load_window(crowd *all, const char *rate, const char *mode, const struct redis_server *server)
{
	static const char text[] =
		"{\"stores\":{\"default\":{\"type\":\"redis\",\"data\":{\"path\":\"%s\","
		"\"mode\":\"%s\",\"on-error\":\"deny\",\"timeout\":\"PT10S\"}}},"
		"\"identifiers\":[{\"name\":\"i\",\"type\":\"always\"}],"
		"\"limits\":[{\"name\":\"l\",\"type\":\"rate\",\"data\":{%s}}],"
		"\"applications\":[{\"identifier\":\"i\",\"apply\":[\"l\"]}]}";
	const limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
	};
	limen_diag *diag = limen_diag_new();
	char policy[1024];

	snprintf(policy, sizeof(policy), text, redis_server_path(server), mode, rate);
	*all = (crowd){ .engine = limen_engine_new(&options),
		        .request = limen_request_new(LIMEN_SUBJECT_TASK) };
	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(all->engine, NULL, policy, strlen(policy), diag),
	                      LIMEN_OK);
	CU_ASSERT_EQUAL_FATAL(limen_request_parse(all->request, "{}", 2, diag), LIMEN_OK);
	CU_ASSERT_TRUE(limen_engine_wait_ready(all->engine, 60 * LIMEN_SECOND));
	limen_diag_free(diag);
}

/* No window ends meanwhile. */
static void
test_threads(void)
{
	static const struct {
		const char *rate;
		const char *mode;
	} rows[] = {
		{ "\"rate\":\"200/P400D\"", "strict" },
		{ "\"rate\":\"200/P400D\",\"window\":\"fixed\"", "strict" },
		{ "\"rate\":\"200/P400D\",\"window\":\"sliding\"", "strict" },
		{ "\"rate\":\"200/P400D\",\"window\":\"sliding\"", "lease" },
		{ "\"rate\":\"200/year\",\"timezone\":\"Europe/Berlin\"", "strict" },
		{ "\"rates\":[\"300/P400D\",\"200/year\"]", "strict" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct redis_server *server = redis_server_new(NULL);
		pthread_t threads[THREADS];
		crowd all;

		if (server == NULL || !redis_server_start(server))
			return;
		load_window(&all, rows[i].rate, rows[i].mode, server);
		for (int j = 0; j < THREADS; j++)
			CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[j], NULL, press, &all), 0);
		for (int j = 0; j < THREADS; j++)
			pthread_join(threads[j], NULL);
		/* A lease is fetched beside the decisions, so some of them come before it. */
		plugin_assert(all.errors == 0 && all.admitted <= QUOTA &&
		                      (all.admitted == QUOTA || rows[i].mode[0] == 'l'),
		              __FILE__, __LINE__,
		              "%s, %s: admitted %d, errors %d", rows[i].rate, rows[i].mode,
		              all.admitted, all.errors);
		limen_request_free(all.request);
		limen_engine_free(all.engine);
		redis_server_free(server);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "two processes share one allowance", test_share },
		{ "killed and restarted, it starts empty, and nothing is admitted without it",
		  test_deny },
		{ "a server that comes back with an old state starts empty", test_stale },
		{ "a server that was told to forget everything starts empty", test_flush },
		{ "without Redis each process has its share", test_local },
		{ "without Redis all is admitted where that is wanted", test_allow },
		{ "a server that stands still holds nobody up for long", test_slow },
		{ "no more than the allowance through many restarts", test_storm },
		{ "eight threads at one key take what there is, in each window", test_threads },
		{ NULL, NULL },
	};

	return suite_run("redis, shared", tests);
}
