/* SPDX-License-Identifier: Apache-2.0 */
/*
 * take.c - takes, peeks at and gives back tokens.  The take's cookie is the hash of its key
 * from locking to lookup, and after a grant, for 'give_back', the bucket's birth and the period.
 */
#include "table.h"

#include <string.h>

/* The bits of a period's number in a cookie; two more bits stay free for the store "redis". */
#define TAG_MASK UINT64_C(0x3fffffff)

static table *
table_of(const limen_store_take *take)
{
	return ((const handle *)take->table)->table;
}
static uint64_t
hash_of(const tables *all, const limen_store_take *take)
{
	return key_hash(&all->seed, take->key, take->key_length);
}

/* Hashes all keys and stores the set of their locks; false if a key or an amount is invalid. */
static bool
prepare(const tables *all, limen_store_take *takes, size_t count, uint64_t *locks)
{
	*locks = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t hash;

		if (takes[i].key_length > LIMEN_KEY_MAX || takes[i].amount < 0)
			return false;
		hash = hash_of(all, &takes[i]);
		takes[i].cookie = hash;
		*locks |= UINT64_C(1) << table_lock_of(table_of(&takes[i]), hash);
	}
	return true;
}

static void
lock(tables *all, uint64_t locks)
{
	for (; locks != 0; locks &= locks - 1)
		spin_hold(&all->locks[__builtin_ctzll(locks)]);
}

static void
unlock(tables *all, uint64_t locks)
{
	for (; locks != 0; locks &= locks - 1)
		spin_release(&all->locks[__builtin_ctzll(locks)]);
}

/* Returns the part of a cookie that names the period a take was counted in. */
static uint64_t
tag_of(const limen_meter *meter, const limen_meter_state *state)
{
	return ((uint64_t)limen_meter_number(meter, state) & TAG_MASK) << 32;
}

static void
take_window(limen_store_take *take, bucket *found, size_t index, limen_time now)
{
	handle *opened = take->table;

	take->granted = limen_meter_take(&opened->meter, &found->state,
	                                 handle_period(opened, index, now), take->amount, now,
	                                 &take->wait);
	take->cookie = found->birth | tag_of(&opened->meter, &found->state);
}

/* Sets '*forgetful' if a bucket that was not full had to be evicted, or a new key found no room. */
static limen_verdict
take_one(limen_store_take *take, limen_time now, const handle **forgetful)
{
	handle *opened = take->table;
	const limen_meter *meter = &opened->meter;
	size_t index = table_shard_index(opened->table, take->cookie);
	shard *place = &opened->table->shards[index];
	bucket_key key = { take->key, take->key_length, take->cookie };
	bucket *found = shard_use(place, &key, &opened->rules, now);

	if (place->forgot) {
		place->forgot = false;
		*forgetful = opened;
	}
	if (found == NULL) {
		if (opened->rules.keeps_used && place->count >= opened->rules.capacity) {
			take->wait = TAKE_CROWDED;
			atomic_store(&opened->table->crowded, true);
			*forgetful = opened;
		}
		return LIMEN_ERROR;
	}
	if (meter->kind != LIMEN_METER_TOKEN) {
		take_window(take, found, index, now);
	} else {
		take->granted = limen_meter_take(meter, &found->state, NULL, take->amount, now,
		                                 &take->wait);
		take->cookie = found->birth;
	}
	if (take->granted)
		return LIMEN_PASS;
	place->refusals++;
	found->refusals += found->refusals < UINT32_MAX;
	return LIMEN_FAIL;
}

/* Sums what the takes before 'take' were granted from the same bucket. */
static int64_t
granted_before(const limen_store_take *takes, const limen_store_take *take)
{
	int64_t sum = 0;

	for (; takes != take; takes++) {
		if (takes->granted && table_of(takes) == table_of(take) &&
		    takes->cookie == take->cookie && takes->key_length == take->key_length &&
		    memcmp(takes->key, take->key, take->key_length) == 0)
			sum += takes->amount; /* no more in all than a bucket holds */
	}
	return sum;
}

/* Returns the state of the bucket of 'take', which has this hash, or of a new one. */
static limen_meter_state
read_state(const limen_store_take *take, uint64_t hash, limen_time now)
{
	const shard *place = table_shard(table_of(take), hash);
	bucket_key key = { take->key, take->key_length, hash };
	bucket *found = shard_find(place, &key);

	return found == NULL ? limen_meter_start(&((const handle *)take->table)->meter, now)
	                     : found->state;
}

/* As take_one(), but changes nothing: no bucket is created or becomes the newest. */
static limen_verdict
peek_one(const limen_store_take *takes, limen_store_take *take, limen_time now)
{
	handle *opened = take->table;
	const limen_meter *meter = &opened->meter;
	const limen_period *period = handle_period(
		opened, table_shard_index(opened->table, take->cookie), now);
	limen_meter_state seen = read_state(take, take->cookie, now);
	int64_t before = granted_before(takes, take);

	if (before > 0)
		limen_meter_take(meter, &seen, period, before, now, &take->wait);
	take->granted = limen_meter_take(meter, &seen, period, take->amount, now, &take->wait);
	return take->granted ? LIMEN_PASS : LIMEN_FAIL;
}

/* Puts back what 'take' was granted, if its bucket is still the same. */
static bool
give_one(const tables *all, const limen_store_take *take)
{
	uint64_t hash = hash_of(all, take);
	shard *place = table_shard(table_of(take), hash);
	bucket_key key = { take->key, take->key_length, hash };
	bucket *found = shard_find(place, &key);
	const limen_meter *meter = &table_of(take)->meter;
	limen_meter_state *state;
	uint64_t later;

	if (found == NULL || found->birth != (uint32_t)take->cookie)
		return false;
	state = &found->state;
	/* How many periods of a window have begun since. */
	later = ((tag_of(meter, state) - take->cookie) >> 32) & TAG_MASK;
	limen_meter_give(meter, state, take->amount,
	                 limen_meter_number(meter, state) - (int64_t)later);
	return true;
}

/* Revokes all grants after a refusal; their wait is 0, since their tokens are available. */
static void
undo(const tables *all, limen_store_take *takes, size_t count, bool taken)
{
	for (size_t i = 0; i < count; i++) {
		if (!takes[i].granted)
			continue;
		if (taken && give_one(all, &takes[i]))
			table_shard(table_of(&takes[i]), hash_of(all, &takes[i]))->refusals++;
		takes[i].granted = false;
		takes[i].wait = 0;
	}
}

/* Tells what the bucket has in the end.  Not inlined: few callers want to know. */
static __attribute__((noinline)) void
tell(const tables *all, const limen_store_take *take, limen_time now)
{
	handle *opened = take->table;
	uint64_t hash = hash_of(all, take);

	limen_meter_look(&opened->meter, read_state(take, hash, now),
	                 handle_period(opened, table_shard_index(opened->table, hash), now), now,
	                 take->reading);
}

limen_verdict
take_batch(tables *all, limen_store_take *takes, size_t count, unsigned flags, limen_time now)
{
	bool looking = (flags & LIMEN_TAKE_PEEK) != 0;
	limen_verdict verdict = LIMEN_PASS;
	const handle *forgetful = NULL;
	uint64_t locks;

	if (!prepare(all, takes, count, &locks))
		return LIMEN_ERROR;
	lock(all, locks);
	for (size_t i = 0; i < count; i++) {
		limen_verdict result = looking ? peek_one(takes, &takes[i], now)
		                               : take_one(&takes[i], now, &forgetful);

		/* LIMEN_ERROR outranks LIMEN_FAIL, which outranks LIMEN_PASS. */
		if (result == LIMEN_ERROR || (result == LIMEN_FAIL && verdict == LIMEN_PASS))
			verdict = result;
	}
	if (verdict != LIMEN_PASS && (flags & LIMEN_TAKE_ALL))
		undo(all, takes, count, !looking);
	for (size_t i = 0; i < count; i++)
		if (takes[i].reading != NULL)
			tell(all, &takes[i], now);
	unlock(all, locks);
	if (forgetful != NULL)
		table_warn(all, forgetful);
	return verdict;
}

void
take_settle(tables *all, const limen_store_take *takes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t bit = UINT64_C(1) << table_lock_of(table_of(&takes[i]),
		                                           hash_of(all, &takes[i]));

		lock(all, bit);
		give_one(all, &takes[i]);
		unlock(all, bit);
	}
}
