/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modes.h - how takes are answered: in mode strict, by one call of Redis for each batch, over one
 * of a few connections; in mode lease, from tokens that a thread leases; without Redis, locally.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_MODES_H
#define LIMEN_PLUGINS_STORE_REDIS_MODES_H

#include <pthread.h>

#include "../../support/bucket/key_hash.h"
#include "table_spec.h"
#include "wire.h"

/* ---- call.c: calls of scripts in both modes; list.c: the list of buckets ---- */

/* The part that granted a take: the low bits of its cookie. */
enum {
	GRANTED_BY_REDIS = 0,
	GRANTED_BY_LEASE = 1,
	GRANTED_LOCALLY = 2, /* the higher bits hold the cookie of the memory store */
	GRANTED_BITS = 2
};

/* With the prefix, the key that marks the database. */
#define CALL_MARK "mark"

/*
 * Begins a call of 'script' on 'keys' buckets, with as many arguments; the keys follow.  The
 * script is its hash, as in wire.sha, or its text, which Redis need not have loaded.
 */
void
call_begin(wire *to, const settings *options, const char *script, size_t keys, size_t arguments);

/* One of the arguments: what a change of the server leaves of the state. */
const char *call_trust(const settings *options);

/* After the keys, three arguments: run, trust, new. */
void call_state(wire *to, const settings *options);

/* The name of a bucket: of its key or, if that is long, of the key's hash. */
void call_bucket(wire *to, const table_spec *table, const char *key, size_t length);

/*
 * As many arguments: tokens, period, burst; of a window its letter, its length or the two periods
 * of a calendar that it may be now, and N (0: as at its latest take).
 */
#define CALL_METER 3
void call_meter(wire *to, const limen_meter *meter);

/* One argument: at most the quota + 1, which is never granted either. */
void call_amount(wire *to, const limen_meter *meter, int64_t amount);

/* Returns true for the error of a Redis without memory (maxmemory); NULL is none. */
bool answer_is_full(const redisReply *reply);

/* Checks that 'reply' is an array of 'count' numbers from -1 on; else the connection fails. */
bool answer_check(wire *from, const redisReply *reply, size_t count);

/*
 * Lists the buckets as 'each_bucket' of a store does, or resets them as 'reset_buckets' does, over
 * a separate connection.
 */
int
list_buckets(const location *where, const settings *options, bool resets, limen_deadline deadline,
             bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag);

/*
 * ---- reconnect.c: connections, made on the store's own threads, with growing retry delays ----
 *
 * Servers and proxies close idle connections: if one that lasted breaks without a call in
 * flight, that is no loss, and another is made at once.  A server that accepts the login and
 * then closes the connection or sends malformed replies counts as unreachable until it has
 * written something; retries slow down until a connection lasts.  A server without memory
 * (maxmemory) can be reached: what it cannot count is refused.
 */

/* When to retry what a server without memory could not count, in microseconds. */
#define RECONNECT_FULL_WAIT LIMEN_SECOND

typedef struct reconnect {
	limen_host *host;
	const location *where;
	const settings *options;
	bool evicts_noted;
	pthread_mutex_t lock; /* of what follows */
	atomic_bool doubted;  /* only a write, not a connection, ends the loss */
	bool waits;           /* before the next attempt */
	unsigned attempts;    /* since the last success */
	char error[200];      /* "" while Redis can be reached */
	int64_t full_logged;  /* when the log last told that memory is full (monotonic); 0: never */
} reconnect;

void reconnect_open(reconnect *self, limen_host *host, const location *where,
                    const settings *options);
void reconnect_close(reconnect *self);

/*
 * Returns a connection, after a delay if the last one failed; NULL if the attempt fails or the
 * instance is closing.  The caller then tells the host that the store is ready.
 */
wire *reconnect_wire(reconnect *self);

/*
 * Waits until 'wake', an eventfd, was written, 'fd' (-1: none) is ready for 'events' of
 * poll(), 'milliseconds' (-1: no bound) have passed, or the instance is being closed.
 * Returns whether 'fd' is ready.
 */
bool reconnect_wait(const reconnect *self, int wake, int fd, short events, int milliseconds);

/*
 * Notes the failure of 'failed', with a call 'in_flight' or not.  Returns true if that is a loss;
 * a loss is logged once until Redis is back.
 */
bool reconnect_lost(reconnect *self, const wire *failed, bool in_flight);

/* Notes that a reply on 'by' confirmed a write. */
void reconnect_wrote(reconnect *self, wire *by);

/* Notes that memory for a write was lacking; logs that at most once a minute. */
void reconnect_full(reconnect *self);

/* Copies the reason why Redis cannot be reached; false if there is none. */
bool reconnect_error(reconnect *self, char *out, size_t size);

/*
 * ---- lease.c: tokens that Redis has set aside for this process, found by bucket ----
 *
 * A take uses leases only.  Redis has set aside 'held' plus 'used' since the last report;
 * a token given back before the next report undoes a use.
 */

typedef struct lease {
	struct lease *next;   /* with the same head */
	struct lease *queued_after;
	table_spec *table;
	uint64_t hash;
	int64_t held;
	int64_t used;
	int64_t given;       /* tokens given back after their use was reported */
	int64_t wanted;      /* the largest refused take since Redis was last asked */
	int64_t target;      /* tokens that the lease should hold */
	int64_t good_until;  /* Redis counts held tokens as used after that */
	int64_t none_before; /* Redis has no tokens before that */
	int64_t touched;     /* by a take */
	int64_t told;        /* when Redis last answered; 0: never */
	int64_t left;        /* in the bucket, as Redis last told; -1: it has not */
	limen_time left_since; /* when the bucket reached that, in microseconds; of a window: its reset */
	int64_t number;      /* of a window: the period that Redis last told of */
	int64_t requested;   /* what the call in flight asked for at most */
	bool queued;
	bool in_flight;
	uint16_t key_length;
	char key[];
} lease;

typedef struct leases {
	key_hash_seed seed;
	pthread_mutex_t lock; /* of the leases and of the queue */
	lease **heads;
	size_t capacity;
	atomic_size_t count;
	int64_t least; /* bounds of a target */
	int64_t most;
	atomic_bool up; /* Redis can be asked */
	lease *first;
	lease *last;
	atomic_bool awake; /* the thread that asks Redis has been woken */
	int wake; /* an eventfd */
} leases;

/* Returns false when memory or descriptors are short. */
bool leases_open(leases *all, size_t capacity, int64_t least, int64_t most);
void leases_close(leases *all);

/* Answers a batch from the leases, as a store does; false if Redis is unreachable. */
bool leases_take(leases *all, limen_store_take *takes, size_t count, unsigned flags,
                 limen_verdict *verdict);

void leases_give(leases *all, const limen_store_take *take);

/* Takes the next lease to report out of the queue; NULL: none. */
lease *leases_next(leases *all);

/* Calls 'each' with the lock held; frees each lease for which it returns false (NULL: all). */
void leases_each(leases *all, bool (*each)(void *data, lease *entry), void *data);

/* Empties all leases: the next connection starts without any. */
void leases_empty(leases *all);

/* The caller of these functions holds the lock. */

/* Queues 'entry', unless it is queued or in flight. */
void leases_queue(leases *all, lease *entry);

/* Counts tokens of a lapsed lease as used. */
void lease_forget_lapsed(lease *entry, int64_t now);

/* Returns the tokens it should hold, from its rate and its recent use. */
int64_t leases_target(const leases *all, const lease *entry);

/* ---- strict.c: a pool of connections ---- */

#define STRICT_WIRES_MAX 64

typedef struct strict {
	settings *options;
	reconnect *reconnect;
	size_t wanted; /* connections */
	int wake;      /* an eventfd: there are fewer */
	pthread_mutex_t lock;
	pthread_cond_t freed; /* a connection is idle, or all are gone */
	wire *idle[STRICT_WIRES_MAX];
	size_t idle_count;
	size_t up; /* idle ones and those in use */
	int64_t renewed_by; /* takes wait until then, even if none is up */
} strict;

/* Starts the thread.  Returns false if memory or descriptors are short. */
bool strict_open(strict *self, settings *options, reconnect *where);
void strict_close(strict *self);

/*
 * Answers a batch as a store does, with table specs as tables.  Returns false if Redis is
 * unreachable; after 'deadline' (monotonic) the verdict is LIMEN_ERROR in any case.
 */
bool strict_take(strict *self, limen_store_take *takes, size_t count, unsigned flags,
                 limen_deadline deadline, limen_verdict *verdict);

/* Gives back what one take was granted, if Redis can be reached at once. */
void strict_give(strict *self, const limen_store_take *take);

size_t strict_up(strict *self);

/* ---- sync.c: a thread that requests wanted tokens and returns idle ones, in pipelines ---- */

/* The most calls in one pipeline. */
#define SYNC_BATCH 128

typedef struct sync_state {
	leases *leases;
	settings *options;
	reconnect *reconnect;
	int64_t lasts; /* how long a lease is good, in nanoseconds */
	char client[40]; /* the name of the leases of this connection */
	wire *wire;
	lease *flight[SYNC_BATCH];
	size_t flight_count;
	size_t answered;
	int64_t sent_at;
	int64_t looked_at; /* all leases */
} sync_state;

/* Starts the thread.  Returns false if memory is short. */
bool sync_open(sync_state *self, leases *all, settings *options, reconnect *where);

/* ---- fallback.c: answers while Redis is unreachable: this process' share, or a fixed one ---- */

typedef struct fallback {
	const settings *options;
	struct tables *tables; /* NULL unless takes are counted locally */
} fallback;

/* Returns false when memory is short. */
bool fallback_open(fallback *self, limen_host *host, const settings *options);
void fallback_close(fallback *self);

/* Gives 'owner' its share; false when memory is short. */
bool fallback_add(const fallback *self, table_spec *owner, const char *name,
                  const limen_table_spec *spec);
void fallback_remove(const fallback *self, table_spec *owner);

limen_verdict fallback_take(const fallback *self, limen_store_take *takes, size_t count,
                            unsigned flags, limen_time now);
void fallback_give(const fallback *self, const limen_store_take *take);

#endif
