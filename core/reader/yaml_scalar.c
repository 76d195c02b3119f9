/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_scalar.c - resolves the type and the value of a YAML scalar and the meaning of its tag, by
 * the core schema of YAML 1.2 (section 10.3.2) with the numbers that Kubernetes accepts.
 */
#include "yaml_scalar.h"

#include <string.h>

#include "yaml_number.h"

#define TAG_PREFIX "tag:yaml.org,2002:"

static const char *const null_words[] = { "", "~", "null", "Null", "NULL", NULL };
static const char *const true_words[] = { "true", "True", "TRUE", NULL };
static const char *const false_words[] = { "false", "False", "FALSE", NULL };
static const char *const yes_words[] = { "y",  "Y",  "yes", "Yes", "YES",
	                                 "on", "On", "ON",  NULL };
static const char *const no_words[] = { "n",   "N",   "no",  "No", "NO",
	                                "off", "Off", "OFF", NULL };
static const char *const nan_words[] = { ".nan", ".NaN", ".NAN", NULL };
static const char *const inf_words[] = { ".inf", ".Inf", ".INF", NULL };

static bool
is_one_of(const char *text, size_t length, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strlen(*words) == length && memcmp(*words, text, length) == 0)
			return true;
	return false;
}

/* .inf and .nan, spelled as Python's json does. */
static bool
resolve_special(const char *text, size_t length, yaml_scalar *out)
{
	size_t sign = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;

	if (is_one_of(text, length, nan_words))
		out->text = "NaN";
	else if (is_one_of(text + sign, length - sign, inf_words))
		out->text = text[0] == '-' ? "-Infinity" : "Infinity";
	else
		return false;
	out->type = LIMEN_TYPE_REAL;
	out->length = strlen(out->text);
	return true;
}

static bool
resolve_bool(const char *text, size_t length, yaml_scalar *out)
{
	out->truth = is_one_of(text, length, true_words);
	if (!out->truth && !is_one_of(text, length, false_words))
		return false;
	out->type = LIMEN_TYPE_BOOL;
	return true;
}

static int
refuse(yaml_scalar *out, const char *problem)
{
	out->problem = problem;
	return LIMEN_EINVAL;
}

/* Returns LIMEN_EINVAL without a problem if the text is not a number. */
static int
resolve_number(const char *text, size_t length, bool nan, arena *memory, yaml_scalar *out)
{
	yaml_number number;
	int result;

	if (resolve_special(text, length, out))
		return nan ? LIMEN_OK : refuse(out, "is not a number that JSON can hold");
	result = yaml_number_read(text, length, memory, &number);
	if (result == LIMEN_ERANGE)
		return refuse(out, "does not fit in 64 bits");
	if (result != LIMEN_OK)
		return result;
	out->type = number.integer ? LIMEN_TYPE_INTEGER : LIMEN_TYPE_REAL;
	out->text = number.text;
	out->length = number.length;
	out->remark = number.disputed ? YAML_REMARK_NUMBER : YAML_REMARK_NONE;
	return LIMEN_OK;
}

static int
resolve_plain(const char *text, size_t length, bool nan, arena *memory, yaml_scalar *out)
{
	int result;

	if (is_one_of(text, length, null_words)) {
		out->type = LIMEN_TYPE_NULL;
		return LIMEN_OK;
	}
	if (resolve_bool(text, length, out))
		return LIMEN_OK;
	result = resolve_number(text, length, nan, memory, out);
	if (result != LIMEN_EINVAL || out->problem != NULL)
		return result;
	if (is_one_of(text, length, yes_words) || is_one_of(text, length, no_words))
		out->remark = YAML_REMARK_WORD;
	return LIMEN_OK;
}

/* A tag says which words YAML 1.1 has for booleans, so there is nothing to remark. */
static int
resolve_tagged_bool(const char *text, size_t length, yaml_scalar *out)
{
	if (resolve_bool(text, length, out))
		return LIMEN_OK;
	out->type = LIMEN_TYPE_BOOL;
	out->truth = is_one_of(text, length, yes_words);
	if (out->truth || is_one_of(text, length, no_words))
		return LIMEN_OK;
	return refuse(out, "is not a boolean");
}

static int
resolve_tagged_number(const char *text, size_t length, yaml_tag tag, bool nan, arena *memory,
                      yaml_scalar *out)
{
	int result = resolve_number(text, length, nan, memory, out);

	if (result == LIMEN_EINVAL && out->problem == NULL)
		return refuse(out, tag == YAML_TAG_INT ? "is not an integer" : "is not a number");
	if (result == LIMEN_OK && tag == YAML_TAG_INT && out->type != LIMEN_TYPE_INTEGER)
		return refuse(out, "is not an integer");
	return result;
}

static int
resolve_tagged(const char *text, size_t length, yaml_tag tag, bool nan, arena *memory,
               yaml_scalar *out)
{
	switch (tag) {
	case YAML_TAG_NULL:
		out->type = LIMEN_TYPE_NULL;
		return is_one_of(text, length, null_words) ? LIMEN_OK : refuse(out, "is not null");
	case YAML_TAG_BOOL:
		return resolve_tagged_bool(text, length, out);
	case YAML_TAG_INT:
	case YAML_TAG_FLOAT:
		return resolve_tagged_number(text, length, tag, nan, memory, out);
	default:
		return refuse(out, "has a tag that does not fit a scalar");
	}
}

int
yaml_scalar_resolve(const char *text, size_t length, bool plain, yaml_tag tag, bool nan,
                    arena *memory, yaml_scalar *out)
{
	*out = (yaml_scalar){ .type = LIMEN_TYPE_STRING, .text = text, .length = length };
	if (tag == YAML_TAG_TEXT || (tag == YAML_TAG_NONE && !plain))
		return LIMEN_OK;
	if (tag == YAML_TAG_NONE)
		return resolve_plain(text, length, nan, memory, out);
	return resolve_tagged(text, length, tag, nan, memory, out);
}

yaml_tag
yaml_tag_find(const char *name, size_t length)
{
	static const char *const names[] = {
		[YAML_TAG_TEXT] = "str",  [YAML_TAG_INT] = "int",   [YAML_TAG_FLOAT] = "float",
		[YAML_TAG_BOOL] = "bool", [YAML_TAG_NULL] = "null", [YAML_TAG_SEQ] = "seq",
		[YAML_TAG_MAP] = "map",   [YAML_TAG_MERGE] = "merge",
	};
	size_t prefix = strlen(TAG_PREFIX);
	size_t i;

	if (length < prefix || memcmp(name, TAG_PREFIX, prefix) != 0)
		return YAML_TAG_UNKNOWN;
	for (i = YAML_TAG_TEXT; i < YAML_TAG_UNKNOWN; i++)
		if (strlen(names[i]) == length - prefix
		    && memcmp(names[i], name + prefix, length - prefix) == 0)
			return (yaml_tag)i;
	return YAML_TAG_UNKNOWN;
}
