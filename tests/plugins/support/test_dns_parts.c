/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_dns_parts.c - the parts of the DNS library that no name server shows:
 * lifetimes, messages that are spoilt in every way, the bounds of what is
 * remembered, and short memory.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../../plugins/support/dns/cache.h"
#include "../../../plugins/support/dns/channels.h"
#include "../../../plugins/support/dns/message.h"
#include "fail_malloc.h"
#include "fake_dns.h"
#include "suite.h"

enum { ROOM = 2048 };

/* Fails the running test unless 'passed', saying what it was about. */
static void
check(bool passed, unsigned line, const char *about)
{
	CU_assertImplementation(passed, line, about, __FILE__, "", CU_FALSE);
}

/* ---- messages ---- */

/* A question about "a.test" as it would come in. */
static struct fake_question
ask(uint8_t message[64], unsigned type)
{
	static const uint8_t start[] = { 0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 4, 't', 'e',
		                         's', 't', 0, 0, 0, 0, 1 };

	memcpy(message, start, sizeof(start));
	message[sizeof(start) - 3] = (uint8_t)type;
	return (struct fake_question){ .type = type, .message = message,
		                       .length = sizeof(start), .end = sizeof(start) };
}

/* A chain of aliases to two addresses. */
static size_t
write_addresses(uint8_t *out, uint32_t alias_ttl, uint32_t first_ttl, uint32_t second_ttl)
{
	uint8_t message[64];
	struct fake_question question = ask(message, DNS_A);
	size_t at = fake_dns_begin(&question, 0, out);

	at = fake_dns_add_name(out, at, NULL, FAKE_DNS_CNAME, alias_ttl, "b.test");
	at = fake_dns_add(out, at, "b.test", FAKE_DNS_A, first_ttl, "\300\0\2\1", 4, false);
	at = fake_dns_add(out, at, "other.test", FAKE_DNS_A, 1, "\300\0\2\3", 4, false);
	return fake_dns_add(out, at, "B.Test", FAKE_DNS_A, second_ttl, "\300\0\2\2", 4, false);
}

static size_t
write_negative(uint8_t *out, unsigned rcode, bool soa, uint32_t ttl, uint32_t minimum)
{
	uint8_t message[64];
	struct fake_question question = ask(message, DNS_TXT);
	size_t at = fake_dns_begin(&question, rcode, out);

	return soa ? fake_dns_add_soa(out, at, ttl, minimum) : at;
}

static void
expect(const char *about, dns_type type, const uint8_t *message, size_t length,
       dns_outcome outcome, int64_t lifetime)
{
	answer *found = cares_read(type, message, length);

	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	check(found->shown.outcome == outcome && found->lifetime == lifetime, __LINE__, about);
	answer_unref(found);
}

static void
test_lifetimes(void)
{
	uint8_t out[ROOM];

	expect("alias", DNS_A, out, write_addresses(out, 10, 20, 30), DNS_FOUND, 10);
	expect("first", DNS_A, out, write_addresses(out, 30, 20, 40), DNS_FOUND, 20);
	expect("second", DNS_A, out, write_addresses(out, 30, 20, 7), DNS_FOUND, 7);
	expect("long", DNS_A, out, write_addresses(out, 3601, 9999, INT32_MAX), DNS_FOUND, 3601);
	expect("none", DNS_A, out, write_addresses(out, 0, 20, 20), DNS_FOUND, 0);
	expect("highest bit", DNS_A, out, write_addresses(out, 20, 0x80000000, 20), DNS_FOUND, 0);
	expect("no name", DNS_TXT, out, write_negative(out, 3, true, 50, 40), DNS_NO_NAME, 40);
	expect("no name", DNS_TXT, out, write_negative(out, 3, true, 30, 40), DNS_NO_NAME, 30);
	expect("no data", DNS_TXT, out, write_negative(out, 0, true, 9999, 9998), DNS_NO_DATA,
	       9998);
	expect("no SOA", DNS_TXT, out, write_negative(out, 0, false, 0, 0), DNS_NO_DATA, 0);
	expect("failure", DNS_TXT, out, write_negative(out, 2, true, 50, 50), DNS_FAILED, 0);
}

static bool
is_sane(const answer *found, dns_type type, size_t length)
{
	const dns_answer *shown = &found->shown;

	switch (shown->outcome) {
	case DNS_FAILED:
		return shown->why != NULL && shown->count == 0;
	case DNS_NO_NAME:
	case DNS_NO_DATA:
		return shown->count == 0 && shown->text[0] == '\0';
	default:
		break;
	}
	for (const char *at = shown->text; *at != '\0'; at++) {
		if (*at < ' ' || *at > '~')
			return false;
	}
	if (type == DNS_A || type == DNS_AAAA)
		return shown->count > 0 && shown->count <= length / 11;
	return shown->count == 0 && strlen(shown->text) <= 4 * length;
}

/* Every valid message with bytes changed, cut off and added, the same each time. */
static void
test_spoilt(void)
{
	static const dns_type types[] = { DNS_A, DNS_AAAA, DNS_PTR, DNS_TXT };
	unsigned long long state = 88172645463325252ULL;
	size_t outcomes[4] = { 0 };

	for (unsigned i = 0; i < 40000; i++) {
		dns_type type = types[i % 4];
		uint8_t message[64], out[ROOM];
		struct fake_question question = ask(message, type);
		size_t at = write_addresses(out, 60, 60, 60);
		uint8_t *exact;
		answer *found;

		if (type != DNS_A) {
			at = fake_dns_begin(&question, 0, out);
			at = fake_dns_add_name(out, at, NULL, FAKE_DNS_CNAME, 60, "b.test");
			at = type == DNS_PTR
			             ? fake_dns_add_name(out, at, "b.test", type, 60, "h.test")
			             : fake_dns_add(out, at, "b.test", type, 60,
			                            "\17abcdefghijklmno", 16, false);
		}
		for (unsigned j = 0; j < 1 + i % 5; j++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			out[state % at] = (uint8_t)(state >> 32);
		}
		/* As long as it is in memory too, so that reading further shows. */
		at -= i % 7 == 0 ? (size_t)(state >> 40) % at : 0;
		exact = malloc(at + (at == 0));
		memcpy(exact, out, at);
		found = cares_read(type, exact, at);
		free(exact);
		CU_ASSERT_PTR_NOT_NULL_FATAL(found);
		outcomes[found->shown.outcome]++;
		check(is_sane(found, type, at), i, "message");
		answer_unref(found);
	}
	/* All of them occur, so the messages are not simply spoilt beyond reading. */
	for (size_t i = 0; i < 4; i++)
		CU_ASSERT(outcomes[i] > 20);
}

/* As long as a message over TCP can be. */
enum { LONGEST = 65535, LABEL = 63, UNKNOWN = 0xFF00 };

static void
write16(uint8_t *at, size_t number)
{
	at[0] = (uint8_t)(number >> 8);
	at[1] = (uint8_t)number;
}

/*
 * Answers "a.test" with one record whose data is a name of 'labels' labels, and
 * with records of a type that nobody knows up to the end of the message, whose owner is that name.
 */
static void
write_long_names(uint8_t out[LONGEST], size_t labels)
{
	uint8_t message[64];
	struct fake_question question = ask(message, DNS_A);
	size_t at = fake_dns_begin(&question, 0, out);
	size_t count = 1;
	size_t name;

	memset(out + at, 0, LONGEST - at);
	out[at + 2] = DNS_TXT;
	out[at + 4] = 1;
	write16(out + at + 9, labels * (LABEL + 1) + 1);
	name = at + 11;
	at = name;
	for (size_t i = 0; i < labels; i++, at += LABEL + 1) {
		out[at] = LABEL;
		memset(out + at + 1, i == 0 ? 'x' : 'a', LABEL);
	}
	for (at++; at + 12 <= LONGEST; at += 12, count++) {
		write16(out + at, 0xC000 | name);
		write16(out + at + 2, UNKNOWN);
		out[at + 5] = 1;
	}
	memset(out + at, 0, LONGEST - at);
	write16(out + 6, count);
}

/*
 * No name has more than 255 bytes (RFC 1035, 3.1).  Longer ones would be written out
 * for each of thousands of records.
 */
static void
test_long_names(void)
{
	uint8_t *out = malloc(LONGEST);

	CU_ASSERT_PTR_NOT_NULL_FATAL(out);
	write_long_names(out, 3);
	expect("three labels", DNS_A, out, LONGEST, DNS_NO_DATA, 0);
	/* Four are 257 bytes. */
	write_long_names(out, 4);
	expect("four labels", DNS_A, out, LONGEST, DNS_FAILED, 0);
	write_long_names(out, 5);
	expect("five labels", DNS_A, out, LONGEST, DNS_FAILED, 0);
	write_long_names(out, 250);
	expect("many labels", DNS_A, out, LONGEST, DNS_FAILED, 0);
	free(out);
}

static void
test_short_memory(void)
{
	uint8_t out[ROOM];
	size_t length = write_addresses(out, 60, 60, 60);
	bool failed = true;

	for (unsigned long n = 1; failed && n < 1000; n++) {
		answer *found;

		fail_malloc_once(n);
		found = cares_read(DNS_A, out, length);
		failed = fail_malloc_stop();
		/* Nothing, or all of it: never a part. */
		CU_ASSERT(found == NULL ? failed : found->shown.count == 2);
		answer_unref(found);
	}
	CU_ASSERT_FALSE(failed);
}

/* ---- what is remembered ---- */

static answer *
make_answer(size_t room)
{
	answer *one = answer_new(DNS_FOUND, room);

	CU_ASSERT_PTR_NOT_NULL_FATAL(one);
	one->lifetime = 600;
	return one;
}

static void
make_key(const cache *store, unsigned number, key *out)
{
	char name[40];

	snprintf(name, sizeof(name), "n%u.test", number);
	CU_ASSERT_FATAL(cache_make_key(store, DNS_A, name, out));
}

static void
remember(cache *store, unsigned number, size_t size)
{
	answer *one = make_answer(size), *found;
	key asked;

	make_key(store, number, &asked);
	CU_ASSERT_EQUAL(cache_take(store, &asked, INT64_MAX, NULL, &found), CACHE_CLAIMED);
	cache_settle(store, &asked, one, 0);
	answer_unref(one);
}

static bool
is_remembered(cache *store, unsigned number)
{
	answer *found;
	key asked;

	make_key(store, number, &asked);
	found = cache_recall(store, &asked, INT64_MAX);
	answer_unref(found);
	return found != NULL;
}

/* However many are added, and the least recently used go. */
static void
test_bounds(void)
{
	cache *store = cache_new();
	unsigned kept = 0;

	CU_ASSERT_PTR_NOT_NULL_FATAL(store);
	for (unsigned i = 0; i < 3 * CACHE_ENTRIES_MAX; i++) {
		remember(store, i, 0);
		if (i % 100 == 0)
			CU_ASSERT_TRUE_FATAL(is_remembered(store, 0));
	}
	CU_ASSERT(cache_count(store).entries <= CACHE_ENTRIES_MAX);
	CU_ASSERT(cache_count(store).entries > CACHE_ENTRIES_MAX * 9 / 10);
	CU_ASSERT(cache_count(store).bytes <= CACHE_BYTES_MAX);
	/* A shard may hold more than its part of the newest, but hardly many of them. */
	for (unsigned i = 0; i < 1000; i++)
		kept += is_remembered(store, 3 * CACHE_ENTRIES_MAX - 1 - i);
	CU_ASSERT_EQUAL(kept, 1000);
	for (unsigned i = 0; i < 2000; i++)
		remember(store, 10000000 + i, 60000);
	CU_ASSERT(cache_count(store).bytes <= CACHE_BYTES_MAX);
	CU_ASSERT(cache_count(store).bytes > CACHE_BYTES_MAX / 2);
	/* One that is larger than all there is room for is not kept. */
	remember(store, 20000000, CACHE_BYTES_MAX);
	CU_ASSERT_FALSE(is_remembered(store, 20000000));
	cache_clear(store);
	CU_ASSERT_EQUAL(cache_count(store).entries, 0);
	CU_ASSERT_EQUAL(cache_count(store).bytes, 0);
	cache_free(store);
}

/* A question in the air is kept by whatever comes, and by clearing. */
static void
test_asked(void)
{
	cache *store = cache_new();
	answer *one = make_answer(0), *found;
	key asked;

	CU_ASSERT_PTR_NOT_NULL_FATAL(store);
	make_key(store, 1, &asked);
	CU_ASSERT_EQUAL(cache_take(store, &asked, INT64_MAX, NULL, &found), CACHE_CLAIMED);
	CU_ASSERT_PTR_NULL(cache_recall(store, &asked, INT64_MAX));
	CU_ASSERT_EQUAL(cache_take(store, &asked, INT64_MAX, NULL, &found), CACHE_JOINED);
	found = cache_wait(store, &asked, limen_host_monotonic() + 10000000);
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT_STRING_EQUAL(found->shown.why, answer_late);
	answer_unref(found);
	for (unsigned i = 100; i < 100 + 2 * CACHE_ENTRIES_MAX; i++)
		remember(store, i, 0);
	cache_clear(store);
	CU_ASSERT_EQUAL(cache_count(store).entries, 1);
	cache_settle(store, &asked, one, 0);
	CU_ASSERT_TRUE(is_remembered(store, 1));
	/* Nothing came of it: the next one asks. */
	make_key(store, 2, &asked);
	CU_ASSERT_EQUAL(cache_take(store, &asked, INT64_MAX, NULL, &found), CACHE_CLAIMED);
	cache_settle(store, &asked, NULL, 0);
	CU_ASSERT_EQUAL(cache_count(store).entries, 1);
	CU_ASSERT_EQUAL(cache_take(store, &asked, INT64_MAX, NULL, &found), CACHE_CLAIMED);
	cache_settle(store, &asked, one, 0);
	answer_unref(one);
	cache_free(store);
}

/* Those with more time prolong a query, those with as much do not. */
static void
test_prolonged(void)
{
	cache *store = cache_new();
	int64_t now = limen_host_monotonic();
	int64_t second = 1000000000;
	answer *found;
	key asked;

	CU_ASSERT_PTR_NOT_NULL_FATAL(store);
	make_key(store, 1, &asked);
	/* Nobody is asked past the deadline. */
	CU_ASSERT_EQUAL(cache_take(store, &asked, now - 1, NULL, &found), CACHE_RECALLED);
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT_STRING_EQUAL(found->shown.why, answer_late);
	answer_unref(found);
	CU_ASSERT_EQUAL(cache_take(store, &asked, now + 100 * second, NULL, &found), CACHE_CLAIMED);
	CU_ASSERT_EQUAL(cache_take(store, &asked, now + 150 * second, NULL, &found), CACHE_JOINED);
	CU_ASSERT_EQUAL(cache_deadline(store, &asked), now + 100 * second);
	CU_ASSERT_EQUAL(cache_take(store, &asked, now + 300 * second, NULL, &found), CACHE_JOINED);
	CU_ASSERT_EQUAL(cache_deadline(store, &asked), now + 300 * second);
	cache_settle(store, &asked, NULL, 0);
	cache_free(store);
}

/* A failure serves those who have no more time than the query had, twice that at most. */
static void
test_shared_failure(void)
{
	cache *store = cache_new();
	int64_t now = limen_host_monotonic();
	int64_t second = 1000000000;
	answer *failure = answer_failed(answer_late);
	answer *found;
	key asked;

	CU_ASSERT_FATAL(store != NULL && failure != NULL);
	make_key(store, 1, &asked);
	CU_ASSERT_EQUAL(cache_take(store, &asked, INT64_MAX, NULL, &found), CACHE_CLAIMED);
	cache_settle(store, &asked, failure, 100 * second);
	found = cache_recall(store, &asked, now + 150 * second);
	CU_ASSERT_PTR_EQUAL(found, failure);
	answer_unref(found);
	CU_ASSERT_PTR_NULL(cache_recall(store, &asked, now + 300 * second));
	answer_unref(failure);
	cache_free(store);
}

static bool
ask_channels(cache *store, channels *stock, unsigned number, key *asked)
{
	int64_t deadline = limen_host_monotonic() + 300000000;
	answer *found;

	make_key(store, number, asked);
	CU_ASSERT_EQUAL_FATAL(cache_take(store, asked, deadline, NULL, &found), CACHE_CLAIMED);
	return channels_ask(stock, asked, deadline);
}

/* Queries in flight are bounded, with those whose questions have no more time: c-ares goes on. */
static void
test_flying(void)
{
	cache *store = cache_new();
	servers list;
	channels *stock;
	char address[32];
	int hole = fake_dns_blackhole(address);
	int64_t start = limen_host_monotonic();
	bool taken;
	key asked;

	CU_ASSERT_PTR_NOT_NULL_FATAL(store);
	CU_ASSERT_PTR_NULL_FATAL(servers_read(address, &list));
	stock = channels_new(&list, "", store);
	CU_ASSERT_PTR_NOT_NULL_FATAL(stock);
	for (unsigned i = 0; i < CHANNELS_QUERIES_MAX; i++)
		CU_ASSERT_TRUE_FATAL(ask_channels(store, stock, i, &asked));
	answer_unref(cache_wait(store, &asked, INT64_MAX));
	taken = ask_channels(store, stock, CHANNELS_QUERIES_MAX, &asked);
	/* A machine under load may be so slow that c-ares has given up the first queries. */
	CU_ASSERT(!taken || limen_host_monotonic() - start > INT64_C(3000000000));
	if (!taken)
		cache_settle(store, &asked, NULL, 0);
	channels_free(stock);
	cache_free(store);
	close(hole);
}

/* Without a descriptor for its socket, the question says nothing about the server. */
static void
test_closed(void)
{
	cache *store = cache_new();
	servers list;
	channels *stock;
	char address[32];
	int hole = fake_dns_blackhole(address);
	int next = dup(hole);
	struct rlimit usual, tight;
	answer *found;
	key asked;

	CU_ASSERT_FATAL(store != NULL && next >= 0 && servers_read(address, &list) == NULL);
	stock = channels_new(&list, "", store);
	CU_ASSERT_FATAL(stock != NULL && getrlimit(RLIMIT_NOFILE, &usual) == 0);
	close(next);
	tight = (struct rlimit){ .rlim_cur = (rlim_t)next, .rlim_max = usual.rlim_max };
	CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_NOFILE, &tight), 0);
	CU_ASSERT_TRUE(ask_channels(store, stock, 1, &asked));
	found = cache_wait(store, &asked, INT64_MAX);
	CU_ASSERT_EQUAL(setrlimit(RLIMIT_NOFILE, &usual), 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT_EQUAL(found->shown.outcome, DNS_SHORT);
	CU_ASSERT_STRING_EQUAL(channels_count(stock).error, found->shown.why);
	answer_unref(found);
	channels_free(stock);
	cache_free(store);
	close(hole);
}

static void
test_full(void)
{
	cache *store = cache_new();
	answer *found;
	key asked;

	CU_ASSERT_PTR_NOT_NULL_FATAL(store);
	make_key(store, 1, &asked);
	fail_malloc_once(1);
	CU_ASSERT_EQUAL(cache_take(store, &asked, INT64_MAX, NULL, &found), CACHE_FULL);
	CU_ASSERT_TRUE(fail_malloc_stop());
	CU_ASSERT_EQUAL(cache_take(store, &asked, INT64_MAX, NULL, &found), CACHE_CLAIMED);
	cache_settle(store, &asked, NULL, 0);
	cache_free(store);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "how long answers may be kept", test_lifetimes },
		{ "messages that are spoilt", test_spoilt },
		{ "names that are too long", test_long_names },
		{ "messages when memory is short", test_short_memory },
		{ "what is remembered is bounded", test_bounds },
		{ "what is being asked is not forgotten", test_asked },
		{ "who prolongs a query", test_prolonged },
		{ "whom a failure serves", test_shared_failure },
		{ "too many queries", test_flying },
		{ "no descriptor for a query", test_closed },
		{ "remembering when memory is short", test_full },
		{ NULL, NULL }
	};

	return suite_run("support/dns parts", tests);
}
