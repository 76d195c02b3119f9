/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/background.h"
#include "latch.h"
#include "scratch.h"
#include "suite.h"

static const host_services services = { .log = NULL };

/* A path that is watched, in a scratch directory. */
typedef struct fixture {
	scratch dir;
	background *back;
	limen_host *host;
	char *path;
	latch ran;
	unsigned long runs; /* that are known of */
} fixture;

static fixture
start(const char *name)
{
	fixture made = { .dir = scratch_new(), .ran = LATCH_INIT };

	made.back = background_new(&services);
	made.host = host_new(made.back, "limits", "a");
	made.path = scratch_path(&made.dir, name);
	return made;
}

/* Two rounds: the path has been looked at once, and what it is watched through is known. */
static void
settle(limen_host *host)
{
	for (int i = 0; i < 2; i++) {
		latch done = LATCH_INIT;

		CU_ASSERT_EQUAL(limen_host_after(host, 0, latch_add, &done), LIMEN_OK);
		CU_ASSERT_TRUE_FATAL(latch_wait(&done, 1));
	}
}

static void
watch(fixture *made)
{
	CU_ASSERT_EQUAL(limen_host_watch_path(made->host, made->path, latch_add, &made->ran),
	                LIMEN_OK);
	host_activate(made->host);
	settle(made->host);
	CU_ASSERT_EQUAL(latch_count(&made->ran), 0);
}

static void
finish(fixture *made)
{
	host_free(made->host);
	background_free(made->back);
	free(made->path);
	scratch_free(&made->dir);
}

/* Writes a file beside and moves it to 'path', as careful programs do. */
static void
replace(const char *path, const char *text)
{
	char *beside;

	CU_ASSERT_TRUE_FATAL(asprintf(&beside, "%s.new", path) > 0);
	scratch_write(beside, text);
	CU_ASSERT_EQUAL(rename(beside, path), 0);
	free(beside);
}

/*
 * The job runs once more than after the last change, however long ago that was done, and
 * the look that found the change is over.
 */
static void
expect_run(fixture *made)
{
	CU_ASSERT_TRUE_FATAL(latch_wait(&made->ran, made->runs + 1));
	settle(made->host);
	made->runs = latch_count(&made->ran);
}

static void
test_life_of_a_file(void)
{
	fixture made = start("file");

	watch(&made);
	scratch_write(made.path, "created");
	expect_run(&made);
	scratch_write(made.path, "changed in place");
	expect_run(&made);
	replace(made.path, "replaced");
	expect_run(&made);
	CU_ASSERT_EQUAL(unlink(made.path), 0);
	expect_run(&made);
	replace(made.path, "created again");
	expect_run(&made);
	CU_ASSERT_EQUAL(chmod(made.path, 0400), 0);
	expect_run(&made);
	finish(&made);
}

/* Events are noticed long before the next regular look, which is 5 seconds after the last. */
static void
test_prompt(void)
{
	fixture made = start("file");
	int prompt = 0;

	scratch_write(made.path, "0");
	watch(&made);
	for (int i = 0; i < 5; i++) {
		int64_t began = limen_host_monotonic();

		replace(made.path, i % 2 == 0 ? "even" : "odd and longer");
		expect_run(&made);
		prompt += limen_host_monotonic() - began < INT64_C(2000000000);
	}
	CU_ASSERT_TRUE(prompt >= 3);
	finish(&made);
}

/* As Kubernetes updates a mounted ConfigMap: file -> ..data/file, ..data -> a directory. */
static void
test_exchanged_directory(void)
{
	fixture made = start("file");
	char *data = scratch_path(&made.dir, "..data");
	char *fresh = scratch_path(&made.dir, "..data_tmp");
	char *first = scratch_path(&made.dir, "..1");
	char *second = scratch_path(&made.dir, "..2");
	char *first_file = scratch_path(&made.dir, "..1/file");
	char *second_file = scratch_path(&made.dir, "..2/file");

	CU_ASSERT_EQUAL(mkdir(first, 0700), 0);
	CU_ASSERT_EQUAL(mkdir(second, 0700), 0);
	scratch_write(first_file, "first");
	scratch_write(second_file, "second");
	CU_ASSERT_EQUAL(symlink("..1", data), 0);
	CU_ASSERT_EQUAL(symlink("..data/file", made.path), 0);
	watch(&made);
	CU_ASSERT_EQUAL(symlink("..2", fresh), 0);
	CU_ASSERT_EQUAL(rename(fresh, data), 0);
	expect_run(&made);
	/* What is there from now on is followed, too. */
	scratch_write(second_file, "second, changed in place");
	expect_run(&made);
	CU_ASSERT_EQUAL(unlink(second_file), 0);
	expect_run(&made);
	free(data);
	free(fresh);
	free(first);
	free(second);
	free(first_file);
	free(second_file);
	finish(&made);
}

static void
test_link_into_other_directory(void)
{
	fixture made = start("link");
	scratch elsewhere = scratch_new();
	char *target = scratch_path(&elsewhere, "target");

	scratch_write(target, "one");
	CU_ASSERT_EQUAL(symlink(target, made.path), 0);
	watch(&made);
	scratch_write(target, "changed");
	expect_run(&made);
	replace(target, "replaced");
	expect_run(&made);
	free(target);
	finish(&made);
	scratch_free(&elsewhere);
}

static void
test_directory(void)
{
	fixture made = start("conf.d");
	char *file = scratch_path(&made.dir, "conf.d/file");

	CU_ASSERT_EQUAL(mkdir(made.path, 0700), 0);
	watch(&made);
	scratch_write(file, "created");
	expect_run(&made);
	scratch_write(file, "changed in place");
	expect_run(&made);
	replace(file, "replaced");
	expect_run(&made);
	CU_ASSERT_EQUAL(unlink(file), 0);
	expect_run(&made);
	CU_ASSERT_EQUAL(rmdir(made.path), 0);
	expect_run(&made);
	CU_ASSERT_EQUAL(mkdir(made.path, 0700), 0);
	expect_run(&made);
	scratch_write(file, "again");
	expect_run(&made);
	free(file);
	finish(&made);
}

/* The neighbour's change is an event for both; only one of them has changed. */
static void
test_neighbour(void)
{
	fixture made = start("file");
	char *beside = scratch_path(&made.dir, "beside");
	latch beside_ran = LATCH_INIT;

	scratch_write(made.path, "one");
	scratch_write(beside, "one");
	CU_ASSERT_EQUAL(limen_host_watch_path(made.host, beside, latch_add, &beside_ran),
	                LIMEN_OK);
	watch(&made);
	for (unsigned long i = 0; i < 3; i++) {
		replace(beside, i % 2 == 0 ? "even" : "odd and longer");
		CU_ASSERT_TRUE_FATAL(latch_wait(&beside_ran, i + 1));
		settle(made.host);
	}
	CU_ASSERT_EQUAL(latch_count(&made.ran), 0);
	free(beside);
	finish(&made);
}

/* Found by the regular look only: nothing can be watched yet. */
static void
test_missing_directories(void)
{
	fixture made = start("not/yet/file");
	char *outer = scratch_path(&made.dir, "not");
	char *inner = scratch_path(&made.dir, "not/yet");

	watch(&made);
	CU_ASSERT_EQUAL(mkdir(outer, 0700), 0);
	CU_ASSERT_EQUAL(mkdir(inner, 0700), 0);
	scratch_write(made.path, "created");
	expect_run(&made);
	replace(made.path, "replaced");
	expect_run(&made);
	free(outer);
	free(inner);
	finish(&made);
}

static void
test_changed_before_activation(void)
{
	fixture made = start("file");

	scratch_write(made.path, "one");
	CU_ASSERT_EQUAL(limen_host_watch_path(made.host, made.path, latch_add, &made.ran),
	                LIMEN_OK);
	replace(made.path, "two, and longer");
	host_activate(made.host);
	expect_run(&made);
	CU_ASSERT_EQUAL(latch_count(&made.ran), 1);
	finish(&made);
}

static void
test_spellings(void)
{
	static const char *const paths[] = { "", "/", "//", ".", "no-such-file-here", "/x/",
		                             "a//b" };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a");
	latch ran = LATCH_INIT;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		CU_ASSERT_EQUAL(limen_host_watch_path(host, paths[i], latch_add, &ran),
		                LIMEN_OK);
	host_activate(host);
	settle(host);
	host_free(host);
	background_free(back);
}

/* ---- without inotify ---- */

static void
count_line(void *data, limen_log_level level, const char *from, const char *text)
{
	(void)from;
	CU_ASSERT_EQUAL(level, LIMEN_LOG_WARNING);
	CU_ASSERT_PTR_NOT_NULL(strstr(text, "inotify: Too many open files"));
	latch_add(data);
}

/* No further descriptor can be had while this returns true. */
static bool
limit_descriptors(struct rlimit *before)
{
	struct rlimit none;
	int next = dup(0);

	if (next < 0 || getrlimit(RLIMIT_NOFILE, before) != 0)
		return false;
	close(next);
	none = *before;
	none.rlim_cur = (rlim_t)next;
	return setrlimit(RLIMIT_NOFILE, &none) == 0;
}

static void
test_without_inotify(void)
{
	latch logged = LATCH_INIT;
	host_services logging = { .log = count_line, .log_data = &logged };
	fixture made = start("file");
	struct rlimit before;

	scratch_write(made.path, "one");
	host_free(made.host);
	made.back->services = &logging;
	made.host = host_new(made.back, "limits", "a");
	host_activate(made.host);
	settle(made.host);
	CU_ASSERT_TRUE_FATAL(limit_descriptors(&before));
	CU_ASSERT_EQUAL(limen_host_watch_path(made.host, made.path, latch_add, &made.ran),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(limen_host_watch_path(made.host, "/x", latch_add, &made.ran), LIMEN_OK);
	CU_ASSERT_TRUE(latch_wait(&logged, 1));
	settle(made.host);
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &before), 0);
	replace(made.path, "two, and longer");
	expect_run(&made);
	CU_ASSERT_EQUAL(latch_count(&logged), 1);
	finish(&made);
}

/* ---- threads ---- */

typedef struct churn {
	fixture *made;
	atomic_bool stop;
} churn;

static void *
keep_changing(void *data)
{
	churn *shared = data;

	for (unsigned i = 0; !atomic_load(&shared->stop); i++) {
		FILE *out = fopen(shared->made->path, i % 2 == 0 ? "w" : "a");

		if (out == NULL)
			break;
		fputs("x", out);
		fclose(out);
		if (i % 5 == 0)
			unlink(shared->made->path);
	}
	return NULL;
}

static void *
watch_and_free(void *data)
{
	churn *shared = data;

	for (int i = 0; i < 100; i++) {
		limen_host *host = host_new(shared->made->back, "limits", "churn");

		host_activate(host);
		limen_host_watch_path(host, shared->made->path, latch_add, &shared->made->ran);
		limen_host_watch_path(host, shared->made->dir.path, latch_add,
		                      &shared->made->ran);
		if (i % 3 == 0)
			settle(host);
		host_free(host);
	}
	return NULL;
}

static void
test_churn(void)
{
	fixture made = start("file");
	churn shared = { .made = &made };
	pthread_t writer;
	pthread_t watchers[2];

	watch(&made);
	CU_ASSERT_EQUAL(pthread_create(&writer, NULL, keep_changing, &shared), 0);
	for (int i = 0; i < 2; i++)
		CU_ASSERT_EQUAL(pthread_create(&watchers[i], NULL, watch_and_free, &shared), 0);
	for (int i = 0; i < 2; i++)
		pthread_join(watchers[i], NULL);
	/* However often a file changes, its job is not put off for ever. */
	CU_ASSERT_TRUE(latch_wait(&made.ran, 1));
	atomic_store(&shared.stop, true);
	pthread_join(writer, NULL);
	host_free(made.host);
	made.host = NULL;
	CU_ASSERT_PTR_NULL(made.back->dirs.list);
	finish(&made);
}

/* How many of some watches run in one go of the thread. */
typedef struct round_count {
	fixture *made;
	uint64_t round;
	unsigned runs;
	unsigned most;
	latch done;
} round_count;

enum { TOGETHER = 20 };

/* Every path is due again as soon as one of them has been looked at; on the background thread. */
static void
run_again(void *data)
{
	round_count *counted = data;
	background *back = counted->made->back;

	counted->runs = back->rounds == counted->round ? counted->runs + 1 : 1;
	counted->round = back->rounds;
	if (counted->runs > counted->most)
		counted->most = counted->runs;
	pthread_mutex_lock(&back->lock);
	for (path_watch *one = back->paths; one != NULL; one = one->next) {
		one->due = latch_count(&counted->done) > 3 * TOGETHER ? INT64_MAX : 0;
		one->forced = true;
	}
	pthread_mutex_unlock(&back->lock);
	latch_add(&counted->done);
}

/* Each path is come to once, and the search for the next does not begin at the first. */
static void
test_together(void)
{
	fixture made = start("file");
	round_count counted = { .made = &made, .done = LATCH_INIT };

	for (int i = 0; i < TOGETHER; i++)
		CU_ASSERT_EQUAL(limen_host_watch_path(made.host, made.path, run_again, &counted),
		                LIMEN_OK);
	for (path_watch *one = made.back->paths; one != NULL; one = one->next)
		one->forced = true;
	host_activate(made.host);
	CU_ASSERT_TRUE(latch_wait(&counted.done, 2 * TOGETHER));
	host_free(made.host);
	made.host = NULL;
	CU_ASSERT_EQUAL(counted.most, TOGETHER);
	finish(&made);
}

/* Three hosts with a path each; the job of the one that is looked at first ends the others. */
typedef struct ending {
	limen_host *others[2];
	latch done;
} ending;

static void
end_others(void *data)
{
	ending *all = data;

	for (int i = 0; i < 2; i++) {
		host_free(all->others[i]);
		all->others[i] = NULL;
	}
	latch_add(&all->done);
}

static void
test_ended_meanwhile(void)
{
	fixture made = start("file");
	ending all = { .done = LATCH_INIT };
	latch last = LATCH_INIT;

	/* The one that was added last is looked at first. */
	CU_ASSERT_EQUAL(limen_host_watch_path(made.host, made.path, latch_add, &last), LIMEN_OK);
	for (int i = 0; i < 2; i++) {
		all.others[i] = host_new(made.back, "limits", "other");
		CU_ASSERT_EQUAL(limen_host_watch_path(all.others[i], made.path, latch_add,
		                                      &made.ran), LIMEN_OK);
		host_activate(all.others[i]);
	}
	CU_ASSERT_EQUAL(limen_host_watch_path(made.host, made.path, end_others, &all), LIMEN_OK);
	pthread_mutex_lock(&made.back->lock);
	for (path_watch *one = made.back->paths; one != NULL; one = one->next) {
		one->forced = true;
		one->due = 0;
	}
	pthread_mutex_unlock(&made.back->lock);
	host_activate(made.host);
	CU_ASSERT_TRUE(latch_wait(&all.done, 1));
	CU_ASSERT_TRUE(latch_wait(&last, 1));
	finish(&made);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a file created, changed, replaced, removed", test_life_of_a_file },
		{ "a change is noticed within moments", test_prompt },
		{ "a link to a directory is exchanged, as Kubernetes does",
		  test_exchanged_directory },
		{ "the file a link leads to", test_link_into_other_directory },
		{ "anything in a directory", test_directory },
		{ "what happens to a neighbour is no change", test_neighbour },
		{ "directories that do not exist yet", test_missing_directories },
		{ "a change before activation is not lost", test_changed_before_activation },
		{ "paths in odd spellings", test_spellings },
		{ "without inotify changes are noticed late", test_without_inotify },
		{ "paths that are due together are each looked at once", test_together },
		{ "paths whose hosts end while they are due", test_ended_meanwhile },
		{ "watches come and go while files change", test_churn },
		{ NULL, NULL },
	};

	return suite_run("core/path_watch", tests);
}
