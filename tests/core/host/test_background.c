/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "host/background.h"
#include "latch.h"
#include "suite.h"

#define MILLISECOND (LIMEN_SECOND / 1000)

static const host_services services = { .log = NULL };
static const host_services passive = { .passive = true };

static limen_host *
new_active(background *back)
{
	limen_host *host = host_new(back, "limits", "a");

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

static bool
is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* ---- timers ---- */

#define TIMERS 300

typedef struct timed {
	int64_t earliest; /* before and after the request, plus the delay */
	int64_t latest;
	int64_t ran;
	int place;
	struct timers *all;
} timed;

typedef struct timers {
	latch done;
	int ran;
	timed each[TIMERS];
} timers;

static void
run_timed(void *data)
{
	timed *one = data;

	one->ran = limen_host_monotonic();
	one->place = one->all->ran++;
	latch_add(&one->all->done);
}

static void
request_timer(limen_host *host, timers *all, int index, limen_duration delay)
{
	timed *one = &all->each[index];

	one->all = all;
	one->earliest = limen_host_monotonic() + delay * 1000;
	CU_ASSERT_EQUAL(limen_host_after(host, delay, run_timed, one), LIMEN_OK);
	one->latest = limen_host_monotonic() + delay * 1000;
}

/* Never too early, and in order wherever the order is beyond doubt. */
static void
test_timers(void)
{
	static timers all = { .done = LATCH_INIT };
	background *back = background_new(&services);
	limen_host *host = new_active(back);
	unsigned seed = 7;
	int early = 0;
	int swapped = 0;

	for (int i = 0; i < TIMERS; i++) {
		seed = seed * 1103515245U + 12345U;
		request_timer(host, &all, i, (limen_duration)(seed >> 16) % 50 * MILLISECOND);
	}
	CU_ASSERT_TRUE(latch_wait(&all.done, TIMERS));
	for (int i = 0; i < TIMERS; i++) {
		early += all.each[i].ran < all.each[i].earliest;
		for (int j = 0; j < TIMERS; j++)
			swapped += all.each[i].latest < all.each[j].earliest &&
			           all.each[i].place > all.each[j].place;
	}
	CU_ASSERT_EQUAL(early, 0);
	CU_ASSERT_EQUAL(swapped, 0);
	host_free(host);
	background_free(back);
}

static void
test_same_time(void)
{
	timers all = { .done = LATCH_INIT };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a");

	for (int i = 0; i < TIMERS; i++)
		request_timer(host, &all, i, i % 2 == 0 ? 0 : -LIMEN_SECOND);
	CU_ASSERT_EQUAL(all.ran, 0);
	host_activate(host);
	CU_ASSERT_TRUE(latch_wait(&all.done, TIMERS));
	for (int i = 0; i < TIMERS; i++)
		CU_ASSERT_EQUAL(all.each[i].place, i);
	host_free(host);
	background_free(back);
}

static void
test_far_future(void)
{
	latch never = LATCH_INIT;
	latch past = LATCH_INIT;
	background *back = background_new(&services);
	limen_host *host = new_active(back);

	CU_ASSERT_EQUAL(limen_host_after(host, INT64_MAX, latch_add, &never), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after(host, INT64_MAX / 1000, latch_add, &never), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after(host, 3600 * LIMEN_SECOND, latch_add, &never),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after(host, INT64_MIN, latch_add, &past), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&past, 1));
	go_round(host, 3);
	host_free(host);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&never), 0);
}

typedef struct again {
	limen_host *host;
	atomic_bool stop;
	unsigned long runs;
} again;

static void
run_again(void *data)
{
	again *one = data;

	one->runs++;
	if (!atomic_load(&one->stop))
		limen_host_after(one->host, 0, run_again, one);
}

static void
test_no_starvation(void)
{
	background *back = background_new(&services);
	again one = { .host = new_active(back) };
	limen_host *other = new_active(back);
	int pipes[2];
	latch readable = LATCH_INIT;

	CU_ASSERT_EQUAL_FATAL(pipe(pipes), 0);
	CU_ASSERT_EQUAL(limen_host_after(one.host, 0, run_again, &one), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_fd(other, pipes[0], latch_add, &readable), LIMEN_OK);
	CU_ASSERT_EQUAL(write(pipes[1], "x", 1), 1);
	CU_ASSERT_TRUE(latch_wait(&readable, 3));
	go_round(other, 3);
	atomic_store(&one.stop, true);
	host_free(one.host);
	CU_ASSERT_TRUE(one.runs > 3);
	host_free(other);
	close(pipes[1]);
	background_free(back);
}

/* ---- activation ---- */

static void
test_before_activation(void)
{
	latch ran = LATCH_INIT;
	background *back = background_new(&services);
	limen_host *active = new_active(back);
	limen_host *host = host_new(back, "limits", "b");
	int fd = eventfd(1, EFD_CLOEXEC);

	CU_ASSERT_FALSE(back->started);
	CU_ASSERT_EQUAL(limen_host_after(host, 0, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_fd(host, fd, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_path(host, "/", latch_add, &ran), LIMEN_OK);
	CU_ASSERT_FALSE(back->started);
	go_round(active, 3);
	CU_ASSERT_EQUAL(latch_count(&ran), 0);
	host_activate(host);
	CU_ASSERT_TRUE(latch_wait(&ran, 2));
	host_free(host);
	host_free(active);
	background_free(back);
}

static void
test_dropped_unactivated(void)
{
	latch ran = LATCH_INIT;
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "b");
	int fd = eventfd(1, EFD_CLOEXEC);

	CU_ASSERT_EQUAL(limen_host_after(host, 0, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_fd(host, fd, latch_add, &ran), LIMEN_OK);
	host_free(host);
	host_free(NULL);
	CU_ASSERT_FALSE(is_open(fd));
	background_free(back);
	background_free(NULL);
	CU_ASSERT_EQUAL(latch_count(&ran), 0);
}

static void
test_passive(void)
{
	latch ran = LATCH_INIT;
	background *back = background_new(&passive);
	limen_host *host = new_active(back);
	int fd = eventfd(1, EFD_CLOEXEC);

	CU_ASSERT_EQUAL(limen_host_after(host, 0, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_fd(host, fd, latch_add, &ran), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_path(host, "/tmp", latch_add, &ran), LIMEN_OK);
	CU_ASSERT_FALSE(back->started);
	CU_ASSERT_TRUE(is_open(fd));
	host_free(host);
	CU_ASSERT_FALSE(is_open(fd));
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&ran), 0);
}

/* ---- descriptors ---- */

typedef struct reader {
	latch ran;
	int fd;
	ssize_t last;
	size_t total;
} reader;

static void
read_one(void *data)
{
	reader *one = data;
	char byte;

	one->last = read(one->fd, &byte, 1);
	one->total += one->last > 0 ? (size_t)one->last : 0;
	latch_add(&one->ran);
}

static void
test_readable(void)
{
	reader one = { .ran = LATCH_INIT };
	background *back = background_new(&services);
	limen_host *host = new_active(back);
	int pipes[2];

	CU_ASSERT_EQUAL_FATAL(pipe(pipes), 0);
	one.fd = pipes[0];
	CU_ASSERT_EQUAL(limen_host_watch_fd(host, pipes[0], read_one, &one), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_fd(host, -1, read_one, &one), LIMEN_EINVAL);
	go_round(host, 2);
	CU_ASSERT_EQUAL(latch_count(&one.ran), 0);
	CU_ASSERT_EQUAL(write(pipes[1], "abc", 3), 3);
	CU_ASSERT_TRUE(latch_wait(&one.ran, 3));
	CU_ASSERT_EQUAL(write(pipes[1], "d", 1), 1);
	CU_ASSERT_TRUE(latch_wait(&one.ran, 4));
	host_free(host);
	CU_ASSERT_EQUAL(one.total, 4);
	CU_ASSERT_FALSE(is_open(pipes[0]));
	close(pipes[1]);
	background_free(back);
}

/* Its end is told once, after all that was written before. */
static void
test_hung_up(void)
{
	reader one = { .ran = LATCH_INIT };
	background *back = background_new(&services);
	limen_host *host = new_active(back);
	int pipes[2];

	CU_ASSERT_EQUAL_FATAL(pipe(pipes), 0);
	one.fd = pipes[0];
	CU_ASSERT_EQUAL(write(pipes[1], "ab", 2), 2);
	close(pipes[1]);
	CU_ASSERT_EQUAL(limen_host_watch_fd(host, pipes[0], read_one, &one), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.ran, 3));
	go_round(host, 3);
	CU_ASSERT_EQUAL(latch_count(&one.ran), 3);
	CU_ASSERT_EQUAL(one.total, 2);
	CU_ASSERT_EQUAL(one.last, 0);
	host_free(host);
	background_free(back);
}

/* ---- freeing ---- */

typedef struct slow {
	latch started;
	latch permission;
	limen_host *host;
	limen_host *other;
	int fd;
	latch *late;
	atomic_bool over;
} slow;

static void
run_slowly(void *data)
{
	slow *one = data;

	latch_add(&one->started);
	latch_wait(&one->permission, 1);
	/* The host is being freed: what is asked of it is accepted and does not run. */
	limen_host_after(one->host, 0, latch_add, one->late);
	limen_host_watch_fd(one->host, eventfd(1, EFD_CLOEXEC), latch_add, one->late);
	limen_host_watch_path(one->host, "/", latch_add, one->late);
	limen_host_counter_add(one->host, "late", 1);
	atomic_store(&one->over, true);
}

static void *
free_host(void *data)
{
	slow *one = data;

	host_free(one->host);
	return atomic_load(&one->over) ? NULL : data;
}

static bool
is_closing(limen_host *host)
{
	bool closing;

	pthread_mutex_lock(&host->back->lock);
	closing = host->closing;
	pthread_mutex_unlock(&host->back->lock);
	return closing;
}

static void
test_free_waits(void)
{
	latch late = LATCH_INIT;
	background *back = background_new(&services);
	slow one = {
		.started = LATCH_INIT,
		.permission = LATCH_INIT,
		.host = new_active(back),
		.late = &late,
	};
	limen_host *other = new_active(back);
	pthread_t thread;
	void *failed;

	CU_ASSERT_EQUAL(limen_host_after(one.host, 0, run_slowly, &one), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after(one.host, 0, latch_add, &late), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.started, 1));
	/* Another host does not wait for this one's job. */
	CU_ASSERT_EQUAL(limen_host_watch_fd(other, eventfd(0, EFD_CLOEXEC), latch_add, &late),
	                LIMEN_OK);
	host_free(other);
	CU_ASSERT_EQUAL(pthread_create(&thread, NULL, free_host, &one), 0);
	while (!is_closing(one.host))
		sched_yield();
	latch_add(&one.permission);
	pthread_join(thread, &failed);
	CU_ASSERT_PTR_NULL(failed);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&late), 0);
}

static void
free_itself(void *data)
{
	slow *one = data;

	host_free(one->other);
	host_free(one->host);
	/* Freed means freed once this job is over. */
	limen_host_counter_add(one->host, "after", 1);
	limen_host_after(one->host, 0, latch_add, one->late);
	latch_add(&one->started);
}

static void
test_free_from_job(void)
{
	latch late = LATCH_INIT;
	background *back = background_new(&services);
	int fds[2] = { eventfd(0, EFD_CLOEXEC), eventfd(0, EFD_CLOEXEC) };
	slow one = {
		.started = LATCH_INIT,
		.host = new_active(back),
		.other = new_active(back),
		.late = &late,
	};

	CU_ASSERT_EQUAL(limen_host_watch_fd(one.other, fds[0], latch_add, &late), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_fd(one.host, fds[1], latch_add, &late), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_after(one.host, LIMEN_SECOND, latch_add, &late), LIMEN_OK);
	/* The last call: the host may be gone before it returns. */
	CU_ASSERT_EQUAL(limen_host_after(one.host, 0, free_itself, &one), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.started, 1));
	background_free(back);
	CU_ASSERT_FALSE(is_open(fds[0]));
	CU_ASSERT_FALSE(is_open(fds[1]));
	CU_ASSERT_EQUAL(latch_count(&late), 0);
}

static void
hold(void *data)
{
	slow *one = data;

	latch_add(&one->started);
	latch_wait(&one->permission, 1);
}

static void
free_other(void *data)
{
	slow *one = data;
	uint64_t value;

	CU_ASSERT_EQUAL(read(one->fd, &value, sizeof(value)), sizeof(value));
	host_free(one->other);
	latch_add(&one->started);
}

/* Both descriptors are ready in the same round, and the first job frees the other's host. */
static void
test_free_ready(void)
{
	latch late = LATCH_INIT;
	background *back = background_new(&services);
	limen_host *holder = new_active(back);
	slow one = {
		.started = LATCH_INIT,
		.permission = LATCH_INIT,
		.host = new_active(back),
		.other = new_active(back),
		.fd = eventfd(1, EFD_CLOEXEC),
	};

	CU_ASSERT_EQUAL(limen_host_after(holder, 0, hold, &one), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&one.started, 1));
	CU_ASSERT_EQUAL(limen_host_watch_fd(one.host, one.fd, free_other, &one), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_fd(one.other, eventfd(1, EFD_CLOEXEC), latch_add, &late),
	                LIMEN_OK);
	latch_add(&one.permission);
	CU_ASSERT_TRUE(latch_wait(&one.started, 2));
	go_round(holder, 2);
	host_free(one.host);
	host_free(holder);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&late), 0);
}

/* ---- many ---- */

#define HOSTS 1000

static void
drain(void *data)
{
	reader *one = data;
	uint64_t value;

	one->last = read(one->fd, &value, sizeof(value));
	latch_add(&one->ran);
}

static void
test_many_hosts(void)
{
	static limen_host *hosts[HOSTS];
	static reader readers[HOSTS];
	latch timers_done = LATCH_INIT;
	background *back = background_new(&services);

	for (int i = 0; i < HOSTS; i++) {
		hosts[i] = host_new(back, "limits", "many");
		readers[i] = (reader){ .ran = LATCH_INIT, .fd = -1 };
		CU_ASSERT_EQUAL(limen_host_after(hosts[i], i % 7 * MILLISECOND, latch_add,
		                                 &timers_done), LIMEN_OK);
		if (i % 4 != 0)
			continue;
		readers[i].fd = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
		CU_ASSERT_EQUAL(limen_host_watch_fd(hosts[i], readers[i].fd, drain,
		                                    &readers[i]), LIMEN_OK);
	}
	for (int i = 0; i < HOSTS; i++)
		host_activate(hosts[i]);
	CU_ASSERT_TRUE(latch_wait(&timers_done, HOSTS));
	for (int i = 0; i < HOSTS; i += 4)
		CU_ASSERT_TRUE(latch_wait(&readers[i].ran, 1));
	for (int i = 0; i < HOSTS; i++)
		host_free(hosts[i]);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&timers_done), HOSTS);
}

typedef struct churn {
	background *back;
	atomic_int jobs;
} churn;

static void
count_job(void *data)
{
	atomic_fetch_add(&((churn *)data)->jobs, 1);
}

static void *
make_and_free(void *data)
{
	churn *shared = data;

	for (int i = 0; i < 300; i++) {
		limen_host *host = host_new(shared->back, "limits", "churn");

		limen_host_after(host, 0, count_job, shared);
		limen_host_watch_fd(host, eventfd(1, EFD_CLOEXEC), count_job, shared);
		host_activate(host);
		limen_host_after(host, i % 3 * 100, count_job, shared);
		if (i % 10 == 0)
			limen_host_watch_path(host, "/nowhere/at/all", count_job, shared);
		host_free(host);
	}
	return NULL;
}

static void
test_churn(void)
{
	churn shared = { .back = background_new(&services) };
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, make_and_free, &shared), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_PTR_NULL(shared.back->timers);
	CU_ASSERT_PTR_NULL(shared.back->fds);
	CU_ASSERT_PTR_NULL(shared.back->paths);
	background_free(shared.back);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "timers run in order and never early", test_timers },
		{ "timers of the same time run in the order they were asked for",
		  test_same_time },
		{ "a delay beyond all bounds never ends", test_far_future },
		{ "a job that asks for itself does not keep others waiting",
		  test_no_starvation },
		{ "nothing runs before activation, nor starts the thread",
		  test_before_activation },
		{ "a host that was never activated takes its work with it",
		  test_dropped_unactivated },
		{ "a passive engine accepts jobs and runs none", test_passive },
		{ "a job runs whenever its descriptor can be read", test_readable },
		{ "the end of a descriptor is told once", test_hung_up },
		{ "freeing a host waits for its job, and for no other", test_free_waits },
		{ "a job may free its own host and others", test_free_from_job },
		{ "a ready descriptor of a freed host runs nothing", test_free_ready },
		{ "a thousand hosts", test_many_hosts },
		{ "hosts come and go on four threads", test_churn },
		{ NULL, NULL },
	};

	return suite_run("core/background", tests);
}
