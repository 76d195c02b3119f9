/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_kube_memory.c - reading a kubeconfig, and listing a cluster, where every single
 * allocation fails once: the target is whole or there is none, and a list that
 * failed is made again.
 */
#include <limen/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../plugins/support/kube/kube.h"
#include "kube_server.h"
#include "plugin.h"
#include "short_memory.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

/* More than there are; a test that gets there has found an endless loop. */
enum { ALLOCATIONS_MAX = 20000 };

static const char config_text[] =
	"{\"current-context\":\"c\","
	"\"contexts\":[{\"name\":\"c\",\"context\":{\"cluster\":\"k\",\"user\":\"u\"}}],"
	"\"clusters\":[{\"name\":\"k\",\"cluster\":{\"server\":\"https://example.org/\","
	"\"certificate-authority-data\":\"YWJj\",\"proxy-url\":\"http://192.0.2.1\"}}],"
	"\"users\":[{\"name\":\"u\",\"user\":{\"token\":\"t\",\"client-certificate\":\"c.crt\","
	"\"client-key-data\":\"YWJj\"}}]}";

static bool
is_whole(const kube_target *target)
{
	return target->server != NULL && target->authority != NULL && target->proxy != NULL &&
	       target->token != NULL && target->certificate_file != NULL && target->key != NULL;
}

static void
test_config(void)
{
	static const kube_choice choice = { .directory = "/d" };
	limen_documents *parsed = NULL;
	limen_diag *diag = limen_diag_new();
	bool failed = true;

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("c", config_text, strlen(config_text), 0,
	                                            &parsed, diag), LIMEN_OK);
	for (unsigned long nth = 1; failed && nth < ALLOCATIONS_MAX; nth++) {
		kube_target target;
		int result;

		short_memory_start(nth, false);
		result = kube_target_of_config(limen_documents_get(parsed, 0), &choice, &target,
		                               diag);
		failed = short_memory_stop();
		/* What is short is memory, and nothing is wrong with the file. */
		ASSERT(result == LIMEN_OK ? is_whole(&target)
		                          : failed && result == LIMEN_ENOMEM && target.server == NULL,
		       "allocation %lu: %d", nth, result);
		kube_target_clear(&target);
	}
	CU_ASSERT_FALSE(failed);
	ASSERT(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0, "wrong: %s",
	       limen_diag_get(diag, 0) == NULL ? "" : limen_diag_get(diag, 0)->text);
	limen_diag_free(diag);
	limen_documents_free(parsed);
}

static void
test_pod(void)
{
	bool failed = true;

	setenv("KUBERNETES_SERVICE_HOST", "2001:db8::1", 1);
	setenv("KUBERNETES_SERVICE_PORT", "443", 1);
	for (unsigned long nth = 1; failed && nth < ALLOCATIONS_MAX; nth++) {
		char why[KUBE_ERROR_MAX];
		kube_target target;
		int result;

		short_memory_start(nth, false);
		result = kube_target_of_pod("/d", &target, why);
		failed = short_memory_stop();
		/* asprintf() can do without giving back what is too much. */
		ASSERT(result == LIMEN_OK ? target.server != NULL && target.token_file != NULL
		                          : failed && result == LIMEN_ENOMEM,
		       "allocation %lu: %d", nth, result);
		kube_target_clear(&target);
	}
	CU_ASSERT_FALSE(failed);
}

/* What is known of the cluster: how many objects the list that is being made has. */
typedef struct follower {
	unsigned seen;
	unsigned listed;
	bool whole; /* a list has ended */
} follower;

static bool
is_stopping(void *data)
{
	return ((follower *)data)->whole;
}

static void
begin(void *data)
{
	((follower *)data)->seen = 0;
}

static bool
put(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	(void)object;
	(void)why;
	((follower *)data)->seen++;
	return true;
}

static bool
drop(void *data, limen_value object, char why[KUBE_ERROR_MAX])
{
	(void)data;
	(void)object;
	(void)why;
	return true;
}

static bool
commit(void *data, bool listed, char why[KUBE_ERROR_MAX])
{
	follower *one = data;

	(void)why;
	if (listed)
		one->listed = one->seen;
	one->whole = one->whole || listed;
	return true;
}

static void
tell(void *data, const char *error)
{
	(void)data;
	(void)error;
}

static void
count(void *data, kube_event event)
{
	(void)data;
	(void)event;
}

/* Follows the cluster until it is known; true if the allocation failed on the way. */
static bool
list_once(const kube_target *target, unsigned long nth)
{
	static const kube_times times = {
		.connect = 20 * LIMEN_SECOND, .answer = 20 * LIMEN_SECOND,
		.line = 20 * LIMEN_SECOND,    .watch = 20 * LIMEN_SECOND,
		.retry = LIMEN_SECOND / 1000, .retry_max = LIMEN_SECOND / 1000,
	};
	follower one = { .seen = 0 };
	const kube_watch watch = {
		.target = target,
		.path = "/api/v1/limitranges",
		.times = &times,
		.stop_fd = -1,
		.listener = { &one, is_stopping, begin, put, drop, commit, tell, count,
		              NULL, NULL },
	};
	bool failed;

	short_memory_start(nth, false);
	kube_watch_run(&watch);
	failed = short_memory_stop();
	ASSERT(one.listed == 3, "allocation %lu: %u of 3 objects", nth, one.listed);
	return failed;
}

static void
test_list(void)
{
	/* libcurl 7.88 frees twice what strdup() of libc could not copy for it. */
	static const char *const others[] = { "libcurl", "libcrypto", "libssl", "libc.so",
		                              "libnghttp2", "libgnutls", "libz", NULL };
	struct kube_server *server = kube_server_start();
	kube_target target = { .server = NULL };
	bool failed = true;
	unsigned long nth;

	if (server == NULL)
		return;
	for (int i = 0; i < 3; i++)
		kube_server_tell(server, "put n a%d {\"spec\":{\"limits\":[1]}}", i);
	if (asprintf(&target.server, "https://127.0.0.1:%u", kube_server_port(server)) < 0 ||
	    asprintf(&target.authority_file, "%s/ca.crt", kube_server_directory(server)) < 0 ||
	    asprintf(&target.token_file, "%s/token", kube_server_directory(server)) < 0)
		abort();
	short_memory_spare(others);
	/* Loads what libraries load once. */
	list_once(&target, ALLOCATIONS_MAX);
	for (nth = 1; failed && nth < ALLOCATIONS_MAX; nth++)
		failed = list_once(&target, nth);
	CU_ASSERT(nth > 10);
	CU_ASSERT_FALSE(failed);
	kube_target_clear(&target);
	kube_server_stop(server);
}

static void
test_nothing(void)
{
	suite_skip(short_memory_unavailable());
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "a kubeconfig is read or memory is short", test_config },
		{ "so is the target of a pod", test_pod },
		{ "a cluster is listed all the same", test_list },
		{ NULL, NULL },
	};
	static const struct suite_test none[] = {
		{ "memory that runs short", test_nothing }, { NULL, NULL }
	};

	if (short_memory_unavailable() != NULL)
		return suite_run("support/kube: short memory", none);
	return suite_run("support/kube: short memory", tests);
}
