/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.h"
#include "scratch.h"
#include "suite.h"

/* ---- log ---- */

typedef struct record {
	atomic_int inside;
	atomic_int overlaps;
	int lines; /* guarded by the serialisation that is being tested */
	limen_log_level level;
	char source[64];
	char text[8192];
} record;

static void
keep_line(void *data, limen_log_level level, const char *from, const char *text)
{
	record *kept = data;

	if (atomic_fetch_add(&kept->inside, 1) != 0)
		atomic_fetch_add(&kept->overlaps, 1);
	kept->lines++;
	kept->level = level;
	snprintf(kept->source, sizeof(kept->source), "%s", from);
	snprintf(kept->text, sizeof(kept->text), "%s", text);
	errno = EBADF;
	atomic_fetch_sub(&kept->inside, 1);
}

static void
test_log(void)
{
	record kept = { .lines = 0 };
	host_services services = { .log = keep_line, .log_data = &kept };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a\nb");

	errno = ENOENT;
	limen_host_log(host, LIMEN_LOG_WARNING, "%d%%: %m", 5);
	CU_ASSERT_EQUAL(errno, ENOENT);
	CU_ASSERT_EQUAL(kept.lines, 1);
	CU_ASSERT_EQUAL(kept.level, LIMEN_LOG_WARNING);
	CU_ASSERT_STRING_EQUAL(kept.source, "limits/a b");
	CU_ASSERT_STRING_EQUAL(kept.text, "5%: No such file or directory");
	limen_host_log(host, LIMEN_LOG_DEBUG, "%s", "one\r\ntwo\033[31m\x7F \xC3\xA4\xC2\x9B" "2J\xC2\xA0");
	CU_ASSERT_EQUAL(kept.level, LIMEN_LOG_DEBUG);
	CU_ASSERT_STRING_EQUAL(kept.text, "one  two [31m  \xC3\xA4 2J\xC2\xA0");
	host_free(host);
	background_free(back);
}

/* Every length around the bound, with characters of two bytes at every position. */
static void
test_long_line(void)
{
	record kept = { .lines = 0 };
	host_services services = { .log = keep_line, .log_data = &kept };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a");
	char text[8000];

	for (size_t length = 4080; length < 4120; length++) {
		size_t kept_length;

		memset(text, 'x', length);
		for (size_t i = length % 2; i + 2 <= length; i += 2)
			memcpy(text + i, "\xC3\xA4", 2);
		text[length] = '\0';
		limen_host_log(host, LIMEN_LOG_INFO, "%s", text);
		kept_length = strlen(kept.text);
		if (length < 4096) {
			CU_ASSERT_STRING_EQUAL(kept.text, text);
			continue;
		}
		CU_ASSERT_TRUE(kept_length > 4090 && kept_length < 4096);
		CU_ASSERT_STRING_EQUAL(kept.text + kept_length - 3, "...");
		CU_ASSERT_EQUAL(memcmp(kept.text, text, kept_length - 3), 0);
		CU_ASSERT_EQUAL((unsigned char)kept.text[kept_length - 4] == 0xC3, false);
	}
	memset(text, 0xFF, sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	limen_host_log(host, LIMEN_LOG_INFO, "%s", text);
	CU_ASSERT_EQUAL(strlen(kept.text), 4095);
	host_free(host);
	background_free(back);
}

static void
test_no_log(void)
{
	host_services services = { .log = NULL };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a");

	limen_host_log(host, LIMEN_LOG_ERROR, "nobody %s", "listens");
	host_free(host);
	background_free(back);
}

static void *
log_many(void *data)
{
	for (int i = 0; i < 1000; i++)
		limen_host_log(data, LIMEN_LOG_INFO, "line %d", i);
	return NULL;
}

static void
test_log_threads(void)
{
	record kept = { .lines = 0 };
	host_services services = { .log = keep_line, .log_data = &kept };
	background *back = background_new(&services);
	limen_host *hosts[4];
	pthread_t threads[4];

	for (int i = 0; i < 4; i++) {
		hosts[i] = host_new(back, "limits", i % 2 == 0 ? "even" : "odd");
		CU_ASSERT_EQUAL(pthread_create(&threads[i], NULL, log_many, hosts[i]), 0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		host_free(hosts[i]);
	}
	CU_ASSERT_EQUAL(kept.lines, 4000);
	CU_ASSERT_EQUAL(atomic_load(&kept.overlaps), 0);
	background_free(back);
}

/* ---- counters ---- */

static limen_builder *
report(limen_host *host)
{
	limen_builder *build = limen_builder_new();

	limen_builder_object(build, NULL);
	host_report(host, build);
	limen_builder_end(build);
	return build;
}

static void
check_report(limen_host *host, const char *expected)
{
	limen_builder *build = report(host);
	char *text = limen_value_to_json(limen_builder_finish(build), 0, NULL);

	CU_ASSERT_STRING_EQUAL(text, expected);
	free(text);
	limen_builder_free(build);
}

static void
test_counters(void)
{
	host_services services = { .log = NULL };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a");

	check_report(host, "{}");
	limen_host_counter_add(host, "hits", 1);
	limen_host_counter_add(host, "b_2", 0);
	limen_host_counter_add(host, "hits", 41);
	limen_host_counter_add(host, "low", -7);
	check_report(host, "{\"counters\":{\"hits\":42,\"b_2\":0,\"low\":-7}}");
	limen_host_counter_add(host, "hits", INT64_MAX);
	limen_host_counter_add(host, "low", INT64_MIN);
	check_report(host, "{\"counters\":{\"hits\":9223372036854775807,\"b_2\":0,"
	                   "\"low\":-9223372036854775808}}");
	host_free(host);
	background_free(back);
}

/* A counter that was taken and never added to is reported, too. */
static void
test_counter_handles(void)
{
	host_services services = { .log = NULL };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a");
	limen_counter *hits = limen_host_counter(host, "hits");

	CU_ASSERT_PTR_NOT_NULL_FATAL(hits);
	CU_ASSERT_PTR_NOT_NULL(limen_host_counter(host, "misses"));
	CU_ASSERT_PTR_NULL(limen_host_counter(host, "Misses"));
	CU_ASSERT_PTR_EQUAL(limen_host_counter(host, "hits"), hits);
	limen_counter_add(hits, 2);
	limen_host_counter_add(host, "hits", 3);
	limen_counter_add(NULL, 1);
	check_report(host, "{\"counters\":{\"hits\":5,\"misses\":0}}");
	host_free(host);
	background_free(back);
}

static void
test_counter_names(void)
{
	static const char *const bad[] = { "", "A", "aB", "1a", "_a", "a-b", "a b", "\xC3\xA4",
		                           "a\n" };
	host_services services = { .log = NULL };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a");
	char name[16];
	limen_builder *build;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		limen_host_counter_add(host, bad[i], 1);
	check_report(host, "{}");
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		limen_host_counter_add(host, name, 1);
	}
	limen_host_counter_add(host, "n63", 1);
	build = report(host);
	CU_ASSERT_EQUAL(limen_value_count(limen_value_get(limen_builder_finish(build), "counters")),
	                64);
	limen_builder_free(build);
	host_free(host);
	background_free(back);
}

/* More threads than a counter has shares. */
enum {
	COUNTING = 40,
	COUNTS = 1000
};

typedef struct counting {
	limen_host *host;
	pthread_barrier_t everybody;
} counting;

static const char *const counted[] = { "a", "b", "c", "d" };

static void *
count_many(void *data)
{
	counting *shared = data;

	pthread_barrier_wait(&shared->everybody);
	for (int i = 0; i < COUNTS; i++)
		limen_host_counter_add(shared->host, counted[i % 4], 1);
	return NULL;
}

static void
count_on_threads(limen_host *host)
{
	counting shared = { .host = host };
	pthread_t threads[COUNTING];

	pthread_barrier_init(&shared.everybody, NULL, COUNTING);
	for (int i = 0; i < COUNTING; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, count_many, &shared), 0);
	for (int i = 0; i < COUNTING; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&shared.everybody);
}

static void
test_count_threads(void)
{
	host_services services = { .log = NULL };
	background *back = background_new(&services);
	limen_host *host = host_new(back, "limits", "a");
	limen_builder *build;
	limen_value counters;

	count_on_threads(host);
	/* Other threads count on. */
	count_on_threads(host);
	build = report(host);
	counters = limen_value_get(limen_builder_finish(build), "counters");
	CU_ASSERT_EQUAL(limen_value_count(counters), 4);
	for (int i = 0; i < 4; i++) {
		int64_t value = 0;

		CU_ASSERT_TRUE(limen_value_int(limen_value_get(counters, counted[i]), &value));
		CU_ASSERT_EQUAL(value, 2 * COUNTING * COUNTS / 4);
	}
	limen_builder_free(build);
	host_free(host);
	background_free(back);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a line carries the name of the entry and is one line", test_log },
		{ "a long line is cut between characters", test_long_line },
		{ "without a log nothing is logged", test_no_log },
		{ "lines of several threads come one at a time", test_log_threads },
		{ "counters add up, and stop at the bounds", test_counters },
		{ "a counter is taken once and added to", test_counter_handles },
		{ "odd names and too many of them are not counted", test_counter_names },
		{ "counting on many threads loses nothing", test_count_threads },
		{ NULL, NULL },
	};

	return suite_run("core/host", tests);
}
