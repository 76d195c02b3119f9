/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keys.c - lists the parameters of pScheduler's idle, latency, rtt, throughput and trace tests
 * with their types.  Warns about limits on a misspelt parameter and about limits of the wrong
 * type.
 */
#include "parameter.h"

#include <string.h>
#include <limen/nearest.h>

#define KEYS_MAX 24

/* One integer can be limited by a range or by a list. */
#define KIND_INTEGER (KIND_NUMBER | KIND_LIST)

typedef struct key_row {
	const char *key;
	unsigned kinds; /* what its value can be compared with */
} key_row;

typedef struct test_row {
	const char *test;
	const key_row *keys; /* ended by a row without key */
} test_row;

/* Keys common to tests between two hosts. */
#define HOST_KEYS                                                       \
	{ "ip-version", KIND_VERSION | KIND_INTEGER },                  \
	{ "source", KIND_CIDR | KIND_STRING },                          \
	{ "dest", KIND_CIDR | KIND_STRING },                            \
	{ "endpoint", KIND_CIDR }

static const key_row throughput_keys[] = {
	{ "bandwidth", KIND_INTEGER },
	{ "duration", KIND_DURATION },
	{ "parallel", KIND_INTEGER },
	{ "udp", KIND_BOOLEAN },
	HOST_KEYS,
	{ NULL, 0 },
};

static const key_row rtt_keys[] = {
	{ "count", KIND_INTEGER },
	{ "deadline", KIND_DURATION },
	{ "flow-label", KIND_INTEGER },
	{ "hostnames", KIND_BOOLEAN },
	{ "interval", KIND_DURATION },
	{ "ip-tos", KIND_INTEGER },
	{ "length", KIND_INTEGER },
	{ "suppress-loopback", KIND_BOOLEAN },
	{ "timeout", KIND_DURATION },
	{ "ttl", KIND_INTEGER },
	HOST_KEYS,
	{ NULL, 0 },
};

static const key_row trace_keys[] = {
	{ "algorithm", KIND_STRING },
	{ "as", KIND_BOOLEAN },
	{ "dest-port", KIND_INTEGER },
	{ "first-ttl", KIND_INTEGER },
	{ "fragment", KIND_BOOLEAN },
	{ "hops", KIND_INTEGER },
	{ "hostnames", KIND_BOOLEAN },
	{ "ip-tos", KIND_INTEGER },
	{ "length", KIND_INTEGER },
	{ "probe-type", KIND_STRING },
	{ "queries", KIND_INTEGER },
	{ "send-wait", KIND_DURATION },
	{ "wait", KIND_DURATION },
	HOST_KEYS,
	{ NULL, 0 },
};

/* Intervals and time-outs between packets are seconds, not durations. */
static const key_row latency_keys[] = {
	{ "bucket-width", KIND_NUMBER },
	{ "ctrl-port", KIND_INTEGER },
	{ "data-ports", KIND_INTEGER },
	{ "duration", KIND_DURATION },
	{ "flip", KIND_BOOLEAN },
	{ "ip-tos", KIND_INTEGER },
	{ "output-raw", KIND_BOOLEAN },
	{ "packet-count", KIND_INTEGER },
	{ "packet-interval", KIND_NUMBER },
	{ "packet-padding", KIND_INTEGER },
	{ "packet-timeout", KIND_NUMBER },
	{ "report-interval", KIND_DURATION },
	{ "reverse", KIND_BOOLEAN },
	HOST_KEYS,
	{ NULL, 0 },
};

static const key_row idle_keys[] = {
	{ "duration", KIND_DURATION },
	{ "parting-comment", KIND_STRING },
	{ "starting-comment", KIND_STRING },
	{ NULL, 0 },
};

static const test_row tests[] = {
	{ "idle", idle_keys },       { "idlebgm", idle_keys },
	{ "idleex", idle_keys },     { "latency", latency_keys },
	{ "latencybg", latency_keys }, { "rtt", rtt_keys },
	{ "throughput", throughput_keys }, { "trace", trace_keys },
};
static const key_row *
find_row(const key_row *rows, const parameter *param)
{
	for (; rows->key != NULL; rows++)
		if (strlen(rows->key) == param->key_length &&
		    memcmp(rows->key, param->key, param->key_length) == 0)
			return rows;
	return NULL;
}

/* Warns of a key similar to a known one; any other is assumed to be new to the table. */
static void
warn_misspelt(const char *test, const key_row *rows, const parameter *param, limen_value where,
              limen_diag *diag)
{
	const char *words[KEYS_MAX + 1];
	size_t count = 0;
	const char *nearest;

	for (; rows->key != NULL && count < KEYS_MAX; rows++)
		words[count++] = rows->key;
	words[count] = NULL;
	nearest = limen_nearest_of(param->key, words);
	if (nearest == NULL)
		return;
	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, where,
	               "'%s' is not a known parameter of a %s test: if no task has it, it limits "
	               "nothing", param->key, test);
	limen_diag_hint(diag, "did you mean '%s'?", nearest);
}

void
keys_check(const char *test, const parameter *param, limen_value where, limen_diag *diag)
{
	const key_row *rows = NULL;
	const key_row *row;

	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		if (strcmp(tests[i].test, test) == 0)
			rows = tests[i].keys;
	if (rows == NULL)
		return;
	row = find_row(rows, param);
	if (row == NULL) {
		warn_misspelt(test, rows, param, where, diag);
		return;
	}
	if ((row->kinds & param->kind) != 0)
		return;
	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, where,
	               "'%s' of a %s test has another type than this limit compares", param->key,
	               test);
}
