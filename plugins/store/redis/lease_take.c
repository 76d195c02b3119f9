/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lease_take.c - batches of takes: all locks of a batch are held while it is
 * answered.  Meanwhile the hash of a key is kept in the take's 'wait', or what is
 * answered there if it is refused.
 */
#include "lease.h"
#include "rules.h"

/* What is told to try again after when Redis has not been asked yet, or is being asked. */
#define SOON (LIMEN_SECOND / 100)
#define FULL LIMEN_SECOND

static unsigned
prepare(const leases *all, limen_store_take *takes, size_t count)
{
	unsigned locks = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t hash = key_hash(&all->seed, takes[i].key, takes[i].key_length);

		takes[i].granted = false;
		takes[i].wait = (int64_t)hash;
		locks |= 1U << lease_shard_index(hash);
	}
	return locks;
}

static void
lock(leases *all, unsigned locks)
{
	for (; locks != 0; locks &= locks - 1)
		pthread_mutex_lock(&all->shards[__builtin_ctz(locks)].lock);
}

static void
unlock(leases *all, unsigned locks)
{
	for (; locks != 0; locks &= locks - 1)
		pthread_mutex_unlock(&all->shards[__builtin_ctz(locks)].lock);
}

static limen_duration
wait_for(const lease *one, int64_t now)
{
	if (one->told == 0 || one->none_before <= now)
		return SOON;
	return (one->none_before - now) / 1000 + 1;
}

/* More is asked for before there is none left, and not before there can be more. */
static void
ask_for_more(leases *all, lease *one, int64_t now)
{
	bool enough = one->held * 2 >= one->target && one->wanted <= one->held;

	if (!enough && now >= one->none_before)
		leases_queue(all, one);
}

static void
take_one(leases *all, limen_store_take *take, int64_t now)
{
	uint64_t hash = (uint64_t)take->wait;
	lease_shard *shard = leases_shard(all, hash);
	lease *one;

	if (take->amount > ((const book *)take->table)->burst) {
		take->wait = -1;
		return;
	}
	one = lease_get(all, shard, take, hash);
	if (one == NULL) {
		take->wait = FULL;
		return;
	}
	lease_forget_lapsed(one, now);
	one->touched = now;
	take->granted = one->held >= take->amount;
	if (take->granted) {
		one->held -= take->amount;
		one->used += take->amount;
	} else {
		if (one->wanted < take->amount)
			one->wanted = take->amount;
		take->wait = wait_for(one, now);
	}
	ask_for_more(all, one, now);
}

static void
undo(leases *all, const limen_store_take *takes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t hash = (uint64_t)takes[i].wait;
		lease *one;

		if (!takes[i].granted)
			continue;
		one = lease_find(leases_shard(all, hash), &takes[i], hash);
		if (one == NULL)
			continue;
		one->held += takes[i].amount;
		one->used -= takes[i].amount;
	}
}

bool
leases_take(leases *all, limen_store_take *takes, size_t count, unsigned flags,
            limen_verdict *verdict)
{
	int64_t now = limen_host_monotonic();
	bool passes = true;
	bool none;
	unsigned locks;

	if (!atomic_load(&all->up))
		return false;
	locks = prepare(all, takes, count);
	lock(all, locks);
	for (size_t i = 0; i < count; i++) {
		take_one(all, &takes[i], now);
		passes = passes && takes[i].granted;
	}
	none = !passes && (flags & LIMEN_TAKE_ALL);
	if (none || (flags & LIMEN_TAKE_PEEK))
		undo(all, takes, count);
	unlock(all, locks);
	for (size_t i = 0; i < count; i++) {
		if (!takes[i].granted)
			continue;
		takes[i].granted = !none;
		takes[i].wait = none ? 0 : GRANTED_BY_LEASE;
	}
	*verdict = passes ? LIMEN_PASS : LIMEN_FAIL;
	return true;
}

/*
 * Undoes a use that Redis has not been told of.  Otherwise the tokens go back to
 * the bucket, and come from there again.
 */
void
leases_give(leases *all, const limen_store_take *take)
{
	uint64_t hash = key_hash(&all->seed, take->key, take->key_length);
	lease_shard *shard = leases_shard(all, hash);
	lease *one;

	pthread_mutex_lock(&shard->lock);
	one = lease_get(all, shard, take, hash);
	if (one != NULL && one->used >= take->amount &&
	    limen_host_monotonic() < one->good_until) {
		one->held += take->amount;
		one->used -= take->amount;
	} else if (one != NULL) {
		one->given += take->amount;
		one->none_before = 0;
		leases_queue(all, one);
	}
	pthread_mutex_unlock(&shard->lock);
}
