/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_dns.c - questions to name servers: a real one, one that lies, one that
 * never answers, and several; what is remembered and for whom.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../plugins/support/dns/dns.h"
#include "fake_dns.h"
#include "knot.h"
#include "plugin.h"
#include "sanitizers.h"
#include "suite.h"

#define SECOND INT64_C(1000000000)
#define A_MINUTE (60 * SECOND)

static dns_resolver *
open_resolver(const char *server)
{
	dns_resolver *resolver = NULL;

	CU_ASSERT_EQUAL_FATAL(dns_open(server, limen_value_none(), NULL, &resolver), LIMEN_OK);
	return resolver;
}

/* Asks, and writes the answer as text: "no name", "192.0.2.1 2001:db8::1", ... */
static void
ask_for(dns_resolver *resolver, dns_type type, const char *name, int64_t patience, char out[256])
{
	const dns_answer *answer = dns_find(resolver, type, name,
	                                    limen_host_monotonic() + patience);
	size_t at = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(answer);
	switch (answer->outcome) {
	case DNS_NO_NAME:
		snprintf(out, 256, "no name");
		break;
	case DNS_NO_DATA:
		snprintf(out, 256, "no data");
		break;
	case DNS_FAILED:
		snprintf(out, 256, "failed: %s", answer->why);
		break;
	default:
		snprintf(out, 256, "%s", answer->text);
		for (size_t i = 0; i < answer->count && at < 200; i++) {
			limen_network one = { .address = answer->addresses[i] };
			char text[LIMEN_NETWORK_TEXT_MAX];

			one.prefix = one.address.family == 4 ? 32 : 128;
			limen_network_print(&one, text);
			*strchr(text, '/') = '\0';
			at += (size_t)snprintf(out + at, 256 - at, "%s%s", i > 0 ? " " : "",
			                       text);
		}
	}
	dns_release(answer);
}

static void
expect(dns_resolver *resolver, dns_type type, const char *name, const char *want)
{
	char found[256];

	ask_for(resolver, type, name, A_MINUTE, found);
	plugin_assert(strcmp(found, want) == 0, __FILE__, __LINE__, "%s: %s, want %s", name,
	              found, want);
}

static bool
is_remembered(dns_resolver *resolver, dns_type type, const char *name)
{
	/* Past the deadline nobody is asked. */
	const dns_answer *answer = dns_find(resolver, type, name, limen_host_monotonic() - SECOND);
	bool found = answer->outcome != DNS_FAILED;

	dns_release(answer);
	return found;
}

/* ---- a real name server ---- */

static void
test_real(void)
{
	static const struct {
		dns_type type;
		const char *name;
		const char *want;
	} cases[] = {
		{ DNS_A, "host1.example.org", "192.0.2.1" },
		{ DNS_A, "HOST1.example.ORG.", "192.0.2.1" },
		{ DNS_AAAA, "host1.example.org", "2001:db8::1" },
		{ DNS_A, "many.example.org", "192.0.2.11 192.0.2.100 198.51.100.1" },
		{ DNS_A, "host6.example.org", "192.0.2.6" },
		{ DNS_A, "v6only.example.org", "no data" },
		{ DNS_A, "nowhere.example.org", "no name" },
		{ DNS_A, "half.example.org", "no name" },
		{ DNS_A, "host1", "failed: the name server refuses to answer (REFUSED)" },
		{ DNS_A, "host.broken.test", "failed: the name server failed (SERVFAIL)" },
		{ DNS_PTR, "1.2.0.192.in-addr.arpa", "host1.example.org" },
		{ DNS_PTR, "6.2.0.192.in-addr.arpa", "host6.example.org" },
		{ DNS_PTR, "7.2.0.192.in-addr.arpa", "mixedcase.example.org" },
		{ DNS_PTR, "5.2.0.192.in-addr.arpa", "no data" },
		{ DNS_PTR, "9.2.0.192.in-addr.arpa", "odd\\032name.example.org" },
		{ DNS_TXT, "1.2.0.192.origin.asn.cymru.com",
		  "\"64500 64501 | 192.0.2.0/24 | US | arin | 2001-01-01\"" },
		{ DNS_TXT, "4.2.0.192.origin.asn.cymru.com",
		  "\"64508 64509\" \"64510 | 64511\"" },
		{ DNS_TXT, "7.2.0.192.origin.asn.cymru.com", "\"\"" },
		{ DNS_TXT, "5.2.0.192.origin.asn.cymru.com", "no data" },
		{ DNS_A, "odd name.example.org",
		  "failed: the name cannot be queried" },
		{ DNS_A, "odd\\.name.example.org",
		  "failed: the name cannot be queried" },
		{ DNS_A, "", "failed: the name cannot be queried" },
		{ DNS_A, "a..example.org", "failed: the name cannot be queried" },
	};
	struct knot *server = knot_start();
	dns_resolver *resolver;

	if (server == NULL)
		return;
	resolver = open_resolver(knot_address(server));
	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
			expect(resolver, cases[i].type, cases[i].name, cases[i].want);
	}
	dns_close(resolver);
	knot_stop(server);
}

/* ---- a server that does as it is told ---- */

static size_t
answer_address(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	static const uint8_t address[4] = { 192, 0, 2, 7 };
	size_t at = fake_dns_begin(question, 0, out);

	(void)room;
	(void)data;
	return fake_dns_add(out, at, NULL, FAKE_DNS_A, 60, address, 4, false);
}

static void
test_remembered(void)
{
	struct fake_dns *server = fake_dns_start(answer_address, NULL);
	dns_resolver *resolver = open_resolver(fake_dns_address(server));
	dns_resolver *same = open_resolver(fake_dns_address(server));

	CU_ASSERT_PTR_EQUAL(resolver, same);
	CU_ASSERT_FALSE(is_remembered(resolver, DNS_A, "a.test"));
	for (int i = 0; i < 100; i++)
		expect(i % 2 == 0 ? resolver : same, DNS_A, i % 3 == 0 ? "a.test" : "A.Test.",
		       "192.0.2.7");
	CU_ASSERT_EQUAL(fake_dns_count(server), 1);
	CU_ASSERT_TRUE(is_remembered(resolver, DNS_A, "a.test"));
	CU_ASSERT_FALSE(is_remembered(resolver, DNS_AAAA, "a.test"));
	CU_ASSERT_FALSE(is_remembered(resolver, DNS_A, "b.test"));
	expect(resolver, DNS_A, "b.test", "192.0.2.7");
	expect(resolver, DNS_AAAA, "a.test", "no data");
	CU_ASSERT_EQUAL(fake_dns_count(server), 3);
	/* The last user takes the memory along. */
	dns_close(same);
	CU_ASSERT_TRUE(is_remembered(resolver, DNS_A, "a.test"));
	dns_close(resolver);
	resolver = open_resolver(fake_dns_address(server));
	CU_ASSERT_FALSE(is_remembered(resolver, DNS_A, "a.test"));
	dns_close(resolver);
	fake_dns_stop(server);
}

static size_t
answer_briefly(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	(void)room;
	(void)data;
	return fake_dns_add(out, fake_dns_begin(question, 0, out), NULL, FAKE_DNS_A, 0,
	                    "\300\0\2\7", 4, false);
}

/* An answer that may not be kept is kept for five seconds, and then asked for again. */
static void
test_lifetime(void)
{
	struct fake_dns *server = fake_dns_start(answer_briefly, NULL);
	dns_resolver *resolver = open_resolver(fake_dns_address(server));
	int64_t start = limen_host_monotonic();

	for (int i = 0; i < 1200 && fake_dns_count(server) < 2; i++) {
		expect(resolver, DNS_A, "a.test", "192.0.2.7");
		usleep(50000);
	}
	CU_ASSERT(fake_dns_count(server) == 2);
	CU_ASSERT(limen_host_monotonic() - start >= 5 * SECOND);
	dns_close(resolver);
	fake_dns_stop(server);
}

/* ---- lies ---- */

/* The first label of the name asked for says what the server does. */
static bool
is_told(const struct fake_question *question, const char *word)
{
	size_t length = strlen(word);

	return strncmp(question->name, word, length) == 0 && question->name[length] == '.';
}

static size_t
answer_many(const struct fake_question *question, uint8_t *out, size_t room)
{
	size_t at = fake_dns_begin(question, 0, out);
	uint8_t address[4] = { 10, 0, 0, 0 };

	for (unsigned i = 0; at + 16 <= room; i++) {
		address[2] = (uint8_t)(i >> 8);
		address[3] = (uint8_t)i;
		at = fake_dns_add(out, at, NULL, FAKE_DNS_A, 60, address, 4, false);
	}
	return at;
}

static size_t
answer_chain(const struct fake_question *question, uint8_t *out, unsigned length, bool backwards)
{
	static const uint8_t address[4] = { 192, 0, 2, 8 };
	size_t at = fake_dns_begin(question, 0, out);
	char owner[32], target[32];

	if (backwards) {
		snprintf(owner, sizeof(owner), "c%u.test", length - 1);
		at = fake_dns_add(out, at, owner, FAKE_DNS_A, 60, address, 4, false);
	}
	for (unsigned i = 0; i < length; i++) {
		unsigned place = backwards ? length - 1 - i : i;

		snprintf(owner, sizeof(owner), "c%u.test", place - 1);
		snprintf(target, sizeof(target), "c%u.test", place);
		at = fake_dns_add_name(out, at, place == 0 ? NULL : owner, FAKE_DNS_CNAME, 60,
		                       target);
	}
	snprintf(owner, sizeof(owner), "c%u.test", length - 1);
	return backwards ? at
	                 : fake_dns_add(out, at, owner, FAKE_DNS_A, 60, address, 4, false);
}

/* TXT with strings of all bytes there are; three of them fill more than a UDP packet. */
static size_t
answer_text(const struct fake_question *question, uint8_t *out, size_t strings)
{
	static uint8_t data[250 * 256];
	size_t at = fake_dns_begin(question, 0, out);

	for (size_t i = 0; i < strings; i++) {
		data[256 * i] = 255;
		for (size_t j = 1; j < 256; j++)
			data[256 * i + j] = (uint8_t)j;
	}
	return fake_dns_add(out, at, NULL, FAKE_DNS_TXT, 60, data, 256 * strings, false);
}

static size_t
answer_wrongly(const struct fake_question *question, uint8_t *out, size_t room)
{
	size_t at = answer_address(question, out, room, NULL);

	if (is_told(question, "short"))
		return 11;
	if (is_told(question, "cut"))
		return at - 2;
	if (is_told(question, "size"))
		out[at - 5] = 200;
	else if (is_told(question, "loop"))
		out[question->end + 1] = (uint8_t)question->end;
	else if (is_told(question, "count"))
		out[6] = out[7] = 0xff;
	else if (is_told(question, "class"))
		out[question->end + 5] = 3;
	else if (is_told(question, "owner"))
		return fake_dns_add(out, fake_dns_begin(question, 0, out), "other.test",
		                    FAKE_DNS_A, 60, "\300\0\2\7", 4, false);
	else if (is_told(question, "three"))
		return fake_dns_add(out, fake_dns_begin(question, 0, out), NULL, FAKE_DNS_A, 60,
		                    "\300\0\2", 3, false);
	else if (is_told(question, "question"))
		out[5] = 0;
	return at;
}

static size_t
lie(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	size_t at;

	(void)data;
	if (is_told(question, "silent"))
		return 0;
	if (is_told(question, "truncated") && !question->tcp) {
		at = fake_dns_begin(question, 0, out);
		out[2] |= 2;
		return at;
	}
	if (is_told(question, "many") || is_told(question, "text250")) {
		if (!question->tcp) {
			at = fake_dns_begin(question, 0, out);
			out[2] |= 2;
			return at;
		}
		return is_told(question, "many") ? answer_many(question, out, room)
		                                 : answer_text(question, out, 250);
	}
	if (is_told(question, "id")) {
		/* A guess at the number of the question, then nothing. */
		at = answer_address(question, out, room, NULL);
		out[0] ^= 1;
		return at;
	}
	if (is_told(question, "chain16"))
		return answer_chain(question, out, 16, false);
	if (is_told(question, "chain17"))
		return answer_chain(question, out, 17, false);
	if (is_told(question, "backwards"))
		return answer_chain(question, out, 5, true);
	if (is_told(question, "text1"))
		return answer_text(question, out, 1);
	if (is_told(question, "formerr"))
		return fake_dns_begin(question, 1, out);
	if (is_told(question, "garbage")) {
		for (size_t i = 2; i < 100; i++)
			out[i] = (uint8_t)(i * 37);
		memcpy(out, question->message, 2);
		return 100;
	}
	return answer_wrongly(question, out, room);
}

#define NONSENSE "failed: the answer of the name server is malformed"

static void
test_lies(void)
{
	static const struct {
		const char *name;
		const char *want;
	} cases[] = {
		{ "honest.test", "192.0.2.7" },
		{ "truncated.test", "192.0.2.7" },
		{ "chain16.test", "192.0.2.8" },
		{ "chain17.test", "failed: too many aliases lead to the name" },
		{ "backwards.test", "192.0.2.8" },
		{ "cut.test", NONSENSE },
		{ "size.test", NONSENSE },
		{ "loop.test", NONSENSE },
		{ "count.test", NONSENSE },
		{ "class.test", "no data" },
		{ "owner.test", "no data" },
		{ "three.test", NONSENSE },
	};
	struct fake_dns *server = fake_dns_start(lie, NULL);
	dns_resolver *resolver = open_resolver(fake_dns_address(server));

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		expect(resolver, DNS_A, cases[i].name, cases[i].want);
	dns_close(resolver);
	fake_dns_stop(server);
}

/* What is no answer to the question is passed over, as if it had not come. */
static void
test_passed_over(void)
{
	static const char *const names[] = { "id.test", "short.test", "silent.test",
		                             "question.test", "garbage.test" };
	struct fake_dns *server = fake_dns_start(lie, NULL);
	dns_resolver *resolver = open_resolver(fake_dns_address(server));
	char found[256];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ask_for(resolver, DNS_A, names[i], SECOND / 5, found);
		plugin_assert(strncmp(found, "failed: ", 8) == 0, __FILE__, __LINE__,
		              "%s: %s, want a failure", names[i], found);
	}
	dns_close(resolver);
	fake_dns_stop(server);
}

/* As many records as fit into a message, and as long a text. */
static void
test_large(void)
{
	struct fake_dns *server = fake_dns_start(lie, NULL);
	dns_resolver *resolver = open_resolver(fake_dns_address(server));
	limen_deadline deadline = limen_host_monotonic() + A_MINUTE;
	const dns_answer *answer = dns_find(resolver, DNS_A, "many.test", deadline);

	CU_ASSERT_PTR_NOT_NULL_FATAL(answer);
	CU_ASSERT_EQUAL(answer->outcome, DNS_FOUND);
	CU_ASSERT_EQUAL(answer->count, (65535 - 12 - 15) / 16);
	CU_ASSERT_EQUAL(answer->addresses[answer->count - 1].bytes[3],
	                (answer->count - 1) % 256);
	dns_release(answer);
	answer = dns_find(resolver, DNS_TXT, "text250.test", deadline);
	CU_ASSERT_PTR_NOT_NULL_FATAL(answer);
	CU_ASSERT_EQUAL(answer->outcome, DNS_FOUND);
	/* 31 + 129 bytes as \DDD, two with a backslash, 93 as they are; two quotes. */
	CU_ASSERT_EQUAL(strlen(answer->text), 250 * (160 * 4 + 2 * 2 + 93 + 2) + 249);
	dns_release(answer);
	answer = dns_find(resolver, DNS_TXT, "text1.test", deadline);
	CU_ASSERT_PTR_NOT_NULL_FATAL(answer);
	CU_ASSERT_EQUAL(strncmp(answer->text, "\"\\001\\002", 9), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(answer->text, "\\031 !\\\"#$"));
	CU_ASSERT_PTR_NOT_NULL(strstr(answer->text, "[\\\\]"));
	CU_ASSERT_PTR_NOT_NULL(strstr(answer->text, "~\\127\\128"));
	dns_release(answer);
	dns_close(resolver);
	fake_dns_stop(server);
}

/* ---- failures ---- */

static size_t
fail_first(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	bool *works = data;

	return *works ? answer_address(question, out, room, NULL)
	              : fake_dns_begin(question, 2, out);
}

/* A server alone is asked once; a failure is remembered for those who ask meanwhile. */
static void
test_failure(void)
{
	bool works = false;
	struct fake_dns *server = fake_dns_start(fail_first, &works);
	dns_resolver *resolver = open_resolver(fake_dns_address(server));

	for (int i = 0; i < 3; i++)
		expect(resolver, DNS_A, "a.test", "failed: the name server failed (SERVFAIL)");
	CU_ASSERT_EQUAL(fake_dns_count(server), 1);
	dns_close(resolver);
	fake_dns_stop(server);
}

/* The next server is asked when one fails. */
static void
test_next_server(void)
{
	bool fails = false, works = true;
	struct fake_dns *first = fake_dns_start(fail_first, &fails);
	struct fake_dns *second = fake_dns_start(fail_first, &works);
	dns_resolver *resolver;
	char both[80];

	snprintf(both, sizeof(both), "%s, %s", fake_dns_address(first),
	         fake_dns_address(second));
	resolver = open_resolver(both);
	expect(resolver, DNS_A, "a.test", "192.0.2.7");
	CU_ASSERT_EQUAL(fake_dns_count(first), 1);
	CU_ASSERT_EQUAL(fake_dns_count(second), 1);
	dns_close(resolver);
	fake_dns_stop(first);
	fake_dns_stop(second);
}

/* When all fail, no failure of one of them is the answer. */
static void
test_all_fail(void)
{
	bool fails = false;
	struct fake_dns *first = fake_dns_start(fail_first, &fails);
	struct fake_dns *second = fake_dns_start(fail_first, &fails);
	dns_resolver *resolver;
	char both[80];

	snprintf(both, sizeof(both), "%s,%s", fake_dns_address(first),
	         fake_dns_address(second));
	resolver = open_resolver(both);
	expect(resolver, DNS_A, "a.test",
	       "failed: no name server could be reached, or all of them failed");
	dns_close(resolver);
	fake_dns_stop(first);
	fake_dns_stop(second);
}

/* A server that is silent is followed by the next long before the time is over. */
static void
test_silent_server(void)
{
	struct fake_dns *server = fake_dns_start(answer_address, NULL);
	char hole[32], both[80];
	int fd = fake_dns_blackhole(hole);
	dns_resolver *resolver;

	snprintf(both, sizeof(both), "%s,%s", hole, fake_dns_address(server));
	resolver = open_resolver(both);
	expect(resolver, DNS_A, "a.test", "192.0.2.7");
	dns_close(resolver);
	fake_dns_stop(server);
	close(fd);
}

/* Whoever had little time must not spoil the answer of those who have more. */
static void
test_patience(void)
{
	struct fake_dns *server;
	dns_resolver *resolver;
	char hole[32], found[256];
	int fd = fake_dns_blackhole(hole);
	int64_t start = limen_host_monotonic();

	resolver = open_resolver(hole);
	ask_for(resolver, DNS_A, "a.test", SECOND / 10, found);
	CU_ASSERT_STRING_EQUAL(found, "failed: no name server answered in time");
	CU_ASSERT(limen_host_monotonic() - start >= SECOND / 10);
	CU_ASSERT(limen_host_monotonic() - start < 30 * SECOND);
	/* With no time at all nobody is asked. */
	ask_for(resolver, DNS_A, "b.test", 0, found);
	CU_ASSERT_STRING_EQUAL(found, "failed: no name server answered in time");
	dns_close(resolver);
	close(fd);
	server = fake_dns_start(answer_address, NULL);
	resolver = open_resolver(fake_dns_address(server));
	ask_for(resolver, DNS_A, "a.test", -SECOND, found);
	CU_ASSERT_STRING_EQUAL(found, "failed: no name server answered in time");
	expect(resolver, DNS_A, "a.test", "192.0.2.7");
	dns_close(resolver);
	fake_dns_stop(server);
}

/* ---- many at once ---- */

struct crowd {
	dns_resolver *resolver;
	atomic_uint good;
	atomic_uint begun;
};

static void *
ask_one(void *data)
{
	struct crowd *crowd = data;
	char found[256];

	atomic_fetch_add(&crowd->begun, 1);
	ask_for(crowd->resolver, DNS_A, "same.test", A_MINUTE, found);
	if (strcmp(found, "192.0.2.7") == 0)
		atomic_fetch_add(&crowd->good, 1);
	return NULL;
}

/* Answers the first question only when all threads are there to ask it. */
static size_t
answer_crowd(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	struct crowd *crowd = data;

	for (int i = 0; i < 3000 && atomic_load(&crowd->begun) < 8; i++)
		usleep(10000);
	return answer_address(question, out, room, NULL);
}

/* Eight ask the same: c-ares may ask again when it takes long, but not eight times. */
static void
test_asked_once(void)
{
	struct crowd crowd = { .resolver = NULL };
	struct fake_dns *server = fake_dns_start(answer_crowd, &crowd);
	pthread_t threads[8];
	char found[256];

	crowd.resolver = open_resolver(fake_dns_address(server));
	for (size_t i = 0; i < 8; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, ask_one, &crowd), 0);
	for (size_t i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(atomic_load(&crowd.good), 8);
	CU_ASSERT(fake_dns_count(server) < 8);
	ask_for(crowd.resolver, DNS_A, "same.test", A_MINUTE, found);
	CU_ASSERT_STRING_EQUAL(found, "192.0.2.7");
	dns_close(crowd.resolver);
	fake_dns_stop(server);
}

/* ---- the servers of the system ---- */

static void
write_resolv(const char *path, const char *address)
{
	char next[80];
	FILE *file;

	snprintf(next, sizeof(next), "%s.next", path);
	file = fopen(next, "we");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	fprintf(file, "search example.org\nnameserver %s\noptions ndots:5\n", address);
	CU_ASSERT_EQUAL(fclose(file), 0);
	CU_ASSERT_EQUAL(rename(next, path), 0);
}

static size_t
answer_other(const struct fake_question *question, uint8_t *out, size_t room, void *data)
{
	static const uint8_t address[4] = { 192, 0, 2, 9 };

	(void)room;
	(void)data;
	return fake_dns_add(out, fake_dns_begin(question, 0, out), NULL, FAKE_DNS_A, 60, address,
	                    4, false);
}

static void
test_system(void)
{
	struct fake_dns *first = fake_dns_start_at_53(answer_address, NULL);
	struct fake_dns *second = fake_dns_start_at_53(answer_other, NULL);
	char path[64] = "/tmp/limen-resolv-XXXXXX";
	char found[256] = "";
	dns_resolver *resolver;
	int fd;

	if (first == NULL || second == NULL) {
		suite_skip("port 53 is not permitted");
		fake_dns_stop(first);
		fake_dns_stop(second);
		return;
	}
	fd = mkstemp(path);
	CU_ASSERT_FATAL(fd >= 0);
	close(fd);
	write_resolv(path, fake_dns_address(first));
	CU_ASSERT_EQUAL_FATAL(dns_open_file(path, &resolver), LIMEN_OK);
	expect(resolver, DNS_A, "a.test", "192.0.2.7");
	/* The file changes: other servers, and nothing remembered of the first. */
	write_resolv(path, fake_dns_address(second));
	for (int i = 0; i < 300 && strcmp(found, "192.0.2.9") != 0; i++) {
		char name[32];

		snprintf(name, sizeof(name), "n%d.test", i);
		ask_for(resolver, DNS_A, name, A_MINUTE, found);
		usleep(20000);
	}
	CU_ASSERT_STRING_EQUAL(found, "192.0.2.9");
	expect(resolver, DNS_A, "a.test", "192.0.2.9");
	dns_close(resolver);
	unlink(path);
	fake_dns_stop(first);
	fake_dns_stop(second);
}

/* ---- addresses of servers ---- */

static void
test_servers(void)
{
	static const char *const good[] = {
		"127.0.0.1", "127.0.0.1:53", "127.0.0.1:65535", "::1", "[::1]", "[::1]:5353",
		" 127.0.0.1 , ::1,[::1]:1 ",
		"10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4,10.0.0.5,10.0.0.6,10.0.0.7,10.0.0.8",
	};
	static const char *const bad[] = {
		"", " ", ",", "127.0.0.1,", ",127.0.0.1", "127.0.0.1:", "127.0.0.1:0",
		"127.0.0.1:65536", "127.0.0.1:053535", "127.0.0.1:5x", "127.0.0.1 ::1",
		"localhost", "127.0.0", "[127.0.0.1]", "[::1", "[::1]5353", "[::1]:", "::1:x",
		"::1,::1,::1,::1,::1,::1,::1,::1,::1",
	};
	limen_diag *diag = limen_diag_new();
	dns_resolver *resolver;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		plugin_assert(dns_open(good[i], limen_value_none(), diag, &resolver) == LIMEN_OK,
		              __FILE__, __LINE__, "'%s' is refused", good[i]);
		dns_close(resolver);
	}
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		plugin_assert(dns_open(bad[i], limen_value_none(), diag, &resolver) ==
		                      LIMEN_ECONFIG,
		              __FILE__, __LINE__, "'%s' is accepted", bad[i]);
		CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), i + 1);
	}
	limen_diag_free(diag);
}

static void
test_names(void)
{
	static const char *const good[] = { "a", "a.b", "a-1._tcp.example.org", "a.", "1.a",
		                            "0x7f.a", "1a" };
	static const char *const bad[] = { "", ".", "a..b", ".a", "1", "127.1", "127.0.0.1",
		                           "0x7f", "a.0x7F.", "a.017", "a b", "a\\032b", "a/b",
		                           "ä" };
	char label[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";
	char text[DNS_NAME_MAX];
	limen_address address;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		plugin_assert(dns_is_host_name(good[i], strlen(good[i])), __FILE__, __LINE__,
		              "'%s' is none", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		plugin_assert(!dns_is_host_name(bad[i], strlen(bad[i])), __FILE__, __LINE__,
		              "'%s' is one", bad[i]);
	CU_ASSERT_TRUE(dns_is_host_name(label, 63));
	CU_ASSERT_FALSE(dns_is_host_name(label, 64));
	CU_ASSERT_FALSE(dns_is_host_name("a\0b", 3));
	CU_ASSERT_EQUAL(limen_address_parse("192.0.25.100", 12, &address), LIMEN_OK);
	dns_reverse_name(&address, "zone.test", text);
	CU_ASSERT_STRING_EQUAL(text, "100.25.0.192.zone.test");
	CU_ASSERT_EQUAL(limen_address_parse("2001:db8::a1", 12, &address), LIMEN_OK);
	dns_reverse_name(&address, "ip6.arpa", text);
	CU_ASSERT_STRING_EQUAL(text, "1.a.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0."
	                             "8.b.d.0.1.0.0.2.ip6.arpa");
}

/* The child has no thread of the resolver that its parent asks the same servers with. */
static void
test_fork(void)
{
#ifdef WITH_TSAN
	suite_skip("ThreadSanitizer refuses threads after a fork");
#else
	struct fake_dns *server = fake_dns_start(answer_address, NULL);
	dns_resolver *resolver = open_resolver(fake_dns_address(server));
	int status = -1;
	pid_t child;

	expect(resolver, DNS_A, "a.test", "192.0.2.7");
	child = fork();
	CU_ASSERT_FATAL(child >= 0);
	if (child == 0) {
		char found[256];

		alarm(60);
		ask_for(open_resolver(fake_dns_address(server)), DNS_A, "b.test", A_MINUTE, found);
		_exit(strcmp(found, "192.0.2.7") != 0);
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	dns_close(resolver);
	fake_dns_stop(server);
#endif
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "every outcome of a real name server", test_real },
		{ "answers are remembered by all who ask the same servers", test_remembered },
		{ "answers are asked for again when their time is over", test_lifetime },
		{ "servers that lie", test_lies },
		{ "what is no answer to the question is passed over", test_passed_over },
		{ "answers as large as can be", test_large },
		{ "a failure is remembered for a while", test_failure },
		{ "the next server is asked when one fails", test_next_server },
		{ "and when one is silent", test_silent_server },
		{ "servers that all fail", test_all_fail },
		{ "a failure serves those who have no more time", test_patience },
		{ "a question of many is asked once", test_asked_once },
		{ "the servers of the system, and when they change", test_system },
		{ "a child of a fork asks with a thread of its own", test_fork },
		{ "how name servers may be written", test_servers },
		{ "names of hosts and of addresses", test_names },
		{ NULL, NULL }
	};

	return suite_run("support/dns", tests);
}
