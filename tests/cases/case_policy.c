/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case_policy.c - loading the policy of a case, and comparing what the load
 * found with what it should.
 */
#include "case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For modules that fetch something first. */
#define READY_MAX (60 * LIMEN_SECOND)

const char *const case_policy_keys[] = { "policy",   "policy-text", "policy-path", "problems",
	                                 "warnings", "notes",       NULL };

static const char *const severity_words[] = {
	[LIMEN_SEVERITY_NOTE] = "note",
	[LIMEN_SEVERITY_WARNING] = "warning",
	[LIMEN_SEVERITY_PROBLEM] = "problem",
};

static char *
join_lines(const json_t *lines)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < json_array_size(lines); i++) {
		const json_t *line = json_array_get(lines, i);

		if (i > 0)
			fputc('\n', out);
		fwrite(json_string_value(line), 1, json_string_length(line), out);
	}
	fclose(out);
	return text;
}

static char *
repeat_text(const char *part, json_int_t times)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (json_int_t i = 0; i < times; i++)
		fputs(part, out);
	fclose(out);
	return text;
}

char *
case_text(test_case *test, const char *where, const json_t *value)
{
	static const char *const keys[] = { "repeat", "times", NULL };

	if (json_is_string(value))
		return strdup(json_string_value(value));
	if (json_is_array(value))
		return join_lines(value);
	case_check_keys(test, where, value, keys);
	return repeat_text(json_string_value(json_object_get(value, "repeat")),
	                   json_integer_value(json_object_get(value, "times")));
}

/* Returns a text of a problem without the directory of the group, wherever it stands in it. */
static json_t *
local_text(const test_case *test, const char *text)
{
	size_t length = strlen(test->directory);
	char *local = strdup(text);
	char *found;
	json_t *result;

	for (found = strstr(local, test->directory); found != NULL;
	     found = strstr(found, test->directory))
		memmove(found, found + length + 1, strlen(found + length + 1) + 1);
	result = json_string(local);
	free(local);
	return result;
}

static void
set_text(const test_case *test, json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, text == NULL ? json_null() : local_text(test, text));
}

static json_t *
problem_json(const test_case *test, const limen_problem *problem)
{
	json_t *object = json_object();

	set_text(test, object, "severity", severity_words[problem->severity]);
	set_text(test, object, "file", problem->file);
	json_object_set_new(object, "line", json_integer(problem->line));
	json_object_set_new(object, "column", json_integer(problem->column));
	set_text(test, object, "pointer", problem->pointer);
	set_text(test, object, "text", problem->text);
	set_text(test, object, "hint", problem->hint);
	return object;
}

static json_t *
collect(const test_case *test, const limen_diag *diag, limen_severity severity)
{
	json_t *list = json_array();
	size_t count = limen_diag_count(diag, LIMEN_SEVERITY_NOTE);

	for (size_t i = 0; i < count; i++) {
		const limen_problem *problem = limen_diag_get(diag, i);

		if (problem->severity == severity)
			json_array_append_new(list, problem_json(test, problem));
	}
	return list;
}

static void
check_problem_keys(test_case *test, const char *where, const json_t *list)
{
	static const char *const keys[] = { "severity", "file", "line", "column",
		                            "pointer",  "text", "hint", NULL };

	for (size_t i = 0; i < json_array_size(list); i++)
		case_check_keys(test, where, json_array_get(list, i), keys);
}

/* All entries of 'severity', in order; of each, the members that the case names. */
static void
compare_entries(test_case *test, const json_t *object, const limen_diag *diag,
                limen_severity severity, const char *key)
{
	json_t *expected = json_object_get(object, key);
	json_t *none = json_array();
	json_t *found = collect(test, diag, severity);

	check_problem_keys(test, key, expected);
	if (expected != NULL)
		case_cover(test, key, expected, found);
	else if (severity == LIMEN_SEVERITY_PROBLEM)
		case_cover(test, key, none, found);
	json_decref(none);
	json_decref(found);
}

/* Replaces @HERE@ by the directory of the group: URLs of files are absolute. */
static char *
put_directory(const test_case *test, const char *text)
{
	static const char mark[] = "@HERE@";
	char *here = realpath(test->directory, NULL);
	char *whole;
	size_t size;
	FILE *out = open_memstream(&whole, &size);

	for (const char *found = strstr(text, mark); found != NULL; found = strstr(text, mark)) {
		fwrite(text, 1, (size_t)(found - text), out);
		fputs(here, out);
		text = found + strlen(mark);
	}
	fputs(text, out);
	fclose(out);
	free(here);
	return whole;
}

static int
load_text(test_case *test, const char *text, limen_diag *diag)
{
	char *whole = put_directory(test, text);
	int result = limen_engine_load_text(test->engine, NULL, whole, strlen(whole), diag);

	free(whole);
	return result;
}

static int
load_path(test_case *test, const char *name, limen_diag *diag)
{
	char *path;
	int result = LIMEN_ENOMEM;

	if (asprintf(&path, "%s/%s", test->directory, name) >= 0) {
		result = limen_engine_load(test->engine, path, diag);
		free(path);
	}
	return result;
}

static int
load_any(test_case *test, const char *where, const json_t *object, limen_diag *diag)
{
	const json_t *text = json_object_get(object, "policy-text");
	const char *path = json_string_value(json_object_get(object, "policy-path"));
	char *copy;
	int result;

	if (path != NULL)
		return load_path(test, path, diag);
	if (text != NULL)
		copy = case_text(test, where, text);
	else
		copy = json_dumps(json_object_get(object, "policy"), JSON_ENCODE_ANY);
	result = load_text(test, copy, diag);
	free(copy);
	return result;
}

void
case_load(test_case *test, const char *where, const json_t *object)
{
	bool expected = json_array_size(json_object_get(object, "problems")) == 0;
	limen_diag *diag = limen_diag_new();
	int result = load_any(test, where, object, diag);

	if (!limen_engine_wait_ready(test->engine, READY_MAX))
		case_fail(test, where, "the modules are not ready");
	if ((result == LIMEN_OK) != expected)
		case_fail(test, where, "loading the policy: %s", limen_result_text(result));
	compare_entries(test, object, diag, LIMEN_SEVERITY_PROBLEM, "problems");
	compare_entries(test, object, diag, LIMEN_SEVERITY_WARNING, "warnings");
	compare_entries(test, object, diag, LIMEN_SEVERITY_NOTE, "notes");
	limen_diag_free(diag);
}
