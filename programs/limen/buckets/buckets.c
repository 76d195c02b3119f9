/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buckets.c - "limen buckets": lists the buckets in a persistent store or of a running limend, or
 * resets those of a key.
 */
#include <inttypes.h>
#include <limen/duration.h>
#include <stdio.h>
#include <string.h>

#include "buckets_remote.h"
#include "cli/columns.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/auto.h"
#include "common/bucket_json.h"
#include "common/option_values.h"
#include "policy/policy.h"
#include "policy/problems.h"

#define NUMBER 20
#define COLUMNS 10

/* Longest time for a store to list its buckets. */
#define TIMEOUT (30 * LIMEN_SECOND)

typedef struct buckets {
	const common_options *common;
	char **policies;
	buckets_query query;
	columns table;
	GString *json;
	size_t shown;
} buckets;

static const number_option numbers[] = {
	{ "number", "a number", 1, LIMEN_BUCKETS_MAX },
	{ NULL, NULL, 0, 0 },
};

static bool
understand(const buckets *self)
{
	const buckets_query *query = &self->query;
	const command *usage = self->common->self;
	const char *misuse = remote_misuse(&query->at, query->at.url != NULL);

	if ((self->policies != NULL) + (query->at.url != NULL) + (query->at.unix_path != NULL) > 1)
		message_usage(usage, "--policy, --url and --unix exclude each other");
	else if (misuse != NULL)
		message_usage(usage, "%s", misuse);
	else if (query->store != NULL && !g_utf8_validate(query->store, -1, NULL))
		message_usage(usage, "the name of the store is not UTF-8");
	else if (query->reset != NULL && !g_utf8_validate(query->reset, -1, NULL))
		message_usage(usage, "the key of --reset is not UTF-8");
	else
		return true;
	return false;
}

static void
add_row(buckets *self, const limen_bucket *bucket)
{
	columns *table = &self->table;
	const char *part = g_str_has_prefix(bucket->table, "limits/") ? "" : strrchr(bucket->table, '/');
	char period[LIMEN_DURATION_TEXT_MAX], age[LIMEN_DURATION_TEXT_MAX];
	char *resets = bucket_json_resets(bucket);

	limen_duration_print(bucket->period, period);
	/* Ages are shown in whole seconds. */
	limen_duration_print(bucket->age - bucket->age % LIMEN_SECOND, age);
	columns_add(table, bucket->store);
	/* A limit has one table, an admission entry several, such as one for namespaces. */
	if (bucket->entry == NULL)
		columns_add(table, bucket->table);
	else
		columns_take(table, g_strconcat(bucket->entry,
		                                g_str_has_prefix(bucket->table, "rehearsal/")
		                                        ? " (audit)" : part, NULL));
	columns_take(table, bucket_json_shown(bucket));
	columns_take(table, g_strdup_printf("%" PRId64, bucket->left));
	columns_take(table, g_strdup_printf("%" PRId64, bucket->leased));
	columns_take(table, g_strdup_printf("%" PRId64, bucket->burst));
	columns_take(table, bucket->refused < 0 ? g_strdup("-") : g_strdup_printf("%" PRId64, bucket->refused));
	columns_take(table, bucket->rate != NULL
	                            ? g_strdup(bucket->rate)
	                            : g_strdup_printf("%" PRId64 "/%s", bucket->tokens, period));
	columns_take(table, resets == NULL ? g_strdup("-") : resets);
	columns_add(table, age);
}

static void
add(void *data, const limen_bucket *bucket)
{
	buckets *self = data;

	self->shown++;
	if (self->common->format == FORMAT_JSON)
		bucket_json_put(self->json, bucket);
	else
		add_row(self, bucket);
}

/* Prints the table or array if 'status' is good, and frees it. */
static int
finish(buckets *self, int status)
{
	bool text = self->common->format != FORMAT_JSON;

	if (status == STATUS_GOOD && !text)
		printf("%s]}\n", self->json->str);
	else if (status == STATUS_GOOD && self->shown == 0)
		puts("No bucket is in use.");
	columns_finish(&self->table, status == STATUS_GOOD && text && self->shown > 0);
	g_string_free(self->json, TRUE);
	return status;
}

/* Returns the exit status for what the engine said, after a message if it is not STATUS_GOOD. */
static int
explain(const buckets *self, int result, const limen_diag *diag)
{
	if (result == LIMEN_OK)
		return STATUS_GOOD;
	if (result != LIMEN_ENOENT) {
		message_error("%s", problems_first(diag, limen_result_text(result)));
		return STATUS_ERROR;
	}
	message_error("the policy has no store \"%s\" in use", self->query.store);
	return STATUS_BAD;
}

static int
list(buckets *self, limen_engine *engine)
{
	g_autoptr(limen_diag) diag = policy_diag();
	int status;

	if (engine == NULL)
		return finish(self, buckets_remote_list(&self->query, add, self));
	status = explain(self, limen_engine_each_bucket(engine, self->query.store,
	                                                (size_t)self->query.number, TIMEOUT, add,
	                                                self, diag), diag);
	finish(self, status);
	if (status == STATUS_GOOD)
		problems_print_plain(diag);
	return status;
}

/* Prints how many buckets were reset; none is an error. */
static int
report_reset(const buckets *self, int64_t count)
{
	if (self->common->format == FORMAT_JSON)
		printf("{\"reset\":%" PRId64 "}\n", count);
	else if (count > 0)
		printf("%" PRId64 " bucket%s reset.\n", count, count == 1 ? " was" : "s were");
	if (count > 0)
		return STATUS_GOOD;
	message_error("no bucket in use has the key \"%s\": see the column KEY of limen buckets",
	              self->query.reset);
	return STATUS_BAD;
}

static int
reset(const buckets *self, limen_engine *engine)
{
	g_autoptr(limen_diag) diag = policy_diag();
	bucket_json_choice choice = { .key = self->query.reset };
	int64_t count = 0;
	int status;

	if (engine == NULL) {
		status = buckets_remote_reset(&self->query, &count);
		return status == STATUS_GOOD ? report_reset(self, count) : status;
	}
	status = explain(self, limen_engine_reset_buckets(engine, self->query.store, TIMEOUT,
	                                                  bucket_json_choose, &choice, diag), diag);
	if (status != STATUS_GOOD)
		return status;
	problems_print_plain(diag);
	return report_reset(self, (int64_t)choice.count);
}

static int
run_buckets(common_options *common)
{
	static const char *const names[COLUMNS] = {
		"STORE", "ENTRY", "KEY", "LEFT", "LEASED", "BURST", "REFUSED", "RATE", "RESETS", "AGE"
	};
	buckets self = { .common = common, .query.number = NUMBER, .query.at.timeout = TIMEOUT };
	const GOptionEntry rows[] = {
		OPTION_POLICY(&self.policies, "FILE|DIR", "The policy; may be repeated"),
		REMOTE_ROWS(&self.query.at),
		/* Older name of --ca-file. */
		OPTION_HIDDEN("ca", &self.query.at.ca_path),
		OPTION_TEXT("store", 0, &self.query.store, "NAME", "The store (default: all of the policy)"),
		OPTION_NUMBER("number", 'n', &self.query.number, "N", "How many to show (20)"),
		OPTION_TEXT("reset", 0, &self.query.reset, "KEY",
		            "Make the buckets of this key full again"),
		OPTION_FORMAT(common, "text or json"),
		OPTION_END,
	};
	g_autoptr(limen_engine) engine = NULL;

	if (!options_read(common, rows))
		return common->status;
	if (!understand(&self))
		return STATUS_ERROR;
	if (self.query.at.url == NULL && self.query.at.unix_path == NULL) {
		/* No decision is made, so the engine is passive: no background work starts. */
		engine = policy_engine(common, LIMEN_ENGINE_PASSIVE);
		if (!policy_open(engine, self.policies))
			return STATUS_ERROR;
	}
	if (self.query.reset != NULL)
		return reset(&self, engine);
	columns_start(&self.table, COLUMNS);
	columns_add_row(&self.table, names);
	self.json = g_string_new("{\"buckets\":[");
	return list(&self, engine);
}

const command buckets_command = {
	.name = "buckets",
	.arguments = "",
	.summary = "List the most used buckets of a store",
	.details =
		"Lists the most used buckets of the policy's stores, relative to their size: the\n"
		"keys that are limited now or soon.  A store of type memory is in the process\n"
		"that decides: --unix or --url asks a running limend.  At its URL limend answers\n"
		"only clients that it trusts, such as those with a certificate that it accepts.\n"
		"Without --unix and --url only stores of type redis have buckets to show.\n"
		"\n"
		"ENTRY is the limit or admission entry that counts, with its table if the policy\n"
		"no longer uses the bucket.  RATE is spelled as in the policy if it is there.\n"
		"LEASED are tokens that a process has reserved and may not have used; REFUSED are\n"
		"takes that the bucket refused since it is in use (a store of type redis does\n"
		"not count them); RESETS is the time until more is left, or the end of the\n"
		"window; AGE is the time since the last take.  Without --policy, the policy is\n"
		"$LIMEN_POLICY or, if that is not set,\n"
		LIMEN_CONFDIR ".\n"
		"\n"
		"--reset forgets what a key, spelled as in KEY, has used in all tables of the\n"
		"policy's stores or of --store.  It lists nothing.\n"
		"\n"
		"The exit status is 0, 1 if the policy has no such store or no bucket the key of\n"
		"--reset, and 2 if the policy or the store cannot be read or for wrong usage.\n"
		"\n"
		"Examples:\n"
		"  limen buckets --policy conf.d\n"
		"  limen buckets --policy conf.d --store shared --number 5 --format json\n"
		"  limen buckets --unix /run/limend.sock\n"
		"  limen buckets --unix /run/limend.sock --reset 192.0.2.1\n",
	.formats = FORMATS_PLAIN,
	.numbers = numbers,
	.run = run_buckets,
};
