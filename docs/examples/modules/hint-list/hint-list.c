/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hint-list.c - an identifier: identifies requesters by a hint with a listed value.
 */
#include <limen/module.h>

struct hint_list {
	const char *hint;
	limen_strings values;
};

static const limen_option hint_list_options[] = {
	LIMEN_OPT_STRING(struct hint_list, hint, .key = "hint", .required = true,
	                 .help = "The name of the hint to look at, such as user"),
	LIMEN_OPT_STRINGS(struct hint_list, values, .key = "values", .required = true,
	                  .help = "The values that identify"),
	LIMEN_OPT_END
};

/* Runs on any number of threads at once: the instance is only read. */
static limen_verdict
hint_list_identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct hint_list *list = self;
	limen_value hint = limen_value_get(limen_request_hints(req), list->hint);

	if (!limen_value_exists(hint))
		return LIMEN_SKIP;
	if (limen_value_type(hint) != LIMEN_TYPE_STRING) {
		limen_reply_reason(reply, "Hint '%s' is not a string", list->hint);
		return LIMEN_ERROR;
	}
	for (size_t i = 0; i < list->values.count; i++)
		if (limen_value_is(hint, list->values.items[i]))
			return LIMEN_PASS;
	return LIMEN_FAIL;
}

LIMEN_IDENTIFIER("hint-list",
	.version = "1.0",
	.summary = "Identifies requesters by a hint with a listed value",
	.options = hint_list_options,
	.instance_size = sizeof(struct hint_list),
	.identify = hint_list_identify);
