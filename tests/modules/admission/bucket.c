/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bucket.c - the admission plugin that checks whether there is a token left in a
 * bucket of its own, and if told takes one when it is to change the object, too.
 */
#include <limen/module.h>
#include <limen/version.h>

struct bucket {
	limen_store *store;
	int64_t burst;
	bool reserve;
	bool eager;
	limen_table *table;
};

static const limen_option options[] = {
	LIMEN_OPT_STORE(struct bucket, store, .key = "store", .required = true,
	                .help = "Where the bucket is kept"),
	LIMEN_OPT_INT(struct bucket, burst, .key = "burst", .fallback = "1",
	              .help = "Tokens of the full bucket"),
	LIMEN_OPT_BOOL(struct bucket, reserve, .key = "reserve",
	               .help = "Whether only who is admitted pays"),
	LIMEN_OPT_BOOL(struct bucket, eager, .key = "eager",
	               .help = "Whether mutate takes a token, too"),
	LIMEN_OPT_END
};

static int
open_bucket(void *self, limen_opening *opening, limen_diag *diag)
{
	struct bucket *bucket = self;
	limen_table_spec spec = {
		.size = sizeof(spec),
		.name = "t",
		.tokens = 1,
		.period = 10 * LIMEN_SECOND,
		.burst = bucket->burst,
	};

	return limen_opening_table(opening, bucket->store, &spec, &bucket->table, diag);
}

static limen_verdict
validate(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct bucket *bucket = self;
	limen_take take = { .table = bucket->table, .key = "k", .key_length = 1, .amount = 1 };
	limen_verdict verdict = limen_reply_take(reply, &take, 1,
	                                         bucket->reserve ? LIMEN_TAKE_RESERVE : 0U);

	(void)req;
	if (verdict == LIMEN_FAIL) {
		limen_reply_violation(reply, LIMEN_CLASS_TOO_MANY, NULL, "the bucket is empty");
		limen_reply_retry_after(reply, take.wait);
	}
	return verdict;
}

static limen_verdict
mutate(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct bucket *bucket = self;

	return bucket->eager ? validate(self, req, reply) : LIMEN_SKIP;
}

LIMEN_ADMISSION("bucket",
	.version = LIMEN_VERSION,
	.summary = "Takes a token",
	.options = options,
	.instance_size = sizeof(struct bucket),
	.open = open_bucket,
	.mutate = mutate,
	.validate = validate);
