/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_ip_cidr_list_url_update.c - how the lists of "ip-cidr-list-url" come, change,
 * fail to come and outlive restarts: real servers, and servers that misbehave.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limen/limen.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "http_server.h"
#include "nginx.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

enum {
	PATIENCE = 60, /* seconds until a test gives up */
	TEXT_MAX = 4096
};

static nginx *real;
static const char *why_not = "no server";
static char directory[] = "/tmp/limen-test-XXXXXX"; /* for caches */

/* ---- a policy with one list ---- */

/* Log lines, all of them; a test asks whether one was among them. */
typedef struct site {
	limen_engine *engine;
	pthread_mutex_t lock;
	char log[1 << 16];
} site;

static void
keep_line(void *data, limen_log_level level, const char *source, const char *text)
{
	site *one = data;
	size_t length;

	(void)source;
	pthread_mutex_lock(&one->lock);
	length = strlen(one->log);
	snprintf(one->log + length, sizeof(one->log) - length, "%s%s\n",
	         level == LIMEN_LOG_WARNING ? "warning: " : "", text);
	pthread_mutex_unlock(&one->lock);
}

static size_t
count_lines(site *one, const char *part)
{
	size_t count = 0;

	pthread_mutex_lock(&one->lock);
	for (const char *at = strstr(one->log, part); at != NULL; at = strstr(at + 1, part))
		count++;
	pthread_mutex_unlock(&one->lock);
	return count;
}

static site *
site_new(const char *cache)
{
	site *one = calloc(1, sizeof(*one));
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
		.cache_dir = cache,
		.log = keep_line,
		.log_data = one,
	};

	if (one == NULL)
		abort();
	pthread_mutex_init(&one->lock, NULL);
	one->engine = limen_engine_new(&options);
	CU_ASSERT_PTR_NOT_NULL_FATAL(one->engine);
	return one;
}

static void
site_free(site *one)
{
	limen_engine_free(one->engine);
	pthread_mutex_destroy(&one->lock);
	free(one);
}

/* 'times' are "update" and "retry", in ISO 8601; 'more' is other options. */
static void
site_load(site *one, const char *url, const char *update, const char *retry, const char *more)
{
	limen_diag *diag = limen_diag_new();
	char policy[TEXT_MAX];
	int length = snprintf(policy, sizeof(policy),
	                      "{\"schema\":4,\"identifiers\":[{\"name\":\"list\","
	                      "\"description\":\"\",\"type\":\"ip-cidr-list-url\",\"data\":"
	                      "{\"source\":\"%s\",\"update\":\"%s\",\"retry\":\"%s\"%s}}],"
	                      "\"classifiers\":[],\"limits\":[],\"applications\":[]}",
	                      url, update, retry, more);
	int result = limen_engine_load_text(one->engine, NULL, policy, (size_t)length, diag);

	ASSERT(result == LIMEN_OK, "%s", result == LIMEN_OK ? "" : limen_diag_get(diag, 0)->text);
	limen_diag_free(diag);
}

/* As site_load(), for a test that wants the first download behind it. */
static void
site_start(site *one, const char *url, const char *update, const char *retry, const char *more)
{
	site_load(one, url, update, retry, more);
	CU_ASSERT_TRUE(limen_engine_wait_ready(one->engine, PATIENCE * LIMEN_SECOND));
}

/* The verdict of the list about 'requester'. */
static limen_verdict
ask(const site *one, const char *requester)
{
	limen_decide_options options = { .size = sizeof(options), .trace = true };
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_verdict verdict = LIMEN_ERROR;
	limen_decision *decision;

	if (limen_request_parse(req, "{}", 2, NULL) == LIMEN_OK &&
	    limen_request_set_hint(req, "requester", requester) == LIMEN_OK &&
	    limen_engine_decide(one->engine, req, &options, &decision) == LIMEN_OK) {
		verdict = limen_decision_trace(decision, 0)->verdict;
		limen_decision_free(decision);
	}
	limen_request_free(req);
	return verdict;
}

/* ---- its status ---- */

/* Copies what the status says of 'name' ("counters/attempts") to 'out', as JSON; "" if nothing. */
static void
read_status(const site *one, const char *name, char out[TEXT_MAX])
{
	limen_request *holder = limen_request_new(LIMEN_SUBJECT_OBJECT);
	size_t length = 0;
	char *text = limen_engine_describe(one->engine, 0, &length);
	char *printed = NULL;
	limen_value status;

	if (text != NULL && limen_request_parse(holder, text, length, NULL) == LIMEN_OK) {
		const char *slash = strchr(name, '/');

		status = limen_value_get(limen_request_document(holder), "identifiers");
		status = limen_value_get(limen_value_get(status, "list"), "status");
		if (slash != NULL)
			status = limen_value_get(status, "counters");
		printed = limen_value_to_json(
			limen_value_get(status, slash == NULL ? name : slash + 1), 0, &length);
	}
	snprintf(out, TEXT_MAX, "%s", printed == NULL ? "" : printed);
	free(printed);
	free(text);
	limen_request_free(holder);
}

static double
status_number(const site *one, const char *name)
{
	char text[TEXT_MAX];

	read_status(one, name, text);
	return text[0] == '\0' ? 0 : strtod(text, NULL);
}

/* Does the status say 'part' of 'name'?  "" for nothing at all. */
static bool
status_says(const site *one, const char *name, const char *part)
{
	char text[TEXT_MAX];

	read_status(one, name, text);
	return part[0] == '\0' ? text[0] == '\0' : strstr(text, part) != NULL;
}

static void
sleep_a_little(void)
{
	static const struct timespec pause = { .tv_nsec = 10000000 };

	nanosleep(&pause, NULL);
}

static time_t
now(void)
{
	return (time_t)(limen_host_monotonic() / 1000000000);
}

static bool
wait_for_number(const site *one, const char *name, double least)
{
	time_t end = now() + PATIENCE;

	while (status_number(one, name) < least && now() < end)
		sleep_a_little();
	return status_number(one, name) >= least;
}

static bool
wait_for_verdict(const site *one, const char *requester, limen_verdict verdict)
{
	time_t end = now() + PATIENCE;

	while (ask(one, requester) != verdict && now() < end)
		sleep_a_little();
	return ask(one, requester) == verdict;
}

/* ---- files on the server ---- */

static void
file_path(const char *name, char out[TEXT_MAX])
{
	snprintf(out, TEXT_MAX, "%s/%s", nginx_files(real), name);
}

static void
remove_file(const char *name)
{
	char path[TEXT_MAX];

	file_path(name, path);
	unlink(path);
}

/* Replaced as a whole; readable for the server, whoever that is. */
static void
write_file(const char *name, const char *text)
{
	char path[TEXT_MAX];
	char fresh[TEXT_MAX + 4];
	FILE *out;

	file_path(name, path);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	out = fopen(fresh, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	fputs(text, out);
	CU_ASSERT_EQUAL(fclose(out), 0);
	chmod(fresh, 0644);
	CU_ASSERT_EQUAL(rename(fresh, path), 0);
}

static void
file_url(const char *name, char out[TEXT_MAX])
{
	snprintf(out, TEXT_MAX, "%s/files/%s", nginx_http(real), name);
}

static bool
has_server(void)
{
	if (real != NULL)
		return true;
	suite_skip(why_not);
	return false;
}

/* ---- tests with a good server ---- */

static void
test_update(void)
{
	site *one;
	char url[TEXT_MAX];

	if (!has_server())
		return;
	one = site_new(NULL);
	file_url("update", url);
	write_file("update", "10.0.0.0/8\nodd\n");
	site_start(one, url, "PT0S", "PT0S", "");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_TRUE(status_says(one, "ready", "true"));
	CU_ASSERT_EQUAL(status_number(one, "entries"), 1);
	CU_ASSERT_EQUAL(status_number(one, "skipped"), 1);
	CU_ASSERT_TRUE(status_says(one, "error", ""));
	write_file("update", "192.0.2.0/24\n192.0.3.0/24\n192.0.4.0/24\n");
	CU_ASSERT_TRUE(wait_for_verdict(one, "10.0.0.1", LIMEN_FAIL));
	CU_ASSERT_EQUAL(ask(one, "192.0.2.1"), LIMEN_PASS);
	CU_ASSERT_EQUAL(status_number(one, "entries"), 3);
	CU_ASSERT_EQUAL(status_number(one, "skipped"), 0);
	site_free(one);
}

/* What has not changed is not sent again, and counts as new all the same. */
static void
test_unchanged(void)
{
	site *one;
	char url[TEXT_MAX];

	if (!has_server())
		return;
	one = site_new(NULL);
	file_url("unchanged", url);
	write_file("unchanged", "10.0.0.0/8\n");
	site_start(one, url, "PT0S", "P1D", "");
	CU_ASSERT_TRUE(wait_for_number(one, "counters/attempts", 3));
	CU_ASSERT_TRUE(count_lines(one, "has not changed") > 0);
	CU_ASSERT_EQUAL(count_lines(one, "downloaded http"), 1);
	CU_ASSERT_EQUAL(status_number(one, "counters/failures"), 0);
	CU_ASSERT_EQUAL(status_number(one, "entries"), 1);
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	write_file("unchanged", "192.0.2.0/24\n192.0.3.0/24\n");
	CU_ASSERT_TRUE(wait_for_verdict(one, "192.0.2.1", LIMEN_PASS));
	site_free(one);
}

/* The list outlives the failure, and its age goes on. */
static void
test_failure(void)
{
	site *one;
	char url[TEXT_MAX];

	if (!has_server())
		return;
	one = site_new(NULL);
	file_url("failure", url);
	write_file("failure", "10.0.0.0/8\n");
	site_start(one, url, "PT0S", "PT0S", "");
	remove_file("failure");
	CU_ASSERT_TRUE(wait_for_number(one, "counters/failures", 2));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_TRUE(status_says(one, "error", "Status 404"));
	CU_ASSERT_TRUE(status_says(one, "ready", "true"));
	CU_ASSERT_TRUE(status_number(one, "age") >= 1);
	CU_ASSERT_TRUE(count_lines(one, "Status 404; the old list stays") >= 2);
	write_file("failure", "<html>\nmoved\n</html>\n");
	CU_ASSERT_TRUE(wait_for_number(one, "counters/failures",
	                               status_number(one, "counters/failures") + 2));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_TRUE(status_says(one, "error", "no line of the answer is a network"));
	write_file("failure", "192.0.2.0/24\n");
	CU_ASSERT_TRUE(wait_for_verdict(one, "192.0.2.1", LIMEN_PASS));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_FAIL);
	CU_ASSERT_TRUE(wait_for_number(one, "counters/attempts", 6));
	CU_ASSERT_TRUE(status_says(one, "error", ""));
	site_free(one);
}

/* A list without any line is a list. */
static void
test_emptied(void)
{
	site *one;
	char url[TEXT_MAX];

	if (!has_server())
		return;
	one = site_new(NULL);
	file_url("emptied", url);
	write_file("emptied", "10.0.0.0/8\n");
	site_start(one, url, "PT0S", "PT0S", ",\"fail-state\":true");
	CU_ASSERT_EQUAL(ask(one, "192.0.2.1"), LIMEN_FAIL);
	write_file("emptied", "# all of them are gone\n");
	CU_ASSERT_TRUE(wait_for_verdict(one, "192.0.2.1", LIMEN_PASS));
	CU_ASSERT_TRUE(status_says(one, "ready", "true"));
	CU_ASSERT_EQUAL(status_number(one, "entries"), 0);
	CU_ASSERT_TRUE(wait_for_number(one, "counters/empty", 1));
	write_file("emptied", "odd\n192.0.2.0/24\nodder\n");
	CU_ASSERT_TRUE(wait_for_verdict(one, "10.0.0.1", LIMEN_FAIL));
	CU_ASSERT_EQUAL(status_number(one, "counters/skipped"), 2);
	CU_ASSERT_TRUE(count_lines(one, ": 2 lines are not networks and were skipped") > 0);
	write_file("emptied", "");
	CU_ASSERT_TRUE(wait_for_number(one, "counters/empty", 2));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_EQUAL(status_number(one, "counters/failures"), 0);
	CU_ASSERT_TRUE(count_lines(one, "warning: downloaded ") >= 3);
	CU_ASSERT_TRUE(count_lines(one, ": the list is empty, so fail-state decides") >= 2);
	site_free(one);
}

/* What is shorter than the minimum is no list: neither the first nor a later one. */
static void
test_minimum(void)
{
	site *one;
	char url[TEXT_MAX];

	if (!has_server())
		return;
	one = site_new(NULL);
	file_url("minimum", url);
	write_file("minimum", "192.0.2.0/24\n");
	site_start(one, url, "PT0S", "PT0S", ",\"minimum-entries\":2");
	CU_ASSERT_TRUE(status_says(one, "ready", "false"));
	CU_ASSERT_TRUE(status_says(one, "error", "the list has 1 entries, fewer than "
	                                         "minimum-entries (2)"));
	write_file("minimum", "10.0.0.0/8\n10.0.0.0/9\n");
	CU_ASSERT_TRUE(wait_for_verdict(one, "10.0.0.1", LIMEN_PASS));
	write_file("minimum", "");
	CU_ASSERT_TRUE(wait_for_number(one, "counters/failures",
	                               status_number(one, "counters/failures") + 1));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_EQUAL(status_number(one, "entries"), 2);
	CU_ASSERT_TRUE(count_lines(one, "warning: cannot download") >= 2);
	CU_ASSERT_TRUE(count_lines(one, "(2); the old list stays") >= 1);
	CU_ASSERT_EQUAL(status_number(one, "counters/empty"), 0);
	site_free(one);
}

static void
test_first_retry(void)
{
	site *one;
	char url[TEXT_MAX];

	if (!has_server())
		return;
	one = site_new(NULL);
	file_url("late", url);
	remove_file("late");
	site_start(one, url, "P1D", "PT0S", "");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_FAIL);
	CU_ASSERT_TRUE(status_says(one, "ready", "false"));
	CU_ASSERT_TRUE(count_lines(one, "Status 404; no list was downloaded yet") >= 1);
	write_file("late", "10.0.0.0/8\n");
	CU_ASSERT_TRUE(wait_for_verdict(one, "10.0.0.1", LIMEN_PASS));
	CU_ASSERT_TRUE(status_says(one, "ready", "true"));
	site_free(one);
}

static void
test_downloaded_transform(void)
{
	site *one;
	char url[TEXT_MAX];

	if (!has_server())
		return;
	one = site_new(NULL);
	file_url("ranges.json", url);
	write_file("ranges.json", "{\"prefixes\":[{\"ip_prefix\":\"10.0.0.0/8\"}],"
	                          "\"ipv6_prefixes\":[{\"ipv6_prefix\":\"2001:db8::/32\"}]}");
	site_start(one, url, "PT0S", "PT0S",
	           ",\"transform\":{\"script\":\".prefixes[].ip_prefix, "
	           ".ipv6_prefixes[].ipv6_prefix\",\"output-raw\":true}");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_EQUAL(ask(one, "2001:db8::1"), LIMEN_PASS);
	write_file("ranges.json", "{\"prefixes\":7}");
	CU_ASSERT_TRUE(wait_for_number(one, "counters/failures", 1));
	CU_ASSERT_TRUE(status_says(one, "error", "the transform failed"));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	site_free(one);
}

/* ---- restarts and reloads ---- */

static void
test_restart(void)
{
	site *one;
	char url[TEXT_MAX];
	long requests;

	if (!has_server())
		return;
	file_url("restart", url);
	write_file("restart", "10.0.0.0/8\nodd\n");
	one = site_new(directory);
	site_start(one, url, "P1D", "P1D", "");
	site_free(one);
	remove_file("restart");
	requests = nginx_requests(real);
	/* The list is there before anything could have been downloaded. */
	one = site_new(directory);
	site_load(one, url, "P1D", "P1D", ",\"exclude\":[\"10.1.0.0/16\"]");
	CU_ASSERT_TRUE(limen_engine_wait_ready(one->engine, 0));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_EQUAL(ask(one, "10.1.0.1"), LIMEN_FAIL);
	CU_ASSERT_TRUE(status_says(one, "ready", "true"));
	CU_ASSERT_EQUAL(status_number(one, "entries"), 1);
	CU_ASSERT_EQUAL(status_number(one, "skipped"), 1);
	CU_ASSERT_EQUAL(nginx_requests(real), requests);
	site_free(one);
	/* Too old: the server is asked, and the list stays although it fails. */
	one = site_new(directory);
	site_load(one, url, "PT0S", "P1D", "");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_TRUE(wait_for_number(one, "counters/failures", 1));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	site_free(one);
}

/* The file of the one list in the cache directory. */
static void
cache_path(char out[TEXT_MAX])
{
	DIR *list = opendir(directory);
	const struct dirent *file;

	out[0] = '\0';
	if (list == NULL)
		abort();
	for (file = readdir(list); file != NULL; file = readdir(list)) {
		if (file->d_name[0] != '.')
			snprintf(out, TEXT_MAX, "%s/%s", directory, file->d_name);
	}
	closedir(list);
}

static void
clear_cache(void)
{
	char path[TEXT_MAX];

	cache_path(path);
	while (path[0] != '\0') {
		unlink(path);
		cache_path(path);
	}
}

/* Is 'text' in the cache file?  It is asked for as often as is needed to be kept. */
static bool
wait_for_cache(const char *path, const char *text)
{
	time_t end = now() + PATIENCE;
	char found[TEXT_MAX];
	bool there = false;

	while (!there && now() < end) {
		FILE *in = fopen(path, "r");
		size_t length = in == NULL ? 0 : fread(found, 1, sizeof(found) - 1, in);

		if (in != NULL)
			fclose(in);
		found[length] = '\0';
		there = strstr(found, text) != NULL;
		sleep_a_little();
	}
	return there;
}

/*
 * Another program keeps an older list at the same time: that does not become younger, and the
 * newer one is kept once it can be.
 */
static void
test_two_writers(void)
{
	site *one;
	const struct timespec past[2] = { { .tv_sec = 1000000 }, { .tv_sec = 1000000 } };
	struct stat facts;
	char url[TEXT_MAX];
	char path[TEXT_MAX];
	char fresh[TEXT_MAX + 4];
	int fd;

	if (!has_server())
		return;
	clear_cache();
	file_url("writers", url);
	write_file("writers", "10.0.0.0/8\n");
	one = site_new(directory);
	site_start(one, url, "PT0S", "P1D", "");
	cache_path(path);
	snprintf(fresh, sizeof(fresh), "%s.new", path);
	fd = open(fresh, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	CU_ASSERT_FATAL(fd >= 0 && flock(fd, LOCK_EX) == 0);
	write_file("writers", "192.0.2.0/24\n192.0.3.0/24\n");
	CU_ASSERT_TRUE(wait_for_verdict(one, "192.0.2.1", LIMEN_PASS));
	CU_ASSERT_EQUAL(utimensat(AT_FDCWD, path, past, 0), 0);
	CU_ASSERT_TRUE(wait_for_number(one, "counters/attempts",
	                               status_number(one, "counters/attempts") + 2));
	CU_ASSERT_EQUAL(stat(path, &facts), 0);
	CU_ASSERT_EQUAL(facts.st_mtime, past[1].tv_sec);
	CU_ASSERT_EQUAL(count_lines(one, "cannot be kept"), 0);
	close(fd);
	CU_ASSERT_TRUE(wait_for_cache(path, "\n192.0.3.0/24\n"));
	site_free(one);
}

static void
test_damaged_cache(void)
{
	site *one;
	char url[TEXT_MAX];
	char path[TEXT_MAX];

	if (!has_server())
		return;
	clear_cache();
	file_url("damaged", url);
	write_file("damaged", "10.0.0.0/8\n");
	one = site_new(directory);
	site_start(one, url, "P1D", "P1D", "");
	site_free(one);
	cache_path(path);
	CU_ASSERT_EQUAL(truncate(path, 60), 0);
	remove_file("damaged");
	one = site_new(directory);
	site_start(one, url, "P1D", "P1D", "");
	CU_ASSERT_EQUAL(count_lines(one, "is not used: it is damaged"), 1);
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_FAIL);
	CU_ASSERT_TRUE(status_says(one, "ready", "false"));
	site_free(one);
}

static void
test_other_source(void)
{
	site *one;
	char url[TEXT_MAX];
	char other[TEXT_MAX];

	if (!has_server())
		return;
	clear_cache();
	file_url("source", url);
	file_url("absent", other);
	write_file("source", "10.0.0.0/8\n");
	one = site_new(directory);
	site_start(one, url, "P1D", "P1D", "");
	/* Neither the instance before nor the file helps another URL or script. */
	site_start(one, other, "P1D", "P1D", "");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_FAIL);
	CU_ASSERT_EQUAL(count_lines(one, "is not used: the list is from another source"), 1);
	site_start(one, url, "P1D", "P1D", ",\"transform\":{\"script\":\"empty\"}");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_FAIL);
	site_start(one, url, "P1D", "P1D", "");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	site_free(one);
}

/* Without a cache directory, too, a change of other options keeps the list. */
static void
test_reload(void)
{
	site *one;
	char url[TEXT_MAX];
	long requests;

	if (!has_server())
		return;
	file_url("reload", url);
	write_file("reload", "10.0.0.0/8\n");
	one = site_new(NULL);
	site_start(one, url, "P1D", "P1D", "");
	remove_file("reload");
	requests = nginx_requests(real);
	site_load(one, url, "P1D", "P1D", "");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	site_load(one, url, "P2D", "PT1H", ",\"exclude\":[\"10.1.0.0/16\"],\"fail-state\":true");
	CU_ASSERT_TRUE(limen_engine_wait_ready(one->engine, 0));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_EQUAL(ask(one, "10.1.0.1"), LIMEN_FAIL);
	CU_ASSERT_EQUAL(ask(one, "192.0.2.1"), LIMEN_FAIL);
	CU_ASSERT_EQUAL(nginx_requests(real), requests);
	site_free(one);
}

/* ---- tests with a bad server ---- */

#define LONG "0123456789012345678901234567890123456789012345678901234567890123456789"
#define VERSIONED(header) \
	"HTTP/1.1 200 OK\r\n" header "\r\nContent-Length: 11\r\n\r\n10.0.0.0/8\n"

static const struct http_reply bad_replies[] = {
	{ "/html", HTTP_TEXT("200 OK", "34", "<html>\n<body>Hello</body>\n</html>\n"), HTTP_CLOSE, 0 },
	{ "/gzip", HTTP_TEXT("200 OK", "6", "\x1F\x8B\x08\x01\x02\x03"), HTTP_CLOSE, 0 },
	{ "/latin1", HTTP_TEXT("200 OK", "18", "10.0.0.0/8 # caf\xE9\n"), HTTP_CLOSE, 0 },
	{ "/created", HTTP_TEXT("201 Created", "11", "10.0.0.0/8\n"), HTTP_CLOSE, 0 },
	{ "/partial", HTTP_TEXT("206 Partial Content", "11", "10.0.0.0/8\n"), HTTP_CLOSE, 0 },
	{ "/nothing", "HTTP/1.1 204 No Content\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/same", "HTTP/1.1 304 Not Modified\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/error?key=secret", HTTP_TEXT("500 Error", "11", "10.0.0.0/8\n"), HTTP_CLOSE, 0 },
	{ "/error", HTTP_TEXT("500 Error", "11", "10.0.0.0/8\n"), HTTP_CLOSE, 0 },
	{ "/cut", HTTP_TEXT("200 OK", "100", "10.0.0.0/8\n"), HTTP_CLOSE, 0 },
	{ "/no-end", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n10.0.0.0/8\n12", HTTP_CLOSE, 0 },
	{ "/reset", HTTP_TEXT("200 OK", "100", "10.0.0.0/8\n"), HTTP_RESET, 0 },
	{ "/hang", "", HTTP_HANG, 0 },
	{ "/trickle", "HTTP/1.1 200 OK\r\n\r\n10.0.0.0/8\n", HTTP_TRICKLE, 0 },
	{ "/endless", "HTTP/1.1 200 OK\r\n\r\n10.0.0.0/8\n", HTTP_REPEAT_LINE, 0 },
	{ "/garbage", "10.0.0.0/8\n", HTTP_CLOSE, 0 },
	{ "/to-file", "HTTP/1.1 302 Found\r\nLocation: file:///etc/hosts\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/loop", "HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n", HTTP_KEEP,
	  0 },
	{ "/there", "HTTP/1.1 302 Found\r\nLocation: /list\r\nContent-Length: 0\r\n\r\n", HTTP_KEEP,
	  0 },
	{ "/etag", VERSIONED("ETag: W/\"a b\"\r\nLast-Modified: Sat, 01 Jan 2022 00:00:00 GMT"),
	  HTTP_KEEP, 0 },
	{ "/modified", VERSIONED("Last-Modified: Sat, 01 Jan 2022 00:00:00 GMT"), HTTP_KEEP, 0 },
	{ "/long-etag", VERSIONED("ETag: \"" LONG LONG "\""), HTTP_KEEP, 0 },
	{ "/odd-etag", VERSIONED("ETag: \"caf\xE9\""), HTTP_KEEP, 0 },
	{ "/list", HTTP_TEXT("200 OK", "11", "10.0.0.0/8\n"), HTTP_KEEP, 0 },
	{ NULL, NULL, HTTP_KEEP, 0 }
};

static void
check_bad(const http_server *server, const char *path, const char *error)
{
	/* Only what never ends needs a short time-out. */
	bool endless = strstr(error, "timed out") != NULL;
	site *one = site_new(NULL);
	char url[TEXT_MAX];

	snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", http_server_port(server), path);
	site_start(one, url, "P1D", "P1D",
	           endless ? ",\"timeout\":\"PT1S\"" : ",\"max-size\":100000");
	ASSERT(ask(one, "10.0.0.1") == LIMEN_FAIL, "%s is a list", path);
	ASSERT(status_says(one, "error", error), "%s: no '%s': %s", path, error, one->log);
	ASSERT(status_number(one, "counters/failures") == 1, "%s: no failure", path);
	site_free(one);
}

static void
test_bad_answers(void)
{
	http_server *server = http_server_start(bad_replies);
	site *one;
	char url[TEXT_MAX];

	CU_ASSERT_PTR_NOT_NULL_FATAL(server);
	check_bad(server, "/html", "no line of the answer is a network");
	check_bad(server, "/gzip", "not UTF-8");
	check_bad(server, "/latin1", "not UTF-8");
	check_bad(server, "/created", "Status 201");
	check_bad(server, "/partial", "Status 206");
	check_bad(server, "/nothing", "Status 204");
	check_bad(server, "/same", "Status 304");
	check_bad(server, "/error", "Status 500");
	check_bad(server, "/absent", "Status 404");
	check_bad(server, "/cut", "The answer is incomplete");
	check_bad(server, "/no-end", "it does not say how long it is");
	check_bad(server, "/reset", "reset");
	check_bad(server, "/hang", "timed out");
	check_bad(server, "/trickle", "timed out");
	check_bad(server, "/endless", "longer than 100000 bytes");
	check_bad(server, "/garbage", "The answer is not HTTP");
	check_bad(server, "/to-file", "must not be followed");
	check_bad(server, "/loop", "redirects");
	one = site_new(NULL);
	snprintf(url, sizeof(url), "http://user:secret@127.0.0.1:%u/there",
	         http_server_port(server));
	site_start(one, url, "P1D", "P1D", "");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	CU_ASSERT_EQUAL(count_lines(one, "secret"), 0);
	CU_ASSERT_EQUAL(count_lines(one, "downloaded http://"), 1);
	site_free(one);
	http_server_stop(server);
}

/* Which condition the second request for 'path' has; "": none. */
static void
check_condition(http_server *server, const char *path, const char *condition)
{
	unsigned long requests = http_server_requests(server);
	time_t end = now() + PATIENCE;
	site *one = site_new(NULL);
	char url[TEXT_MAX];
	char head[TEXT_MAX];

	snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", http_server_port(server), path);
	site_start(one, url, "PT0S", "P1D", "");
	while (http_server_requests(server) < requests + 2 && now() < end)
		sleep_a_little();
	site_free(one);
	http_server_last(server, head, sizeof(head));
	if (condition[0] == '\0')
		ASSERT(strstr(head, "\r\nIf-") == NULL, "%s: %s", path, head);
	else
		ASSERT(strstr(head, condition) != NULL, "%s: %s", path, head);
}

static void
test_conditions(void)
{
	http_server *server = http_server_start(bad_replies);

	CU_ASSERT_PTR_NOT_NULL_FATAL(server);
	check_condition(server, "/etag", "\r\nIf-None-Match: W/\"a b\"\r\n");
	check_condition(server, "/modified",
	                "\r\nIf-Modified-Since: Sat, 01 Jan 2022 00:00:00 GMT\r\n");
	check_condition(server, "/long-etag", "");
	check_condition(server, "/odd-etag", "");
	check_condition(server, "/list", "");
	http_server_stop(server);
}

/* No authority vouches for this server. */
static void
test_unverified(void)
{
	site *one;
	char url[TEXT_MAX];

	if (!has_server())
		return;
	one = site_new(NULL);
	write_file("tls", "10.0.0.0/8\n");
	snprintf(url, sizeof(url), "%s/files/tls", nginx_https(real));
	site_start(one, url, "P1D", "P1D", "");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_FAIL);
	CU_ASSERT_TRUE(status_says(one, "error", "certificate"));
	site_free(one);
}

/* The operator's own authority vouches for this one, and for its name only. */
static void
test_own_authority(void)
{
	site *one;
	char url[TEXT_MAX];
	char trusted[TEXT_MAX];

	if (!has_server())
		return;
	one = site_new(NULL);
	write_file("own", "10.0.0.0/8\n");
	snprintf(trusted, sizeof(trusted), ",\"ca-file\":\"%s\"", nginx_ca(real));
	snprintf(url, sizeof(url), "%s/files/own", nginx_https(real));
	site_start(one, url, "P1D", "P1D", trusted);
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	snprintf(url, sizeof(url), "%s/files/own", nginx_https_other(real));
	site_start(one, url, "P1D", "P1D", trusted);
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_FAIL);
	CU_ASSERT_TRUE(status_says(one, "error", "certificate"));
	site_free(one);
}

/* A key in the URL is for the server, not for whoever reads the log. */
static void
test_log_lines(void)
{
	http_server *server = http_server_start(bad_replies);
	site *one = site_new(NULL);
	char url[TEXT_MAX];
	char shown[TEXT_MAX];
	char head[TEXT_MAX];

	CU_ASSERT_PTR_NOT_NULL_FATAL(server);
	snprintf(url, sizeof(url), "http://u:secret@127.0.0.1:%u/error?key=secret#secret",
	         http_server_port(server));
	site_start(one, url, "P1D", "P1D", "");
	http_server_last(server, head, sizeof(head));
	ASSERT(strstr(head, "GET /error?key=secret HTTP") != NULL, "%s", head);
	snprintf(shown, sizeof(shown), "cannot download http://127.0.0.1:%u/error: ",
	         http_server_port(server));
	CU_ASSERT_EQUAL(count_lines(one, shown), 1);
	CU_ASSERT_EQUAL(count_lines(one, "secret"), 0);
	site_free(one);
	http_server_stop(server);
}

static void
test_bind(void)
{
	http_server *server = http_server_start(bad_replies);
	site *one = site_new(NULL);
	char url[TEXT_MAX];

	CU_ASSERT_PTR_NOT_NULL_FATAL(server);
	snprintf(url, sizeof(url), "http://127.0.0.1:%u/list", http_server_port(server));
	site_start(one, url, "P1D", "P1D", ",\"bind\":\"127.0.0.1\"");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	site_start(one, url, "P1D", "P1D", ",\"bind\":\"192.0.2.77\",\"max-size\":1000");
	/* The list of before is still good. */
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_PASS);
	site_free(one);
	one = site_new(NULL);
	site_start(one, url, "P1D", "P1D", ",\"bind\":\"192.0.2.77\"");
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_FAIL);
	CU_ASSERT_EQUAL(status_number(one, "counters/failures"), 1);
	site_free(one);
	http_server_stop(server);
}

/* The end waits for a download that hangs, but not for long. */
static void
test_closing(void)
{
	http_server *server = http_server_start(bad_replies);
	site *one = site_new(NULL);
	char url[TEXT_MAX];
	time_t start;

	CU_ASSERT_PTR_NOT_NULL_FATAL(server);
	snprintf(url, sizeof(url), "http://127.0.0.1:%u/hang", http_server_port(server));
	site_load(one, url, "P1D", "P1D", ",\"timeout\":\"PT10M\"");
	CU_ASSERT_TRUE(wait_for_number(one, "counters/attempts", 1));
	CU_ASSERT_FALSE(limen_engine_wait_ready(one->engine, 10000));
	CU_ASSERT_EQUAL(ask(one, "10.0.0.1"), LIMEN_FAIL);
	start = now();
	site_load(one, url, "P2D", "P1D", ",\"timeout\":\"PT10M\"");
	CU_ASSERT_TRUE(wait_for_number(one, "counters/attempts", 1));
	CU_ASSERT_EQUAL(count_lines(one, "cannot download"), 0);
	site_free(one);
	CU_ASSERT_TRUE(now() - start < PATIENCE);
	http_server_stop(server);
}

/* ---- decisions while lists come ---- */

enum { BUSY = 2, DECISIONS = 100000 };

typedef struct busy {
	const site *site;
	atomic_bool over;
	atomic_ulong decisions;
	atomic_ulong wrong;
} busy;

/* 10.0.0.1 is in both lists. */
static void *
decide_on(void *data)
{
	busy *all = data;

	while (!atomic_load(&all->over)) {
		if (ask(all->site, "10.0.0.1") != LIMEN_PASS)
			atomic_fetch_add(&all->wrong, 1);
		atomic_fetch_add(&all->decisions, 1);
	}
	return NULL;
}

static size_t
count_fds(void)
{
	DIR *list = opendir("/proc/self/fd");
	size_t count = 0;

	if (list == NULL)
		return 0;
	while (readdir(list) != NULL)
		count++;
	closedir(list);
	return count;
}

/* What is allocated, in bytes; sanitizers know nothing of it. */
static size_t
count_memory(void)
{
	struct mallinfo2 facts = mallinfo2();

	return facts.uordblks + facts.hblkhd;
}

static void
write_long_list(char *path, size_t count, unsigned first)
{
	char fresh[TEXT_MAX + 4];
	FILE *out;

	snprintf(fresh, sizeof(fresh), "%s.new", path);
	out = fopen(fresh, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	fputs("10.0.0.0/8\n", out);
	for (size_t i = 1; i < count; i++) {
		uint32_t address = ((uint32_t)first << 24) + (uint32_t)i * 2;

		fprintf(out, "%u.%u.%u.%u/32\n", address >> 24, address >> 16 & 255,
		        address >> 8 & 255, address & 255);
	}
	CU_ASSERT_EQUAL(fclose(out), 0);
	CU_ASSERT_EQUAL(rename(fresh, path), 0);
}

static void
test_busy(void)
{
	static busy all;
	site *one = site_new(NULL);
	pthread_t threads[BUSY];
	char path[TEXT_MAX];
	char url[TEXT_MAX + 16];
	size_t fds;
	size_t memory;

	snprintf(path, sizeof(path), "%s.list", directory);
	snprintf(url, sizeof(url), "file://%s", path);
	write_long_list(path, 20000, 50);
	site_start(one, url, "PT0S", "PT0S", "");
	CU_ASSERT_TRUE(wait_for_number(one, "counters/attempts", 2));
	fds = count_fds();
	memory = count_memory();
	all.site = one;
	for (int i = 0; i < BUSY; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, decide_on, &all), 0);
	for (unsigned i = 0; i < 4 || atomic_load(&all.decisions) < DECISIONS; i++) {
		write_long_list(path, 20000, 50 + i % 2 * 50);
		CU_ASSERT_TRUE(wait_for_number(one, "counters/attempts",
		                               status_number(one, "counters/attempts") + 1));
	}
	atomic_store(&all.over, true);
	for (int i = 0; i < BUSY; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(atomic_load(&all.wrong), 0);
	CU_ASSERT_EQUAL(status_number(one, "counters/failures"), 0);
	ASSERT(count_fds() <= fds + 4, "%zu descriptors, then %zu", fds, count_fds());
	ASSERT(count_memory() < memory + (8 << 20), "%zu bytes, then %zu", memory, count_memory());
	site_free(one);
	unlink(path);
}

static void
test_million(void)
{
	site *one = site_new(NULL);
	char path[TEXT_MAX];
	char url[TEXT_MAX + 16];

	snprintf(path, sizeof(path), "%s.list", directory);
	snprintf(url, sizeof(url), "file://%s", path);
	write_long_list(path, 1000000, 50);
	site_start(one, url, "P1D", "P1D", "");
	CU_ASSERT_EQUAL(status_number(one, "entries"), 1000000);
	CU_ASSERT_EQUAL(ask(one, "50.0.0.1"), LIMEN_FAIL);
	CU_ASSERT_EQUAL(ask(one, "50.0.0.2"), LIMEN_PASS);
	CU_ASSERT_EQUAL(ask(one, "50.30.132.126"), LIMEN_PASS);
	CU_ASSERT_EQUAL(ask(one, "50.30.132.128"), LIMEN_FAIL);
	CU_ASSERT_EQUAL(ask(one, "10.255.255.255"), LIMEN_PASS);
	site_free(one);
	unlink(path);
}

static void
finish(void)
{
	nginx_stop(real);
	clear_cache();
	rmdir(directory);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a list is updated", test_update },
		{ "a list that has not changed is not sent again", test_unchanged },
		{ "a failure keeps the list, which recovers", test_failure },
		{ "an empty answer counts, with a warning", test_emptied },
		{ "a list shorter than the minimum keeps the old one", test_minimum },
		{ "a first failure is tried again", test_first_retry },
		{ "a downloaded document is transformed", test_downloaded_transform },
		{ "a restart uses the cached list", test_restart },
		{ "two programs keep one list", test_two_writers },
		{ "a damaged cache is ignored", test_damaged_cache },
		{ "the list of another source is not used", test_other_source },
		{ "a reload with other options keeps the list", test_reload },
		{ "bad answers are no lists", test_bad_answers },
		{ "a server is told which version there is", test_conditions },
		{ "a server that is not verified is not believed", test_unverified },
		{ "nor one for which the policy's own authority does not vouch", test_own_authority },
		{ "the log shows no secrets of the URL", test_log_lines },
		{ "the download leaves from where it is told", test_bind },
		{ "nobody waits long for a download that hangs", test_closing },
		{ "decisions go on while lists change", test_busy },
		{ "a million entries", test_million },
		{ NULL, NULL },
	};
	int status;

	if (mkdtemp(directory) == NULL)
		return 99;
	real = nginx_start(&why_not);
	status = suite_run("identifier/ip-cidr-list-url updates", tests);
	finish();
	return status;
}
