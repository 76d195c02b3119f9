/* SPDX-License-Identifier: Apache-2.0 */
/*
 * string.c - String: {"match": {"style": "regex", "match": "platypus"}}.  Both
 * the limit and its StringMatch may be inverted; two inversions cancel out.
 */
#include "parameter.h"

static const char *const match_keys[] = {
	"style", "match", "case-insensitive", "invert", NULL
};

static int
read_style(limen_value match, limen_match_style *out, limen_diag *diag)
{
	static const char *const styles[] = {
		[LIMEN_MATCH_EXACT] = "exact",
		[LIMEN_MATCH_CONTAINS] = "contains",
		[LIMEN_MATCH_REGEX] = "regex",
	};
	limen_value style = limen_value_get(match, "style");

	if (!limen_value_exists(style))
		return parameter_reject(diag, match, "'style' is a required property");
	for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
		if (limen_value_is(style, styles[i])) {
			*out = (limen_match_style)i;
			return LIMEN_OK;
		}
	}
	return parameter_reject(diag, style, "must be 'exact', 'contains' or 'regex'");
}

static int
read_pattern(limen_value match, limen_value *out, limen_diag *diag)
{
	limen_value pattern = limen_value_get(match, "match");

	if (!limen_value_exists(pattern))
		return parameter_reject(diag, match, "'match' is a required property");
	if (limen_value_type(pattern) != LIMEN_TYPE_STRING)
		return parameter_reject(diag, pattern, "must be a string");
	*out = pattern;
	return LIMEN_OK;
}

static int
read_flags(limen_value match, unsigned *out, limen_diag *diag)
{
	bool caseless = false;
	bool invert = false;
	int result = parameter_read_bool(match, "case-insensitive", &caseless, diag);

	result = parameter_first(result, parameter_read_bool(match, "invert", &invert, diag));
	*out = (caseless ? (unsigned)LIMEN_MATCH_CASELESS : 0) |
	       (invert ? (unsigned)LIMEN_MATCH_INVERT : 0);
	return result;
}

static int
compile(parameter *param, limen_match_style style, limen_value pattern, unsigned flags,
        limen_diag *diag)
{
	size_t length;
	const char *text = limen_value_string(pattern, &length);
	limen_string_match *match;
	char why[LIMEN_MATCH_WHY_MAX] = "";
	int result = limen_string_match_new(style, text, length, flags, &match, why);

	if (result == LIMEN_ENOMEM)
		return LIMEN_ENOMEM;
	if (result != LIMEN_OK)
		return parameter_reject(diag, pattern, "%s", why);
	if (limen_string_match_note(match) != NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, pattern, "%s",
		               limen_string_match_note(match));
	param->state = match;
	return LIMEN_OK;
}

static int
open_string(parameter *param, limen_value limit, limen_diag *diag)
{
	limen_value match = limen_value_get(limit, "match");
	limen_match_style style = LIMEN_MATCH_EXACT;
	limen_value pattern = limen_value_none();
	unsigned flags = 0;
	int result = parameter_check_keys(match, match_keys, LIMEN_SEVERITY_PROBLEM, diag);

	result = parameter_first(result, read_style(match, &style, diag));
	result = parameter_first(result, read_pattern(match, &pattern, diag));
	result = parameter_first(result, read_flags(match, &flags, diag));
	return result != LIMEN_OK ? result : compile(param, style, pattern, flags, diag);
}

static void
close_string(parameter *param)
{
	limen_string_match_free(param->state);
}

static limen_verdict
check_string(const parameter *param, limen_value spec, limen_value value, limen_reply *reply)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);
	limen_verdict verdict;

	(void)spec;
	if (text == NULL)
		return parameter_unusable(param, "is not a string", reply);
	verdict = limen_string_match_test(param->state, text, length);
	if (verdict != LIMEN_PASS && verdict != LIMEN_FAIL) {
		limen_reply_reason(reply, "%s could not be matched", param->name);
		return LIMEN_ERROR;
	}
	return parameter_verdict(param, verdict == LIMEN_PASS, "does not match limit", reply);
}

const shape string_shape = {
	.kind = KIND_STRING,
	.invertible = true,
	.open = open_string,
	.check = check_string,
	.close = close_string,
};
