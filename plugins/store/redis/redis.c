/* SPDX-License-Identifier: Apache-2.0 */
/* redis.c - the store that keeps buckets in Redis, which several processes share. */
#include <limen/module.h>
#include <limen/version.h>

#include <stdlib.h>
#include <sys/param.h>

#include "../../support/bucket/table.h"
#include "modes.h"

#define RETRY LIMEN_SECOND    /* when a request that was not answered may be sent again */
#define TRY_MOST LIMEN_SECOND /* how long a load of the policy waits for Redis */
#define LOCAL_CAPACITY 65536  /* the default of the store "memory" */

/* The least burst for each process that is leased well: a lease has an eighth of it at most. */
#define LEASED_QUOTA 8

typedef struct store {
	settings options; /* first: the options are read into it */
	tables *local;    /* for when Redis is unavailable; NULL unless takes are counted then */
	nodes nodes;
	leases leases; /* unless in mode strict */
} store;

static bool
open_parts(store *redis, limen_host *host, const cluster_map *map)
{
	settings *options = &redis->options;

	redis->nodes = (nodes){ .host = host, .options = options, .run = strict_run };
	if (options->on_error == ON_ERROR_LOCAL) {
		redis->local = tables_new();
		if (redis->local == NULL)
			return false;
		redis->local->host = host;
		redis->local->capacity = LOCAL_CAPACITY;
	}
	if (redis->options.mode == MODE_LEASE) {
		if (!leases_open(&redis->leases, &redis->nodes))
			return false;
		redis->nodes.leases = &redis->leases;
		redis->nodes.run = leases_run;
	}
	return nodes_open(&redis->nodes, map);
}

static void
close_redis(void *self)
{
	store *redis = self;

	nodes_close(&redis->nodes);
	if (redis->nodes.leases != NULL)
		leases_close(&redis->leases);
	tables_free(redis->local);
	settings_clear(&redis->options);
}

/*
 * Asks Redis what it is, or all masters of a cluster: a server that can never do is a problem of the
 * policy, while one that is away may come back.
 */
static int
try_out(const store *redis, limen_opening *opening, cluster_map *map, limen_diag *diag)
{
	limen_deadline deadline =
		limen_host_monotonic() + MIN(redis->options.connect_timeout, TRY_MOST) * 1000;
	wire *connections[NODES_MAX];
	wire_fault why;
	size_t count;

	*map = (cluster_map){ .count = 1, .masters = { redis->options.address } };
	if (limen_host_is_passive(limen_opening_host(opening)))
		return LIMEN_OK;
	count = wire_open_all(&redis->options, deadline, map, connections, &why);
	for (size_t i = 0; i < count; i++)
		wire_close(connections[i]);
	if (!why.lasts)
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_data(opening),
	               "cannot use Redis at %s: %s", redis->options.shown, why.text);
	return LIMEN_EINVAL;
}

static int
open_redis(void *self, limen_opening *opening, limen_diag *diag)
{
	store *redis = self;
	limen_host *host = limen_opening_host(opening);
	cluster_map map;
	int result = settings_read(&redis->options, opening, diag);

	if (result == LIMEN_OK)
		result = try_out(redis, opening, &map, diag);
	if (result == LIMEN_OK) {
		limen_host_set_ready(host, false);
		if (!open_parts(redis, host, &map))
			result = LIMEN_ENOMEM;
	}
	if (result != LIMEN_OK) {
		close_redis(redis);
		return result;
	}
	if (redis->options.mode == MODE_STRICT)
		limen_opening_add_flags(opening, LIMEN_MODULE_BLOCKING);
	if (redis->options.on_error == ON_ERROR_LOCAL &&
	    !limen_value_exists(limen_opening_option(opening, "replicas")))
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_data(opening),
		               "'replicas' is not set: while Redis is unavailable each process "
		               "admits the whole allowance");
	return LIMEN_OK;
}

/* Makes the share of this process for when Redis is unavailable; false when memory is short. */
static bool
open_share(const store *redis, table_spec *owner, const char *name, const limen_table_spec *spec)
{
	int64_t replicas = redis->options.replicas;
	limen_table_spec share = *spec;

	if (redis->local == NULL)
		return true;
	share.burst = (spec->kind == LIMEN_METER_TOKEN ? spec->burst : spec->tokens) / replicas;
	share.burst = MAX(share.burst, 1);
	if (spec->kind != LIMEN_METER_TOKEN)
		share.tokens = share.burst;
	/* A period above 64 bits is capped: no token refills in 292000 years. */
	else if (__builtin_mul_overflow(spec->period, replicas, &share.period))
		share.period = INT64_MAX;
	owner->local = table_open(redis->local, name, &share, NULL);
	return owner->local != NULL;
}

static int
open_table(void *self, limen_opening *opening, const char *name, const limen_table_spec *spec,
           void **out, limen_diag *diag)
{
	store *redis = self;
	table_spec *owner = table_spec_new(redis->options.prefix, name, spec, diag);

	(void)opening;
	if (owner == NULL)
		return LIMEN_EINVAL;
	if (!open_share(redis, owner, name, spec)) {
		table_spec_unref(owner);
		return LIMEN_ENOMEM;
	}
	if (redis->options.mode == MODE_LEASE && redis->options.replicas > 1 &&
	    limen_meter_quota(&owner->meter) / LEASED_QUOTA < redis->options.replicas)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_value_none(),
		               "a burst of %lld is below %d for each of %lld processes: in mode "
		               "'lease' one is often refused while others hold the last tokens; "
		               "mode 'strict' is exact",
		               (long long)limen_meter_quota(&owner->meter), LEASED_QUOTA,
		               (long long)redis->options.replicas);
	if (spec->capacity != 0)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_value_none(),
		               "a store of type redis evicts no buckets, so the maximum of %llu "
		               "buckets is ignored: a bucket is deleted once it is full",
		               (unsigned long long)spec->capacity);
	*out = owner;
	return LIMEN_OK;
}

static void
close_table(void *self, void *owner)
{
	table_spec *spec = owner;

	if (spec->local != NULL)
		table_close(((store *)self)->local, spec->local);
	spec->local = NULL; /* leases may still have it */
	table_spec_unref(spec);
}

/* Answers without Redis: by the share of this process, whose tables replace the specs, or alike. */
static limen_verdict
take_without_redis(const store *redis, limen_store_take *takes, size_t count, unsigned flags,
                   limen_time now)
{
	bool allows = redis->options.on_error == ON_ERROR_ALLOW;
	limen_verdict verdict = allows ? LIMEN_PASS : LIMEN_ERROR;
	limen_store_take *list = redis->local == NULL ? NULL : calloc(count, sizeof(*list));

	for (size_t i = 0; i < count; i++) {
		table_spec *owner = takes[i].table;

		atomic_fetch_add(&owner->without, 1);
		if (list != NULL) {
			list[i] = takes[i];
			list[i].table = owner->local;
		}
		takes[i].granted = allows;
		takes[i].cookie = GRANTED_LOCALLY; /* not given back unless counted */
	}
	if (list != NULL)
		verdict = take_batch(redis->local, list, count, flags, now);
	for (size_t i = 0; list != NULL && i < count; i++) {
		takes[i].granted = list[i].granted;
		takes[i].wait = list[i].wait;
		/* The memory store's cookie is a number of 62 bits. */
		takes[i].cookie = list[i].cookie << GRANTED_BITS | GRANTED_LOCALLY;
	}
	free(list);
	return verdict;
}

static limen_verdict
take(void *self, limen_store_take *takes, size_t count, unsigned flags, limen_time now,
     limen_deadline deadline, limen_reply *reply)
{
	store *redis = self;
	limen_verdict verdict = LIMEN_ERROR;
	bool answered, sound = true;

	for (size_t i = 0; i < count; i++) {
		takes[i].granted = false;
		takes[i].wait = -1;
		takes[i].cookie = 0;
		sound = sound && takes[i].key_length <= LIMEN_KEY_MAX && takes[i].amount >= 0;
	}
	if (!sound)
		return LIMEN_ERROR;
	if (redis->options.mode == MODE_STRICT)
		answered = strict_take(&redis->nodes, takes, count, flags, deadline, &verdict);
	else
		answered = leases_take(&redis->leases, takes, count, flags, &verdict);
	if (!answered)
		verdict = take_without_redis(redis, takes, count, flags, now);
	/* Requesters see the reason, so the address of Redis and its error are in the log only. */
	if (verdict == LIMEN_ERROR) {
		limen_reply_retry_after(reply, RETRY);
		limen_reply_reason(reply, "%s", answered ? "Redis did not answer before the deadline"
		                                : redis->local != NULL ? limen_result_text(LIMEN_ENOMEM)
		                                                       : "Redis is unavailable");
	}
	for (size_t i = 0; i < count; i++) {
		table_spec *owner = takes[i].table;

		atomic_fetch_add_explicit(&owner->takes, 1, memory_order_relaxed);
		if (!takes[i].granted)
			atomic_fetch_add_explicit(&owner->refusals, 1, memory_order_relaxed);
	}
	return verdict;
}

static void
give_back(void *self, const limen_store_take *takes, size_t count, limen_time now)
{
	store *redis = self;

	(void)now;
	for (size_t i = 0; i < count; i++) {
		unsigned by = takes[i].cookie & ((1U << GRANTED_BITS) - 1);
		limen_store_take share = takes[i];

		share.table = ((const table_spec *)takes[i].table)->local;
		share.cookie >>= GRANTED_BITS;
		if (by == GRANTED_BY_LEASE)
			leases_give(&redis->leases, &takes[i]);
		else if (by == GRANTED_BY_REDIS)
			strict_give(&redis->nodes, &takes[i]);
		else if (share.table != NULL)
			take_settle(redis->local, &share, 1);
	}
}

static void
table_status(void *self, void *owner, limen_builder *build)
{
	const table_spec *spec = owner;

	(void)self;
	limen_builder_int(build, "takes", atomic_load(&spec->takes));
	limen_builder_int(build, "refusals", atomic_load(&spec->refusals));
	limen_builder_int(build, "without_redis", atomic_load(&spec->without));
}

static int
each_bucket(void *self, limen_time now, limen_deadline deadline,
            bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag)
{
	store *redis = self;

	(void)now;
	return list_buckets(&redis->options, false, deadline, each, data, diag);
}

/* A lease that Redis has had nothing for may ask again. */
static bool
expect_more(void *data, lease *entry)
{
	(void)data;
	entry->none_before = 0;
	return true;
}

/* Processes keep the tokens of their leases. */
static int
reset_buckets(void *self, limen_time now, limen_deadline deadline,
              bool (*chosen)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag)
{
	store *redis = self;
	int result = list_buckets(&redis->options, true, deadline, chosen, data, diag);

	(void)now;
	if (redis->options.mode == MODE_LEASE)
		leases_each(&redis->leases, expect_more, NULL);
	return result;
}

static void
status(const void *self, limen_builder *build)
{
	store *redis = (store *)(uintptr_t)self;
	char error[200];
	size_t connections;
	bool ready = nodes_status(&redis->nodes, &connections, error, sizeof(error));

	limen_builder_text(build, "redis", redis->options.shown);
	limen_builder_text(build, "mode", redis->options.mode == MODE_STRICT ? "strict" : "lease");
	limen_builder_bool(build, "ready", ready);
	if (redis->options.mode == MODE_STRICT)
		limen_builder_int(build, "connections", (int64_t)connections);
	else
		limen_builder_int(build, "leases", (int64_t)atomic_load(&redis->leases.count));
	if (error[0] != '\0')
		limen_builder_text(build, "error", error);
}

LIMEN_STORE("redis",
	.version = LIMEN_VERSION,
	.summary = "Keeps buckets in Redis, for several processes that share one allowance",
	.flags = LIMEN_MODULE_WINDOWS,
	.options = settings_options,
	.instance_size = sizeof(store),
	.open = open_redis,
	.close = close_redis,
	.status = status,
	.open_table = open_table,
	.close_table = close_table,
	.take = take,
	.give_back = give_back,
	.table_status = table_status,
	.each_bucket = each_bucket,
	.reset_buckets = reset_buckets);
