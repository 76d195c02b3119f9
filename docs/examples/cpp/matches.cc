/* SPDX-License-Identifier: Apache-2.0 */
#include <regex>
#include <limen/module.hpp>

struct matches {
	const limen_path *path;
	const char *pattern;
	const std::regex *regex; /* made by open() */

	int
	open(limen_opening *, limen_diag *)
	{
		regex = new std::regex(pattern); /* a bad pattern throws: the policy does not load */
		return LIMEN_OK;
	}

	void
	close()
	{
		delete regex;
	}

	limen_verdict
	check(const limen_request *req, limen_reply *reply) const
	{
		size_t length = 0;
		limen_value found = limen_request_find(req, path);
		const char *text = limen_value_string(found, &length);

		if (!limen_value_exists(found))
			return LIMEN_SKIP;
		if (text == nullptr || length > 1000) { /* std::regex calls itself for each character */
			limen_reply_reason(reply, "not a text of at most 1000 bytes");
			return LIMEN_ERROR;
		}
		if (std::regex_match(text, text + length, *regex))
			return LIMEN_PASS;
		limen_reply_reason(reply, "'%s' does not match '%s'", text, pattern);
		return LIMEN_FAIL;
	}
};

static const limen_option matches_options[] = {
	LIMEN_OPT_PATH(matches, path, .key = "path", .required = true,
	               .help = "The text to match, such as /test/type"),
	LIMEN_OPT_STRING(matches, pattern, .key = "pattern", .required = true,
	                 .help = "A regular expression as in ECMAScript, for the whole text"),
	LIMEN_OPT_END
};

LIMEN_LIMIT("matches",
	.instance_size = sizeof(matches),
	.version = "1.0",
	.summary = "Match one text of the request, in C++",
	.options = matches_options,
	.open = limen::method<&matches::open>,
	.close = limen::method<&matches::close>,
	.check = limen::method<&matches::check>);
