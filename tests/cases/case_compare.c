/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case_compare.c - comparing, and telling of differences in a form from which
 * one sees at once what is wrong: TAP comments, expected lines with "-" and
 * actual ones with "+".
 */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every line of a comment begins with "#". */
static void
print_comment(const char *mark, const char *text)
{
	const char *end;

	for (end = strchr(text, '\n'); end != NULL; end = strchr(text, '\n')) {
		printf("# %s%.*s\n", mark, (int)(end - text), text);
		text = end + 1;
	}
	printf("# %s%s\n", mark, text);
}

void
case_fail(test_case *test, const char *where, const char *format, ...)
{
	va_list arguments;
	char text[2000];

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	test->failures++;
	printf("# %s: %s:\n", test->name, where);
	print_comment("    ", text);
}

static void
print_value(const char *mark, const json_t *value)
{
	char *text = value == NULL ? NULL : json_dumps(value, JSON_ENCODE_ANY);

	print_comment(mark, text == NULL ? "(nothing)" : text);
	free(text);
}

static void
fail_values(test_case *test, const char *where, const json_t *expected, const json_t *actual)
{
	case_fail(test, where, "differs (- expected, + found)");
	print_value("    - ", expected);
	print_value("    + ", actual);
}

static bool
is_known(const char *key, const char *const *known)
{
	if (key[0] == '#')
		return true;
	for (; *known != NULL; known++) {
		if (strcmp(key, *known) == 0)
			return true;
	}
	return false;
}

void
case_check_keys(test_case *test, const char *where, const json_t *object,
                const char *const *known)
{
	const char *key;
	json_t *member;

	if (!json_is_object(object)) {
		case_fail(test, where, "the case needs an object here");
		return;
	}
	json_object_foreach((json_t *)object, key, member) {
		if (!is_known(key, known))
			case_fail(test, where, "the case has an unknown key '%s'", key);
	}
}

void
case_compare(test_case *test, const char *where, const json_t *expected, const json_t *actual)
{
	bool equal = actual == NULL ? json_is_null(expected) : json_equal(expected, actual);

	if (!equal)
		fail_values(test, where, expected, actual);
}

static bool covers(const json_t *expected, const json_t *actual);

static bool
covers_object(const json_t *expected, const json_t *actual)
{
	const char *key;
	json_t *member;

	json_object_foreach((json_t *)expected, key, member) {
		const json_t *found = json_object_get(actual, key);

		if (found == NULL ? !json_is_null(member) : !covers(member, found))
			return false;
	}
	return json_is_object(actual);
}

/* The cases are ours: their depth is bounded. */
static bool
covers(const json_t *expected, const json_t *actual)
{
	if (json_is_object(expected))
		return covers_object(expected, actual);
	if (!json_is_array(expected))
		return json_equal(expected, actual);
	if (json_array_size(expected) != json_array_size(actual))
		return false;
	for (size_t i = 0; i < json_array_size(expected); i++) {
		if (!covers(json_array_get(expected, i), json_array_get(actual, i)))
			return false;
	}
	return json_is_array(actual);
}

void
case_cover(test_case *test, const char *where, const json_t *expected, const json_t *actual)
{
	if (!covers(expected, actual))
		fail_values(test, where, expected, actual);
}

/* Cuts 'text' into lines; "" is one empty line. */
static json_t *
split_lines(const char *text)
{
	json_t *lines = json_array();
	const char *end;

	for (end = strchr(text, '\n'); end != NULL; end = strchr(text, '\n')) {
		json_array_append_new(lines, json_stringn(text, (size_t)(end - text)));
		text = end + 1;
	}
	json_array_append_new(lines, json_string(text));
	return lines;
}

static void
print_line_difference(const json_t *expected, const json_t *actual)
{
	size_t expected_count = json_array_size(expected);
	size_t actual_count = json_array_size(actual);
	size_t most = expected_count > actual_count ? expected_count : actual_count;

	for (size_t i = 0; i < most; i++) {
		const char *wanted = json_string_value(json_array_get(expected, i));
		const char *found = json_string_value(json_array_get(actual, i));

		if (wanted != NULL && found != NULL && strcmp(wanted, found) == 0) {
			print_comment("      ", wanted);
			continue;
		}
		if (wanted != NULL)
			print_comment("    - ", wanted);
		if (found != NULL)
			print_comment("    + ", found);
	}
}

void
case_compare_lines(test_case *test, const char *where, const json_t *expected, const char *text)
{
	json_t *actual = text == NULL ? json_null() : split_lines(text);

	if (!json_equal(expected, actual)) {
		case_fail(test, where, "differs (- expected, + found)%s",
		          text == NULL ? "; there is none" : "");
		print_line_difference(expected, actual);
	}
	json_decref(actual);
}

static bool
holds_line(const json_t *lines, const json_t *wanted)
{
	for (size_t i = 0; i < json_array_size(lines); i++) {
		if (json_equal(json_array_get(lines, i), wanted))
			return true;
	}
	return false;
}

void
case_contain_lines(test_case *test, const char *where, const json_t *expected, const char *text)
{
	json_t *actual = split_lines(text == NULL ? "" : text);

	if (!json_is_array(expected))
		case_fail(test, where, "the case needs an array of lines here");
	for (size_t i = 0; i < json_array_size(expected); i++) {
		const json_t *wanted = json_array_get(expected, i);

		if (holds_line(actual, wanted))
			continue;
		case_fail(test, where, "lacks the line");
		print_value("    - ", wanted);
		print_line_difference(NULL, actual);
	}
	json_decref(actual);
}
