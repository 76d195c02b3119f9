/* SPDX-License-Identifier: Apache-2.0 */
/* probe.c - a rewriter for the tests of the kit: sets one member, or rejects. */
#include <limen/module.h>
#include <limen/version.h>

struct probe {
	const char *key;
};

static const limen_option options[] = {
	LIMEN_OPT_STRING(struct probe, key, .key = "key", .fallback = "probed",
	                 .help = "The member to set to true"),
	LIMEN_OPT_END
};

static limen_verdict
rewrite(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct probe *probe = self;
	limen_value document = limen_request_document(req);

	if (limen_value_exists(limen_value_get(document, "reject"))) {
		limen_reply_reason(reply, "rejected");
		return LIMEN_FAIL;
	}
	limen_reply_set(reply, document, probe->key, "true");
	limen_reply_changed(reply, "probed");
	return LIMEN_PASS;
}

LIMEN_REWRITER("probe",
	.version = LIMEN_VERSION,
	.summary = "Sets one member",
	.options = options,
	.instance_size = sizeof(struct probe),
	.rewrite = rewrite);
