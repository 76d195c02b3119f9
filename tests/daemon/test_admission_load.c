/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_admission_load.c - the admission webhook under what is random, much and
 * many at once.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "webhook_case.h"

static const char policy[] =
	"apiVersion: v1\n"
	"kind: LimitRange\n"
	"metadata: {name: limits, namespace: wh}\n"
	"spec:\n"
	"  limits:\n"
	"  - type: Container\n"
	"    max: {cpu: 2, memory: 2Gi}\n"
	"    default: {cpu: 500m, memory: 500Mi}\n"
	"---\n"
	"apiVersion: eventratelimit.admission.k8s.io/v1alpha1\n"
	"kind: Configuration\n"
	"limits:\n"
	"- {type: Namespace, qps: 1, burst: 100, cacheSize: 10}\n";

/* Numbers that are the same in every run: what fails once fails again. */
static uint64_t
draw(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

/* Changes, removes, doubles or cuts some bytes; '*length' becomes the new one. */
static void
damage(char *text, size_t *length, uint64_t *state)
{
	size_t times = 1 + (size_t)draw(state) % 4;

	for (size_t i = 0; i < times && *length > 1; i++) {
		size_t at = (size_t)draw(state) % *length;

		switch (draw(state) % 4) {
		case 0:
			text[at] = (char)draw(state);
			break;
		case 1:
			text[at] = "{}[]\",:\\0ntf"[draw(state) % 12];
			break;
		case 2:
			memmove(text + at, text + at + 1, *length - at - 1);
			(*length)--;
			break;
		default:
			if (draw(state) % 8 == 0)
				*length = at;
			break;
		}
	}
	text[*length] = '\0';
}

/* The uid of what was asked, as whoever sent these bytes knows it. */
static bool
echoes(const webhook_answer *answer, const char *body, size_t length)
{
	limen_documents *parsed = NULL;
	const char *uid;
	bool same;

	if (limen_documents_parse("b.json", body, length, 0, &parsed, NULL) != LIMEN_OK)
		return false;
	uid = limen_value_string(limen_value_get(
		limen_value_get(limen_documents_get(parsed, 0), "request"), "uid"), NULL);
	same = uid != NULL && limen_value_is(limen_value_get(answer->response, "uid"), uid);
	limen_documents_free(parsed);
	return same;
}

static void
test_damaged(void)
{
	service *shared = webhook_service(policy);
	unsigned answered = 0;
	unsigned refused = 0;
	uint64_t state = 20;
	size_t whole;
	char *text = webhook_read("pod-create-mutate", &whole);

	for (int i = 0; i < 2000; i++) {
		size_t length = whole;
		char *body = g_memdup2(text, whole + 1);
		webhook_answer answer;

		damage(body, &length, &state);
		/* That it is JSON is checked for every answer. */
		answer = webhook_post(shared, i % 2 == 0 ? MUTATE : VALIDATE, body, length);
		CU_ASSERT_TRUE(answer.status == 400 ||
		               (answer.status == 200 && echoes(&answer, body, length)));
		answered += answer.status == 200;
		refused += answer.status == 400;
		webhook_answer_free(&answer);
		g_free(body);
	}
	CU_ASSERT_TRUE(answered > 100);
	CU_ASSERT_TRUE(refused > 100);
	webhook_service_free(shared);
	g_free(text);
}

/* Every member in turn is of every type: never a crash, never an answer without a uid. */
static void
test_types(void)
{
	static const char *const members[] = { "kind", "apiVersion", "uid", "resource", "operation",
		                               "userInfo", "object", "oldObject", "dryRun", "name",
		                               "namespace", "metadata", "spec", "containers",
		                               "resources", "limits", "requests", "groups" };
	static const char *const values[] = { "null", "true", "-1e999", "\"\"", "\"\\u0000\"", "[]",
		                              "{}", "[[{}]]" };
	service *shared = webhook_service(policy);
	size_t length;
	char *text = webhook_read("pod-create-mutate", &length);

	for (size_t i = 0; i < G_N_ELEMENTS(members) * G_N_ELEMENTS(values); i++) {
		char *key = g_strdup_printf("\"%s\":", members[i / G_N_ELEMENTS(values)]);
		char *changed = g_strdup_printf("%s%s,\"was\":", key,
		                                values[i % G_N_ELEMENTS(values)]);
		char **parts = g_strsplit(text, key, -1);
		char *body = g_strjoinv(changed, parts);
		webhook_answer answer = webhook_post(shared, i % 2 == 0 ? MUTATE : VALIDATE, body,
		                                     strlen(body));

		CU_ASSERT_STRING_NOT_EQUAL(body, text);
		CU_ASSERT_TRUE(answer.status == 400 ||
		               (answer.status == 200 && echoes(&answer, body, strlen(body))));
		webhook_answer_free(&answer);
		g_strfreev(parts);
		g_free(key);
		g_free(changed);
		g_free(body);
	}
	webhook_service_free(shared);
	g_free(text);
}

static void
ask(service *shared, const char *const *texts, const size_t *lengths, size_t times)
{
	for (size_t i = 0; i < times; i++) {
		webhook_answer answer = webhook_post(shared, i % 2 == 0 ? MUTATE : VALIDATE,
		                                     texts[i % 3], lengths[i % 3]);

		CU_ASSERT_EQUAL(answer.status, 200);
		webhook_answer_free(&answer);
	}
}

/* Also of requests that are refused, and of bodies that are none. */
static void
test_memory(void)
{
	service *shared = webhook_service(policy);
	size_t lengths[3];
	char *texts[] = { webhook_read("pod-create-mutate", &lengths[0]),
		          webhook_read("event-create-validate", &lengths[1]),
		          webhook_read("pod-update-validate", &lengths[2]) };
	size_t before, after;

	ask(shared, (const char *const *)texts, lengths, 2000);
	before = mallinfo2().uordblks;
	ask(shared, (const char *const *)texts, lengths, 10000);
	after = mallinfo2().uordblks;
	/* Pools fill up now and then; a leak of seven bytes a request would show. */
	CU_ASSERT_TRUE(after < before + 65536);
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	webhook_service_free(shared);
}

typedef struct crowd {
	service *shared;
	char *texts[3];
	size_t lengths[3];
	atomic_uint wrong;
} crowd;

static void *
work(void *data)
{
	crowd *all = data;

	for (size_t i = 0; i < 200; i++) {
		webhook_answer answer = webhook_post(all->shared, i % 2 == 0 ? MUTATE : VALIDATE,
		                                     all->texts[i % 3], all->lengths[i % 3]);

		if (answer.status != 200 ||
		    !echoes(&answer, all->texts[i % 3], all->lengths[i % 3]))
			atomic_fetch_add(&all->wrong, 1);
		webhook_answer_free(&answer);
	}
	return NULL;
}

/* With loads beside them. */
static void
test_threads(void)
{
	crowd all = { .shared = webhook_service(policy) };
	unsigned before = atomic_load(&webhook_recorded);
	pthread_t threads[6];

	all.texts[0] = webhook_read("pod-create-mutate", &all.lengths[0]);
	all.texts[1] = webhook_read("event-create-validate", &all.lengths[1]);
	all.texts[2] = webhook_read("pod-update-validate", &all.lengths[2]);
	for (size_t i = 0; i < G_N_ELEMENTS(threads); i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, work, &all), 0);
	for (int i = 0; i < 20; i++)
		CU_ASSERT_EQUAL(limen_engine_load_text(all.shared->decider.engine, "policy.yaml", policy,
		                                       strlen(policy), NULL),
		                LIMEN_OK);
	for (size_t i = 0; i < G_N_ELEMENTS(threads); i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(atomic_load(&all.wrong), 0);
	CU_ASSERT_EQUAL(atomic_load(&webhook_recorded) - before, 200 * G_N_ELEMENTS(threads));
	for (size_t i = 0; i < G_N_ELEMENTS(all.texts); i++)
		g_free(all.texts[i]);
	webhook_service_free(all.shared);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "2,000 damaged reviews", test_damaged },
		{ "every member of every type", test_types },
		{ "10,000 requests leave nothing behind", test_memory },
		{ "threads beside loads", test_threads },
		{ NULL, NULL },
	};

	return suite_run("daemon/admission_load", tests);
}
