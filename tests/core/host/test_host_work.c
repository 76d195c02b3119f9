/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "host/background.h"
#include "latch.h"
#include "suite.h"

static const host_services services = { .log = NULL };
static const host_services passive = { .passive = true };

static limen_host *
new_active(background *back)
{
	limen_host *host = host_new(back, "identifiers", "a");

	CU_ASSERT_PTR_NOT_NULL_FATAL(host);
	host_activate(host);
	return host;
}

/* Waits until the background thread has gone round 'times' more. */
static void
go_round(limen_host *host, int times)
{
	for (int i = 0; i < times; i++) {
		latch done = LATCH_INIT;

		CU_ASSERT_EQUAL(limen_host_after(host, 0, latch_add, &done), LIMEN_OK);
		CU_ASSERT_TRUE_FATAL(latch_wait(&done, 1));
	}
}

/* A job that waits for permission to end, and counts those beside it. */
typedef struct blocker {
	latch *started;
	latch *permission;
	atomic_int *inside;
	atomic_int *most;
	pthread_t thread;
} blocker;

static void
block(void *data)
{
	blocker *one = data;
	int beside = atomic_fetch_add(one->inside, 1) + 1;
	int most = atomic_load(one->most);

	while (beside > most && !atomic_compare_exchange_weak(one->most, &most, beside))
		continue;
	one->thread = pthread_self();
	latch_add(one->started);
	latch_wait(one->permission, 1);
	atomic_fetch_sub(one->inside, 1);
}

/* Timers and other hosts go on meanwhile. */
static void
test_beside(void)
{
	background *back = background_new(&services);
	limen_host *host = new_active(back);
	limen_host *other = new_active(back);
	latch started = LATCH_INIT;
	latch permission = LATCH_INIT;
	atomic_int inside = 0;
	atomic_int most = 0;
	blocker one = { &started, &permission, &inside, &most, pthread_self() };

	CU_ASSERT_EQUAL(limen_host_after_blocking(host, 0, block, &one), LIMEN_OK);
	CU_ASSERT_TRUE_FATAL(latch_wait(&started, 1));
	go_round(host, 3);
	go_round(other, 3);
	CU_ASSERT_FALSE(pthread_equal(one.thread, back->thread));
	CU_ASSERT_FALSE(pthread_equal(one.thread, pthread_self()));
	latch_add(&permission);
	host_free(host);
	host_free(other);
	background_free(back);
	CU_ASSERT_EQUAL(atomic_load(&inside), 0);
}

#define HOSTS 10
#define JOBS  5

/* One at a time of each host, four of all, and every one gets its turn. */
static void
test_bounds(void)
{
	background *back = background_new(&services);
	limen_host *hosts[HOSTS];
	latch started = LATCH_INIT;
	latch permission = LATCH_INIT;
	atomic_int inside[HOSTS] = { 0 };
	atomic_int most[HOSTS] = { 0 };
	blocker blockers[HOSTS];

	for (int i = 0; i < HOSTS; i++) {
		hosts[i] = new_active(back);
		blockers[i] = (blocker){ &started, &permission, &inside[i], &most[i],
			                 pthread_self() };
		for (int j = 0; j < JOBS; j++)
			CU_ASSERT_EQUAL(limen_host_after_blocking(hosts[i], 0, block, &blockers[i]),
			                LIMEN_OK);
	}
	CU_ASSERT_TRUE(latch_wait(&started, 4));
	go_round(hosts[0], 5);
	CU_ASSERT_EQUAL(latch_count(&started), 4);
	latch_add(&permission);
	CU_ASSERT_TRUE(latch_wait(&started, HOSTS * JOBS));
	for (int i = 0; i < HOSTS; i++) {
		host_free(hosts[i]);
		CU_ASSERT_EQUAL(atomic_load(&most[i]), 1);
		CU_ASSERT_EQUAL(atomic_load(&inside[i]), 0);
	}
	background_free(back);
}

typedef struct timed {
	latch done;
	int64_t earliest;
	bool early;
} timed;

static void
run_timed(void *data)
{
	timed *one = data;

	one->early = limen_host_monotonic() < one->earliest;
	latch_add(&one->done);
}

static void
test_delay(void)
{
	background *back = background_new(&services);
	limen_host *host = new_active(back);
	timed one = { .done = LATCH_INIT, .earliest = limen_host_monotonic() + 30000000 };
	latch never = LATCH_INIT;

	CU_ASSERT_EQUAL(limen_host_after_blocking(host, INT64_MAX, latch_add, &never), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after_blocking(host, 30000, run_timed, &one), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.done, 1));
	CU_ASSERT_FALSE(one.early);
	host_free(host);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&never), 0);
}

typedef struct again {
	limen_host *host;
	latch *ran;
} again;

static void
run_again(void *data)
{
	again *one = data;

	latch_add(one->ran);
	CU_ASSERT_EQUAL(limen_host_after_blocking(one->host, 0, run_again, one), LIMEN_OK);
}

static void
test_again(void)
{
	background *back = background_new(&services);
	latch ran = LATCH_INIT;
	again one = { new_active(back), &ran };
	unsigned long count;

	CU_ASSERT_EQUAL(limen_host_after_blocking(one.host, 0, run_again, &one), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&ran, 100));
	host_free(one.host);
	count = latch_count(&ran);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&ran), count);
}

static void
test_before_activation(void)
{
	background *back = background_new(&services);
	limen_host *active = new_active(back);
	limen_host *host = host_new(back, "identifiers", "b");
	limen_host *dropped = host_new(back, "identifiers", "c");
	latch ran = LATCH_INIT;

	CU_ASSERT_EQUAL(limen_host_after_blocking(host, 0, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after_blocking(dropped, 0, latch_add, &ran), LIMEN_OK);
	go_round(active, 3);
	CU_ASSERT_EQUAL(latch_count(&ran), 0);
	host_free(dropped);
	host_activate(host);
	CU_ASSERT_TRUE(latch_wait(&ran, 1));
	host_free(host);
	host_free(active);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&ran), 1);
}

static void
test_passive(void)
{
	background *back = background_new(&passive);
	limen_host *host = new_active(back);
	latch ran = LATCH_INIT;

	CU_ASSERT_EQUAL(limen_host_after_blocking(host, 0, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_FALSE(back->started);
	host_free(host);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&ran), 0);
}

/* A job that goes on until it is told to stop. */
typedef struct patient {
	limen_host *host;
	latch started;
	atomic_bool over;
} patient;

static void
wait_for_stop(void *data)
{
	patient *one = data;

	latch_add(&one->started);
	while (!limen_host_stopping(one->host))
		usleep(1000);
	CU_ASSERT_EQUAL(limen_host_after_blocking(one->host, 0, wait_for_stop, one), LIMEN_OK);
	atomic_store(&one->over, true);
}

static void
test_stop(void)
{
	background *back = background_new(&services);
	patient one = { .host = new_active(back), .started = LATCH_INIT };

	CU_ASSERT_EQUAL(limen_host_after_blocking(one.host, 0, wait_for_stop, &one), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.started, 1));
	CU_ASSERT_FALSE(limen_host_stopping(one.host));
	host_stop(one.host);
	CU_ASSERT_TRUE(atomic_load(&one.over));
	CU_ASSERT_TRUE(limen_host_stopping(one.host));
	host_free(one.host);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&one.started), 1);
}

static void
free_other(void *data)
{
	patient *one = data;

	host_free(one->host);
	CU_ASSERT_TRUE(atomic_load(&one->over));
	latch_add(&one->started);
}

/* As a sweep of replaced policies does. */
static void
test_stop_in_background(void)
{
	background *back = background_new(&services);
	limen_host *sweeper = new_active(back);
	patient one = { .host = new_active(back), .started = LATCH_INIT };

	CU_ASSERT_EQUAL(limen_host_after_blocking(one.host, 0, wait_for_stop, &one), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.started, 1));
	CU_ASSERT_EQUAL(limen_host_after(sweeper, 0, free_other, &one), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.started, 2));
	host_free(sweeper);
	background_free(back);
}

/* Two that end together are both told before either is waited for. */
static void
test_begin_stop(void)
{
	background *back = background_new(&services);
	patient one = { .host = new_active(back), .started = LATCH_INIT };
	patient other = { .host = new_active(back), .started = LATCH_INIT };
	limen_host *idle = new_active(back);

	CU_ASSERT_EQUAL(limen_host_after_blocking(one.host, 0, wait_for_stop, &one), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after_blocking(other.host, 0, wait_for_stop, &other), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.started, 1));
	CU_ASSERT_TRUE(latch_wait(&other.started, 1));
	host_begin_stop(one.host);
	host_begin_stop(other.host);
	CU_ASSERT_TRUE(host_begin_stop(idle));
	CU_ASSERT_TRUE(limen_host_stopping(one.host));
	CU_ASSERT_TRUE(limen_host_stopping(other.host));
	host_free(one.host);
	host_free(other.host);
	host_free(idle);
	background_free(back);
	CU_ASSERT_TRUE(atomic_load(&one.over) && atomic_load(&other.over));
}

static void
test_wind_down(void)
{
	background *back = background_new(&services);
	limen_host *idle = new_active(back);
	patient one = { .host = new_active(back), .started = LATCH_INIT };
	latch never = LATCH_INIT;

	CU_ASSERT_EQUAL(limen_host_after_blocking(one.host, 0, wait_for_stop, &one), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.started, 1));
	background_wind_down(back);
	CU_ASSERT_TRUE(limen_host_stopping(idle));
	CU_ASSERT_EQUAL(limen_host_after_blocking(idle, 0, latch_add, &never), LIMEN_OK);
	go_round(idle, 3);
	host_free(one.host);
	host_free(idle);
	background_free(back);
	CU_ASSERT_TRUE(atomic_load(&one.over));
	CU_ASSERT_EQUAL(latch_count(&never), 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "other work goes on beside a job that blocks", test_beside },
		{ "one job of a host at a time, four of all, none forgotten", test_bounds },
		{ "no job starts before its time", test_delay },
		{ "a job may ask for the next one", test_again },
		{ "no job runs before its policy is in force", test_before_activation },
		{ "a passive engine accepts jobs and runs none", test_passive },
		{ "closing tells a running job to stop and waits for it", test_stop },
		{ "the background thread, too, waits for it", test_stop_in_background },
		{ "several are told to stop before one is waited for", test_begin_stop },
		{ "an engine that ends starts no more", test_wind_down },
		{ NULL, NULL },
	};

	return suite_run("core/host_work", tests);
}
