/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_kube.c - following a cluster whose API server does everything wrong, with
 * times so short that many failures fit into a test.
 */
#include <dirent.h>
#include <limen/host.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "../../../plugins/support/kube/kube.h"
#include "../../../plugins/support/kube/kube_session.h"
#include "kube_server.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

enum { NAMES_MAX = 4096, SECONDS = 60, RECONNECTS = 60, EVENTS = 4 };

/* Watches end soon and pauses are short; a machine under load is not taken for silence. */
static const kube_times brief = {
	.connect = 20 * LIMEN_SECOND,
	.answer = 60 * LIMEN_SECOND,
	.line = 60 * LIMEN_SECOND,
	.watch = 2 * LIMEN_SECOND,
	.retry = LIMEN_SECOND / 100,
	.retry_max = LIMEN_SECOND / 20,
};

/* For tests of silence, which cannot count failures: load may be taken for it, too. */
static const kube_times hasty = {
	.connect = 20 * LIMEN_SECOND,
	.answer = LIMEN_SECOND,
	.line = LIMEN_SECOND / 2,
	.watch = 2 * LIMEN_SECOND,
	.retry = LIMEN_SECOND / 100,
	.retry_max = LIMEN_SECOND / 20,
};

static struct kube_server *server;

/* What a listener knows: names of objects, and what it was told. */
typedef struct follower {
	pthread_mutex_t lock;
	char names[NAMES_MAX]; /* "a=VALUE;b=VALUE;" */
	char listed[NAMES_MAX];
	bool listing;
	char error[KUBE_ERROR_MAX]; /* the last one ever told */
	bool failing;
	unsigned commits;
	atomic_uint counts[EVENTS];
	atomic_bool stop;
	atomic_uint wanted; /* lists */
	atomic_bool hurry;
	kube_target target;
	kube_watch watch;
	pthread_t thread;
} follower;

static bool
is_stopping(void *data)
{
	follower *one = data;

	return atomic_load(&one->stop);
}

static void
remove_name(char *names, const char *name)
{
	char wanted[128];
	char *found;
	char *end;

	snprintf(wanted, sizeof wanted, "%s=", name);
	found = strstr(names, wanted);
	if (found == NULL)
		return;
	end = strchr(found, ';') + 1;
	memmove(found, end, strlen(end) + 1);
}

static const char *
name_of(limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");
	const char *name = limen_value_string(limen_value_get(metadata, "name"), NULL);

	return name == NULL ? "?" : name;
}

static void
begin(void *data)
{
	follower *one = data;

	pthread_mutex_lock(&one->lock);
	one->listed[0] = '\0';
	one->listing = true;
	pthread_mutex_unlock(&one->lock);
}

static bool
put(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	follower *one = data;
	char *spec = limen_value_to_json(limen_value_get(object, "spec"), 0, NULL);
	char *names;
	size_t length;

	(void)why;
	pthread_mutex_lock(&one->lock);
	names = one->listing ? one->listed : one->names;
	remove_name(names, name_of(object));
	length = strlen(names);
	snprintf(names + length, NAMES_MAX - length, "%s=%.20s;", name_of(object),
	         spec == NULL ? "" : spec);
	pthread_mutex_unlock(&one->lock);
	free(spec);
	return true;
}

static bool
drop(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	follower *one = data;

	(void)why;
	pthread_mutex_lock(&one->lock);
	remove_name(one->names, name_of(object));
	pthread_mutex_unlock(&one->lock);
	return true;
}

static bool
commit(void *data, bool listed, char why[KUBE_ERROR_MAX])
{
	follower *one = data;

	(void)why;
	pthread_mutex_lock(&one->lock);
	one->commits++;
	if (listed) {
		memcpy(one->names, one->listed, NAMES_MAX);
		one->listing = false;
	}
	pthread_mutex_unlock(&one->lock);
	return true;
}

static void
tell(void *data, const char *error)
{
	follower *one = data;

	pthread_mutex_lock(&one->lock);
	one->failing = error != NULL;
	if (error != NULL)
		snprintf(one->error, sizeof one->error, "%s", error);
	pthread_mutex_unlock(&one->lock);
}

static void
count(void *data, kube_event event)
{
	follower *one = data;

	atomic_fetch_add(&one->counts[event], 1);
}

static bool
again(void *data)
{
	follower *one = data;

	if (atomic_load(&one->wanted) == 0)
		return false;
	atomic_fetch_sub(&one->wanted, 1);
	return true;
}

static bool
hurry(void *data)
{
	follower *one = data;

	return atomic_load(&one->hurry);
}

static void *
run(void *data)
{
	follower *one = data;

	kube_watch_run(&one->watch);
	return NULL;
}

/* Follows the test's server with the token of its file; 'proxy' may be NULL. */
static void
start_with(follower *one, const kube_times *times, const char *proxy)
{
	char text[256];
	int length;

	*one = (follower){ .lock = PTHREAD_MUTEX_INITIALIZER };
	one->target.proxy = proxy == NULL ? NULL : strdup(proxy);
	length = snprintf(text, sizeof text, "https://127.0.0.1:%u", kube_server_port(server));
	one->target.server = strndup(text, (size_t)length);
	if (asprintf(&one->target.authority_file, "%s/ca.crt", kube_server_directory(server)) < 0 ||
	    asprintf(&one->target.token_file, "%s/token", kube_server_directory(server)) < 0)
		abort();
	one->watch = (kube_watch){
		.target = &one->target,
		.path = "/api/v1/limitranges",
		.times = times,
		.stop_fd = eventfd(0, EFD_CLOEXEC),
		.listener = { one, is_stopping, begin, put, drop, commit, tell, count,
		              again, hurry },
	};
	if (pthread_create(&one->thread, NULL, run, one) != 0)
		abort();
}

/* Ends it; returns after how many seconds it had ended. */
static double
stop(follower *one)
{
	uint64_t number = 1;
	int64_t began = limen_host_monotonic();

	atomic_store(&one->stop, true);
	if (write(one->watch.stop_fd, &number, sizeof number) < 0)
		abort();
	pthread_join(one->thread, NULL);
	close(one->watch.stop_fd);
	kube_target_clear(&one->target);
	return (double)(limen_host_monotonic() - began) / 1e9;
}

/* Waits until the follower knows exactly 'names', and is well if 'well'. */
static void
wait_for(follower *one, const char *about, const char *names)
{
	char found[NAMES_MAX] = "";
	bool same = false;

	for (int i = 0; i < SECONDS * 100 && !same; i++) {
		pthread_mutex_lock(&one->lock);
		same = strcmp(one->names, names) == 0 && one->commits > 0;
		memcpy(found, one->names, sizeof found);
		pthread_mutex_unlock(&one->lock);
		if (!same)
			poll(NULL, 0, 10);
	}
	ASSERT(same, "%s: '%s', want '%s'", about, found, names);
}

static void
wait_for_error(follower *one, const char *about, const char *part)
{
	char found[KUBE_ERROR_MAX] = "";
	bool same = false;

	for (int i = 0; i < SECONDS * 100 && !same; i++) {
		pthread_mutex_lock(&one->lock);
		memcpy(found, one->error, sizeof found);
		pthread_mutex_unlock(&one->lock);
		same = strstr(found, part) != NULL;
		if (!same)
			poll(NULL, 0, 10);
	}
	ASSERT(same, "%s: '%s', want '%s'", about, found, part);
}

static void
wait_for_count(follower *one, kube_event event, unsigned least)
{
	bool reached = false;

	for (int i = 0; i < SECONDS * 100 && !reached; i++) {
		reached = atomic_load(&one->counts[event]) >= least;
		if (!reached)
			poll(NULL, 0, 10);
	}
	ASSERT(reached, "%u of %d, want %u", atomic_load(&one->counts[event]), (int)event, least);
}

/* Waits until the server has a watch open. */
static void
wait_for_watch(void)
{
	bool watching = false;

	for (int i = 0; i < SECONDS * 100 && !watching; i++) {
		const char *counts = kube_server_tell(server, "counts");

		watching = counts != NULL && strstr(counts, "\"watching\": 0") == NULL;
		if (!watching)
			poll(NULL, 0, 10);
	}
	ASSERT(watching, "nobody watches");
}

#define A1 "a={\"limits\":[1]};"
#define A2 "a={\"limits\":[2]};"
#define B1 "b={\"limits\":[1]};"

/* Its certificates take longer than most tests. */
static bool
renew_server(void)
{
	if (server == NULL)
		server = kube_server_start();
	if (server != NULL)
		kube_server_tell(server, "reset");
	return server != NULL;
}

static bool
begin_test_with(follower *one, const kube_times *times)
{
	if (!renew_server())
		return false;
	kube_server_tell(server, "put n a {\"spec\":{\"limits\":[1]}}");
	start_with(one, times, NULL);
	wait_for(one, "the first list", A1);
	wait_for_watch();
	return true;
}

static bool
begin_test(follower *one)
{
	return begin_test_with(one, &brief);
}

static void
end_test(follower *one)
{
	double seconds = stop(one);

	/* It takes milliseconds; a machine under load may take longer. */
	ASSERT(seconds < 10, "it took %f s to stop", seconds);
}

static void
test_changes(void)
{
	follower one;

	if (!begin_test(&one))
		return;
	kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
	wait_for(&one, "added", A1 B1);
	kube_server_tell(server, "put n a {\"spec\":{\"limits\":[2]}}");
	wait_for(&one, "modified", B1 A2);
	kube_server_tell(server, "delete n b");
	wait_for(&one, "deleted", A2);
	CU_ASSERT_EQUAL(atomic_load(&one.counts[KUBE_LIST]), 1);
	/* A watch that ends in time is followed by another, from where it was. */
	wait_for_count(&one, KUBE_WATCH, 3);
	kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
	wait_for(&one, "after several watches", A2 B1);
	CU_ASSERT_EQUAL(atomic_load(&one.counts[KUBE_LIST]), 1);
	CU_ASSERT_EQUAL(atomic_load(&one.counts[KUBE_RESTART]), 0);
	end_test(&one);
}

static void
test_pages(void)
{
	follower one;

	if (!begin_test(&one))
		return;
	kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
	wait_for(&one, "added", A1 B1);
	kube_server_tell(server, "page 1");
	kube_server_tell(server, "forget");
	kube_server_tell(server, "compact");
	kube_server_tell(server, "kill");
	wait_for_count(&one, KUBE_LIST, 2);
	wait_for_watch();
	wait_for(&one, "two pages", A1 B1);
	end_test(&one);
}

/* Two objects are longer than an answer may be, and neither is alone; then one is. */
static void
test_long_pages(void)
{
	follower one;

	if (!begin_test(&one))
		return;
	kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
	wait_for(&one, "added", A1 B1);
	kube_server_tell(server, "pad 5000000");
	kube_server_tell(server, "compact");
	kube_server_tell(server, "kill");
	wait_for_count(&one, KUBE_LIST, 2);
	wait_for_watch();
	wait_for(&one, "in pages of their own", A1 B1);
	kube_server_tell(server, "pad 9000000");
	kube_server_tell(server, "compact");
	kube_server_tell(server, "kill");
	wait_for_error(&one, "too long alone", "the answer is longer than 8388608 bytes");
	kube_server_tell(server, "pad 0");
	end_test(&one);
}

/*
 * Where objects are long pages are small, and large again behind them.  What is asked for
 * beside a page that is too long, of 21 long objects or more, follows from it.
 */
static void
test_long_objects(void)
{
	static const char wanted[] = "500 62 7 14 28 3 6 12 14 14 14 14 28 28 28 28 56 56 56 56 "
	                             "112 112 112 112 224 224 224 224 448 448";
	const char *found;
	follower one;

	if (!renew_server())
		return;
	kube_server_tell(server, "fill 2500");
	kube_server_tell(server, "pad 400000 60");
	start_with(&one, &kube_times_usual, NULL);
	wait_for_watch();
	found = kube_server_tell(server, "limits");
	ASSERT(found != NULL && strcmp(found, wanted) == 0, "'%s'\nwant '%s'", found, wanted);
	CU_ASSERT_EQUAL(atomic_load(&one.counts[KUBE_LIST]), 1);
	end_test(&one);
}

/* When somebody may want another list, all of it without a failure. */
static const struct {
	const char *about;
	const char *command; /* what the server does; NULL: nothing, and the watch ends in time */
	const char *names;
	unsigned wanted; /* lists */
} more_lists[] = {
	{ "a change", "put n a {\"spec\":{\"limits\":[2]}}", A2, 1 },
	{ "a deletion", "delete n a", "", 1 },
	{ "a bookmark", "bookmark", A1, 1 },
	{ "the end of a watch", NULL, A1, 1 },
	{ "the list itself", "bookmark", A1, 3 },
};

static void
check_more_lists(size_t i)
{
	unsigned wanted = more_lists[i].wanted;
	follower one;

	if (!begin_test(&one))
		return;
	atomic_store(&one.wanted, wanted);
	if (more_lists[i].command != NULL)
		kube_server_tell(server, "%s", more_lists[i].command);
	wait_for_count(&one, KUBE_LIST, 1 + wanted);
	wait_for(&one, more_lists[i].about, more_lists[i].names);
	kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
	wait_for_count(&one, KUBE_WATCH, 2);
	end_test(&one);
	ASSERT(atomic_load(&one.counts[KUBE_LIST]) == 1 + wanted, "%s: %u lists",
	       more_lists[i].about, atomic_load(&one.counts[KUBE_LIST]));
	ASSERT(atomic_load(&one.counts[KUBE_RESTART]) == 0 && one.error[0] == '\0', "%s: %s",
	       more_lists[i].about, one.error);
}

static void
test_more_lists(void)
{
	for (size_t i = 0; i < sizeof more_lists / sizeof more_lists[0]; i++)
		check_more_lists(i);
}

/* A watch that fails is a failure, whoever wants a list. */
static void
test_more_lists_failing(void)
{
	follower one;

	if (!begin_test(&one))
		return;
	atomic_store(&one.wanted, 1);
	kube_server_tell(server, "raw hello");
	wait_for_count(&one, KUBE_RESTART, 1);
	wait_for_error(&one, "no JSON", "an event is not JSON");
	wait_for_count(&one, KUBE_LIST, 3);
	end_test(&one);
}

/* The server says where to go on; the next watch does. */
static void
test_bookmark(void)
{
	follower one;
	const char *last;
	char wanted[64];

	if (!begin_test(&one))
		return;
	snprintf(wanted, sizeof wanted, "resourceVersion=%s&",
	         kube_server_tell(server, "bookmark"));
	wait_for_count(&one, KUBE_WATCH, 3);
	last = kube_server_tell(server, "last");
	if (last == NULL)
		last = "nothing";
	ASSERT(strstr(last, wanted) != NULL, "%s", last);
	ASSERT(strstr(last, "allowWatchBookmarks=true") != NULL, "%s", last);
	CU_ASSERT_EQUAL(atomic_load(&one.counts[KUBE_LIST]), 1);
	end_test(&one);
}

/* Each is told to the watches, and what comes of it. */
static const struct {
	const char *command;
	const char *error; /* a part */
	bool lists;        /* what is known is not trusted any more */
	bool silent;       /* and only silence follows */
} mishaps[] = {
	{ "kill", "", false, false },
	{ "end", "at once", false, false },
	{ "raw {\"type\":\"ERROR\",\"object\":{\"code\":500,\"message\":\"etcd\"}}",
	  "status 500: etcd", false, false },
	{ "raw {\"type\":\"ERROR\",\"object\":{\"code\":410}}", "status 410", true, false },
	{ "raw {\"type\":\"ERROR\"}", "status 0", false, false },
	{ "raw hello", "not JSON", true, false },
	{ "raw {\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"x\"}}}",
	  "no resourceVersion", true, false },
	{ "raw {\"type\":\"ADDED\",\"object\":{\"metadata\":{\"resourceVersion\":\"\"}}}",
	  "no resourceVersion", true, false },
	{ "raw {\"type\":\"ADDED\",\"object\":{\"metadata\":{\"resourceVersion\":7}}}",
	  "no resourceVersion", true, false },
	{ "raw {\"type\":\"MOVED\",\"object\":{\"metadata\":{\"resourceVersion\":\"7\"}}}",
	  "unknown type", true, false },
	{ "raw []", "no resourceVersion", true, false },
	{ "big 5000000", "longer than 4194304 bytes", false, false },
	{ "part {\"type\":\"ADD", "does not finish an event", false, true },
};

static bool
is_provoked(follower *one, unsigned restarts, const char *error)
{
	bool found;

	pthread_mutex_lock(&one->lock);
	found = strstr(one->error, error) != NULL;
	pthread_mutex_unlock(&one->lock);
	return found && atomic_load(&one->counts[KUBE_RESTART]) > restarts;
}

/*
 * Repeats the command each second: the server may still count a watch that the follower has
 * given up, and under load a hasty follower gives one up for another reason.
 */
static void
provoke(follower *one, const char *command, const char *error)
{
	unsigned restarts = atomic_load(&one->counts[KUBE_RESTART]);

	for (int i = 0; i < SECONDS * 100 && !is_provoked(one, restarts, error); i++) {
		if (i % 100 == 0) {
			wait_for_watch();
			kube_server_tell(server, "%s", command);
		}
		poll(NULL, 0, 10);
	}
	ASSERT(is_provoked(one, restarts, error), "%s: '%s', want '%s'", command, one->error,
	       error);
}

static void
test_mishaps(void)
{
	for (size_t i = 0; i < sizeof mishaps / sizeof mishaps[0]; i++) {
		follower one;
		unsigned lists;

		if (!begin_test_with(&one, mishaps[i].silent ? &hasty : &brief))
			return;
		provoke(&one, mishaps[i].command, mishaps[i].error);
		kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
		wait_for(&one, mishaps[i].command, A1 B1);
		lists = atomic_load(&one.counts[KUBE_LIST]);
		ASSERT(mishaps[i].lists ? lists >= 2 : lists >= 1, "%s: %u lists",
		       mishaps[i].command, lists);
		end_test(&one);
	}
}

/* A line that is cut off does not count; the watch goes on after the last whole one. */
static void
test_cut(void)
{
	follower one;

	if (!begin_test(&one))
		return;
	kube_server_tell(server, "part {\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":"
	                         "\"a\",\"namespace\":\"n\",\"resourceVersion\":\"999\"}}}");
	kube_server_tell(server, "kill");
	wait_for_count(&one, KUBE_RESTART, 1);
	wait_for_watch();
	wait_for(&one, "nothing was deleted", A1);
	end_test(&one);
}

static const struct {
	const char *command;
	const char *error;
} answers[] = {
	{ "fail 4 500", "status 500: it is what the test wants" },
	{ "fail 2 429", "status 429" },
	{ "fail 3 403", "status 403" },
	{ "fail 3 410", "status 410" },
	{ "fail 4 302", "status 302" },
	{ "fail 5 0", "" },
	{ "fail 3 500 <html>", "status 500" },
};

static void
test_answers(void)
{
	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
		follower one;

		if (!begin_test(&one))
			return;
		kube_server_tell(server, "%s", answers[i].command);
		kube_server_tell(server, "kill");
		wait_for_error(&one, answers[i].command, answers[i].error);
		kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
		wait_for(&one, answers[i].command, A1 B1);
		end_test(&one);
	}
}

/* Lists that are none. */
static const struct {
	const char *body;
	const char *error;
} lists[] = {
	{ "", "not JSON" },
	{ "{", "not JSON" },
	{ "[]", "not a list" },
	{ "{}", "not a list" },
	{ "{\"items\":{}}", "not a list" },
	{ "{\"items\":[]}", "no resourceVersion" },
	{ "{\"items\":[],\"metadata\":{\"resourceVersion\":\"a b\"}}", "no resourceVersion" },
	{ "{\"items\":[],\"metadata\":{\"resourceVersion\":\"1\",\"continue\":7}}", "invalid metadata.continue" },
};

/* None of them makes the follower believe that there is nothing. */
static void
test_lists(void)
{
	follower one;

	if (!begin_test(&one))
		return;
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		unsigned before = atomic_load(&one.counts[KUBE_LIST]);

		kube_server_tell(server, "forget");
		kube_server_tell(server, "compact");
		/* The watch that is told of a version too old, then the list. */
		kube_server_tell(server, "fail 1 200 %s", lists[i].body);
		kube_server_tell(server, "kill");
		wait_for_count(&one, KUBE_LIST, before + 1);
		wait_for_watch();
		wait_for(&one, lists[i].body, A1);
	}
	end_test(&one);
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		if (!renew_server())
			return;
		kube_server_tell(server, "put n a {\"spec\":{\"limits\":[1]}}");
		kube_server_tell(server, "fail 1 200 %s", lists[i].body);
		start_with(&one, &brief, NULL);
		wait_for_error(&one, lists[i].body, lists[i].error);
		wait_for(&one, lists[i].body, A1);
		end_test(&one);
	}
}

static void
test_silence(void)
{
	follower one;

	if (!begin_test_with(&one, &hasty))
		return;
	kube_server_tell(server, "deaf on");
	kube_server_tell(server, "kill");
	wait_for_error(&one, "silence", "does not answer");
	kube_server_tell(server, "deaf off");
	kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
	wait_for(&one, "afterwards", A1 B1);
	kube_server_tell(server, "deaf on");
	kube_server_tell(server, "kill");
	end_test(&one); /* while nobody answers */
}

/* A pause of minutes, far longer than the test waits. */
static void
test_hurry(void)
{
	kube_times slow = brief;
	follower one;

	slow.retry = slow.retry_max = 600 * LIMEN_SECOND;
	if (!renew_server())
		return;
	kube_server_tell(server, "put n a {\"spec\":{\"limits\":[1]}}");
	kube_server_tell(server, "fail 1 500 {}");
	start_with(&one, &slow, NULL);
	wait_for_error(&one, "a failure", "status 500");
	atomic_store(&one.hurry, true);
	wait_for(&one, "the pause has ended", A1);
	end_test(&one);
}

static void
write_token(const char *token)
{
	char path[512];
	FILE *out;

	snprintf(path, sizeof path, "%s/token", kube_server_directory(server));
	out = fopen(path, "w");
	if (out == NULL)
		abort();
	fputs(token, out);
	if (fclose(out) != 0)
		abort();
}

static void
test_token(void)
{
	follower one;

	if (!begin_test(&one))
		return;
	kube_server_tell(server, "token second");
	kube_server_tell(server, "kill");
	wait_for_error(&one, "the old token", "status 401: Unauthorized");
	write_token("a b\n");
	wait_for_error(&one, "no token", "holds no token");
	write_token("");
	write_token("second\n");
	kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
	wait_for(&one, "the new token", A1 B1);
	ASSERT(strstr(one.error, "second") == NULL, "a token is shown: %s", one.error);
	end_test(&one);
}

static void
test_restart(void)
{
	follower one;

	if (!begin_test(&one))
		return;
	kube_server_end(server);
	wait_for_count(&one, KUBE_RESTART, 3);
	wait_for(&one, "the server is away", A1);
	if (!kube_server_again(server))
		CU_FAIL("the server does not start again");
	kube_server_tell(server, "put n b {\"spec\":{\"limits\":[1]}}");
	kube_server_tell(server, "compact");
	wait_for(&one, "it is back, with other objects", B1);
	end_test(&one);
}

static unsigned
count_descriptors(void)
{
	DIR *all = opendir("/proc/self/fd");
	unsigned found = 0;

	while (all != NULL && readdir(all) != NULL)
		found++;
	if (all != NULL)
		closedir(all);
	return found;
}

static void
test_descriptors(void)
{
	follower one;
	unsigned before;

	if (!begin_test(&one))
		return;
	before = count_descriptors();
	for (unsigned i = 1; i <= RECONNECTS; i++) {
		kube_server_tell(server, "kill");
		wait_for_count(&one, KUBE_RESTART, i);
		wait_for_watch();
	}
	ASSERT(count_descriptors() <= before + 1, "%u descriptors, %u before", count_descriptors(),
	       before);
	wait_for(&one, "afterwards", A1);
	end_test(&one);
}

/* Only who is asked has a say in how: no variable of the environment does. */
static void
test_proxy(void)
{
	static const char nobody[] = "http://127.0.0.1:1";
	follower one;

	if (!renew_server())
		return;
	setenv("NO_PROXY", "127.0.0.1", 1);
	setenv("no_proxy", "127.0.0.1", 1);
	start_with(&one, &brief, nobody);
	wait_for_error(&one, "the target's proxy", "Cannot connect: Connection refused");
	CU_ASSERT_EQUAL(one.commits, 0);
	end_test(&one);
	unsetenv("NO_PROXY");
	unsetenv("no_proxy");
	setenv("HTTPS_PROXY", nobody, 1);
	setenv("https_proxy", nobody, 1);
	if (begin_test(&one))
		end_test(&one);
	unsetenv("HTTPS_PROXY");
	unsetenv("https_proxy");
}

/* ---- parts ---- */

static void
test_base64(void)
{
	static const struct {
		const char *text;
		const char *decoded; /* NULL: none */
	} cases[] = {
		{ "YQ==", "a" }, { "YWI=", "ab" }, { "YWJj", "abc" }, { "YWJjZA==", "abcd" },
		{ "YW\nJj\r\n", "abc" }, { "", NULL }, { "YQ=", NULL }, { "YQ", NULL },
		{ "Y===", NULL }, { "YQ==YQ==", NULL }, { "Y Q=", NULL }, { "AAAA", NULL },
		{ "YW=j", NULL }, { "====", NULL }, { "+/+/", "\xfb\xff\xbf" }, { "YQ==\n", "a" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *found;
		int result = kube_text_decode(cases[i].text, &found);

		ASSERT(result == (cases[i].decoded == NULL ? LIMEN_EINVAL : LIMEN_OK), "%s",
		       cases[i].text);
		ASSERT((found == NULL) == (cases[i].decoded == NULL), "%s", cases[i].text);
		if (found != NULL && cases[i].decoded != NULL)
			CU_ASSERT_STRING_EQUAL(found, cases[i].decoded);
		free(found);
	}
}

static bool
append_line(void *data, const char *line, size_t length)
{
	char *out = data;
	size_t before = strlen(out);

	snprintf(out + before, 256 - before, "%.*s|", (int)length, line);
	return strncmp(line, "end", 3) != 0;
}

/* The same lines come of it wherever the stream is cut. */
static void
test_lines(void)
{
	static const char stream[] = "one\n\ntwo\nthree\n12345678\nrest";
	const size_t length = sizeof stream - 1;

	for (size_t cut = 0; cut <= length; cut++) {
		kube_lines lines = { .text = { .max = 8 } };
		char found[256] = "";

		CU_ASSERT_EQUAL(kube_lines_add(&lines, stream, cut, append_line, found),
		                KUBE_LINES_OK);
		CU_ASSERT_EQUAL(kube_lines_add(&lines, stream + cut, length - cut, append_line,
		                               found), KUBE_LINES_OK);
		CU_ASSERT_STRING_EQUAL(found, "one|two|three|12345678|");
		CU_ASSERT_EQUAL(lines.text.length, 4);
		CU_ASSERT_EQUAL(kube_lines_add(&lines, "rest", 4, append_line, found),
		                KUBE_LINES_OK);
		CU_ASSERT_EQUAL(kube_lines_add(&lines, "9", 1, append_line, found),
		                KUBE_LINES_LONG);
		kube_lines_clear(&lines);
		CU_ASSERT_EQUAL(kube_lines_add(&lines, "end\nx\n", 6, append_line, found),
		                KUBE_LINES_ENDED);
		kube_lines_clear(&lines);
	}
}

static void
test_texts(void)
{
	char token[] = "abc \r\n";
	char inner[] = "a b";
	char empty[] = "\n";
	char out[32];
	char why[KUBE_ERROR_MAX];

	CU_ASSERT_TRUE(kube_text_is_token(token));
	CU_ASSERT_STRING_EQUAL(token, "abc");
	CU_ASSERT_FALSE(kube_text_is_token(inner));
	CU_ASSERT_FALSE(kube_text_is_token(empty));
	CU_ASSERT_TRUE(kube_text_escape("a/+ &=\xff", out, sizeof out));
	CU_ASSERT_STRING_EQUAL(out, "a%2F%2B%20%26%3D%FF");
	CU_ASSERT_FALSE(kube_text_escape("////////////", out, sizeof out));
	CU_ASSERT_PTR_NULL(kube_text_read("/dev/zero", 10, why));
	CU_ASSERT_PTR_NULL(kube_text_read("/nowhere/at/all", 10, why));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "changes are told, and watches follow each other", test_changes },
		{ "a list in pages", test_pages },
		{ "a page that is too long", test_long_pages },
		{ "long objects among many", test_long_objects },
		{ "lists that somebody wants are no failures", test_more_lists },
		{ "and make no failure good", test_more_lists_failing },
		{ "a bookmark says where to go on", test_bookmark },
		{ "what breaks a watch, and what follows", test_mishaps },
		{ "an event that is cut off does not count", test_cut },
		{ "answers that are no success", test_answers },
		{ "lists that are none", test_lists },
		{ "a server that does not answer", test_silence },
		{ "a pause ends early for a listener in a hurry", test_hurry },
		{ "a token is replaced", test_token },
		{ "the server restarts with other objects", test_restart },
		{ "descriptors after many reconnections", test_descriptors },
		{ "a proxy, and what the environment says of it", test_proxy },
		{ "base64", test_base64 },
		{ "lines, wherever they are cut", test_lines },
		{ "tokens, parts of URLs, files", test_texts },
		{ NULL, NULL }
	};

	int failed = suite_run("kube", tests);

	kube_server_stop(server);
	return failed;
}
