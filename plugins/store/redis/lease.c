/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lease.c - the table of leases.  lease_take.c takes from them.
 */
#include "lease.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lease_private.h"

#define HEADS 1024

static bool
open_shards(leases *all)
{
	for (size_t i = 0; i < LEASE_SHARDS; i++) {
		pthread_mutex_init(&all->shards[i].lock, NULL);
		all->shards[i].heads = calloc(HEADS, sizeof(lease *));
		if (all->shards[i].heads == NULL)
			return false;
	}
	return true;
}

bool
leases_open(leases *all, size_t capacity, int64_t least, int64_t most)
{
	*all = (leases){ .capacity = capacity, .least = least, .most = most };
	key_hash_draw(&all->seed);
	pthread_mutex_init(&all->queue_lock, NULL);
	all->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (open_shards(all) && all->wake >= 0)
		return true;
	leases_close(all);
	return false;
}

void
leases_close(leases *all)
{
	for (size_t i = 0; i < LEASE_SHARDS; i++) {
		if (all->shards[i].heads == NULL)
			continue;
		for (size_t head = 0; head < HEADS; head++) {
			while (all->shards[i].heads[head] != NULL) {
				lease *one = all->shards[i].heads[head];

				all->shards[i].heads[head] = one->next;
				book_unref(one->table);
				free(one);
			}
		}
		free(all->shards[i].heads);
		pthread_mutex_destroy(&all->shards[i].lock);
	}
	pthread_mutex_destroy(&all->queue_lock);
	if (all->wake >= 0)
		close(all->wake);
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

lease *
lease_find(const lease_shard *shard, const limen_store_take *take, uint64_t hash)
{
	lease *one = *head_of(shard, hash);

	while (one != NULL && !is_for(one, take, hash))
		one = one->next;
	return one;
}

/* Of leases that hold nothing, one with the same head can make room. */
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

lease *
lease_add(leases *all, lease_shard *shard, const limen_store_take *take, uint64_t hash)
{
	lease **head = head_of(shard, hash);
	lease *one = NULL;

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
lease_free(leases *all, lease *one)
{
	book_unref(one->table);
	free(one);
	atomic_fetch_sub(&all->count, 1);
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

				if (each(data, one)) {
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

/*
 * Decisions that began before may queue one at any time, if only to give back; it stays, as
 * one of which Redis has told nothing.
 */
static bool
keep_queued(void *data, lease *one)
{
	(void)data;
	one->held = 0;
	one->used = 0;
	one->told = 0;
	one->none_before = 0;
	return one->queued;
}

void
leases_drop(leases *all)
{
	lease *one;

	/* Nobody may find one in the queue that is gone. */
	do {
		one = leases_next(all);
		if (one != NULL) {
			lease_shard *shard = leases_shard(all, one->hash);

			pthread_mutex_lock(&shard->lock);
			one->queued = false;
			pthread_mutex_unlock(&shard->lock);
		}
	} while (one != NULL);
	leases_each(all, keep_queued, NULL);
}

/* ---- the queue ---- */

static void
wake(leases *all)
{
	uint64_t count = 1;

	/* A full counter, the only failure there is, wakes as well. */
	if (!atomic_exchange(&all->awake, true))
		(void)!write(all->wake, &count, sizeof(count));
}

void
leases_queue(leases *all, lease *one)
{
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
	wake(all);
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
