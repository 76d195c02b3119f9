/* SPDX-License-Identifier: Apache-2.0 */
/* take.c - the limit that takes tokens as its data says. */
#include <limen/module.h>
#include <limen/version.h>
#include <string.h>

#define TABLES_MAX 4

struct take {
	limen_store *store;
	limen_strings names;
	const char *key;
	int64_t null_key; /* the length of a key that is NULL; -1: it is 'key' */
	int64_t burst;
	limen_duration period;
	int64_t amount;
	int64_t kind;
	int64_t reserved;    /* for the member that must be 0 */
	bool reads;
	bool all;
	bool peek;
	bool reserve;
	bool spread;
	limen_table *tables[TABLES_MAX];
};

static const limen_option options[] = {
	LIMEN_OPT_STORE(struct take, store, .key = "store", .help = "Where tokens are kept"),
	LIMEN_OPT_STRINGS(struct take, names, .key = "tables", .fallback = "[\"t\"]",
	                  .help = "Tables to take from"),
	LIMEN_OPT_STRING(struct take, key, .key = "key", .fallback = "k", .help = "Which bucket"),
	LIMEN_OPT_INT(struct take, null_key, .key = "null-key", .fallback = "-1",
	              .help = "How long to say that a key of NULL is"),
	LIMEN_OPT_INT(struct take, burst, .key = "burst", .fallback = "3",
	              .help = "Tokens of a full bucket"),
	LIMEN_OPT_DURATION(struct take, period, .key = "period", .fallback = "PT1S",
	                   .help = "How often a token comes"),
	LIMEN_OPT_INT(struct take, amount, .key = "amount", .fallback = "1",
	              .help = "Tokens to take"),
	LIMEN_OPT_INT(struct take, kind, .key = "kind", .help = "A limen_meter_kind"),
	LIMEN_OPT_INT(struct take, reserved, .key = "reserved", .help = "What must be 0"),
	LIMEN_OPT_BOOL(struct take, reads, .key = "reads", .help = "Note what is left"),
	LIMEN_OPT_BOOL(struct take, all, .key = "all", .help = "All or none"),
	LIMEN_OPT_BOOL(struct take, peek, .key = "peek", .help = "Only look"),
	LIMEN_OPT_BOOL(struct take, reserve, .key = "reserve",
	               .help = "Only if the request is admitted"),
	LIMEN_OPT_BOOL(struct take, spread, .key = "spread",
	               .help = "The name of a table is its key; its burst is one more than the last"),
	LIMEN_OPT_END
};

static int
open_tables(void *self, limen_opening *opening, limen_diag *diag)
{
	struct take *take = self;

	if (take->names.count > TABLES_MAX)
		return LIMEN_EINVAL;
	for (size_t i = 0; i < take->names.count; i++) {
		limen_table_spec spec = {
			.size = sizeof(spec),
			.name = take->names.items[i],
			.tokens = 1,
			.period = take->period,
			.burst = take->burst + (take->spread ? (int64_t)i : 0),
			.kind = (limen_meter_kind)take->kind,
		};
		int result = limen_opening_table(opening, take->store, &spec, &take->tables[i],
		                                 diag);

		if (result != LIMEN_OK)
			return result;
	}
	return LIMEN_OK;
}

static limen_take
make_take(const struct take *take, limen_table *table)
{
	bool has_key = take->null_key < 0;

	return (limen_take){ .table = table,
		             .key = has_key ? take->key : NULL,
		             .key_length = has_key ? strlen(take->key) : (size_t)take->null_key,
		             .amount = take->amount,
		             .granted = true,
		             .wait = 99,
		             .reserved = { (uint64_t)take->reserved } };
}

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct take *take = self;
	limen_take takes[TABLES_MAX];
	limen_reading readings[TABLES_MAX];
	unsigned flags = (take->all ? LIMEN_TAKE_ALL : 0U) | (take->peek ? LIMEN_TAKE_PEEK : 0U) |
	                 (take->reserve ? LIMEN_TAKE_RESERVE : 0U);
	limen_verdict verdict;

	(void)req;
	for (size_t i = 0; i < take->names.count; i++) {
		takes[i] = make_take(take, take->tables[i]);
		takes[i].reading = take->reads ? &readings[i] : NULL;
		if (take->spread)
			takes[i].key = take->names.items[i];
		if (take->spread)
			takes[i].key_length = strlen(takes[i].key);
	}
	verdict = limen_reply_take(reply, takes, take->names.count, flags);
	for (size_t i = 0; i < take->names.count; i++) {
		limen_reply_note(reply, "%s %s %lld", take->names.items[i],
		                 takes[i].granted ? "granted" : "refused", (long long)takes[i].wait);
		if (take->reads)
			limen_reply_note(reply, "%lld of %lld left, reset %lld",
			                 (long long)readings[i].remaining,
			                 (long long)readings[i].quota, (long long)readings[i].reset);
	}
	return verdict;
}

LIMEN_LIMIT("take",
	.version = LIMEN_VERSION,
	.summary = "Takes tokens as its data says",
	.options = options,
	.instance_size = sizeof(struct take),
	.open = open_tables,
	.check = check);
