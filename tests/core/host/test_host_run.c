/* SPDX-License-Identifier: Apache-2.0 */
/* test_host_run.c - jobs with a thread of their own, and how they are told to stop. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "host/background.h"
#include "latch.h"
#include "suite.h"

static const host_services services = { .log = NULL };
static const host_services passive = { .passive = true };

static limen_host *
new_host(background *back, bool active)
{
	limen_host *host = host_new(back, "admission", "a");

	CU_ASSERT_PTR_NOT_NULL_FATAL(host);
	if (active)
		host_activate(host);
	return host;
}

/* A job that sleeps until the descriptor wakes it. */
typedef struct sleeper {
	limen_host *host;
	latch *started;
	pthread_t thread;
	atomic_bool woken;
} sleeper;

static void
sleep_until_told(void *data)
{
	sleeper *one = data;
	struct pollfd stop = { .fd = limen_host_stopping_fd(one->host), .events = POLLIN };

	one->thread = pthread_self();
	CU_ASSERT(stop.fd >= 0);
	latch_add(one->started);
	/* A minute would be far too long; without the descriptor it would be over then. */
	if (poll(&stop, 1, 60000) == 1 && limen_host_stopping(one->host))
		atomic_store(&one->woken, true);
}

#define SLEEPERS 8

/* More than workers there are, and other jobs go on beside them. */
static void
test_several(void)
{
	background *back = background_new(&services);
	limen_host *host = new_host(back, true);
	latch started = LATCH_INIT;
	latch beside = LATCH_INIT;
	sleeper all[SLEEPERS];

	for (int i = 0; i < SLEEPERS; i++) {
		all[i] = (sleeper){ .host = host, .started = &started };
		CU_ASSERT_EQUAL(limen_host_run(host, sleep_until_told, &all[i]), LIMEN_OK);
	}
	CU_ASSERT_TRUE_FATAL(latch_wait(&started, SLEEPERS));
	CU_ASSERT_EQUAL(limen_host_after(host, 0, latch_add, &beside), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after_blocking(host, 0, latch_add, &beside), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&beside, 2));
	for (int i = 1; i < SLEEPERS; i++)
		CU_ASSERT_FALSE(pthread_equal(all[0].thread, all[i].thread));
	host_free(host);
	background_free(back);
	for (int i = 0; i < SLEEPERS; i++)
		CU_ASSERT_TRUE(atomic_load(&all[i].woken));
}

static void
test_before_activation(void)
{
	background *back = background_new(&services);
	limen_host *host = new_host(back, false);
	limen_host *dropped = new_host(back, false);
	limen_host *other = new_host(back, true);
	latch ran = LATCH_INIT;
	latch round = LATCH_INIT;

	CU_ASSERT_EQUAL(limen_host_run(host, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_run(dropped, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after(other, 0, latch_add, &round), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&round, 1));
	CU_ASSERT_EQUAL(latch_count(&ran), 0);
	host_activate(host);
	CU_ASSERT_TRUE(latch_wait(&ran, 1));
	host_free(dropped);
	host_free(host);
	host_free(other);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&ran), 1);
}

static void
test_never(void)
{
	background *back = background_new(&passive);
	background *late = background_new(&services);
	limen_host *host = new_host(back, true);
	limen_host *closed = new_host(late, true);
	latch ran = LATCH_INIT;

	CU_ASSERT_EQUAL(limen_host_run(host, latch_add, &ran), LIMEN_OK);
	host_stop(closed);
	CU_ASSERT_EQUAL(limen_host_run(closed, latch_add, &ran), LIMEN_OK);
	host_free(host);
	host_free(closed);
	background_free(back);
	background_free(late);
	CU_ASSERT_EQUAL(latch_count(&ran), 0);
}

static bool
can_be_read(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };

	return poll(&one, 1, 0) == 1;
}

static void
test_descriptor(void)
{
	background *back = background_new(&services);
	limen_host *host = new_host(back, true);
	limen_host *late = new_host(back, true);
	int fd = limen_host_stopping_fd(host);

	CU_ASSERT(fd >= 0);
	CU_ASSERT_EQUAL(limen_host_stopping_fd(host), fd);
	CU_ASSERT_FALSE(can_be_read(fd));
	host_begin_stop(host);
	CU_ASSERT_TRUE(can_be_read(fd));
	host_begin_stop(late);
	CU_ASSERT_TRUE(can_be_read(limen_host_stopping_fd(late)));
	host_free(host);
	host_free(late);
	background_free(back);
}

/* A job may ask for others while its instance is being closed. */
static void
ask_while_closing(void *data)
{
	sleeper *one = data;

	sleep_until_told(one);
	CU_ASSERT_EQUAL(limen_host_run(one->host, latch_add, one->started), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after(one->host, 0, latch_add, one->started), LIMEN_OK);
	limen_host_set_ready(one->host, true);
	limen_host_counter_add(one->host, "asked", 1);
}

static void
free_host(void *data)
{
	host_free(data);
}

/* As a sweep of replaced policies does. */
static void
test_closed_in_background(void)
{
	background *back = background_new(&services);
	limen_host *sweeper = new_host(back, true);
	latch started = LATCH_INIT;
	latch swept = LATCH_INIT;
	sleeper one = { .host = new_host(back, true), .started = &started };

	limen_host_set_ready(one.host, false);
	CU_ASSERT_EQUAL(limen_host_run(one.host, ask_while_closing, &one), LIMEN_OK);
	CU_ASSERT_TRUE_FATAL(latch_wait(&started, 1));
	CU_ASSERT_EQUAL(limen_host_after(sweeper, 0, free_host, one.host), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after(sweeper, 0, latch_add, &swept), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&swept, 1));
	CU_ASSERT_TRUE(atomic_load(&one.woken));
	host_free(sweeper);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&started), 1);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "several run at once, beside other jobs, and end at once", test_several },
		{ "none before its host is active", test_before_activation },
		{ "none of a passive engine or a closed host", test_never },
		{ "the descriptor tells of closing, also afterwards", test_descriptor },
		{ "closed on the background thread", test_closed_in_background },
		{ NULL, NULL }
	};

	return suite_run("host_run", tests);
}
