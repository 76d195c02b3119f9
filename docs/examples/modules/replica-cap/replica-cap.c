/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replica-cap.c - an admission plugin: sets a default number of replicas for
 * workloads, and refuses more than a maximum.
 */
#include <inttypes.h>
#include <stdio.h>

#include <limen/module.h>

struct replica_cap {
	int64_t fallback;
	int64_t max;
};

static const limen_option replica_cap_options[] = {
	LIMEN_OPT_INT(struct replica_cap, fallback, .key = "default", .fallback = "1",
	              .minimum = 1, .help = "For a workload without a number"),
	LIMEN_OPT_INT(struct replica_cap, max, .key = "max", .required = true, .minimum = 1,
	              .help = "The maximum for a workload"),
	LIMEN_OPT_END
};

/* Checks across options, when the policy is loaded. */
static int
replica_cap_open(void *self, limen_opening *opening, limen_diag *diag)
{
	const struct replica_cap *rule = self;

	if (rule->fallback <= rule->max)
		return LIMEN_OK;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, "default"),
	               "the default is above max");
	return LIMEN_EINVAL;
}

/* Every entry changes the object before any entry checks it. */
static limen_verdict
replica_cap_mutate(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct replica_cap *rule = self;
	limen_value spec = limen_value_get(limen_request_document(req), "spec");
	char json[32];

	if (limen_value_type(spec) != LIMEN_TYPE_OBJECT ||
	    limen_value_exists(limen_value_get(spec, "replicas")))
		return LIMEN_SKIP;
	snprintf(json, sizeof json, "%" PRId64, rule->fallback);
	limen_reply_set(reply, spec, "replicas", json);
	return LIMEN_PASS;
}

/* Each violation says which field it is about; its class decides the code. */
static limen_verdict
replica_cap_validate(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct replica_cap *rule = self;
	limen_value spec = limen_value_get(limen_request_document(req), "spec");
	limen_value replicas = limen_value_get(spec, "replicas");
	int64_t count;

	if (!limen_value_exists(replicas))
		return LIMEN_SKIP;
	if (!limen_value_int(replicas, &count)) {
		limen_reply_violation(reply, LIMEN_CLASS_INVALID, "spec.replicas",
		                      "spec.replicas is not an integer");
		return LIMEN_FAIL;
	}
	if (count <= rule->max)
		return LIMEN_PASS;
	limen_reply_violation(reply, LIMEN_CLASS_FORBIDDEN, "spec.replicas",
	                      "%" PRId64 " replicas are more than %" PRId64, count, rule->max);
	return LIMEN_FAIL;
}

LIMEN_ADMISSION("replica-cap",
	.version = "1.0",
	.summary = "Sets a default number of replicas, and refuses too many",
	.options = replica_cap_options,
	.instance_size = sizeof(struct replica_cap),
	.open = replica_cap_open,
	.mutate = replica_cap_mutate,
	.validate = replica_cap_validate);
