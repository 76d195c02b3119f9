/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosts and the pool while memory is short: every allocation fails once,
 * or that one and all after it.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "host/background.h"
#include "fail_malloc.h"
#include "latch.h"
#include "host/pool.h"
#include "scratch.h"
#include "suite.h"

/* More than any of the functions below allocate. */
#define ALLOCATIONS_MAX 1000

static void
ignore_line(void *data, limen_log_level level, const char *from, const char *text)
{
	(void)data;
	(void)level;
	(void)from;
	(void)text;
}

static bool
is_fair(int result)
{
	return result == LIMEN_OK || result == LIMEN_ENOMEM;
}

/* What was accepted has to run in spite of all. */
static void
use_host(background *back, const char *path)
{
	limen_host *host = host_new(back, "limits", "a");
	latch ran = LATCH_INIT;
	latch other = LATCH_INIT;
	char out[PATH_MAX];
	int after;
	int cached;

	if (host == NULL)
		return;
	CU_ASSERT_TRUE(is_fair(limen_host_watch_path(host, path, latch_add, &other)));
	CU_ASSERT_TRUE(is_fair(limen_host_watch_fd(host, eventfd(0, EFD_CLOEXEC), latch_add,
	                                           &other)));
	host_activate(host);
	after = limen_host_after(host, 0, latch_add, &ran);
	CU_ASSERT_TRUE(is_fair(after));
	limen_host_log(host, LIMEN_LOG_INFO, "a line");
	limen_host_counter_add(host, "uses", 1);
	cached = limen_host_cache_path(host, "x", out, sizeof(out));
	CU_ASSERT_TRUE(cached == LIMEN_OK || cached == LIMEN_EIO);
	if (after == LIMEN_OK)
		CU_ASSERT_TRUE(latch_wait(&ran, 1));
	host_free(host);
	CU_ASSERT_EQUAL(latch_count(&other), 0);
}

static void
run_host(const scratch *dir)
{
	host_services services = { .log = ignore_line, .cache_dir = dir->path };
	background *back = background_new(&services);

	if (back != NULL)
		use_host(back, dir->path);
	background_free(back);
}

static void
test_host(void)
{
	scratch dir = scratch_new();
	bool failed = true;

	for (unsigned long n = 1; failed && n < ALLOCATIONS_MAX; n++) {
		fail_malloc_once(n);
		run_host(&dir);
		failed = fail_malloc_stop();
		fail_malloc_from(n);
		run_host(&dir);
		fail_malloc_stop();
	}
	CU_ASSERT_FALSE(failed);
	scratch_free(&dir);
}

/* Returns whether the job was accepted; then it ran, if not at once then later. */
static bool
run_work(void)
{
	host_services services = { .log = NULL };
	background *back = background_new(&services);
	limen_host *host = back == NULL ? NULL : host_new(back, "limits", "a");
	latch ran = LATCH_INIT;
	int result = LIMEN_ENOMEM;

	if (host != NULL) {
		host_activate(host);
		result = limen_host_after_blocking(host, 0, latch_add, &ran);
		CU_ASSERT_TRUE(is_fair(result));
	}
	if (result == LIMEN_OK)
		CU_ASSERT_TRUE(latch_wait(&ran, 1));
	host_free(host);
	background_free(back);
	return result == LIMEN_OK;
}

static void
test_work(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed && n < ALLOCATIONS_MAX; n++) {
		bool accepted;

		fail_malloc_once(n);
		accepted = run_work();
		failed = fail_malloc_stop();
		CU_ASSERT_TRUE(accepted || failed);
	}
	CU_ASSERT_FALSE(failed);
}

enum { SHORT, OVER, LINES };

static void
count_line(void *data, limen_log_level level, const char *from, const char *text)
{
	unsigned *counts = data;

	(void)from;
	CU_ASSERT_EQUAL(level, LIMEN_LOG_WARNING);
	counts[SHORT] += strstr(text, "no thread could be started for a job") != NULL;
	counts[OVER] += strstr(text, "threads can be started again") != NULL;
}

/* Runs the jobs that are retried, as the background does when they are due. */
static void
retry(background *back, size_t count)
{
	while (count-- > 0) {
		timer *due = back->timers;

		CU_ASSERT_PTR_NOT_NULL_FATAL(due);
		back->timers = due->next;
		work_start(back, due);
	}
}

/* Two hosts, as the second job of one waits for the first. */
static void
test_log(void)
{
	unsigned counts[LINES] = { 0 };
	host_services services = { .log = count_line, .log_data = counts };
	background *back = background_new(&services);
	limen_host *hosts[] = { host_new(back, "limits", "a"), host_new(back, "limits", "b") };
	latch ran = LATCH_INIT;

	pthread_mutex_lock(&back->lock);
	for (unsigned round = 1; round <= 2; round++) {
		for (size_t i = 0; i < 2; i++) {
			timer *due = calloc(1, sizeof(*due));

			CU_ASSERT_PTR_NOT_NULL_FATAL(due);
			*due = (timer){ .host = hosts[i], .job = latch_add, .data = &ran,
				        .thread = JOB_OWN };
			fail_malloc_from(1);
			work_start(back, due);
			fail_malloc_stop();
		}
		fail_malloc_from(1);
		retry(back, 4);
		fail_malloc_stop();
		CU_ASSERT_EQUAL(counts[SHORT], round);
		retry(back, 1);
		CU_ASSERT_EQUAL(counts[OVER], round - 1);
		retry(back, 1);
		CU_ASSERT_EQUAL(counts[OVER], round);
	}
	pthread_mutex_unlock(&back->lock);
	CU_ASSERT_EQUAL(counts[SHORT], 2);
	host_free(hosts[0]);
	host_free(hosts[1]);
	background_free(back);
	CU_ASSERT_EQUAL(latch_count(&ran), 4);
}

/* Returns whether the job ran. */
static bool
run_pool(void)
{
	pool *workers = pool_new();
	latch ran = LATCH_INIT;
	pool_job *job;

	if (workers == NULL)
		return false;
	job = pool_submit(workers, 1, latch_add, latch_add, &ran);
	if (job != NULL) {
		CU_ASSERT_TRUE(pool_wait(workers, job, INT64_MAX));
		pool_drop(workers, job);
	}
	pool_free(workers, INT64_MAX);
	CU_ASSERT_EQUAL(latch_count(&ran), job == NULL ? 0 : 2);
	return job != NULL;
}

static void
test_pool(void)
{
	bool failed = true;

	for (unsigned long n = 1; failed && n < ALLOCATIONS_MAX; n++) {
		bool ran;

		fail_malloc_once(n);
		ran = run_pool();
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(ran, !failed);
	}
	CU_ASSERT_FALSE(failed);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a host accepts work or says that it cannot", test_host },
		{ "a job that may block runs as soon as there is a thread", test_work },
		{ "a shortage of threads is logged when it begins and when it is over", test_log },
		{ "a pool runs a job or refuses it", test_pool },
		{ NULL, NULL },
	};

	return suite_run("core/host_memory", tests);
}
