/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_dns_identifiers.c - several identifiers that ask name servers in one
 * decision: they wait side by side, remember, and cost nothing that grows.
 */
#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <limen/limen.h>

#include "fake_dns.h"
#include "plugin.h"
#include "suite.h"

#define SECOND INT64_C(1000000000)

/* Four identifiers, each with a zone or names of its own. */
static const char policy[] =
	"{\"schema\":4,\"identifiers\":["
	"{\"name\":\"bogon\",\"description\":\"\",\"type\":\"ip-cymru-bogon\",\"data\":"
	"{\"exclude\":[],\"timeout\":\"%1$s\",\"fail-result\":true,\"server\":\"%2$s\"}},"
	"{\"name\":\"origin\",\"description\":\"\",\"type\":\"ip-cymru-asn\",\"data\":"
	"{\"asns\":[64500],\"timeout\":\"%1$s\",\"fail-result\":true,\"server\":\"%2$s\"}},"
	"{\"name\":\"peer\",\"description\":\"\",\"type\":\"ip-cymru-asn\",\"data\":{\"peers\":true,"
	"\"asns\":[64501],\"timeout\":\"%1$s\",\"fail-result\":false,\"server\":\"%2$s\"}},"
	"{\"name\":\"name\",\"description\":\"\",\"type\":\"ip-reverse-dns\",\"data\":"
	"{\"match\":{\"style\":\"contains\",\"match\":\"example\"},\"timeout\":\"%1$s\","
	"\"server\":\"%2$s\"}}],"
	"\"classifiers\":[{\"name\":\"all\",\"description\":\"\",\"identifiers\":[\"bogon\"]}],"
	"\"limits\":[],\"applications\":[{\"apply\":[]}]}";

static limen_engine *
load(const char *timeout, const char *server)
{
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH")
	};
	limen_engine *engine = limen_engine_new(&options);
	char *text;

	CU_ASSERT_FATAL(engine != NULL);
	CU_ASSERT_FATAL(asprintf(&text, policy, timeout, server) > 0);
	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(engine, NULL, text, strlen(text), NULL),
	                      LIMEN_OK);
	free(text);
	return engine;
}

static limen_request *
make_request(const char *requester)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	CU_ASSERT_FATAL(req != NULL);
	CU_ASSERT_EQUAL(limen_request_parse(req, "{}", 2, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_request_set_hint(req, "requester", requester), LIMEN_OK);
	return req;
}

/* Writes the names of those identified, with blanks between them. */
static void
decide(limen_engine *engine, const limen_request *req, char out[100])
{
	limen_decide_options options = { .size = sizeof(options) };
	limen_decision *decision = NULL;
	const char *const *names;
	size_t count = 0;

	CU_ASSERT_EQUAL_FATAL(limen_engine_decide(engine, req, &options, &decision), LIMEN_OK);
	names = limen_decision_identifiers(decision, &count);
	out[0] = '\0';
	for (size_t i = 0; i < count; i++)
		snprintf(out + strlen(out), 100 - strlen(out), "%s%s", i > 0 ? " " : "", names[i]);
	limen_decision_free(decision);
}

/*
 * Nobody answers until all four have asked: only if they wait side by side does
 * any of them get an answer.
 */
struct gate {
	atomic_uint seen; /* one bit a zone */
	bool open_at_once;
};

static unsigned
zone_bit(const char *name)
{
	static const char *const zones[] = { ".fullbogons.", ".origin", ".peer", ".arpa" };

	for (unsigned i = 0; i < 4; i++) {
		if (strstr(name, zones[i]) != NULL)
			return 1U << i;
	}
	return 0;
}

static size_t
answer(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	struct gate *gate = data;
	size_t at = fake_dns_begin(question, 0, out);

	(void)room;
	atomic_fetch_or(&gate->seen, zone_bit(question->name));
	if (!gate->open_at_once && atomic_load(&gate->seen) != 15)
		return 0;
	switch (question->type) {
	case FAKE_DNS_PTR:
		return fake_dns_add_name(out, at, NULL, FAKE_DNS_PTR, 600, "h.example.org");
	case FAKE_DNS_TXT:
		return fake_dns_add(out, at, NULL, FAKE_DNS_TXT, 600,
		                    strstr(question->name, "peer") != NULL ? "\007" "64501 |"
		                                                           : "\007" "64500 |",
		                    8, false);
	default:
		return fake_dns_add(out, at, NULL, FAKE_DNS_A, 600,
		                    strstr(question->name, "bogons") != NULL ? "\177\0\0\2"
		                                                             : "\300\0\2\1",
		                    4, false);
	}
}

static void
test_side_by_side(void)
{
	struct gate gate = { .open_at_once = false };
	struct fake_dns *server = fake_dns_start(answer, &gate);
	limen_engine *engine = load("PT60S", fake_dns_address(server));
	limen_request *req = make_request("192.0.2.1");
	char names[100];

	decide(engine, req, names);
	CU_ASSERT_STRING_EQUAL(names, "bogon origin peer name");
	limen_request_free(req);
	limen_engine_free(engine);
	fake_dns_stop(server);
}

/* Four that wait a second each take a second, not four. */
static void
test_blackhole(void)
{
	char hole[32], names[100];
	int fd = fake_dns_blackhole(hole);
	limen_engine *engine = load("PT1S", hole);
	limen_request *req = make_request("192.0.2.1");
	int64_t start = limen_host_monotonic();
	int64_t took;

	decide(engine, req, names);
	took = limen_host_monotonic() - start;
	CU_ASSERT_STRING_EQUAL(names, "bogon origin");
	plugin_assert(took >= SECOND && took < 4 * SECOND, __FILE__, __LINE__,
	              "it took %lld ms", (long long)(took / 1000000));
	/* A failure is remembered for a while: those who ask meanwhile do not wait. */
	start = limen_host_monotonic();
	decide(engine, req, names);
	took = limen_host_monotonic() - start;
	CU_ASSERT_STRING_EQUAL(names, "bogon origin");
	plugin_assert(took < SECOND, __FILE__, __LINE__, "again %lld ms",
	              (long long)(took / 1000000));
	limen_request_free(req);
	limen_engine_free(engine);
	close(fd);
}

/* The decision's own end is no answer of the policy's: nothing stands in for it. */
static void
test_deadline(void)
{
	char hole[32], names[100];
	int fd = fake_dns_blackhole(hole);
	limen_engine *engine = load("PT60S", hole);
	limen_request *req = make_request("192.0.2.1");
	int64_t start = limen_host_monotonic();

	limen_request_set_timeout(req, LIMEN_SECOND / 5);
	decide(engine, req, names);
	CU_ASSERT_STRING_EQUAL(names, "");
	CU_ASSERT(limen_host_monotonic() - start < 30 * SECOND);
	limen_request_free(req);
	/* The engine ends although the workers could wait a minute. */
	limen_engine_free(engine);
	CU_ASSERT(limen_host_monotonic() - start < 50 * SECOND);
	close(fd);
}

/* ---- many decisions ---- */

static size_t
count_entries(const char *path)
{
	DIR *directory = opendir(path);
	size_t count = 0;

	while (directory != NULL && readdir(directory) != NULL)
		count++;
	if (directory != NULL)
		closedir(directory);
	return count;
}

enum { DECISIONS = 100000 };

/* Under a tool that makes decisions a hundred times slower, fewer of them show the same. */
static int
decisions(limen_engine *engine, const limen_request *req)
{
	int64_t start = limen_host_monotonic();
	char names[100];
	int64_t one;

	for (int i = 0; i < 100; i++)
		decide(engine, req, names);
	one = (limen_host_monotonic() - start) / 100;
	return one * DECISIONS < 20 * SECOND ? DECISIONS : (int)(20 * SECOND / (one + 1));
}

/* The status of the engine holds 'text'. */
static void
expect_status(limen_engine *engine, const char *text)
{
	char *printed = limen_engine_describe(engine, 0, NULL);

	plugin_assert(printed != NULL && strstr(printed, text) != NULL, __FILE__, __LINE__,
	              "no %s in %s", text, printed);
	free(printed);
}

static void
test_many(void)
{
	struct gate gate = { .open_at_once = true };
	struct fake_dns *server = fake_dns_start(answer, &gate);
	limen_engine *engine = load("PT60S", fake_dns_address(server));
	limen_request *req = make_request("192.0.2.1");
	size_t files, threads, memory;
	unsigned asked;
	char names[100];
	int wrong = 0, count;

	count = decisions(engine, req);
	/* A PTR and an A record for the name, one for each of the others. */
	asked = fake_dns_count(server);
	plugin_assert(asked == 5, __FILE__, __LINE__, "%u questions, want 5", asked);
	files = count_entries("/proc/self/fd");
	threads = count_entries("/proc/self/task");
	memory = mallinfo2().uordblks;
	for (int i = 0; i < count; i++) {
		decide(engine, req, names);
		wrong += strcmp(names, "bogon origin peer name") != 0;
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT_EQUAL(fake_dns_count(server), asked);
	expect_status(engine, "\"questions\":5,\"failures\":0,\"remembered\":5,");
	/* The last question may still have had its socket. */
	CU_ASSERT(count_entries("/proc/self/fd") <= files);
	CU_ASSERT(count_entries("/proc/self/task") <= threads);
	plugin_assert(mallinfo2().uordblks <= memory + 65536, __FILE__, __LINE__,
	              "memory grew from %zu to %zu", memory, mallinfo2().uordblks);
	limen_request_free(req);
	limen_engine_free(engine);
	fake_dns_stop(server);
}

/* Many requesters: what is remembered is bounded, and so are sockets and threads. */
static void
test_requesters(void)
{
	struct gate gate = { .open_at_once = true };
	struct fake_dns *server = fake_dns_start(answer, &gate);
	limen_engine *engine = load("PT60S", fake_dns_address(server));
	size_t files = 0;
	char names[100], requester[20];
	int wrong = 0;

	for (int i = 0; i < 2000; i++) {
		limen_request *req;

		snprintf(requester, sizeof(requester), "10.0.%d.%d", i / 256, i % 256);
		req = make_request(requester);
		decide(engine, req, names);
		wrong += strcmp(names, "bogon origin peer") != 0;
		limen_request_free(req);
		if (i == 200)
			files = count_entries("/proc/self/fd");
	}
	CU_ASSERT_EQUAL(wrong, 0);
	CU_ASSERT(count_entries("/proc/self/fd") <= files + 16);
	limen_engine_free(engine);
	fake_dns_stop(server);
}

/* ---- reloads ---- */

struct deciders {
	limen_engine *engine;
	atomic_bool over;
	atomic_int wrong;
};

static void *
keep_deciding(void *data)
{
	struct deciders *all = data;
	limen_request *req = make_request("192.0.2.1");
	char names[100];

	while (!atomic_load(&all->over)) {
		decide(all->engine, req, names);
		if (strcmp(names, "bogon origin peer name") != 0)
			atomic_fetch_add(&all->wrong, 1);
	}
	limen_request_free(req);
	return NULL;
}

/* Deciders beside loads of policies with other servers. */
static void
test_reloads(void)
{
	struct gate gate = { .open_at_once = true };
	struct fake_dns *servers[2] = { fake_dns_start(answer, &gate),
		                        fake_dns_start(answer, &gate) };
	struct deciders all = { .engine = load("PT60S", fake_dns_address(servers[0])) };
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, keep_deciding, &all), 0);
	for (int i = 0; i < 20; i++) {
		char *text;

		CU_ASSERT_FATAL(asprintf(&text, policy, "PT60S",
		                         fake_dns_address(servers[i % 2])) > 0);
		CU_ASSERT_EQUAL(limen_engine_load_text(all.engine, NULL, text, strlen(text), NULL),
		                LIMEN_OK);
		free(text);
	}
	atomic_store(&all.over, true);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(atomic_load(&all.wrong), 0);
	limen_engine_free(all.engine);
	fake_dns_stop(servers[0]);
	fake_dns_stop(servers[1]);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "they wait side by side", test_side_by_side },
		{ "four that nobody answers take as long as one", test_blackhole },
		{ "nothing stands in for the end of the decision", test_deadline },
		{ "what is remembered is not asked for, and nothing grows", test_many },
		{ "many requesters", test_requesters },
		{ "deciders beside loads", test_reloads },
		{ NULL, NULL }
	};

	return suite_run("identifier/dns", tests);
}
