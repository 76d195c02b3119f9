/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_redis.c - what a decision with one take costs in each store, Redis being at
 * the Unix socket that LIMEN_BENCH_REDIS names: asked by one thread, and under load,
 * where the threads of the store count as well.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "report.h"
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
	         "{\"key\":[\"requester\"],\"rate\":\"10000000/PT1S\"}}],"
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
	about_it.request = subject_task("{}", "192.0.2.1");
	bench_rows(&(bench_row){ .name = about, .run = subject_decide, .data = &about_it,
	                         .goal = goal, .wall = wall }, 1);
	limen_request_free(about_it.request);
	limen_engine_free(about_it.engine);
}

/* ---- under load ---- */

enum {
	ASKERS = 8,
	SLICES = 25
};

/* A thread that asks all the time, for a requester of its own. */
typedef struct asker {
	limen_engine *engine;
	limen_request *request;
	pthread_t thread;
	atomic_bool *ended;
	_Alignas(64) atomic_size_t admitted;
} asker;

/* What is refused since nothing is leased yet costs time, too, but is no decision. */
static void *
ask_on(void *data)
{
	asker *self = data;

	while (!atomic_load_explicit(self->ended, memory_order_relaxed)) {
		limen_decision *decision = NULL;

		if (limen_engine_decide(self->engine, self->request, NULL, &decision) != LIMEN_OK)
			bench_die("nothing was decided");
		if (limen_decision_admitted(decision))
			atomic_fetch_add_explicit(&self->admitted, 1, memory_order_relaxed);
		limen_decision_free(decision);
	}
	return NULL;
}

static double
process_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static size_t
count_admitted(asker *all)
{
	size_t sum = 0;

	for (size_t i = 0; i < ASKERS; i++)
		sum += atomic_load_explicit(&all[i].admitted, memory_order_relaxed);
	return sum;
}

/* Of slices of time: the clock on the wall, and the processor, for each decision in it. */
static size_t
watch(asker *all, double *walls, double *processors)
{
	double slice = bench_is_smoke() ? 20e6 : bench_row_time() / (int)SLICES;
	const struct timespec pause = { .tv_sec = (time_t)(slice / 1e9),
		                        .tv_nsec = (long)slice % 1000000000L };
	size_t found = 0;

	for (size_t i = 0; i < SLICES; i++) {
		size_t before = count_admitted(all);
		double wall = bench_wall_time(), processor = process_time();
		size_t decisions;

		nanosleep(&pause, NULL);
		wall = bench_wall_time() - wall;
		processor = process_time() - processor;
		decisions = count_admitted(all) - before;
		report_progress(i + 1, SLICES);
		if (decisions == 0)
			continue;
		walls[found] = wall / (double)decisions;
		processors[found++] = processor / (double)decisions;
	}
	if (found == 0)
		bench_die("nothing was admitted");
	return found;
}

static void
start_askers(asker *all, limen_engine *engine, atomic_bool *ended)
{
	for (size_t i = 0; i < ASKERS; i++) {
		char requester[32];

		snprintf(requester, sizeof(requester), "192.0.2.%zu", i + 1);
		all[i] = (asker){ .engine = engine,
			          .request = subject_task("{}", requester),
			          .ended = ended };
		if (pthread_create(&all[i].thread, NULL, ask_on, &all[i]) != 0)
			bench_die("no thread can be made");
	}
}

static void
measure_load(const char *about, const char *about_processor, const char *store)
{
	static double walls[SLICES], processors[SLICES];
	static asker all[ASKERS];
	atomic_bool ended = false;
	limen_engine *engine;
	size_t found;

	if (!bench_wants(about) && !bench_wants(about_processor))
		return;
	engine = make_engine(store);
	bench_unpin();
	start_askers(all, engine, &ended);
	found = watch(all, walls, processors);
	atomic_store(&ended, true);
	for (size_t i = 0; i < ASKERS; i++) {
		pthread_join(all[i].thread, NULL);
		limen_request_free(all[i].request);
	}
	bench_pin();
	bench_samples(&(bench_row){ .name = about, .goal = 12000 }, walls, found);
	bench_samples(&(bench_row){ .name = about_processor, .goal = 2000 }, processors, found);
	limen_engine_free(engine);
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
	measure("a rate in store redis, leased: wall", store, 12000, true);
	measure_load("a rate in store redis, leased, 8 threads: wall",
	             "a rate in store redis, leased, 8 threads: processor", store);
	snprintf(store, sizeof(store),
	         "{\"type\":\"redis\",\"data\":{\"path\":\"%s\",\"mode\":\"strict\"}}", socket);
	measure("a rate in store redis, strict: wall", store, 0, true);
	measure_load("a rate in store redis, strict, 8 threads: wall",
	             "a rate in store redis, strict, 8 threads: processor", store);
	return bench_finish();
}
