/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lease.c - the table of leases, its queue, and batches of takes.  The lock is held while a batch
 * is answered.  A take's cookie is the address of its lease meanwhile.
 */
#include "modes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEADS 16384

/* Retry delay while Redis has not answered yet, and when no lease has room. */
#define SOON (LIMEN_SECOND / 100)
#define FULL LIMEN_SECOND

bool
leases_open(leases *all, nodes *list, size_t capacity, int64_t least, int64_t most)
{
	*all = (leases){ .nodes = list, .capacity = capacity, .least = least, .most = most };
	key_hash_draw(&all->seed);
	pthread_mutex_init(&all->lock, NULL);
	all->heads = calloc(HEADS, sizeof(lease *));
	if (all->heads != NULL)
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
	pthread_mutex_destroy(&all->lock);
}

static void
lease_free(leases *all, lease *entry)
{
	table_spec_unref(entry->table);
	free(entry);
	atomic_fetch_sub(&all->count, 1);
}

/* Makes room by dropping an empty lease of the same chain, though none touched 'now'. */
static bool
make_room(leases *all, uint64_t hash, int64_t now)
{
	lease **link = &all->heads[hash % HEADS];

	if (atomic_load(&all->count) < all->capacity)
		return true;
	for (; *link != NULL; link = &(*link)->next) {
		lease *entry = *link;

		if (entry->queued || entry->in_flight || entry->touched == now ||
		    entry->held + entry->used + entry->given > 0)
			continue;
		*link = entry->next;
		lease_free(all, entry);
		return true;
	}
	return false;
}

/* Returns the lease for 'take'; NULL if there are too many, or memory is short. */
static lease *
lease_get(leases *all, const limen_store_take *take, int64_t now)
{
	uint64_t hash = key_hash(&all->seed, take->key, take->key_length);
	lease **head = &all->heads[hash % HEADS];
	lease *entry = *head;
	table_spec *table = take->table;

	while (entry != NULL &&
	       (entry->hash != hash || entry->key_length != take->key_length ||
	        memcmp(entry->key, take->key, take->key_length) != 0 ||
	        (entry->table != table && strcmp(entry->table->prefix, table->prefix) != 0)))
		entry = entry->next;
	if (entry == NULL && make_room(all, hash, now)) {
		entry = calloc(1, sizeof(*entry) + take->key_length);
		if (entry == NULL)
			return NULL;
		entry->table = table;
		entry->hash = hash;
		entry->tag = (uint16_t)nodes_tag(all->nodes, take);
		entry->key_length = (uint16_t)take->key_length;
		memcpy(entry->key, take->key, take->key_length);
		entry->target = leases_target(all, entry);
		entry->left = -1;
		entry->next = *head;
		*head = entry;
		table_spec_ref(table);
		atomic_fetch_add(&all->count, 1);
	}
	return entry;
}

void
lease_forget_lapsed(lease *entry, int64_t now)
{
	if (now < entry->good_until)
		return;
	entry->held = 0;
	entry->used = 0;
}

int64_t
leases_target(const leases *all, const lease *entry)
{
	int64_t quota = limen_meter_quota(&entry->table->meter);
	int64_t most = quota / 8;
	int64_t target = entry->table->lease;

	if (target < entry->used * 2)
		target = entry->used * 2;
	if (target > all->most)
		target = all->most;
	if (target > most)
		target = most;
	if (target < all->least)
		target = all->least;
	return target > quota ? quota : target;
}

void
leases_each(leases *all, bool (*each)(void *data, lease *entry), void *data)
{
	pthread_mutex_lock(&all->lock);
	for (size_t head = 0; head < HEADS; head++) {
		lease **link = &all->heads[head];

		while (*link != NULL) {
			lease *entry = *link;

			if (each != NULL && each(data, entry)) {
				link = &entry->next;
				continue;
			}
			*link = entry->next;
			lease_free(all, entry);
		}
	}
	pthread_mutex_unlock(&all->lock);
}

static bool
empty(void *data, lease *entry)
{
	if (entry->node != data)
		return true;
	entry->held = entry->used = entry->given = 0;
	entry->told = 0;
	entry->left = -1;
	entry->none_before = 0;
	entry->in_flight = false;
	return true;
}

void
leases_empty(leases *all, node *of)
{
	leases_each(all, empty, of);
}

/* ---- the queues ---- */

void
leases_queue(leases *all, lease *entry)
{
	node *to = entry->asked == NULL ? nodes_find(all->nodes, entry->tag) : entry->asked;

	if (entry->queued || entry->in_flight)
		return;
	entry->node = to;
	entry->queued = true;
	entry->queued_after = NULL;
	if (to->first == NULL)
		to->first = entry;
	else
		to->last->queued_after = entry;
	to->last = entry;
	if (!atomic_exchange(&to->awake, true))
		node_wake(to);
}

lease *
leases_next(leases *all, node *from)
{
	lease *entry;

	pthread_mutex_lock(&all->lock);
	entry = from->first;
	if (entry != NULL)
		from->first = entry->queued_after;
	pthread_mutex_unlock(&all->lock);
	return entry;
}

void
leases_move(leases *all, node *from)
{
	lease *entry;

	while (!atomic_load(&from->used) && (entry = leases_next(all, from)) != NULL) {
		pthread_mutex_lock(&all->lock);
		entry->queued = false;
		entry->asked = NULL;
		leases_queue(all, entry);
		pthread_mutex_unlock(&all->lock);
	}
}

static void
take_one(leases *all, limen_store_take *take, int64_t now)
{
	const table_spec *table = take->table;
	bool fits = take->amount <= limen_meter_quota(&table->meter);
	lease *entry = fits ? lease_get(all, take, now) : NULL;

	take->cookie = (uintptr_t)entry;
	take->granted = false;
	if (entry == NULL) {
		take->wait = fits ? FULL : take->wait;
		return;
	}
	lease_forget_lapsed(entry, now);
	entry->touched = now;
	take->granted = entry->held >= take->amount;
	if (take->granted) {
		entry->held -= take->amount;
		entry->used += take->amount;
	} else {
		if (entry->wanted < take->amount)
			entry->wanted = take->amount;
		take->wait = entry->told == 0 || entry->none_before <= now
		                     ? SOON
		                     : (entry->none_before - now) / 1000 + 1;
	}
	/* More is asked for before the lease is empty, unless Redis has said there are none. */
	if ((entry->held * 2 < entry->target || entry->wanted > entry->held) &&
	    now >= entry->none_before)
		leases_queue(all, entry);
}

/*
 * Tells what the lease holds and the bucket has by now.  The bucket does not refill what was leased
 * before Redis knows of its use.
 */
static void
tell_window(const lease *entry, int64_t now, limen_reading *out)
{
	bool slides = entry->table->meter.kind == LIMEN_METER_SLIDING;

	out->quota = limen_meter_quota(&entry->table->meter);
	out->remaining = entry->left + entry->held;
	out->reset = entry->left_since > now / 1000 ? entry->left_since - now / 1000 : 0;
	if (out->reset == 0 && !slides)
		out->remaining = out->quota;
	if (out->remaining > 0 && slides)
		out->reset = 0;
}

static void
tell(const lease *entry, int64_t now, limen_reading *out)
{
	limen_meter meter = entry->table->meter;
	limen_meter_state state = { .level = { entry->left_since, entry->left, 0 } };
	int64_t quota = meter.rate.burst;

	meter.rate.burst -= entry->held + entry->used;
	if (state.level.tokens > meter.rate.burst)
		state.level.tokens = meter.rate.burst;
	limen_meter_look(&meter, state, NULL, now / 1000, out);
	out->quota = quota;
	out->remaining += entry->held;
	if (out->reset == 0 && out->remaining < quota)
		out->reset = (limen_duration)(meter.rate.period / meter.rate.tokens + 1);
}

static void
undo(const limen_store_take *take)
{
	lease *entry = (lease *)(uintptr_t)take->cookie;

	if (!take->granted)
		return;
	entry->held += take->amount;
	entry->used -= take->amount;
}

/* Tells what is left, and sets the cookie: who granted the take, and in which period; with 'none' nobody. */
static void
conclude(limen_store_take *take, bool none, int64_t now)
{
	const lease *entry = (const lease *)(uintptr_t)take->cookie;

	if (take->reading != NULL && entry != NULL && entry->left >= 0) {
		if (entry->table->meter.kind == LIMEN_METER_TOKEN)
			tell(entry, now, take->reading);
		else
			tell_window(entry, now, take->reading);
	}
	take->cookie = GRANTED_BY_LEASE;
	if (take->granted)
		take->cookie |= (uint64_t)entry->number << GRANTED_BITS;
	take->wait = take->granted && none ? 0 : take->wait;
	take->granted = take->granted && !none;
}

bool
leases_take(leases *all, limen_store_take *takes, size_t count, unsigned flags,
            limen_verdict *verdict)
{
	int64_t now = limen_host_monotonic();
	bool passes = true;
	bool none, undone;

	for (size_t i = 0; i < count; i++) {
		if (!atomic_load(&nodes_find(all->nodes, nodes_tag(all->nodes, &takes[i]))->leases))
			return false;
	}
	pthread_mutex_lock(&all->lock);
	for (size_t i = 0; i < count; i++) {
		take_one(all, &takes[i], now);
		passes = passes && takes[i].granted;
	}
	none = !passes && (flags & LIMEN_TAKE_ALL);
	undone = none || (flags & LIMEN_TAKE_PEEK);
	for (size_t i = 0; undone && i < count; i++)
		undo(&takes[i]);
	for (size_t i = 0; i < count; i++)
		conclude(&takes[i], none, now);
	pthread_mutex_unlock(&all->lock);
	*verdict = passes ? LIMEN_PASS : LIMEN_FAIL;
	return true;
}

/*
 * Undoes a use that Redis does not know of yet; otherwise returns the tokens to the bucket.  What was
 * taken in an earlier period stays used.
 */
void
leases_give(leases *all, const limen_store_take *take)
{
	int64_t now = limen_host_monotonic();
	lease *entry;

	pthread_mutex_lock(&all->lock);
	entry = lease_get(all, take, now);
	if (entry != NULL && entry->number != (int64_t)(take->cookie >> GRANTED_BITS))
		entry = NULL;
	if (entry != NULL && entry->used >= take->amount && now < entry->good_until) {
		entry->held += take->amount;
		entry->used -= take->amount;
	} else if (entry != NULL) {
		entry->given += take->amount;
		entry->none_before = 0;
		leases_queue(all, entry);
	}
	pthread_mutex_unlock(&all->lock);
}
