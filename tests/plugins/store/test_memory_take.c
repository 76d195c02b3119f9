/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of the store "memory" from the inside: which bucket makes room, what
 * batches take and give back, what a reload keeps, and what a bucket costs.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../plugins/support/bucket/table.h"
#include "sanitizers.h"
#include "suite.h"

static tables *all;

/* One token a second, up to 'burst'. */
static handle *
open_table(const char *name, int64_t burst, uint64_t capacity)
{
	const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 1,
		                        .period = LIMEN_SECOND, .burst = burst,
		                        .capacity = capacity };

	return table_open(all, name, &spec, NULL);
}

static void
start(void)
{
	all = tables_new();
	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	all->capacity = 65536;
}

static limen_store_take
ask(handle *held, const char *key, int64_t amount)
{
	return (limen_store_take){ .table = held, .key = key, .key_length = strlen(key),
		                   .amount = amount, .wait = -1 };
}

/* How many tokens 'key' has at second 0; nothing changes. */
static int64_t
left(handle *held, const char *key)
{
	int64_t amount = 0;
	limen_store_take take;

	do
		take = ask(held, key, ++amount);
	while (take_batch(all, &take, 1, LIMEN_TAKE_PEEK, 0) == LIMEN_PASS);
	return amount - 1;
}

static bool
take(handle *held, const char *key, int64_t amount)
{
	limen_store_take one = ask(held, key, amount);

	return take_batch(all, &one, 1, 0, 0) == LIMEN_PASS && one.granted;
}

static void
finish(handle *held)
{
	table_close(all, held);
	tables_free(all);
}

static void
test_eviction_order(void)
{
	handle *held;

	start();
	held = open_table("e/t", 5, 3);
	CU_ASSERT_TRUE(take(held, "a", 1) && take(held, "b", 2) && take(held, "c", 3));
	/* A refusal counts as asking, a look does not. */
	CU_ASSERT_FALSE(take(held, "a", 5));
	CU_ASSERT_EQUAL(left(held, "b"), 3);
	CU_ASSERT_TRUE(take(held, "d", 1));
	CU_ASSERT_EQUAL(left(held, "b"), 5);
	CU_ASSERT_EQUAL(left(held, "a"), 4);
	CU_ASSERT_EQUAL(left(held, "c"), 2);
	CU_ASSERT_EQUAL(left(held, "d"), 4);
	/* Looking for "b" has not made it: "c" is the oldest now. */
	CU_ASSERT_TRUE(take(held, "b", 1));
	CU_ASSERT_EQUAL(left(held, "c"), 5);
	CU_ASSERT_EQUAL(left(held, "a"), 4);
	CU_ASSERT_EQUAL(held->table->shards[0].evictions, 2);
	CU_ASSERT_EQUAL(held->table->shards[0].count, 3);
	finish(held);
}

/* Random keys, beside a list that is kept in order by brute force. */
static void
follow_model(handle *held)
{
	enum { KEYS = 40, ROOM = 16, BURST = 50 };
	int order[ROOM] = { 0 };
	int64_t held_by[KEYS];
	int count = 0;
	unsigned state = 1;

	for (int i = 0; i < 20000; i++) {
		char name[8] = "";
		int which, at = 0;

		state = state * 1103515245 + 12345;
		which = i % 8 == 0 ? 0 : (int)(state >> 16) % KEYS;
		if (which > 0)
			snprintf(name, sizeof(name), "k%d", which);
		while (at < count && order[at] != which)
			at++;
		if (at == count) {
			held_by[which] = BURST;
			if (count < ROOM)
				count++;
			at = count - 1;
		}
		memmove(order + 1, order, (size_t)at * sizeof(order[0]));
		order[0] = which;
		CU_ASSERT_EQUAL_FATAL(take(held, name, 1), held_by[which] > 0);
		held_by[which] -= held_by[which] > 0;
		CU_ASSERT_EQUAL_FATAL(left(held, name), held_by[which]);
	}
}

/* The level of one empty key is beside the lock that both tables have. */
static void
test_eviction_model(void)
{
	for (int first = 0; first < 2; first++) {
		handle *held, *other;

		start();
		held = open_table("e/t", 50, 16);
		other = open_table("e/u", 2, 0);
		CU_ASSERT_TRUE(take(first == 0 ? held : other, "", 1) && take(other, "", 1));
		CU_ASSERT_EQUAL(left(other, ""), first == 0 ? 1 : 0);
		if (first == 0) {
			table_close(all, held);
			held = open_table("e/t", 50, 16);
		}
		follow_model(held);
		CU_ASSERT_EQUAL(left(other, ""), first == 0 ? 1 : 0);
		table_close(all, other);
		finish(held);
	}
}

static void
check_reading(const limen_reading *found, int64_t remaining, limen_duration reset)
{
	CU_ASSERT_EQUAL(found->quota, 5);
	CU_ASSERT_EQUAL(found->remaining, remaining);
	CU_ASSERT_EQUAL(found->reset, reset);
}

/* Readings are those after the whole batch: also after a refusal, a look, and all or none. */
static void
test_reading(void)
{
	limen_reading found[2];
	limen_store_take batch[2];
	handle *held;

	start();
	held = open_table("e/t", 5, 0);
	for (int i = 0; i < 2; i++) {
		batch[i] = ask(held, i == 0 ? "a" : "b", i == 0 ? 3 : 6);
		batch[i].reading = &found[i];
	}
	CU_ASSERT_EQUAL(take_batch(all, batch, 2, LIMEN_TAKE_ALL, 0), LIMEN_FAIL);
	check_reading(&found[0], 5, 0);
	check_reading(&found[1], 5, 0);
	CU_ASSERT_EQUAL(take_batch(all, batch, 2, LIMEN_TAKE_PEEK, 0), LIMEN_FAIL);
	check_reading(&found[0], 5, 0);
	CU_ASSERT_EQUAL(take_batch(all, batch, 1, 0, 0), LIMEN_PASS);
	check_reading(&found[0], 2, LIMEN_SECOND);
	CU_ASSERT_EQUAL(take_batch(all, batch, 1, 0, LIMEN_SECOND / 4), LIMEN_FAIL);
	check_reading(&found[0], 2, LIMEN_SECOND / 4 * 3);
	CU_ASSERT_EQUAL(take_batch(all, batch, 1, 0, LIMEN_SECOND), LIMEN_PASS);
	check_reading(&found[0], 0, LIMEN_SECOND);
	finish(held);
}

static void
test_each_alone(void)
{
	limen_store_take batch[3];
	handle *held;

	start();
	held = open_table("e/t", 2, 0);
	batch[0] = ask(held, "a", 2);
	batch[1] = ask(held, "a", 1);
	batch[2] = ask(held, "b", 3);
	CU_ASSERT_EQUAL(take_batch(all, batch, 3, LIMEN_TAKE_PEEK, 0), LIMEN_FAIL);
	CU_ASSERT(batch[0].granted && !batch[1].granted && !batch[2].granted);
	CU_ASSERT_EQUAL(held->table->shards[0].count, 0);
	CU_ASSERT_EQUAL(take_batch(all, batch, 3, 0, 0), LIMEN_FAIL);
	CU_ASSERT(batch[0].granted && !batch[1].granted && !batch[2].granted);
	CU_ASSERT_EQUAL(batch[1].wait, LIMEN_SECOND);
	CU_ASSERT_EQUAL(batch[2].wait, -1);
	CU_ASSERT_EQUAL(left(held, "a"), 0);
	CU_ASSERT_EQUAL(left(held, "b"), 2);
	finish(held);
}

static uint64_t
refusals(const handle *held)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < held->table->shard_count; i++)
		sum += held->table->shards[i].refusals;
	return sum;
}

static void
test_all_or_none(void)
{
	limen_store_take batch[3];
	handle *held;
	handle *other;

	start();
	held = open_table("e/t", 2, 0);
	other = open_table("f/t", 1, 0);
	for (unsigned peek = 0; peek <= LIMEN_TAKE_PEEK; peek += LIMEN_TAKE_PEEK) {
		batch[0] = ask(held, "a", 2);
		batch[1] = ask(other, "a", 1);
		batch[2] = ask(held, "a", 1);
		CU_ASSERT_EQUAL(take_batch(all, batch, 3, LIMEN_TAKE_ALL | peek, 0), LIMEN_FAIL);
		CU_ASSERT(!batch[0].granted && !batch[1].granted && !batch[2].granted);
		CU_ASSERT(batch[0].wait == 0 && batch[1].wait == 0);
		CU_ASSERT_EQUAL(batch[2].wait, LIMEN_SECOND);
		CU_ASSERT_EQUAL(left(held, "a"), 2);
		CU_ASSERT_EQUAL(left(other, "a"), 1);
		/* What was given back was refused, too; who only looks is not refused. */
		CU_ASSERT_EQUAL(refusals(held), 2);
		CU_ASSERT_EQUAL(refusals(other), 1);
	}
	batch[0] = ask(held, "a", 1);
	CU_ASSERT_EQUAL(take_batch(all, batch, 3, LIMEN_TAKE_ALL, 0), LIMEN_PASS);
	CU_ASSERT_EQUAL(left(held, "a"), 0);
	CU_ASSERT_EQUAL(left(other, "a"), 0);
	table_close(all, other);
	finish(held);
}

/* Where a batch has more keys than the table has room, what it undoes is still its own. */
static void
test_all_or_none_in_no_room(void)
{
	limen_store_take batch[3];
	handle *held;

	start();
	held = open_table("e/t", 3, 1);
	batch[0] = ask(held, "a", 2);
	batch[1] = ask(held, "b", 1);
	batch[2] = ask(held, "b", 3);
	CU_ASSERT_EQUAL(take_batch(all, batch, 3, LIMEN_TAKE_ALL, 0), LIMEN_FAIL);
	CU_ASSERT_EQUAL(left(held, "a"), 3);
	CU_ASSERT_EQUAL(left(held, "b"), 3);
	CU_ASSERT_EQUAL(held->table->shards[0].count, 1);
	/* What is gone cannot be refused: "b" was, twice. */
	CU_ASSERT_EQUAL(refusals(held), 2);
	finish(held);
}

static void
test_bad_takes(void)
{
	static char key[LIMEN_KEY_MAX + 2];
	limen_store_take *batch = malloc(2 * sizeof(*batch));
	limen_store_take one;
	handle *held;

	start();
	held = open_table("e/t", 3, 0);
	memset(key, 'k', LIMEN_KEY_MAX + 1);
	one = ask(held, key, 1);
	CU_ASSERT_EQUAL(take_batch(all, &one, 1, 0, 0), LIMEN_ERROR);
	CU_ASSERT(!one.granted && one.wait == -1);
	/* One of a batch is as good as all, of which none beyond the last is touched. */
	CU_ASSERT_PTR_NOT_NULL_FATAL(batch);
	batch[0] = ask(held, "a", 1);
	batch[1] = ask(held, key, 1);
	CU_ASSERT_EQUAL(take_batch(all, batch, 2, 0, 0), LIMEN_ERROR);
	CU_ASSERT(!batch[0].granted && batch[0].wait == -1 && batch[1].wait == -1);
	CU_ASSERT_EQUAL(left(held, "a"), 3);
	free(batch);
	one = ask(held, key + 1, 1);
	CU_ASSERT_EQUAL(take_batch(all, &one, 1, 0, 0), LIMEN_PASS);
	one = ask(held, "a", -1);
	CU_ASSERT_EQUAL(take_batch(all, &one, 1, 0, 0), LIMEN_ERROR);
	one = ask(held, "", 1);
	CU_ASSERT_EQUAL(take_batch(all, &one, 1, 0, 0), LIMEN_PASS);
	CU_ASSERT_EQUAL(left(held, ""), 2);
	finish(held);
}

/* A key may be refused for months. */
static void
test_count_of_refusals(void)
{
	bucket_key key = { "a", 1, 0 };
	bucket *found;
	handle *held;

	start();
	held = open_table("e/t", 3, 0);
	key.hash = key_hash(&all->seed, "a", 1);
	CU_ASSERT_TRUE(take(held, "a", 3));
	found = shard_find(&held->table->shards[0], &key);
	CU_ASSERT_PTR_NOT_NULL_FATAL(found);
	CU_ASSERT_FALSE(take(held, "a", 1));
	CU_ASSERT_EQUAL(found->refusals, 1);
	found->refusals = UINT32_MAX - 1;
	CU_ASSERT_FALSE(take(held, "a", 1) || take(held, "a", 1));
	CU_ASSERT_EQUAL(found->refusals, UINT32_MAX);
	finish(held);
}

/* Keys around the room for one in a bucket are told apart, and each byte of them counts. */
static void
test_key_room(void)
{
	char key[BUCKET_KEY_ROOM + 8];
	handle *held;

	start();
	held = open_table("e/t", 1, 0);
	for (size_t length = BUCKET_KEY_ROOM - 3; length < BUCKET_KEY_ROOM + 4; length++) {
		memset(key, 'k', length);
		key[length] = '\0';
		CU_ASSERT(take(held, key, 1) && !take(held, key, 1));
		key[length - 1] = 'l';
		CU_ASSERT(take(held, key, 1) && !take(held, key, 1));
	}
	finish(held);
}

static void
test_settle(void)
{
	limen_store_take batch[2];
	limen_store_take gone;
	handle *held;

	start();
	held = open_table("e/t", 3, 2);
	batch[0] = ask(held, "a", 2);
	batch[1] = ask(held, "a", 1);
	CU_ASSERT_EQUAL(take_batch(all, batch, 2, 0, 0), LIMEN_PASS);
	take_settle(all, batch, 1);
	CU_ASSERT_EQUAL(left(held, "a"), 2);
	/* Never more than fit, though a fill came in between. */
	CU_ASSERT_TRUE(take(held, "a", 1));
	gone = ask(held, "a", 1);
	CU_ASSERT_EQUAL(take_batch(all, &gone, 1, 0, 9 * LIMEN_SECOND), LIMEN_PASS);
	take_settle(all, batch, 2);
	CU_ASSERT_EQUAL(left(held, "a"), 3);
	/* Forgotten, it stays so; back again, it is another one. */
	CU_ASSERT_EQUAL(take_batch(all, &gone, 1, 0, 9 * LIMEN_SECOND), LIMEN_PASS);
	CU_ASSERT(take(held, "b", 1) && take(held, "c", 1));
	take_settle(all, &gone, 1);
	CU_ASSERT_EQUAL(held->table->shards[0].count, 2);
	CU_ASSERT_TRUE(take(held, "a", 2));
	take_settle(all, &gone, 1);
	CU_ASSERT_EQUAL(left(held, "a"), 1);
	finish(held);
}

/* A take from before a reset is not given back to takes of others after it. */
static void
test_settle_after_reset(void)
{
	static const limen_meter_kind kinds[] = { LIMEN_METER_TOKEN, LIMEN_METER_FIXED,
		                                  LIMEN_METER_SLIDING };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 5,
			                        .period = 3600 * LIMEN_SECOND, .burst = 5,
			                        .kind = kinds[i] };
		limen_store_take before;
		handle *held;
		shard *place;
		bucket *found;

		start();
		held = table_open(all, "e/t", &spec, NULL);
		place = &held->table->shards[0];
		before = ask(held, "a", 3);
		CU_ASSERT_EQUAL(take_batch(all, &before, 1, 0, 0), LIMEN_PASS);
		found = shard_find(place, &(bucket_key){ "a", 1, key_hash(&all->seed, "a", 1) });
		CU_ASSERT_PTR_NOT_NULL_FATAL(found);
		shard_reset(place, found, &held->meter, 0);
		CU_ASSERT_EQUAL(left(held, "a"), 5);
		CU_ASSERT_TRUE(take(held, "a", 4));
		take_settle(all, &before, 1);
		CU_ASSERT_EQUAL(left(held, "a"), 1);
		finish(held);
	}
}

/* Keys around what fits into a bucket, and some that differ late or in length only. */
static void
test_keys(void)
{
	static char keys[8][2 * BUCKET_KEY_ROOM];
	size_t lengths[8];
	limen_store_take one;
	handle *held;

	start();
	held = open_table("e/t", 100, 0);
	for (size_t i = 0; i < 8; i++) {
		memset(keys[i], 'k', sizeof(keys[i]));
		lengths[i] = BUCKET_KEY_ROOM - 2 + i % 4;
		keys[i][lengths[i] - 1] = i < 4 ? 'k' : '\0';
	}
	for (size_t i = 0; i < 8; i++) {
		one = (limen_store_take){ .table = held, .key = keys[i],
			                  .key_length = lengths[i], .amount = (int64_t)i + 1 };
		CU_ASSERT_EQUAL(take_batch(all, &one, 1, 0, 0), LIMEN_PASS);
	}
	CU_ASSERT_EQUAL(held->table->shards[0].count, 8);
	for (size_t i = 0; i < 8; i++) {
		one = (limen_store_take){ .table = held, .key = keys[i],
			                  .key_length = lengths[i], .amount = 99 - (int64_t)i };
		CU_ASSERT_EQUAL(take_batch(all, &one, 1, 0, 0), LIMEN_PASS);
	}
	finish(held);
}

/* Half of the bits of two hashes differ, whatever little the keys do. */
static void
test_hash(void)
{
	static key_hash_seed seed;
	static char text[LIMEN_KEY_MAX];
	unsigned bits[64] = { 0 };
	unsigned pairs = 0;

	for (int round = 0; round < 4; round++) {
		key_hash_draw(&seed);
		for (size_t length = 1; length <= LIMEN_KEY_MAX; length += length / 8 + 1) {
			uint64_t plain = key_hash(&seed, text, length);
			uint64_t shorter = key_hash(&seed, text, length - 1);
			uint64_t other;

			text[length - 1] = 1;
			other = key_hash(&seed, text, length);
			text[length - 1] = 0;
			for (int bit = 0; bit < 64; bit++)
				bits[bit] += (unsigned)((plain ^ other) >> bit & 1) +
				             (unsigned)((plain ^ shorter) >> bit & 1);
			pairs += 2;
		}
	}
	for (int bit = 0; bit < 64; bit++)
		CU_ASSERT(bits[bit] > pairs / 4 && bits[bit] < pairs - pairs / 4);
}

static void
test_reload(void)
{
	limen_table_spec spec = { .size = sizeof(spec), .name = "t", .tokens = 2,
		                  .period = 2 * LIMEN_SECOND, .burst = 5, .keys = "k" };
	limen_diag *diag = limen_diag_new();
	handle *first, *same, *other;

	start();
	first = table_open(all, "e/t", &spec, diag);
	CU_ASSERT_TRUE(take(first, "a", 2));
	/* The same rate in other words. */
	spec.tokens = 1;
	spec.period = LIMEN_SECOND;
	spec.capacity = 2;
	same = table_open(all, "e/t", &spec, diag);
	CU_ASSERT_EQUAL(left(same, "a"), 3);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 0);
	for (int i = 0; i < 3; i++) {
		spec.keys = i == 0 ? "other" : "k";
		spec.burst = i == 1 ? 6 : 5;
		spec.period = i == 2 ? LIMEN_SECOND + 1 : LIMEN_SECOND;
		other = table_open(all, "e/t", &spec, diag);
		CU_ASSERT_EQUAL(left(other, "a"), spec.burst);
		CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_WARNING), (size_t)i + 1);
		/* A load that failed: the policy in force goes on. */
		table_close(all, other);
		CU_ASSERT_EQUAL(left(first, "a"), 3);
	}
	other = table_open(all, "other/t", &spec, diag);
	CU_ASSERT_EQUAL(left(other, "a"), 5);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_WARNING), 3);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->text,
	                       "the rate, burst, window or key of 'e/t' has changed, so its "
	                       "buckets start full");
	table_close(all, other);
	table_close(all, first);
	CU_ASSERT_EQUAL(left(same, "a"), 3);
	finish(same);
	limen_diag_free(diag);
}

/* A reload that leaves less room: the table shrinks as keys come. */
static void
test_smaller(void)
{
	handle *held, *smaller;
	char key[16];

	start();
	held = open_table("e/t", 5, 100);
	for (int i = 0; i < 100; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		CU_ASSERT_TRUE(take(held, key, 1));
	}
	smaller = open_table("e/t", 5, 10);
	CU_ASSERT_EQUAL(held->table->shards[0].count, 100);
	for (int i = 0; i < 30; i++) {
		snprintf(key, sizeof(key), "n%d", i);
		CU_ASSERT_TRUE(take(smaller, key, 1));
	}
	CU_ASSERT_EQUAL(smaller->table->shards[0].count, 10);
	CU_ASSERT_EQUAL(left(smaller, "n20"), 4);
	CU_ASSERT_EQUAL(left(smaller, "n19"), 5);
	table_close(all, smaller);
	finish(held);
}

static void
test_approximate(void)
{
	handle *held, *small;
	char key[16];

	start();
	all->approximate = true;
	small = open_table("s/t", 5, 4096);
	CU_ASSERT_EQUAL(small->table->shard_count, 1);
	held = open_table("e/t", 5, 4097);
	CU_ASSERT_EQUAL(held->table->shard_count, 16);
	for (int i = 0; i < 20000; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		CU_ASSERT_TRUE(take(held, key, 1));
		CU_ASSERT_TRUE(take(held, key, 1));
	}
	for (size_t i = 0; i < 16; i++)
		CU_ASSERT_EQUAL(held->table->shards[i].count, 4097 / 16 + 1);
	CU_ASSERT_EQUAL(left(held, "k19999"), 3);
	CU_ASSERT_EQUAL(left(held, "k0"), 5);
	table_close(all, small);
	finish(held);
}

/* 160 bytes a bucket beside its key, and none that grow once a table is full. */
static void
test_memory(void)
{
#ifdef OWN_MALLOC
	suite_skip("the sanitizer's malloc() does not count");
#else
	static const size_t counts[] = { 1000, 4096, 20000 };

	for (size_t i = 0; i < 3; i++) {
		for (int length = 66; length <= 166; length += 100) {
			size_t before, used, again;
			handle *held;
			char key[200];

			start();
			held = open_table("e/t", 5, counts[i]);
			before = mallinfo2().uordblks + mallinfo2().hblkhd;
			for (size_t k = 0; k < counts[i]; k++) {
				snprintf(key, sizeof(key), "%0*zu", length, k);
				take(held, key, 1);
			}
			used = mallinfo2().uordblks + mallinfo2().hblkhd - before;
			CU_ASSERT(used <= counts[i] * (160 + (size_t)length));
			for (size_t k = counts[i]; k < 3 * counts[i]; k++) {
				snprintf(key, sizeof(key), "%0*zu", length, k);
				take(held, key, 1);
			}
			again = mallinfo2().uordblks + mallinfo2().hblkhd - before;
			/* But for a few pieces that malloc() itself keeps at hand. */
			CU_ASSERT(again <= used + 4096);
			finish(held);
		}
	}
#endif
}

/* Buckets of every size of slab, up to whole large pages: two lines each, and none twice. */
static void
test_slabs(void)
{
	enum { BUCKETS = 300000 };
	const size_t alignment = sizeof(bucket) == 128 ? 128 : _Alignof(bucket);
	const bucket_key key = { "k", 1, 1 };
	bucket_pool pool = { .slabs = NULL };
	bucket *last = NULL;
	size_t count = 0;

	for (uint32_t i = 0; i < BUCKETS; i++) {
		bucket *made = bucket_new(&pool, &key);

		CU_ASSERT_PTR_NOT_NULL_FATAL(made);
		CU_ASSERT_EQUAL_FATAL((uintptr_t)made % alignment, 0);
		made->birth = i;
		made->key[BUCKET_KEY_ROOM - 1] = 'k';
		made->older = last;
		last = made;
	}
	for (uint32_t i = BUCKETS; last != NULL; count++) {
		bucket *older = last->older;

		CU_ASSERT_EQUAL_FATAL(last->birth, --i);
		bucket_free(&pool, last);
		last = older;
	}
	CU_ASSERT_EQUAL(count, BUCKETS);
	/* At most an eighth more than are needed. */
	CU_ASSERT_TRUE(pool.made >= BUCKETS && pool.made <= BUCKETS + BUCKETS / 8);
	bucket_pool_close(&pool);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the bucket not asked for longest makes room, and starts full again",
		  test_eviction_order },
		{ "random keys are kept as in a list", test_eviction_model },
		{ "what is left after a batch", test_reading },
		{ "takes that stand alone", test_each_alone },
		{ "the memory of many buckets", test_slabs },
		{ "all or none", test_all_or_none },
		{ "all or none of more keys than there is room for", test_all_or_none_in_no_room },
		{ "what is no take", test_bad_takes },
		{ "what a key was refused does not begin anew", test_count_of_refusals },
		{ "keys of 63 to 69 bytes", test_key_room },
		{ "giving back", test_settle },
		{ "giving back after a reset", test_settle_after_reset },
		{ "keys are told apart by all their bytes", test_keys },
		{ "hashes differ in half of their bits", test_hash },
		{ "a reload keeps buckets that mean the same", test_reload },
		{ "a table that becomes smaller", test_smaller },
		{ "large tables in parts", test_approximate },
		{ "what a bucket costs", test_memory },
		{ NULL, NULL },
	};

	return suite_run("plugins/store/memory tables", tests);
}
