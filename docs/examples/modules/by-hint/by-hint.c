/* SPDX-License-Identifier: Apache-2.0 */
/*
 * by-hint.c - a prioritizer: raises or lowers the priority of a run by the value of a hint.
 */
#include <limen/module.h>

struct by_hint {
	const char *hint;
	limen_value steps;
};

static const limen_option by_hint_options[] = {
	LIMEN_OPT_STRING(struct by_hint, hint, .key = "hint", .required = true,
	                 .help = "The name of the hint to look at, such as user"),
	LIMEN_OPT_OBJECT(struct by_hint, steps, .key = "steps", .required = true,
	                 .help = "The number to add for each value of the hint"),
	LIMEN_OPT_END
};

/* Checks the values of steps when the policy is loaded, and reports all mistakes. */
static int
by_hint_open(void *self, limen_opening *opening, limen_diag *diag)
{
	const struct by_hint *prioritizer = self;
	limen_iter iter = limen_iter_start(prioritizer->steps);
	limen_value key, step;
	int result = LIMEN_OK;
	double number;

	(void)opening;
	while (limen_iter_next(&iter, &key, &step)) {
		if (limen_value_real(step, &number))
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, step, "a step must be a number");
		result = LIMEN_EINVAL;
	}
	return result;
}

static limen_verdict
by_hint_prioritize(const void *self, const limen_request *req, double initial,
                   limen_reply *reply)
{
	const struct by_hint *prioritizer = self;
	limen_value hint = limen_value_get(limen_request_hints(req), prioritizer->hint);
	size_t length = 0;
	const char *text = limen_value_string(hint, &length);
	double step = 0;

	/* A hint may hold NULs, so it is looked up by its length. */
	if (text != NULL)
		limen_value_real(limen_value_member(prioritizer->steps, text, length), &step);
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
	.open = by_hint_open,
	.prioritize = by_hint_prioritize);
