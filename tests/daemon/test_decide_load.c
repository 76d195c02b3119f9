/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_decide_load.c - the decision service with bodies of people who mean ill, from
 * many threads, and for a long time.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ask_kit.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

enum {
	MUTATIONS = 6000,
	THREADS = 8,
	OF_A_THREAD = 300,
	WARM_UP = 2000,
	REQUESTS = 50000,
	/* More than an allocator keeps for itself, less than a byte a request. */
	GROWTH_MOST = 32 * 1024,
	LONG_BODY = 8 << 20
};

/* Addresses and a limit that always passes: nothing but the path of a decision. */
static const char plain_policy[] =
	"{\"identifiers\":[{\"name\":\"friend\",\"description\":\"F\",\"type\":\"ip-cidr-list\","
	"\"data\":{\"cidrs\":[\"192.0.2.0/24\",\"2001:db8::/48\"]}}],"
	"\"classifiers\":[{\"name\":\"friends\",\"description\":\"F\","
	"\"identifiers\":[\"friend\"]}],"
	"\"limits\":[{\"name\":\"yes\",\"description\":\"Y\",\"type\":\"pass-fail\","
	"\"data\":{\"pass\":true}}],"
	"\"applications\":[{\"description\":\"A\",\"classifier\":\"friends\","
	"\"apply\":[{\"require\":\"all\",\"limits\":[\"yes\"]}]}]}";

static const char task[] =
	"{\"id\":1,\"task\":{\"schema\":1,\"#\":\"x\",\"test\":{\"type\":\"idle\",\"spec\":{"
	"\"duration\":\"PT10S\",\"dest\":\"host.example.org\",\"list\":[1,2.5,null,true]}}},"
	"\"hints\":{\"requester\":\"192.0.2.7\",\"user\":\"ann\"},\"diagnostics\":true,"
	"\"explain\":true,\"rewrite\":false}";
static const char pod[] =
	"{\"operation\":\"UPDATE\",\"user\":\"ann\",\"groups\":[\"a\",\"b\"],\"object\":{"
	"\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\"},\"spec\":{"
	"\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"cpu\":\"2\"}}}]}},"
	"\"oldObject\":{\"kind\":\"Pod\"}}";
static const char batch[] =
	"[{\"task\":{\"test\":{\"type\":\"idle\",\"spec\":{}}}},"
	"{\"id\":\"b\",\"object\":{\"kind\":\"Pod\"}},{\"task\":{},\"hints\":{}}]";
static const char fields[] = "task={\"test\":{\"type\":\"idle\"}}&requester=192.0.2.7&hints=%7B%7D";

static const struct {
	const char *path;
	const char *type;
	const char *body;
} good[] = {
	{ "/v1/decide", "application/json", task },
	{ "/v1/decide", "application/json", pod },
	{ "/v1/decide/batch", "application/json", batch },
	{ "/v1/passed", "application/json", task },
	{ "/v1/passed", "application/x-www-form-urlencoded", fields },
};

/* A generator of its own, so that what fails can be had again (Knuth's MMIX). */
static uint64_t seed = 7;

static unsigned
pick(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(seed >> 33) % below;
}

/* Changes a few bytes of 'text': others, fewer, or some again. */
static void
mutate(GString *text)
{
	static const char likely[] = "{}[]\",:\\u0#nt19.e-+%& \xff\xc3";

	for (unsigned changes = 1 + pick(3); changes > 0 && text->len > 1; changes--) {
		gssize at = (gssize)pick((unsigned)text->len);
		gssize length = (gssize)pick(8);

		if (length > (gssize)text->len - at)
			length = (gssize)text->len - at;
		if (pick(3) == 0)
			g_string_erase(text, at, length);
		else if (pick(2) == 0)
			text->str[at] = likely[pick(sizeof(likely))];
		else
			g_string_insert_c(text, at, likely[pick(sizeof(likely) - 1)]);
	}
}

static void
check_answer(const ask_answer *got, const char *body)
{
	int status = got->response.status;

	ASSERT(limen_value_exists(got->json), "no JSON for %s: %s", body, got->response.body->str);
	ASSERT(status == 200 || status == 400 || status == 413 || status == 500,
	       "status %d for %s", status, body);
}

static void
test_mutations(void)
{
	ask_kit kit;

	if (!ask_kit_start(&kit, ask_policy))
		return;
	for (unsigned i = 0; i < MUTATIONS; i++) {
		unsigned which = i % G_N_ELEMENTS(good);
		GString *body = g_string_new(good[which].body);
		ask_answer got;

		mutate(body);
		ask_send(&kit,
		         &(ask){ .path = good[which].path, .type = good[which].type,
		                 .body = body->str, .length = body->len, .peer = &ask_unix },
		         &got);
		check_answer(&got, body->str);
		ask_clear(&got);
		g_string_free(body, TRUE);
	}
	ask_kit_stop(&kit);
}

/* Puts 'times' copies of 'text' between the others. */
static GString *
repeat(const char *before, const char *text, size_t times, const char *after)
{
	GString *out = g_string_new(before);

	for (size_t i = 0; i < times; i++)
		g_string_append(out, text);
	return g_string_append(out, after);
}

static void
test_large(void)
{
	static const struct {
		const char *about;
		const char *path;
		const char *before, *text, *after;
		size_t times;
		int status;
	} rows[] = {
		{ "as deep as may be", NULL, "{\"task\":{\"x\":", "[", "", 990, 400 },
		{ "much deeper", NULL, "{\"task\":{\"x\":", "[", "", LONG_BODY, 400 },
		{ "a deep object", NULL, "{\"object\":", "{\"a\":", "", LONG_BODY / 5, 400 },
		{ "a long text", NULL, "{\"task\":{\"x\":\"", "a", "\"}}", LONG_BODY, 200 },
		{ "a long id", NULL, "{\"task\":{},\"id\":\"", "a", "\"}", LONG_BODY, 200 },
		{ "many numbers", NULL, "{\"task\":{\"x\":[0", ",1", "]}}", LONG_BODY / 2, 200 },
		{ "a long number", NULL, "{\"task\":{\"x\":1", "0", "}}", LONG_BODY, 200 },
		{ "a large exponent", NULL, "{\"task\":{\"x\":1e", "9", "}}", 1000000, 200 },
		{ "the same member often", NULL, "{\"task\":{\"a\":0", ",\"a\":1", "}}",
		  LONG_BODY / 6, 200 },
		{ "many unknown members", NULL, "{\"task\":{}", ",\"#\":1", "}", LONG_BODY / 6,
		  200 },
		{ "many hints of one name", NULL, "{\"task\":{},\"hints\":{\"a\":1", ",\"b\":2", "}}",
		  LONG_BODY / 6, 400 },
		{ "many groups", NULL, "{\"object\":{\"kind\":\"Pod\"},\"groups\":[\"\"", ",\"\"",
		  "]}", 100000, 200 },
		{ "many questions", "/v1/decide/batch", "[0", ",0", "]", LONG_BODY / 2, 413 },
		{ "a long name", NULL, "{\"", "a", "\":1}", LONG_BODY, 400 },
	};
	ask_kit kit;

	if (!ask_kit_start(&kit, plain_policy))
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		GString *body = repeat(rows[i].before, rows[i].text, rows[i].times, rows[i].after);
		ask_answer got;

		ask_send(&kit,
		         &(ask){ .path = rows[i].path, .body = body->str, .length = body->len,
		                 .peer = &ask_unix },
		         &got);
		ASSERT(got.response.status == rows[i].status, "%s: %d: %.300s", rows[i].about,
		       got.response.status, got.response.body->str);
		ASSERT(limen_value_exists(got.json), "%s: no JSON", rows[i].about);
		ask_clear(&got);
		g_string_free(body, TRUE);
	}
	ask_kit_stop(&kit);
}

/* A name that nobody knows is not repeated at length. */
static void
test_short_answers(void)
{
	GString *body = repeat("{\"", "a", 100000, "\":1}");
	ask_answer got;
	ask_kit kit;

	if (!ask_kit_start(&kit, plain_policy))
		return;
	ask_send(&kit, &(ask){ .body = body->str }, &got);
	CU_ASSERT_EQUAL(got.response.status, 400);
	ASSERT(got.response.body->len < 1000, "%zu bytes", got.response.body->len);
	ask_clear(&got);
	g_string_free(body, TRUE);
	ask_kit_stop(&kit);
}

static void *
ask_often(void *data)
{
	ask_kit *kit = data;
	size_t wrong = 0;

	for (unsigned i = 0; i < OF_A_THREAD; i++) {
		unsigned which = i % G_N_ELEMENTS(good);
		ask_answer got;

		ask_send(kit,
		         &(ask){ .path = good[which].path, .type = good[which].type,
		                 .body = good[which].body, .peer = &ask_unix },
		         &got);
		wrong += got.response.status != 200 || !limen_value_exists(got.json);
		ask_clear(&got);
	}
	return GSIZE_TO_POINTER(wrong);
}

static void
test_threads(void)
{
	pthread_t threads[THREADS];
	ask_kit kit;

	if (!ask_kit_start(&kit, plain_policy))
		return;
	for (size_t i = 0; i < THREADS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, ask_often, &kit), 0);
	for (size_t i = 0; i < THREADS; i++) {
		void *wrong;

		pthread_join(threads[i], &wrong);
		CU_ASSERT_EQUAL(GPOINTER_TO_SIZE(wrong), 0);
	}
	/* Three in a batch, and one in each of the four others. */
	CU_ASSERT_EQUAL(ask_recorded(), THREADS * OF_A_THREAD / 5 * 7);
	ask_kit_stop(&kit);
}

static void
ask_all(ask_kit *kit, unsigned times)
{
	for (unsigned i = 0; i < times; i++) {
		unsigned which = i % G_N_ELEMENTS(good);
		ask_answer got;

		ask_send(kit,
		         &(ask){ .path = good[which].path, .type = good[which].type,
		                 .body = good[which].body, .peer = &ask_unix },
		         &got);
		ask_clear(&got);
	}
}

static void
test_memory(void)
{
	size_t before;
	size_t after;
	ask_kit kit;

	if (!ask_kit_start(&kit, plain_policy))
		return;
	ask_all(&kit, WARM_UP);
	before = mallinfo2().uordblks;
	ask_all(&kit, REQUESTS);
	after = mallinfo2().uordblks;
	ASSERT(after < before + GROWTH_MOST, "%zu bytes became %zu", before, after);
	ask_kit_stop(&kit);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "whatever is sent, the answer is JSON", test_mutations },
		{ "large and deep bodies", test_large },
		{ "what is wrong is not repeated at length", test_short_answers },
		{ "many threads", test_threads },
		{ "fifty thousand requests leave nothing behind", test_memory },
		{ NULL, NULL },
	};

	return suite_run("daemon/decide-load", tests);
}
