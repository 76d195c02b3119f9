/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watchdog.c - the runs of the process and the thread that watches them.
 *
 * The thread is started by the first run and ended with the last script.  It
 * looks every few milliseconds while there is something to see, and a little
 * longer, so that a busy process need not wake it for every run.
 *
 * jq_halt() may be called from another thread: it sets a flag that jq looks at
 * before every instruction.  It must not be called twice for one run, so all
 * who call it do so under the lock.
 */
#include "watchdog.h"

#include <limen/host.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "memory.h"

#define TICK_NS ((int64_t)5 * 1000 * 1000)

/* Ticks without a run after which the thread goes to sleep. */
#define IDLE_TICKS 40

/* A script that lasts less than this is not what memory grows by. */
#define INNOCENT_NS TICK_NS

static struct {
	pthread_mutex_t lock;
	pthread_cond_t wake;
	pthread_t thread;
	bool is_forkable; /* fork handlers are registered */
	bool is_ready;   /* 'wake' is initialised */
	bool is_running; /* the thread */
	bool is_asleep;
	bool is_ending;
	watchdog_run *runs; /* the newest first */
	size_t floor;       /* bytes of the process while nothing runs */
} dog = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Held while the thread ends, so that no script is opened meanwhile. */
static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;

static void
end_run(watchdog_run *run, watchdog_end why)
{
	if (run->end != WATCHDOG_NOT)
		return;
	run->end = why;
	jq_halt(run->jq, jv_invalid(), jv_invalid());
}

static void
end_late_runs(int64_t now)
{
	for (watchdog_run *run = dog.runs; run != NULL; run = run->next) {
		if (now >= run->deadline)
			end_run(run, WATCHDOG_TIME);
	}
}

/* The run that has lasted longest is the one to blame: most last microseconds. */
static void
end_greedy_run(int64_t now)
{
	size_t used = memory_used();
	watchdog_run *oldest = NULL;

	if (dog.runs == NULL || used < dog.floor)
		dog.floor = used;
	if (used - dog.floor <= MEMORY_GROWTH_MAX)
		return;
	for (watchdog_run *run = dog.runs; run != NULL; run = run->next) {
		if (run->end == WATCHDOG_NOT)
			oldest = run;
	}
	if (oldest != NULL && now - oldest->started >= INNOCENT_NS)
		end_run(oldest, WATCHDOG_MEMORY);
}

static void
wait_tick(int64_t now)
{
	int64_t until = now + TICK_NS;
	struct timespec at = { .tv_sec = (time_t)(until / 1000000000),
		               .tv_nsec = (long)(until % 1000000000) };

	pthread_cond_timedwait(&dog.wake, &dog.lock, &at);
}

static void *
watch(void *unused)
{
	unsigned idle = 0;

	(void)unused;
	pthread_mutex_lock(&dog.lock);
	while (!dog.is_ending) {
		int64_t now = limen_host_monotonic();

		idle = dog.runs == NULL ? idle + 1 : 0;
		if (idle > IDLE_TICKS) {
			dog.is_asleep = true;
			while (dog.runs == NULL && !dog.is_ending)
				pthread_cond_wait(&dog.wake, &dog.lock);
			dog.is_asleep = false;
			idle = 0;
			continue;
		}
		end_late_runs(now);
		end_greedy_run(now);
		wait_tick(now);
	}
	pthread_mutex_unlock(&dog.lock);
	return NULL;
}

static void
before_fork(void)
{
	pthread_mutex_lock(&dog.lock);
}

static void
after_fork_parent(void)
{
	pthread_mutex_unlock(&dog.lock);
}

/* The thread stays behind, and so do the runs of all others. */
static void
after_fork_child(void)
{
	dog.is_running = false;
	dog.is_asleep = false;
	dog.is_ready = false;
	dog.runs = NULL;
	memory_forget();
	pthread_mutex_unlock(&dog.lock);
}

/* The system may have set its clock; deadlines are in the other one. */
static void
get_ready(void)
{
	pthread_condattr_t attributes;

	if (dog.is_ready)
		return;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&dog.wake, &attributes);
	pthread_condattr_destroy(&attributes);
	dog.is_ready = true;
	if (!dog.is_forkable)
		dog.is_forkable = pthread_atfork(before_fork, after_fork_parent,
		                                 after_fork_child) == 0;
}

/* Signals are the business of the program's own threads. */
static bool
start_thread(void)
{
	sigset_t all;
	sigset_t before;

	get_ready();
	dog.floor = memory_used();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	dog.is_running = pthread_create(&dog.thread, NULL, watch, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return dog.is_running;
}

void
watchdog_use(void)
{
	pthread_mutex_lock(&users_lock);
	users++;
	pthread_mutex_unlock(&users_lock);
}

static void
end_thread(void)
{
	bool is_running;

	pthread_mutex_lock(&dog.lock);
	is_running = dog.is_running;
	dog.is_ending = is_running;
	if (is_running)
		pthread_cond_signal(&dog.wake);
	pthread_mutex_unlock(&dog.lock);
	if (!is_running)
		return;
	pthread_join(dog.thread, NULL);
	pthread_mutex_lock(&dog.lock);
	dog.is_running = false;
	dog.is_ending = false;
	pthread_mutex_unlock(&dog.lock);
}

void
watchdog_leave(void)
{
	pthread_mutex_lock(&users_lock);
	users--;
	if (users == 0)
		end_thread();
	pthread_mutex_unlock(&users_lock);
}

bool
watchdog_start(void)
{
	bool is_running;

	pthread_mutex_lock(&dog.lock);
	is_running = dog.is_running || start_thread();
	pthread_mutex_unlock(&dog.lock);
	return is_running;
}

bool
watchdog_arm(watchdog_run *run)
{
	bool is_watched;

	run->end = WATCHDOG_NOT;
	run->previous = NULL;
	pthread_mutex_lock(&dog.lock);
	is_watched = dog.is_running || start_thread();
	run->is_armed = is_watched;
	if (is_watched) {
		run->next = dog.runs;
		if (dog.runs != NULL)
			dog.runs->previous = run;
		dog.runs = run;
		if (dog.is_asleep)
			pthread_cond_signal(&dog.wake);
	}
	pthread_mutex_unlock(&dog.lock);
	return is_watched;
}

void
watchdog_disarm(watchdog_run *run)
{
	if (!run->is_armed)
		return;
	run->is_armed = false;
	pthread_mutex_lock(&dog.lock);
	if (run->previous != NULL)
		run->previous->next = run->next;
	else
		dog.runs = run->next;
	if (run->next != NULL)
		run->next->previous = run->previous;
	pthread_mutex_unlock(&dog.lock);
}

void
watchdog_halt(watchdog_run *run)
{
	pthread_mutex_lock(&dog.lock);
	end_run(run, WATCHDOG_HALT);
	pthread_mutex_unlock(&dog.lock);
}
