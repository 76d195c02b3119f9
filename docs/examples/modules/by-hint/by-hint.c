/* SPDX-License-Identifier: Apache-2.0 */
/*
 * by-hint.c - a prioritizer: raises or lowers the priority of a run by the value of a hint.
 */
#include <limen/module.h>

struct by_hint {
	const char *hint;
	limen_rows steps;
};

/* The struct that each object in "steps" fills. */
struct step {
	const char *value;
	double add;
};

static const limen_option step_options[] = {
	LIMEN_OPT_STRING(struct step, value, .key = "value", .required = true,
	                 .help = "A value of the hint"),
	LIMEN_OPT_REAL(struct step, add, .key = "add", .required = true,
	               .help = "What it adds to the priority"),
	LIMEN_OPT_END
};

static const limen_option by_hint_options[] = {
	LIMEN_OPT_STRING(struct by_hint, hint, .key = "hint", .required = true,
	                 .help = "The name of the hint to look at, such as user"),
	LIMEN_OPT_ROWS(struct by_hint, steps, struct step, step_options, .key = "steps",
	               .required = true, .minimum_count = 1,
	               .help = "The values that count, the first of which wins"),
	LIMEN_OPT_END
};

static limen_verdict
by_hint_prioritize(const void *self, const limen_request *req, double initial,
                   limen_reply *reply)
{
	const struct by_hint *prioritizer = self;
	const struct step *steps = prioritizer->steps.items;
	limen_value hint = limen_value_get(limen_request_hints(req), prioritizer->hint);
	double step = 0;

	for (size_t i = 0; i < prioritizer->steps.count; i++) {
		if (limen_value_is(hint, steps[i].value)) {
			step = steps[i].add;
			break;
		}
	}
	if (step != 0)
		limen_reply_note(reply, "The %s counts %g", prioritizer->hint, step);
	limen_reply_priority(reply, initial + step);
	return LIMEN_PASS;
}

LIMEN_PRIORITIZER("by-hint",
	.version = "1.0",
	.summary = "Raises or lowers the priority of a run by the value of a hint",
	.options = by_hint_options,
	.instance_size = sizeof(struct by_hint),
	.prioritize = by_hint_prioritize);
