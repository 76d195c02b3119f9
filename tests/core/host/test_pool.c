/* SPDX-License-Identifier: Apache-2.0 */
#include "host/pool.h"

#include <limen/host.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "latch.h"
#include "suite.h"

#define MILLISECOND INT64_C(1000000)

static atomic_int jobs_alive;

/* A job that says when it starts, and waits for permission to end. */
typedef struct task {
	latch *started;
	latch *permission; /* NULL: none needed */
	latch *released;
	atomic_int runs;
	atomic_int releases;
} task;

static void
run(void *data)
{
	task *one = data;

	atomic_fetch_add(&one->runs, 1);
	if (one->started != NULL)
		latch_add(one->started);
	if (one->permission != NULL)
		latch_wait(one->permission, 1);
}

static void
release(void *data)
{
	task *one = data;

	atomic_fetch_add(&one->releases, 1);
	if (one->released != NULL)
		latch_add(one->released);
}

static void
test_run_and_release(void)
{
	pool *workers = pool_new();
	task one = { .started = NULL };
	pool_job *job = pool_submit(workers, 1, run, release, &one);

	CU_ASSERT_PTR_NOT_NULL_FATAL(job);
	CU_ASSERT_TRUE(pool_wait(workers, job, INT64_MAX));
	CU_ASSERT_EQUAL(atomic_load(&one.runs), 1);
	/* What the job worked on can be read until it is dropped. */
	CU_ASSERT_EQUAL(atomic_load(&one.releases), 0);
	CU_ASSERT_TRUE(pool_wait(workers, job, 0));
	pool_drop(workers, job);
	CU_ASSERT_EQUAL(atomic_load(&one.releases), 1);
	pool_free(workers, INT64_MAX);
	CU_ASSERT_EQUAL(atomic_load(&one.releases), 1);
}

static void
test_limits(void)
{
	latch started = LATCH_INIT;
	latch permission = LATCH_INIT;
	pool *workers = pool_new();
	task tasks[5];
	pool_job *jobs[5];

	CU_ASSERT_PTR_NULL(pool_submit(workers, 0, run, release, &tasks[0]));
	for (int i = 0; i < 5; i++) {
		tasks[i] = (task){ .started = &started, .permission = &permission };
		jobs[i] = pool_submit(workers, 2, run, release, &tasks[i]);
		CU_ASSERT_EQUAL(jobs[i] != NULL, i < 4);
	}
	CU_ASSERT_TRUE(latch_wait(&started, 2));
	CU_ASSERT_FALSE(pool_wait(workers, jobs[0], limen_host_monotonic()));
	/* Both workers are busy, and whoever waits behind them has not started. */
	CU_ASSERT_EQUAL(latch_count(&started), 2);
	latch_add(&permission);
	for (int i = 0; i < 4; i++) {
		CU_ASSERT_TRUE(pool_wait(workers, jobs[i], INT64_MAX));
		pool_drop(workers, jobs[i]);
		CU_ASSERT_EQUAL(atomic_load(&tasks[i].releases), 1);
	}
	CU_ASSERT_EQUAL(atomic_load(&tasks[4].releases), 0);
	pool_free(workers, INT64_MAX);
}

static void
test_late_job_does_not_start(void)
{
	latch started = LATCH_INIT;
	latch permission = LATCH_INIT;
	pool *workers = pool_new();
	task first = { .started = &started, .permission = &permission };
	task late = { .started = NULL };
	task dropped = { .started = NULL };
	pool_job *jobs[2];

	jobs[0] = pool_submit(workers, 1, run, release, &first);
	CU_ASSERT_TRUE(latch_wait(&started, 1));
	jobs[1] = pool_submit(workers, 1, run, release, &late);
	CU_ASSERT_PTR_NOT_NULL_FATAL(jobs[1]);
	CU_ASSERT_FALSE(pool_wait(workers, jobs[1],
	                          limen_host_monotonic() + 20 * MILLISECOND));
	CU_ASSERT_FALSE(pool_wait(workers, jobs[1], INT64_MAX));
	pool_drop(workers, jobs[1]);
	CU_ASSERT_EQUAL(atomic_load(&late.releases), 1);
	/* Its place in the queue is free again. */
	jobs[1] = pool_submit(workers, 1, run, release, &dropped);
	CU_ASSERT_PTR_NOT_NULL_FATAL(jobs[1]);
	pool_drop(workers, jobs[1]);
	CU_ASSERT_EQUAL(atomic_load(&dropped.releases), 1);
	latch_add(&permission);
	CU_ASSERT_TRUE(pool_wait(workers, jobs[0], INT64_MAX));
	pool_drop(workers, jobs[0]);
	pool_free(workers, INT64_MAX);
	CU_ASSERT_EQUAL(atomic_load(&late.runs), 0);
	CU_ASSERT_EQUAL(atomic_load(&dropped.runs), 0);
}

static void
test_deadline_while_running(void)
{
	latch started = LATCH_INIT;
	latch permission = LATCH_INIT;
	latch released = LATCH_INIT;
	pool *workers = pool_new();
	task one = { .started = &started, .permission = &permission, .released = &released };
	pool_job *job = pool_submit(workers, 1, run, release, &one);
	int64_t deadline;

	CU_ASSERT_TRUE(latch_wait(&started, 1));
	deadline = limen_host_monotonic() + 20 * MILLISECOND;
	CU_ASSERT_FALSE(pool_wait(workers, job, deadline));
	CU_ASSERT_TRUE(limen_host_monotonic() >= deadline);
	CU_ASSERT_FALSE(pool_wait(workers, job, deadline));
	CU_ASSERT_FALSE(pool_wait(workers, job, INT64_MIN));
	pool_drop(workers, job);
	CU_ASSERT_EQUAL(atomic_load(&one.releases), 0);
	latch_add(&permission);
	CU_ASSERT_TRUE(latch_wait(&released, 1));
	pool_free(workers, INT64_MAX);
	CU_ASSERT_EQUAL(atomic_load(&one.releases), 1);
}

static void
test_free_waits(void)
{
	latch started = LATCH_INIT;
	latch permission = LATCH_INIT;
	pool *workers = pool_new();
	task one = { .started = &started, .permission = &permission };

	pool_drop(workers, pool_submit(workers, 4, run, release, &one));
	/* It either never started, or is waited for. */
	latch_add(&permission);
	pool_free(workers, INT64_MAX);
	CU_ASSERT_EQUAL(atomic_load(&one.releases), 1);
	pool_free(NULL, INT64_MAX);
}

/* ---- order ---- */

static void
test_order(void)
{
	latch started[4] = { LATCH_INIT, LATCH_INIT, LATCH_INIT, LATCH_INIT };
	latch permission[4] = { LATCH_INIT, LATCH_INIT, LATCH_INIT, LATCH_INIT };
	task tasks[4];
	pool_job *jobs[4];
	pool *workers = pool_new();

	for (int i = 0; i < 4; i++) {
		tasks[i] = (task){ .started = &started[i], .permission = &permission[i] };
		jobs[i] = pool_submit(workers, 2, run, release, &tasks[i]);
		CU_ASSERT_PTR_NOT_NULL_FATAL(jobs[i]);
	}
	CU_ASSERT_TRUE(latch_wait(&started[0], 1));
	CU_ASSERT_TRUE(latch_wait(&started[1], 1));
	latch_add(&permission[1]);
	CU_ASSERT_TRUE(latch_wait(&started[2], 1));
	CU_ASSERT_EQUAL(atomic_load(&tasks[3].runs), 0);
	latch_add(&permission[2]);
	CU_ASSERT_TRUE(latch_wait(&started[3], 1));
	latch_add(&permission[0]);
	latch_add(&permission[3]);
	for (int i = 0; i < 4; i++) {
		CU_ASSERT_TRUE(pool_wait(workers, jobs[i], INT64_MAX));
		pool_drop(workers, jobs[i]);
	}
	pool_free(workers, INT64_MAX);
}

static void
count_up(void *data)
{
	atomic_fetch_add((atomic_int *)data, 1);
}

static void
keep(void *data)
{
	(void)data;
}

/* As after a reload that changed the number of workers. */
static void
test_limit_changes(void)
{
	latch started = LATCH_INIT;
	latch permission = LATCH_INIT;
	task first = { .started = &started, .permission = &permission };
	atomic_int done = 0;
	pool_job *jobs[20];
	pool *workers = pool_new();

	jobs[0] = pool_submit(workers, 1, run, release, &first);
	CU_ASSERT_TRUE(latch_wait(&started, 1));
	for (int i = 1; i < 20; i++) {
		jobs[i] = pool_submit(workers, i == 1 ? 1 : 20, count_up, keep, &done);
		CU_ASSERT_PTR_NOT_NULL_FATAL(jobs[i]);
	}
	/* There are threads for them, but the first in the queue must not start. */
	CU_ASSERT_EQUAL(atomic_load(&done), 0);
	pool_drop(workers, jobs[7]);
	latch_add(&permission);
	for (int i = 0; i < 20; i++) {
		if (i == 7)
			continue;
		CU_ASSERT_TRUE(pool_wait(workers, jobs[i], INT64_MAX));
		pool_drop(workers, jobs[i]);
	}
	CU_ASSERT_EQUAL(atomic_load(&done), 18);
	pool_free(workers, INT64_MAX);
}

static void
test_full_queue(void)
{
	latch started = LATCH_INIT;
	latch permission = LATCH_INIT;
	pool *workers = pool_new();
	task first[3];
	atomic_int done = 0;
	pool_job *jobs[6];

	for (int i = 0; i < 3; i++) {
		first[i] = (task){ .started = &started, .permission = &permission };
		jobs[i] = pool_submit(workers, 3, run, release, &first[i]);
	}
	CU_ASSERT_TRUE(latch_wait(&started, 3));
	for (int i = 3; i < 6; i++) {
		jobs[i] = pool_submit(workers, 3, count_up, keep, &done);
		CU_ASSERT_PTR_NOT_NULL_FATAL(jobs[i]);
	}
	CU_ASSERT_PTR_NULL(pool_submit(workers, 3, count_up, keep, &done));
	CU_ASSERT_EQUAL(atomic_load(&done), 0);
	latch_add(&permission);
	for (int i = 0; i < 6; i++) {
		CU_ASSERT_TRUE(pool_wait(workers, jobs[i], INT64_MAX));
		pool_drop(workers, jobs[i]);
	}
	pool_free(workers, INT64_MAX);
	CU_ASSERT_EQUAL(atomic_load(&done), 3);
}

/* ---- many at once ---- */

#define SUBMITTERS 4
#define ROUNDS     2000
#define STRESS_MAX 3

typedef struct stress {
	pool *workers;
	atomic_int running;
	atomic_int most;
	atomic_int ran;
	atomic_int accepted;
	atomic_int refused;
} stress;

typedef struct stress_job {
	stress *shared;
	unsigned number;
	unsigned result; /* written by the worker, read by the submitter */
} stress_job;

static void
run_stress(void *data)
{
	stress_job *one = data;
	int running = atomic_fetch_add(&one->shared->running, 1) + 1;
	int most = atomic_load(&one->shared->most);

	while (running > most && !atomic_compare_exchange_weak(&one->shared->most, &most, running))
		continue;
	one->result = one->number * 3;
	atomic_fetch_add(&one->shared->ran, 1);
	atomic_fetch_sub(&one->shared->running, 1);
}

static void
free_stress(void *data)
{
	atomic_fetch_sub(&jobs_alive, 1);
	free(data);
}

static void
submit_one(stress *shared, unsigned number, int *wrong)
{
	stress_job *one = malloc(sizeof(*one));
	int64_t deadline = number % 5 == 0 ? 0 : INT64_MAX;
	pool_job *job;

	*one = (stress_job){ .shared = shared, .number = number };
	atomic_fetch_add(&jobs_alive, 1);
	job = pool_submit(shared->workers, STRESS_MAX, run_stress, free_stress, one);
	if (job == NULL) {
		atomic_fetch_add(&shared->refused, 1);
		free_stress(one);
		return;
	}
	atomic_fetch_add(&shared->accepted, 1);
	if (number % 7 != 0 && pool_wait(shared->workers, job, deadline))
		*wrong += one->result != number * 3;
	pool_drop(shared->workers, job);
}

static void *
submit_many(void *data)
{
	int wrong = 0;

	for (unsigned i = 0; i < ROUNDS; i++)
		submit_one(data, i, &wrong);
	return wrong == 0 ? NULL : data;
}

static void
test_stress(void)
{
	stress shared = { .workers = pool_new() };
	pthread_t threads[SUBMITTERS];

	for (int i = 0; i < SUBMITTERS; i++)
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, submit_many, &shared), 0);
	for (int i = 0; i < SUBMITTERS; i++) {
		void *failed;

		pthread_join(threads[i], &failed);
		CU_ASSERT_PTR_NULL(failed);
	}
	pool_free(shared.workers, INT64_MAX);
	CU_ASSERT_EQUAL(atomic_load(&jobs_alive), 0);
	/* A job that was given up while it ran is replaced. */
	CU_ASSERT_TRUE(atomic_load(&shared.most) <= STRESS_MAX + POOL_REPLACED_MAX);
	CU_ASSERT_TRUE(atomic_load(&shared.ran) > 0);
	CU_ASSERT_TRUE(atomic_load(&shared.ran) <= atomic_load(&shared.accepted));
	CU_ASSERT_EQUAL(atomic_load(&shared.accepted) + atomic_load(&shared.refused),
	                SUBMITTERS * ROUNDS);
}

/* Runs in its turn and is released without anybody's help, at the latest with the pool. */
static void
test_start(void)
{
	pool *workers = pool_new();
	latch started = LATCH_INIT;
	latch permission = LATCH_INIT;
	latch released = LATCH_INIT;
	task first = { .started = &started, .permission = &permission, .released = &released };
	task second = { .started = &started, .released = &released };
	task third = { .started = NULL };

	CU_ASSERT_TRUE(pool_start(workers, 1, run, release, &first));
	CU_ASSERT_TRUE(latch_wait(&started, 1));
	CU_ASSERT_TRUE(pool_start(workers, 1, run, release, &second));
	CU_ASSERT_FALSE(pool_start(workers, 1, run, release, &third));
	CU_ASSERT_EQUAL(latch_count(&released), 0);
	latch_add(&permission);
	CU_ASSERT_TRUE(latch_wait(&released, 2));
	CU_ASSERT_TRUE(pool_start(workers, 1, run, release, &third));
	pool_free(workers, INT64_MAX);
	CU_ASSERT_EQUAL(atomic_load(&first.runs), 1);
	CU_ASSERT_EQUAL(atomic_load(&second.runs), 1);
	CU_ASSERT_EQUAL(atomic_load(&third.runs), 1);
	CU_ASSERT_EQUAL(atomic_load(&third.releases), 1);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a job runs once and is released once, by whoever is last",
		  test_run_and_release },
		{ "no more jobs run than the limit, and as many wait", test_limits },
		{ "a job nobody waits for any more never starts", test_late_job_does_not_start },
		{ "a job that outlives its deadline is released when it ends",
		  test_deadline_while_running },
		{ "freeing the pool waits for what runs", test_free_waits },
		{ "jobs start in the order they came", test_order },
		{ "the limit that counts is that of the first in the queue",
		  test_limit_changes },
		{ "a full queue refuses, and empties", test_full_queue },
		{ "four threads submit, wait and give up at once", test_stress },
		{ "a job that nobody waits for runs and is released", test_start },
		{ NULL, NULL },
	};

	return suite_run("core/pool", tests);
}
