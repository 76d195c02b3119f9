/* SPDX-License-Identifier: Apache-2.0 */
/*
 * echo.h - plugins with the names of those that take manifests, which refuse
 * everything and show the data they were given.  A member "bad" of a manifest
 * is a problem at its place.
 */
#ifndef LIMEN_TESTS_MODULES_ECHO_H
#define LIMEN_TESTS_MODULES_ECHO_H

#include <limen/module.h>
#include <limen/version.h>

#include <stdlib.h>

struct echo {
	limen_value manifests;
	limen_value other;
};

static const limen_option options[] = {
	LIMEN_OPT_JSON(struct echo, manifests, .key = "manifests", .help = "What came in files"),
	LIMEN_OPT_JSON(struct echo, other, .key = "other", .help = "What stands beside them"),
	LIMEN_OPT_END
};

static int
open_echo(void *self, limen_opening *opening, limen_diag *diag)
{
	struct echo *echo = self;
	limen_iter iter = limen_iter_start(echo->manifests);
	limen_value one;
	int result = LIMEN_OK;

	(void)opening;
	while (limen_iter_next(&iter, NULL, &one)) {
		limen_value bad = limen_value_get(one, "bad");

		if (!limen_value_exists(bad))
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, bad, "bad");
		result = LIMEN_ECONFIG;
	}
	return result;
}

static void
show(limen_reply *reply, const char *name, limen_value value)
{
	char *text = limen_value_to_json(value, 0, NULL);

	if (text != NULL)
		limen_reply_violation(reply, LIMEN_CLASS_INVALID, NULL, "%s %s", name, text);
	free(text);
}

static limen_verdict
validate(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct echo *echo = self;

	(void)req;
	show(reply, "manifests", echo->manifests);
	show(reply, "other", echo->other);
	return LIMEN_FAIL;
}

#define ECHO(name)                                                                       \
	LIMEN_ADMISSION(name,                                                            \
		.version = LIMEN_VERSION,                                                \
		.summary = "Shows its data",                                             \
		.options = options,                                                      \
		.instance_size = sizeof(struct echo),                                    \
		.open = open_echo,                                                       \
		.validate = validate)

#endif
