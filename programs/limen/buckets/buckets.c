/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buckets.c - "limen buckets": lists the token buckets in a persistent store or of a running
 * limend.
 */
#include <inttypes.h>
#include <limen/duration.h>
#include <stdio.h>
#include <string.h>

#include "buckets_remote.h"
#include "cli/columns.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/bucket_json.h"
#include "common/option_values.h"
#include "policy/policy.h"
#include "policy/problems.h"

#define NUMBER 20
#define COLUMNS 8

/* Longest time for a store to list its buckets. */
#define TIMEOUT (30 * LIMEN_SECOND)

typedef struct buckets {
	const command *self;
	common_options *common;
	char **policies;
	buckets_question asked;
	char *format_name;
	char **arguments;
	output_format format;
	columns table;
	GString *json;
	size_t shown;
} buckets;

static const number_option numbers[] = {
	{ "number", "a number", 1, LIMEN_BUCKETS_MAX },
	{ NULL, NULL, 0, 0 },
};

static bool
understand(buckets *how)
{
	const buckets_question *asked = &how->asked;

	if (how->arguments != NULL)
		message_usage(how->self, "unexpected argument '%s'", how->arguments[0]);
	else if ((how->policies != NULL) + (asked->url != NULL) + (asked->unix_path != NULL) > 1)
		message_usage(how->self, "--policy, --url and --unix exclude each other");
	else if ((asked->ca_path != NULL || asked->certificate_path != NULL) && asked->url == NULL)
		message_usage(how->self, "--ca-file and --client-certificate go with --url");
	else if ((asked->certificate_path != NULL) != (asked->key_path != NULL))
		message_usage(how->self, "--client-certificate and --client-key go together");
	else if (asked->store != NULL && !g_utf8_validate(asked->store, -1, NULL))
		message_usage(how->self, "the name of the store is not UTF-8");
	else
		return options_format(how->self, how->format_name, FORMATS_PLAIN, &how->format);
	return false;
}

static void
add_row(buckets *how, const limen_bucket *bucket)
{
	columns *table = &how->table;
	const char *part = strrchr(bucket->table, '/');
	char period[LIMEN_DURATION_TEXT_MAX], age[LIMEN_DURATION_TEXT_MAX];

	limen_duration_print(bucket->period, period);
	/* Ages are shown in whole seconds. */
	limen_duration_print(bucket->age - bucket->age % LIMEN_SECOND, age);
	columns_add(table, bucket->store);
	/* A limit has one table, an admission entry several, such as one for namespaces. */
	if (bucket->entry == NULL)
		columns_add(table, bucket->table);
	else
		columns_take(table, g_strconcat(bucket->entry,
		                                g_str_has_prefix(bucket->table, "limits/") ? "" : part,
		                                NULL));
	columns_take(table, bucket_json_key(bucket));
	columns_take(table, g_strdup_printf("%" PRId64, bucket->left));
	columns_take(table, g_strdup_printf("%" PRId64, bucket->leased));
	columns_take(table, g_strdup_printf("%" PRId64, bucket->burst));
	columns_take(table, bucket->rate != NULL
	                            ? g_strdup(bucket->rate)
	                            : g_strdup_printf("%" PRId64 "/%s", bucket->tokens, period));
	columns_add(table, age);
}

static void
add(void *data, const limen_bucket *bucket)
{
	buckets *how = data;

	how->shown++;
	if (how->format == FORMAT_JSON)
		bucket_json_put(how->json, bucket);
	else
		add_row(how, bucket);
}

static void
print_head(buckets *how)
{
	static const char *const names[COLUMNS] = {
		"STORE", "ENTRY", "KEY", "LEFT", "LEASED", "BURST", "RATE", "AGE"
	};

	columns_start(&how->table, COLUMNS);
	columns_add_row(&how->table, names);
	how->json = g_string_new("{\"buckets\":[");
}

/* Prints the table or array if 'status' is good, and frees it. */
static int
finish(buckets *how, int status)
{
	bool text = how->format != FORMAT_JSON;

	if (status == STATUS_GOOD && !text)
		printf("%s]}\n", how->json->str);
	else if (status == STATUS_GOOD && how->shown == 0)
		puts("No bucket is in use.");
	columns_finish(&how->table, status == STATUS_GOOD && text && how->shown > 0);
	g_string_free(how->json, TRUE);
	return status;
}

static int
list(buckets *how, limen_engine *engine)
{
	limen_diag *diag = policy_diag();
	int status = STATUS_GOOD;
	int result;

	print_head(how);
	result = limen_engine_each_bucket(engine, how->asked.store, (size_t)how->asked.number, TIMEOUT, add,
	                                  how, diag);
	if (result == LIMEN_ENOENT) {
		message_error("the policy has no store \"%s\" in use", how->asked.store);
		status = STATUS_BAD;
	} else if (result != LIMEN_OK) {
		message_error("%s", problems_first(diag, limen_result_text(result)));
		status = STATUS_ERROR;
	}
	finish(how, status);
	if (result == LIMEN_OK)
		problems_print_plain(diag);
	limen_diag_free(diag);
	return status;
}

/* No decision is made, so the engine is passive: no background work starts. */
static int
load_and_list(buckets *how)
{
	limen_engine *engine = policy_engine(how->common, LIMEN_ENGINE_PASSIVE);
	int status = policy_open(engine, how->policies) ? list(how, engine) : STATUS_ERROR;

	limen_engine_free(engine);
	return status;
}

static int
run_buckets(const command *self, common_options *common, int argc, char **argv)
{
	buckets how = { .self = self, .common = common, .asked.number = NUMBER };
	const GOptionEntry rows[] = {
		OPTION_POLICY(&how.policies, "FILE|DIR", "The policy; may be repeated"),
		OPTION_TEXT("url", 0, &how.asked.url, "URL", "Ask the limend at this URL"),
		OPTION_TEXT("unix", 0, &how.asked.unix_path, "PATH",
		            "Ask the limend at this unix socket"),
		OPTION_TEXT("ca-file", 0, &how.asked.ca_path, "FILE",
		            "Authorities of the certificate of --url (PEM)"),
		/* Older name of --ca-file. */
		OPTION_HIDDEN("ca", &how.asked.ca_path),
		OPTION_TEXT("client-certificate", 0, &how.asked.certificate_path, "FILE",
		            "Certificate to show to --url (PEM)"),
		OPTION_TEXT("client-key", 0, &how.asked.key_path, "FILE", "Its key (PEM)"),
		OPTION_TEXT("store", 0, &how.asked.store, "NAME", "The store (default: all of the policy)"),
		OPTION_NUMBER("number", 'n', &how.asked.number, "N", "How many to show (20)"),
		OPTION_TEXT("format", 0, &how.format_name, "FORMAT", "text or json"),
		OPTION_REST(&how.arguments),
		OPTION_END,
	};
	int status;

	common->numbers = numbers;
	if (!options_read(self, common, rows, argc, argv, &status))
		return status;
	if (!understand(&how))
		return STATUS_ERROR;
	if (how.asked.url == NULL && how.asked.unix_path == NULL)
		return load_and_list(&how);
	print_head(&how);
	return finish(&how, buckets_remote_list(&how.asked, add, &how));
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
		"LEASED are tokens that a process has reserved and may not have used; AGE is the\n"
		"time since the last take.  Without --policy, the policy is $LIMEN_POLICY or, if\n"
		"that is not set,\n"
		LIMEN_CONFDIR ".\n"
		"\n"
		"The exit status is 0, 1 if the policy has no such store, and 2 if the policy or\n"
		"the store cannot be read or for wrong usage.\n"
		"\n"
		"Examples:\n"
		"  limen buckets --policy conf.d\n"
		"  limen buckets --policy conf.d --store shared --number 5 --format json\n"
		"  limen buckets --unix /run/limend.sock\n",
	.run = run_buckets,
};
