/* SPDX-License-Identifier: Apache-2.0 */
/* fixed.c - the prioritizer that gives the priority its data names. */
#include <limen/module.h>
#include <limen/version.h>

struct fixed {
	limen_value priority;
	double add;
	limen_strings notes;
	const char *error;
	bool none;
};

static const limen_option options[] = {
	LIMEN_OPT_JSON(struct fixed, priority, .key = "priority",
	               .help = "The priority; without it the initial one"),
	LIMEN_OPT_REAL(struct fixed, add, .key = "add",
	               .help = "What to add to the initial priority"),
	LIMEN_OPT_STRINGS(struct fixed, notes, .key = "notes", .help = "What to note"),
	LIMEN_OPT_STRING(struct fixed, error, .key = "error", .help = "Why to fail"),
	LIMEN_OPT_BOOL(struct fixed, none, .key = "none", .help = "Whether to give no priority"),
	LIMEN_OPT_END
};

static limen_verdict
prioritize(const void *self, const limen_request *req, double initial, limen_reply *reply)
{
	const struct fixed *fixed = self;
	double priority = initial + fixed->add;

	(void)req;
	if (fixed->error != NULL) {
		limen_reply_reason(reply, "%s", fixed->error);
		return LIMEN_ERROR;
	}
	for (size_t i = 0; i < fixed->notes.count; i++)
		limen_reply_note(reply, "%s", fixed->notes.items[i]);
	limen_value_real(fixed->priority, &priority);
	if (!fixed->none)
		limen_reply_priority(reply, priority);
	return LIMEN_PASS;
}

LIMEN_PRIORITIZER("fixed",
	.version = LIMEN_VERSION,
	.summary = "Gives the priority its data names",
	.options = options,
	.instance_size = sizeof(struct fixed),
	.prioritize = prioritize);
