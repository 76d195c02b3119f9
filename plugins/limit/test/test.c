/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test.c - the limit that compares the parameters of a test with a template of
 * acceptable values (pscheduler-limits, "test").
 *
 * Opening compiles the template into an array of parameters (parameter.h), in
 * the order of the policy; a check walks it and reports every parameter that
 * fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limen/module.h>
#include <limen/version.h>

#include "parameter.h"

struct test {
	const char *type;
	limen_value limit;
	limen_duration timeout;
	const char *server;
	dns_resolver *resolver; /* NULL: no parameter is compared with networks */
	parameter *parameters;
	size_t count;
};

static const limen_option options[] = {
	LIMEN_OPT_STRING(struct test, type, .key = "test", .required = true,
	                 .help = "The type of test; tests of other types fail"),
	LIMEN_OPT_OBJECT(struct test, limit, .key = "limit", .required = true,
	                 .help = "The parameters that are limited, each with its limit"),
	LIMEN_OPT_DURATION(struct test, timeout, .key = "timeout", .fallback = "PT2S",
	                   .help = "How long to wait for the addresses of all host names in a test",
	                   .note = "not in pScheduler"),
	LIMEN_OPT_STRING(struct test, server, .key = "server",
	                 .help = "The name servers to ask for them, with or without ports, "
	                         "separated by commas; by default those of the system",
	                 .note = "not in pScheduler"),
	LIMEN_OPT_END
};

/* ---- the duration of a latency test ---- */

#define INTERVAL_TEXT_MAX 64

/* The interval goes through the text of a duration, so that 0.1 seconds are exact. */
static bool
read_interval(limen_value value, limen_duration *out)
{
	char text[INTERVAL_TEXT_MAX];
	size_t length = 0;
	const char *number = limen_value_number(value, &length);
	int size;

	if (number == NULL || length >= sizeof text)
		return false;
	size = snprintf(text, sizeof text, "PT%.*sS", (int)length, number);
	if (size < 0 || (size_t)size >= sizeof text)
		return false;
	return limen_duration_parse(text, (size_t)size, 0, out, NULL) == LIMEN_OK;
}

/*
 * A "latency" test sends 'packet-count' packets, one every 'packet-interval' seconds, and has no
 * "duration".  A limit on its duration compares the product of the two, whatever else the test
 * says, and fails if either is missing.  The product is exact: no floating point is used.
 */
static const char *
derive_duration(limen_value spec, limen_duration *out)
{
	limen_value count = limen_value_get(spec, "packet-count");
	limen_value interval = limen_value_get(spec, "packet-interval");
	limen_duration pause;
	int64_t packets;

	if (!limen_value_exists(count) || !limen_value_exists(interval))
		return "cannot be computed: the test needs packet-count and packet-interval";
	if (!limen_value_int(count, &packets) || packets < 0)
		return "cannot be computed: packet-count is not a count";
	if (!read_interval(interval, &pause))
		return "cannot be computed: packet-interval is not a plain number of seconds";
	if (__builtin_mul_overflow(packets, pause, out))
		return "cannot be computed: packet-count is too large";
	return NULL;
}
/* ---- opening ---- */

static void
close_test(void *self)
{
	struct test *test = self;

	for (size_t i = 0; i < test->count; i++)
		parameter_close(&test->parameters[i]);
	dns_close(test->resolver);
	free(test->parameters);
	test->parameters = NULL;
	test->count = 0;
}

static int
open_parameters(struct test *test, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(test->limit);
	limen_value key, member;
	int result = LIMEN_OK;

	while (limen_iter_next(&iter, &key, &member)) {
		parameter *param = &test->parameters[test->count];
		int opened = parameter_open(param, key, member, diag);

		result = parameter_first(result, opened);
		if (opened != LIMEN_OK)
			continue;
		test->count++;
		if (strcmp(test->type, "latency") == 0 && param->kind == KIND_DURATION &&
		    param->key_length == strlen("duration") && strcmp(param->key, "duration") == 0)
			param->derive = derive_duration;
		keys_check(test->type, param, key, diag);
	}
	return result;
}

/* Names of hosts are looked up only where they are compared with networks. */
static int
open_resolver(struct test *test, limen_opening *opening, limen_diag *diag)
{
	bool waits = false;

	for (size_t i = 0; i < test->count; i++)
		waits = waits || test->parameters[i].kind == KIND_CIDR;
	if (waits)
		limen_opening_add_flags(opening, LIMEN_MODULE_BLOCKING);
	if (!waits && test->server == NULL)
		return LIMEN_OK;
	return dns_open(test->server, limen_opening_option(opening, "server"), diag,
	                &test->resolver);
}

static int
open_test(void *self, limen_opening *opening, limen_diag *diag)
{
	struct test *test = self;
	int result;

	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_data(opening),
	               "limit type 'test' is deprecated in pScheduler, which refuses it since 5.0; "
	               "limen still checks it");
	test->parameters = calloc(limen_value_count(test->limit) + 1, sizeof *test->parameters);
	if (test->parameters == NULL)
		return LIMEN_ENOMEM;
	result = open_parameters(test, diag);
	result = parameter_first(result, open_resolver(test, opening, diag));
	if (result != LIMEN_OK)
		close_test(test);
	return result;
}

/* ---- checking ---- */

static limen_verdict
check_parameters(const struct test *test, const limen_request *req, limen_value spec, hosts *all,
                 limen_reply *reply)
{
	limen_verdict verdict = LIMEN_PASS;

	/*
	 * LIMEN_ERROR outranks a failure: inverting the failure would make a test pass whose
	 * parameters could not all be checked.
	 */
	for (size_t i = 0; i < test->count; i++) {
		limen_verdict found;

		/* A regular expression can take a second. */
		if (limen_request_time_left(req) == 0) {
			limen_reply_reason(reply, "the deadline of the decision has passed");
			return LIMEN_ERROR;
		}
		found = parameter_check(&test->parameters[i], spec, all, reply);
		if (found == LIMEN_ERROR || verdict == LIMEN_PASS)
			verdict = found;
	}
	return verdict;
}

static limen_verdict
check_test(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct test *test = self;
	limen_value given = limen_value_get(limen_request_document(req), "test");
	limen_value spec = limen_value_get(given, "spec");
	hosts all = { .resolver = test->resolver, .left = HOSTS_MAX };

	/* Neither is a test outside the limit, which an inverted limit would pass. */
	if (limen_value_exists(given) && limen_value_type(given) != LIMEN_TYPE_OBJECT) {
		limen_reply_reason(reply, "The test in the task is not an object");
		return LIMEN_ERROR;
	}
	if (!limen_value_is(limen_value_get(given, "type"), test->type)) {
		limen_reply_reason(reply, "Test is not '%s'", test->type);
		return LIMEN_FAIL;
	}
	if (limen_value_type(spec) != LIMEN_TYPE_OBJECT) {
		limen_reply_reason(reply, "The test in the task has no specification");
		return LIMEN_ERROR;
	}
	if (test->resolver != NULL)
		all.deadline = dns_deadline(req, test->timeout);
	return check_parameters(test, req, spec, &all, reply);
}

LIMEN_LIMIT("test",
	.version = LIMEN_VERSION,
	.summary = "Compares the parameters of a test with acceptable values",
	.flags = LIMEN_MODULE_WHOLE_REASONS,
	.options = options,
	.instance_size = sizeof(struct test),
	.open = open_test,
	.close = close_test,
	.check = check_test);
