/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c - a prioritizer for the tests of the kit: adds, and says what time it is. */
#include <limen/module.h>
#include <limen/version.h>

struct probe {
	int64_t add;
};

static const limen_option options[] = {
	LIMEN_OPT_INT(struct probe, add, .key = "add", .required = true,
	              .help = "What to add to the priority"),
	LIMEN_OPT_END
};

static limen_verdict
prioritize(const void *self, const limen_request *req, double initial, limen_reply *reply)
{
	const struct probe *probe = self;

	limen_reply_reason(reply, "%lld", (long long)(limen_request_now(req) / LIMEN_SECOND));
	limen_reply_priority(reply, initial + (double)probe->add);
	return LIMEN_PASS;
}

LIMEN_PRIORITIZER("probe",
	.version = LIMEN_VERSION,
	.summary = "Adds to the priority",
	.options = options,
	.instance_size = sizeof(struct probe),
	.prioritize = prioritize);
