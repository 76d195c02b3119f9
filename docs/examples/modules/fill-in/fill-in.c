/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fill-in.c - a rewriter: adds a missing attribute to a task.
 */
#include <stdlib.h>

#include <limen/module.h>

struct fill_in {
	const limen_path *object;
	const char *key;
	limen_value value;
};

static const limen_option fill_in_options[] = {
	LIMEN_OPT_PATH(struct fill_in, object, .key = "object", .required = true,
	               .help = "The object that lacks the attribute, such as /test/spec"),
	LIMEN_OPT_STRING(struct fill_in, key, .key = "key", .required = true,
	                 .help = "The name of the attribute"),
	LIMEN_OPT_JSON(struct fill_in, value, .key = "value", .required = true,
	               .help = "The value to set"),
	LIMEN_OPT_END
};

/* LIMEN_FAIL would reject the task; LIMEN_PASS lets it go on, changed or not. */
static limen_verdict
fill_in_rewrite(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct fill_in *filler = self;
	limen_value object = limen_request_find(req, filler->object);
	char *json;

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT ||
	    limen_value_exists(limen_value_get(object, filler->key)))
		return LIMEN_PASS;
	json = limen_value_to_json(filler->value, 0, NULL);
	if (json == NULL)
		return LIMEN_ERROR;
	limen_reply_set(reply, object, filler->key, json);
	limen_reply_changed(reply, "Filled in what was missing");
	free(json);
	return LIMEN_PASS;
}

LIMEN_REWRITER("fill-in",
	.version = "1.0",
	.summary = "Adds a missing attribute to a task",
	.options = fill_in_options,
	.instance_size = sizeof(struct fill_in),
	.rewrite = fill_in_rewrite);
