/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hint.c - the identifier that compares one hint with a StringMatch
 * (limits.rst, "hint").
 */
#include <limen/module.h>
#include <limen/version.h>

#include "../../support/hint_names.h"

struct hint {
	const char *name;
	const limen_string_match *match;
	bool exact;    /* the match asks for equality */
	bool inverted; /* the match, not the entry */
};

static const limen_option options[] = {
	LIMEN_OPT_STRING(struct hint, name, .key = "hint", .required = true,
	                 .help = "The name of the hint to look at, such as requester or server"),
	LIMEN_OPT_MATCH(struct hint, match, .key = "match", .required = true,
	                .help = "The pattern for the value of the hint"),
	LIMEN_OPT_END
};

/* A compiled match does not tell how it was written, and identify() has to know. */
static int
open_hint(void *self, limen_opening *opening, limen_diag *diag)
{
	struct hint *hint = self;
	limen_value match = limen_opening_option(opening, "match");

	hint_name_check(hint->name, limen_opening_option(opening, "hint"), diag);
	hint->exact = limen_value_is(limen_value_get(match, "style"), "exact");
	limen_value_bool(limen_value_get(match, "invert"), &hint->inverted);
	return limen_opening_use_http(
		opening, strcmp(hint->name, "requester") == 0 ? LIMEN_HTTP_CLIENT : 0, NULL);
}

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct hint *hint = self;
	limen_value value = limen_value_get(limen_request_hints(req), hint->name);
	size_t length = 0;
	const char *text = limen_value_string(value, &length);
	limen_verdict verdict;

	if (!limen_value_exists(value)) {
		if (limen_reply_wants_bounds(reply))
			limen_reply_note(reply, "hint '%s' is not given", hint->name);
		return LIMEN_SKIP;
	}
	/*
	 * A hint that is no string equals no string, but it makes no sense to search in it
	 * (Python's StringMatch raises an exception).
	 */
	if (text == NULL && hint->exact)
		return hint->inverted ? LIMEN_PASS : LIMEN_FAIL;
	if (text == NULL) {
		limen_reply_reason(reply, "Hint '%s' is not a string", hint->name);
		return LIMEN_ERROR;
	}
	verdict = limen_string_match_test(hint->match, text, length);
	if (verdict == LIMEN_ERROR)
		limen_reply_reason(reply, "Hint '%s' could not be matched", hint->name);
	return verdict;
}

LIMEN_IDENTIFIER("hint",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters by one of the hints that come with the request",
	.options = options,
	.instance_size = sizeof(struct hint),
	.open = open_hint,
	.identify = identify);
