/* SPDX-License-Identifier: Apache-2.0 */
/*
 * modes.h - how takes are answered: in mode strict, by one call of Redis for each batch, over one
 * of a few connections; in mode lease, from tokens that a thread leases.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_MODES_H
#define LIMEN_PLUGINS_STORE_REDIS_MODES_H

#include <limen-sdk/meter.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../../support/bucket/key_hash.h"
#include "wire.h"

/* The part that granted a take: the low bits of its cookie. */
enum {
	GRANTED_BY_REDIS = 0,
	GRANTED_BY_LEASE = 1,
	GRANTED_LOCALLY = 2, /* the higher bits hold the cookie of the memory store */
	GRANTED_BITS = 2
};

/* ---- call.c: one table of a limit: the names of its buckets, its rate and its counters ---- */

#define TABLE_PREFIX_MAX 1024 /* names of entries are short */

/* Longer keys are named by the first 128 bits of their SHA-256, as hexadecimal digits. */
#define TABLE_KEY_MAX 64
#define TABLE_HASH_DIGITS 32

typedef struct table_spec {
	atomic_size_t users; /* references of instances and leases */
	limen_meter meter;
	int64_t lease; /* tokens of a tenth of a second, 1 at least */
	void *local;   /* the table in memory for when Redis is away, or NULL */
	atomic_llong takes;
	atomic_llong refusals;
	atomic_llong without; /* takes that were answered without Redis */
	char *prefix;         /* of the names of buckets, behind that of the store */
} table_spec;

/*
 * NULL with a problem in 'diag'.  The prefix holds rate, burst, name and keys: another rate
 * has other buckets, and "limen buckets" can read them: "b:" TOKENS/PERIOD/BURST ":" (of windows
 * "f/PERIOD:", "s/PERIOD:", "c/UNIT:": N may change) LENGTH ":" NAME ":" LENGTH ":" KEYS ":".  With
 * long keys it is "h:" instead of "b:", so no key is named like the hash of a long one.
 */
table_spec *table_spec_new(const char *prefix, const char *name, const limen_table_spec *spec,
                           limen_diag *diag);

/* The fields of a bucket's name; texts are borrowed from the name. */
typedef struct bucket_name {
	limen_meter meter;
	const char *table;
	size_t table_length;
	const char *key; /* if 'hashed', the digits of its hash */
	size_t key_length;
	bool hashed;
	unsigned short tag; /* in a cluster */
} bucket_name;

/* Returns the letter of a kind of window: "f", "s" or "c"; "" for tokens. */
const char *table_letter(limen_meter_kind kind);

/* The scripts count in numbers that are exact to 2^53: is the rate, reduced, in range? */
bool table_spec_is_exact(const limen_meter *meter);

void table_spec_unref(table_spec *spec); /* NULL is fine */

/* Reads the name of a bucket, with a NUL behind it; false if table_spec_new() makes no such name. */
bool table_spec_read(bucket_name *out, const char *prefix, const char *name, size_t length);

/*
 * Begins a call of 'script' on 'keys' buckets, with as many arguments; the keys follow.  The
 * script is its hash, as in wire.sha, or its text, which Redis need not have loaded.
 */
void call_begin(wire *to, const settings *options, const char *script, unsigned tag, size_t keys,
                size_t arguments);

/* One of the arguments: what a change of the server leaves of the state. */
const char *call_trust(const settings *options);

/* The name of a bucket: of its key or, if that is long, of the key's hash. */
void call_bucket(wire *to, const settings *options, unsigned tag, const limen_store_take *take);

/*
 * As many arguments: tokens, period, burst; of a window its letter, its length or the two periods
 * of a calendar that it may be now, and N (0: as at its latest take).
 */
#define CALL_METER 3
void call_meter(wire *to, const limen_meter *meter);

/* Errors of a Redis without memory, and of a slot that moves: a bucket cannot be made yet. */
#define ERROR_FULL "OOM command not allowed"
#define ERROR_EARLY "TRYAGAIN "
bool answer_is_error(const redisReply *reply, const char *words);

/* Checks that 'reply' is an array of 'count' numbers from -1 on; else the connection fails. */
bool answer_check(wire *from, const redisReply *reply, size_t count);

/*
 * ---- list.c: lists the buckets as 'each_bucket' of a store does, or resets them as
 * 'reset_buckets' does, over separate connections. ----
 */
int list_buckets(const settings *options, bool resets, limen_deadline deadline,
                 bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag);

/*
 * ---- node.c: the masters that count, with growing retry delays ----
 *
 * There is one, or those of a cluster, each with a thread and connections of its own.  The tag of a
 * key tells who counts it.  A node that has no slots any more closes its connections; its place is
 * free then.
 *
 * Servers and proxies close idle connections: if one that lasted breaks without a call in
 * flight, that is no loss, and another is made at once.  A server that accepts the login and
 * then closes the connection or sends malformed replies counts as unreachable until it has
 * written something; retries slow down until a connection lasts.  A server without memory
 * (maxmemory) can be reached: what it cannot count is refused.
 */

#define NODE_FULL_WAIT LIMEN_SECOND /* when to retry what could not be counted */
#define STRICT_WIRES_MAX 64
#define LEASE_BATCH 128 /* the most calls in one pipeline of leases */

typedef struct node {
	limen_host *host;
	const settings *options;
	struct nodes *all;
	place address;   /* in a cluster */
	char shown[300]; /* for people */
	int wake; /* an eventfd: its thread has work */
	_Atomic int64_t touches_at; /* when marks are due to be renewed (monotonic) */
	_Atomic int64_t full_logged; /* when the log last told that memory is full; 0: never */
	bool evicts_noted;
	atomic_bool used;     /* in a cluster: it has slots, or gets some */
	bool parked;          /* it is not used, and its thread waits; nodes.lock guards it */
	char run[WIRE_RUN_MAX + 1]; /* likewise: of the server, "" if it cannot be reached */
	pthread_mutex_t lock; /* of what follows */
	atomic_bool doubted;  /* only a write, not a connection, ends the loss */
	bool waits;           /* before the next attempt */
	unsigned attempts;    /* since the last success */
	char error[200];      /* "" while Redis can be reached */

	/* In mode strict: a pool. */
	pthread_cond_t freed; /* a connection is idle, or all are gone */
	wire *idle[STRICT_WIRES_MAX];
	size_t idle_count;
	size_t up; /* idle ones and those in use */
	int64_t renewed_by; /* takes wait until then, even if none is up */

	/* In mode lease: one connection of its thread. */
	atomic_bool leases; /* it can be asked */
	atomic_bool awake;  /* the thread has been woken */
	struct lease *first; /* queue, guarded by the lock of the leases */
	struct lease *last;
	int64_t lasts; /* how long a lease is good, in nanoseconds */
	char client[40]; /* the name of the leases of this connection */
	wire *wire;
	bool leaving; /* all goes back */
	struct lease *flight[LEASE_BATCH];
	size_t flight_count;
	size_t answered;
	size_t asking; /* answers to ASKING that are still to come */
	int64_t sent_at;
} node;

typedef struct nodes {
	/* The caller of nodes_open() sets these. */
	limen_host *host;
	const settings *options;
	struct leases *leases; /* NULL in mode strict */
	limen_job run;         /* the thread of a node */

	pthread_mutex_t lock; /* of what follows, but for 'owner', and of some of each node */
	node *list[NODES_MAX];
	atomic_size_t count;
	atomic_uchar owner[CALL_TAGS]; /* where in 'list' */
	atomic_bool seen[CALL_TAGS];   /* this process has seen the mark, which can only have been lost since */
} nodes;

/*
 * Returns a connection, after a delay if the last one failed; NULL if the attempt fails, the node
 * is no longer used, or the instance is closing.
 */
wire *node_connect(node *self);

/*
 * Waits until the node is woken, 'fd' (-1: none) is ready for 'events' of poll(), 'milliseconds'
 * (-1: no bound) have passed, or the instance is being closed.  Returns whether 'fd' is ready.
 */
bool node_wait(const node *self, int fd, short events, int milliseconds);
void node_wake(const node *self);

/*
 * Notes the failure of 'failed', with a call 'in_flight' or not.  Returns true if that is a loss;
 * a loss is logged once until Redis is back.
 */
bool node_lost(node *self, const wire *failed, bool in_flight);

/* Notes that a reply on 'by' confirmed a write. */
void node_wrote(node *self, wire *by);

/* Notes that memory for a write was lacking; logs that at most once a minute. */
void node_full(node *self);

/* Returns true at most once a minute; 'logged' is 0 at first. */
bool log_is_due(_Atomic int64_t *logged);

/* The node is not used: frees its place. */
void node_park(node *self);

/*
 * Renews the marks of the tags of a node of a cluster, if that is due; the connection may fail.  A
 * mark that is too old tells too little after a failover, or once its slot has moved.
 */
void node_touch(node *self, wire *by);

/* How long to wait until that is due, in milliseconds. */
int node_touch_wait(const node *self);

/* Begins with the masters of 'map'.  Returns false if memory or descriptors are short. */
bool nodes_open(nodes *all, const cluster_map *map);
void nodes_close(nodes *all);

/* The tag of a key.  In a cluster all names with it, and a mark, share a slot; else it is 0. */
unsigned nodes_tag(const nodes *all, const limen_store_take *take);
node *nodes_find(nodes *all, unsigned tag);

/* The node to which a redirection sends, with 'asks' if by ASK; NULL if 'reply' (may be NULL) is none. */
node *nodes_follow(nodes *all, const node *from, unsigned tag, const redisReply *reply, bool *asks);

/* Writes three arguments: runs, trust, new. */
void nodes_state(nodes *all, wire *to, unsigned tag);

/* Says whether all nodes can be asked; copies the error of one that has one, or "". */
bool nodes_status(nodes *all, size_t *connections, char *error, size_t size);

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
	node *node;  /* it is queued or in flight there, or was latest */
	node *asked; /* ASK sent it there for the next call; else NULL */
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
	uint8_t redirected; /* that often since Redis last answered */
	uint16_t tag;
	uint16_t key_length;
	char key[];
} lease;

typedef struct leases {
	key_hash_seed seed;
	nodes *nodes;
	const settings *options;
	pthread_mutex_t lock; /* of the leases and of the queues */
	lease **heads;
	atomic_size_t count;
	_Atomic int64_t looked_at; /* when a thread last looked at all of them */
	_Atomic int64_t full_logged; /* when the log last told that there is no room; 0: never */
} leases;

/* Returns false when memory is short. */
bool leases_open(leases *all, nodes *list);
void leases_close(leases *all);

/* The thread of a node: requests wanted tokens and returns idle ones, in pipelines. */
void leases_run(void *data);

/* Answers a batch from the leases, as a store does; false if Redis is unreachable. */
bool leases_take(leases *all, limen_store_take *takes, size_t count, unsigned flags,
                 limen_verdict *verdict);
void leases_give(leases *all, const limen_store_take *take);

/* Takes the next lease to report out of the queue of a node; NULL: none. */
lease *leases_next(leases *all, node *from);

/* Calls 'each' with the lock held; frees each lease for which it returns false (NULL: all). */
void leases_each(leases *all, bool (*each)(void *data, lease *entry), void *data);

/* Empties all leases of a node: the next connection starts without any. */
void leases_empty(leases *all, node *of);

/* ---- strict.c: one call for each batch ---- */

/* The thread of a node: makes connections while there are fewer than wanted. */
void strict_run(void *data);

/*
 * Answers a batch as a store does, with table specs as tables.  Returns false if Redis is
 * unreachable; after 'deadline' (monotonic) the verdict is LIMEN_ERROR in any case.
 */
bool strict_take(nodes *all, limen_store_take *takes, size_t count, unsigned flags,
                 limen_deadline deadline, limen_verdict *verdict);

/* Gives back what one take was granted, if Redis can be reached at once. */
void strict_give(nodes *all, const limen_store_take *take);

/* Closes idle connections; the caller has the lock. */
void strict_close_idle(node *self);

#endif
