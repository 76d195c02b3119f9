/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_lists.c - the option "cluster": namespaces in which the watch knows no
 * LimitRange are listed before a decision.
 */
#include <pthread.h>

#include "ranger_cluster.h"
#include "set_clock.h"

/* "crowd" adds LimitRanges of 1 cpu a pod that no watch tells. */
#define HIDDEN SAID("1")

static int
get_count(const char *name)
{
	char key[64];
	const char *counts = kube_server_tell(server, "counts");
	const char *found;

	snprintf(key, sizeof key, "\"%s\": ", name);
	found = counts == NULL ? NULL : strstr(counts, key);
	return found == NULL ? -1 : atoi(found + strlen(key));
}

static limen_engine *
open_listed(void)
{
	limen_engine *engine;

	if (!renew_server())
		return NULL;
	put("default", "a", MAX("1500m"));
	engine = open_cluster("", "");
	CU_ASSERT_TRUE(limen_engine_wait_ready(engine, SECONDS * LIMEN_SECOND));
	for (int i = 0; i < SECONDS * 100 && get_count("watching") < 1; i++)
		poll(NULL, 0, 10);
	return engine;
}

/* The watch is behind: the first LimitRange of a namespace binds all the same. */
static void
test_first(void)
{
	limen_engine *engine = open_listed();

	if (engine == NULL)
		return;
	kube_server_tell(server, "crowd other 1");
	ranger_check(engine, "listed", TWO, &in_other, HIDDEN);
	ranger_check(engine, "known", TWO, &in_default, SAID("1500m"));
	ranger_check(engine, "none", TWO, &in_third, "");
	wait_for_status(engine, "\"namespace_lists\":2");
	limen_engine_free(engine);
}

/* An answer serves for a while, unless the watch has news of the namespace. */
static void
test_kept(void)
{
	limen_engine *engine = open_listed();
	int before;

	if (engine == NULL)
		return;
	before = get_count("lists");
	ranger_check(engine, "none", TWO, &in_other, "");
	kube_server_tell(server, "crowd other 1");
	ranger_check(engine, "still none", TWO, &in_other, "");
	ranger_check(engine, "known", TWO, &in_default, SAID("1500m"));
	CU_ASSERT_EQUAL(get_count("lists"), before + 1);
	put("other", "b", MAX("1200m"));
	wait_for(engine, "the watch has news", &in_other, SAID("1200m"));
	kube_server_tell(server, "delete other b");
	wait_for(engine, "listed again", &in_other, HIDDEN);
	kube_server_tell(server, "empty other");
	ranger_check(engine, "still listed", TWO, &in_other, HIDDEN);
	limen_engine_free(engine);
}

/* Decides with a deadline that the list does not keep. */
static void
check_late(limen_engine *engine, const struct ranger_envelope *where)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	limen_decision *decision = NULL;
	char expected[256];

	snprintf(expected, sizeof expected,
	         TELL "the LimitRanges of the namespace \"%s\" could not be listed in time",
	         where->namespace);
	CU_ASSERT_EQUAL(limen_request_parse(req, TWO, strlen(TWO), NULL), LIMEN_OK);
	set_envelope(req, where);
	limen_request_set_timeout(req, LIMEN_SECOND / 5);
	CU_ASSERT_EQUAL(limen_engine_decide(engine, req, NULL, &decision), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
	ASSERT(strcmp(limen_decision_reason(decision), expected) == 0, "%s",
	       limen_decision_reason(decision));
	limen_decision_free(decision);
	limen_request_free(req);
}

/* A list that fails, or is late, refuses; the next decision lists again. */
static void
test_failed(void)
{
	limen_engine *engine = open_listed();
	char expected[512];

	if (engine == NULL)
		return;
	snprintf(expected, sizeof expected,
	         TELL "the LimitRanges of the namespace \"other\" could not be listed: list "
	              "/api/v1/namespaces/other/limitranges of https://127.0.0.1:%u: status 500: it "
	              "is what the test wants", kube_server_port(server));
	kube_server_tell(server, "fail 1 500");
	ranger_check(engine, "fails", TWO, &in_other, expected);
	ranger_check(engine, "once more", TWO, &in_other, "");
	kube_server_tell(server, "deaf on");
	check_late(engine, &in_third);
	kube_server_tell(server, "deaf off");
	wait_for(engine, "late", &in_third, "");
	limen_engine_free(engine);
}

/* An answer that has expired serves nobody, although the next list is late. */
static void
test_expired(void)
{
	limen_engine *engine = open_listed();

	if (engine == NULL)
		return;
	/* The answer is 31 seconds old when the clock is right again.  Until then, all is late. */
	set_clock_ahead(-31);
	wait_for(engine, "listed", &in_other, "");
	set_clock_ahead(0);
	kube_server_tell(server, "crowd other 1");
	kube_server_tell(server, "deaf on");
	check_late(engine, &in_other);
	kube_server_tell(server, "deaf off");
	wait_for(engine, "listed again", &in_other, HIDDEN);
	limen_engine_free(engine);
}

/* Names that no namespace can have are not asked for. */
static void
test_names(void)
{
	limen_engine *engine = open_listed();
	int before;

	if (engine == NULL)
		return;
	before = get_count("lists");
	ranger_check(engine, "a path", TWO, &(struct ranger_envelope){ .namespace = "../x" },
	             TELL "the LimitRanges of the namespace \"../x\" could not be listed in time");
	CU_ASSERT_EQUAL(get_count("lists"), before);
	limen_engine_free(engine);
}

/* ---- many at once ---- */

enum { DECISIONS = 60 };

struct crowd {
	pthread_mutex_t lock;
	pthread_cond_t ended;
	unsigned count;
};

static void
note_end(void *data)
{
	struct crowd *crowd = data;

	pthread_mutex_lock(&crowd->lock);
	crowd->count++;
	pthread_cond_signal(&crowd->ended);
	pthread_mutex_unlock(&crowd->lock);
}

static void
wait_for_count(struct crowd *crowd, unsigned count)
{
	pthread_mutex_lock(&crowd->lock);
	while (crowd->count < count)
		pthread_cond_wait(&crowd->ended, &crowd->lock);
	pthread_mutex_unlock(&crowd->lock);
}

static limen_request *
make_request(unsigned namespace)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_OBJECT);
	char name[32];

	snprintf(name, sizeof name, "ns-%u", namespace);
	CU_ASSERT_EQUAL(limen_request_parse(req, TWO, strlen(TWO), NULL), LIMEN_OK);
	set_envelope(req, &(struct ranger_envelope){ .namespace = name });
	return req;
}

/* An answer that expires after a decision has got it serves this one, whatever others ask for. */
static void
test_passing(void)
{
	limen_engine *engine = open_listed();
	struct crowd crowd = { .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER };
	limen_request *requests[2] = { make_request(1), make_request(1) };
	limen_pending *pending[2] = { NULL, NULL };
	limen_decision *decision = NULL;

	if (engine == NULL)
		return;
	for (unsigned i = 0; i < 2; i++) {
		set_clock_ahead(31 * i);
		kube_server_tell(server, "deaf on");
		limen_request_set_timeout(requests[i], 600 * LIMEN_SECOND);
		CU_ASSERT_EQUAL(limen_engine_begin(engine, requests[i], NULL, note_end, &crowd,
		                                   &pending[i], &decision), LIMEN_OK);
		CU_ASSERT_PTR_NOT_NULL_FATAL(pending[i]);
		if (i == 0) {
			kube_server_tell(server, "deaf off");
			wait_for_count(&crowd, 1);
		}
	}
	CU_ASSERT_EQUAL(limen_pending_decide(pending[0], &decision), LIMEN_OK);
	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	limen_decision_free(decision);
	kube_server_tell(server, "deaf off");
	wait_for_count(&crowd, 2);
	CU_ASSERT_EQUAL(limen_pending_decide(pending[1], &decision), LIMEN_OK);
	CU_ASSERT_TRUE(limen_decision_admitted(decision));
	limen_decision_free(decision);
	set_clock_ahead(0);
	limen_request_free(requests[0]);
	limen_request_free(requests[1]);
	limen_engine_free(engine);
}

/* Each namespace is listed once for all decisions, four of them at a time. */
static void
test_many(void)
{
	limen_engine *engine = open_listed();
	struct crowd crowd = { .lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER };
	limen_pending *pending[DECISIONS];
	limen_request *requests[DECISIONS];
	int connections;
	int lists;

	if (engine == NULL)
		return;
	connections = get_count("connections");
	lists = get_count("lists");
	kube_server_tell(server, "deaf on");
	for (unsigned i = 0; i < DECISIONS; i++) {
		limen_decision *decision = NULL;

		requests[i] = make_request(i / 3);
		CU_ASSERT_EQUAL(limen_engine_begin(engine, requests[i], NULL, note_end, &crowd,
		                                   &pending[i], &decision), LIMEN_OK);
		CU_ASSERT_PTR_NULL(decision);
		CU_ASSERT_PTR_NOT_NULL_FATAL(pending[i]);
	}
	for (int i = 0; i < SECONDS * 100 && get_count("lists") < lists + 4; i++)
		poll(NULL, 0, 10);
	poll(NULL, 0, 50);
	CU_ASSERT_EQUAL(get_count("lists"), lists + 4);
	kube_server_tell(server, "deaf off");
	wait_for_count(&crowd, DECISIONS);
	for (unsigned i = 0; i < DECISIONS; i++) {
		limen_decision *decision = NULL;

		CU_ASSERT_EQUAL(limen_pending_decide(pending[i], &decision), LIMEN_OK);
		CU_ASSERT_TRUE(limen_decision_admitted(decision));
		limen_decision_free(decision);
		limen_request_free(requests[i]);
	}
	CU_ASSERT_EQUAL(get_count("lists"), lists + DECISIONS / 3);
	CU_ASSERT(get_count("connections") <= connections + 4);
	limen_engine_free(engine);
}

/* The policy goes while lists are made, and some have not begun. */
static void
test_close(void)
{
	limen_engine *engine = open_listed();
	limen_request *requests[12];

	if (engine == NULL)
		return;
	kube_server_tell(server, "deaf on");
	for (unsigned i = 0; i < 12; i++) {
		limen_decision *decision = NULL;

		requests[i] = make_request(i);
		limen_request_set_timeout(requests[i], LIMEN_SECOND / 50);
		CU_ASSERT_EQUAL(limen_engine_decide(engine, requests[i], NULL, &decision), LIMEN_OK);
		CU_ASSERT_EQUAL(limen_decision_code(decision), 500);
		limen_decision_free(decision);
		limen_request_free(requests[i]);
	}
	limen_engine_free(engine);
	kube_server_tell(server, "deaf off");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the first LimitRange of a namespace", test_first },
		{ "lists that are kept", test_kept },
		{ "lists that fail", test_failed },
		{ "lists that have expired", test_expired },
		{ "an answer that expires amid a decision", test_passing },
		{ "names of no namespace", test_names },
		{ "many decisions and namespaces at once", test_many },
		{ "an end amid lists", test_close },
		{ NULL, NULL }
	};
	int failed = suite_run("LimitRanger_lists", tests);

	kube_server_stop(server);
	return failed;
}
