/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_load.c - loading a policy of 10,000 identifiers and limits, and what that does
 * to decisions made meanwhile.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "subject.h"

enum {
	ENTRIES = 5000, /* identifiers, and as many limits */
	ASKED = 2000,
	RELOADS = 5
};

static char *
write_policy(size_t entries)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	if (out == NULL)
		bench_die("out of memory");
	fputs("{\"schema\":4,\"identifiers\":[", out);
	for (size_t i = 0; i < entries; i++)
		fprintf(out,
		        "%s{\"name\":\"i%zu\",\"description\":\"Network %zu\",\"type\":"
		        "\"ip-cidr-list\",\"data\":{\"cidrs\":[\"10.%zu.%zu.0/24\"]}}",
		        i == 0 ? "" : ",", i, i, i / 256 % 256, i % 256);
	fputs("],\"classifiers\":[{\"name\":\"c\",\"description\":\"All\",\"identifiers\":[", out);
	for (size_t i = 0; i < entries; i++)
		fprintf(out, "%s\"i%zu\"", i == 0 ? "" : ",", i);
	fputs("]}],\"limits\":[", out);
	for (size_t i = 0; i < entries; i++)
		fprintf(out,
		        "%s{\"name\":\"l%zu\",\"description\":\"Limit %zu\",\"type\":\"pass-fail\","
		        "\"data\":{\"pass\":true}}",
		        i == 0 ? "" : ",", i, i);
	fputs("],\"applications\":[{\"description\":\"All\",\"classifier\":\"c\",\"apply\":"
	      "[{\"require\":\"all\",\"limits\":[\"l0\"]}]}]}",
	      out);
	if (fclose(out) != 0)
		bench_die("out of memory");
	return text;
}

typedef struct loading {
	const char *policy;
	limen_engine *engine;
} loading;

/* Into an engine that never had a policy, its modules included. */
static void
load_cold(void *data)
{
	loading *what = data;

	limen_engine_free(what->engine);
	what->engine = subject_engine_text(what->policy);
}

static void
load_again(void *data)
{
	loading *what = data;

	if (limen_engine_load_text(what->engine, "policy.conf", what->policy,
	                           strlen(what->policy), NULL) != LIMEN_OK)
		bench_die("the policy does not load again");
}

static int
compare_numbers(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return left < right ? -1 : left > right;
}

/* How often the kernel gave the core of this thread to somebody else, unasked. */
static long
count_preemptions(void)
{
	struct rusage used;

	return getrusage(RUSAGE_THREAD, &used) == 0 ? used.ru_nivcsw : 0;
}

/*
 * The time that 99 of 100 decisions take at most, seen from outside: waiting for locks
 * is part of it.  Those during which others had the core are left out, for on a busy
 * machine they are more than one in a hundred, whatever is loaded.
 */
static double
ask_often(limen_engine *engine, const atomic_bool *until)
{
	limen_request *req = subject_task("{}", NULL);
	double *took = calloc(ASKED, sizeof(*took));
	size_t asked = bench_size(ASKED);
	size_t count = 0;
	double result;

	if (took == NULL)
		bench_die("out of memory");
	while (count < asked || (until != NULL && !atomic_load(until))) {
		limen_decision *decision = NULL;
		long preempted = count_preemptions();
		double start = bench_wall_time();

		if (limen_engine_decide(engine, req, NULL, &decision) != LIMEN_OK)
			bench_die("nothing was decided");
		limen_decision_free(decision);
		took[count % ASKED] = bench_wall_time() - start;
		count += count_preemptions() == preempted;
	}
	if (count > ASKED)
		count = ASKED;
	qsort(took, count, sizeof(*took), compare_numbers);
	result = took[count * 99 / 100];
	free(took);
	limen_request_free(req);
	return result;
}

typedef struct reloading {
	loading what;
	atomic_bool ended;
} reloading;

static void *
reload_often(void *data)
{
	reloading *run = data;

	for (int i = 0; i < (bench_is_smoke() ? 1 : RELOADS); i++)
		load_again(&run->what);
	atomic_store(&run->ended, true);
	return NULL;
}

/* A small policy is asked while it is loaded again and again with many others' files. */
static void
measure_under_load(const loading *what)
{
	reloading run = { .what = *what };
	pthread_t thread;
	double before;
	double during;

	/* Both without a core of its own, so that nothing but the reloads differs. */
	bench_unpin();
	before = ask_often(what->engine, NULL);
	if (pthread_create(&thread, NULL, reload_often, &run) != 0)
		bench_die("no thread can be made");
	during = ask_often(what->engine, &run.ended);
	pthread_join(thread, NULL);
	bench_pin();
	bench_figure("load: p99 of a decision, no reload", before, "ns", BENCH_NO_GOAL);
	bench_figure("load: p99 of a decision during reloads, above that",
	             during > before ? during - before : 0, "ns", 1e6);
}

int
main(int argc, char **argv)
{
	loading what = { NULL, NULL };
	char *policy;

	bench_start("bench_load", argc, argv);
	policy = write_policy(bench_size(ENTRIES));
	what.policy = policy;
	if (bench_wants("load: 5,000"))
		bench_figure("load: 5,000 identifiers and 5,000 limits",
		             bench_once(load_cold, &what), "ns", 100e6);
	else
		load_cold(&what);
	if (bench_wants("load: the same again"))
		bench_figure("load: the same again", bench_once(load_again, &what), "ns",
		             BENCH_NO_GOAL);
	if (bench_wants("load: p99") && sysconf(_SC_NPROCESSORS_ONLN) > 1)
		measure_under_load(&what);
	else if (bench_wants("load: p99"))
		bench_skip("load: p99 of a decision during reloads", "there is one core");
	limen_engine_free(what.engine);
	free(policy);
	return bench_finish();
}
