/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recall.c - the identifier that may remember its answer: it passes and says
 * "now" if it does, and "later" if it had to be asked again.
 */
#include <limen/module.h>
#include <limen/version.h>

struct recall {
	bool remembers;
	bool odd;
	bool serialize;
};

static const limen_option options[] = {
	LIMEN_OPT_BOOL(struct recall, remembers, .key = "remembers",
	               .help = "Whether it need not wait"),
	LIMEN_OPT_BOOL(struct recall, odd, .key = "odd",
	               .help = "Whether to remember what is no verdict"),
	LIMEN_OPT_BOOL(struct recall, serialize, .key = "serialize",
	               .help = "Whether to ask for one call at a time"),
	LIMEN_OPT_END
};

static int
open_recall(void *self, limen_opening *opening, limen_diag *diag)
{
	const struct recall *recall = self;

	(void)diag;
	if (recall->serialize)
		limen_opening_add_flags(opening, LIMEN_MODULE_SERIALIZE);
	return LIMEN_OK;
}

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	(void)self;
	(void)req;
	limen_reply_reason(reply, "later");
	return LIMEN_PASS;
}

/* What is said before it turns out that the answer is not at hand must be forgotten. */
static bool
identify_now(const void *self, const limen_request *req, limen_reply *reply,
             limen_verdict *verdict)
{
	const struct recall *recall = self;

	(void)req;
	limen_reply_reason(reply, "now");
	limen_reply_warning(reply, "now");
	*verdict = recall->odd ? (limen_verdict)99 : LIMEN_PASS;
	return recall->remembers;
}

LIMEN_IDENTIFIER("recall",
	.version = LIMEN_VERSION,
	.summary = "Remembers its answer, or not",
	.flags = LIMEN_MODULE_BLOCKING,
	.options = options,
	.instance_size = sizeof(struct recall),
	.open = open_recall,
	.identify = identify,
	.identify_now = identify_now);
