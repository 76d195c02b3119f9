/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lease.c - the table of leases, its queue, and batches of takes: all locks of a batch
 * are held while it is answered.  Meanwhile the hash of a key is kept in the take's
 * 'wait', or what is answered there if it is refused.
 */
#include "lease.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "call.h"

#define HEADS 1024

/* Retry delay while Redis has not answered yet, and when no lease has room. */
#define SOON (LIMEN_SECOND / 100)
#define FULL LIMEN_SECOND

bool
leases_open(leases *all, size_t capacity, int64_t least, int64_t most)
{
	*all = (leases){ .capacity = capacity, .least = least, .most = most };
	key_hash_draw(&all->seed);
	pthread_mutex_init(&all->queue_lock, NULL);
	all->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	all->heads = calloc((size_t)LEASE_SHARDS * HEADS, sizeof(lease *));
	for (size_t i = 0; i < LEASE_SHARDS; i++)
		pthread_mutex_init(&all->shards[i].lock, NULL);
	for (size_t i = 0; i < LEASE_SHARDS && all->heads != NULL; i++)
		all->shards[i].heads = all->heads + i * HEADS;
	if (all->heads != NULL && all->wake >= 0)
		return true;
	leases_close(all);
	return false;
}

void
leases_close(leases *all)
{
	if (all->heads != NULL)
		leases_each(all, NULL, NULL);
	free(all->heads);
	for (size_t i = 0; i < LEASE_SHARDS; i++)
		pthread_mutex_destroy(&all->shards[i].lock);
	pthread_mutex_destroy(&all->queue_lock);
	if (all->wake >= 0)
		close(all->wake);
}

/* Not the bits that choose the head. */
static inline size_t
lease_shard_index(uint64_t hash)
{
	return hash >> 60 & (LEASE_SHARDS - 1);
}

lease_shard *
leases_shard(leases *all, uint64_t hash)
{
	return &all->shards[lease_shard_index(hash)];
}

static lease **
head_of(const lease_shard *shard, uint64_t hash)
{
	return &shard->heads[hash % HEADS];
}

static bool
is_for(const lease *one, const limen_store_take *take, uint64_t hash)
{
	const book *table = take->table;

	return one->hash == hash && one->key_length == take->key_length &&
	       memcmp(one->key, take->key, take->key_length) == 0 &&
	       (one->table == table || strcmp(one->table->prefix, table->prefix) == 0);
}

static lease *
lease_find(const lease_shard *shard, const limen_store_take *take, uint64_t hash)
{
	lease *one = *head_of(shard, hash);

	while (one != NULL && !is_for(one, take, hash))
		one = one->next;
	return one;
}

static void
lease_free(leases *all, lease *one)
{
	book_unref(one->table);
	free(one);
	atomic_fetch_sub(&all->count, 1);
}

/* Makes room by dropping a lease of the same chain that holds nothing. */
static bool
make_room(leases *all, const lease_shard *shard, uint64_t hash)
{
	lease **link = head_of(shard, hash);

	if (atomic_load(&all->count) < all->capacity)
		return true;
	for (; *link != NULL; link = &(*link)->next) {
		lease *one = *link;

		if (one->queued || one->in_flight || one->held + one->used + one->given > 0)
			continue;
		*link = one->next;
		lease_free(all, one);
		return true;
	}
	return false;
}

/* As lease_find(), or a new one; NULL if there are too many, or memory is short. */
static lease *
lease_get(leases *all, lease_shard *shard, const limen_store_take *take, uint64_t hash)
{
	lease **head = head_of(shard, hash);
	lease *one = lease_find(shard, take, hash);

	if (one != NULL)
		return one;
	if (make_room(all, shard, hash))
		one = calloc(1, sizeof(*one) + take->key_length);
	if (one == NULL)
		return NULL;
	one->table = take->table;
	one->hash = hash;
	one->key_length = (uint16_t)take->key_length;
	memcpy(one->key, take->key, take->key_length);
	one->target = leases_target(all, one);
	one->next = *head;
	*head = one;
	book_ref(one->table);
	atomic_fetch_add(&all->count, 1);
	return one;
}

void
lease_forget_lapsed(lease *one, int64_t now)
{
	if (now < one->good_until)
		return;
	one->held = 0;
	one->used = 0;
}

int64_t
leases_target(const leases *all, const lease *one)
{
	int64_t most = one->table->burst / 8;
	int64_t target = one->table->lease;

	if (target < one->used * 2)
		target = one->used * 2;
	if (target > all->most)
		target = all->most;
	if (target > most)
		target = most;
	if (target < all->least)
		target = all->least;
	return target > one->table->burst ? one->table->burst : target;
}

void
leases_each(leases *all, bool (*each)(void *data, lease *one), void *data)
{
	for (size_t i = 0; i < LEASE_SHARDS; i++) {
		pthread_mutex_lock(&all->shards[i].lock);
		for (size_t head = 0; head < HEADS; head++) {
			lease **link = &all->shards[i].heads[head];

			while (*link != NULL) {
				lease *one = *link;

				if (each != NULL && each(data, one)) {
					link = &one->next;
					continue;
				}
				*link = one->next;
				lease_free(all, one);
			}
		}
		pthread_mutex_unlock(&all->shards[i].lock);
	}
}

static bool
empty(void *data, lease *one)
{
	(void)data;
	one->held = 0;
	one->used = 0;
	one->given = 0;
	one->told = 0;
	one->none_before = 0;
	one->in_flight = false;
	return true;
}

void
leases_empty(leases *all)
{
	leases_each(all, empty, NULL);
}

/* ---- the queue ---- */

void
leases_queue(leases *all, lease *one)
{
	uint64_t count = 1;

	if (one->queued || one->in_flight)
		return;
	one->queued = true;
	one->queued_after = NULL;
	pthread_mutex_lock(&all->queue_lock);
	if (all->first == NULL)
		all->first = one;
	else
		all->last->queued_after = one;
	all->last = one;
	pthread_mutex_unlock(&all->queue_lock);
	/* A full counter, the only failure there is, wakes as well. */
	if (!atomic_exchange(&all->awake, true))
		(void)!write(all->wake, &count, sizeof(count));
}

lease *
leases_next(leases *all)
{
	lease *one;

	pthread_mutex_lock(&all->queue_lock);
	one = all->first;
	if (one != NULL)
		all->first = one->queued_after;
	pthread_mutex_unlock(&all->queue_lock);
	return one;
}

/* ---- takes ---- */

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
