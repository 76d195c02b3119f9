/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_keys.c - checks the keys of a test file and the types of their values.  Unknown keys
 * are problems: a test with an ignored key would check less than its author thinks.
 */
#include <limen/nearest.h>
#include <stdlib.h>
#include <string.h>

#include "common/json_out.h"
#include "tests.h"

#define TYPE(name) (1U << LIMEN_TYPE_##name)

/* Largest depth of a column: the depth of documents (limen/documents.h). */
#define DEPTH_MAX 1000

#define IN_ASKING (IN_DEFAULTS | IN_TEST | IN_STEP | IN_COLUMN)

typedef struct key_rule {
	const char *key;
	unsigned places;
	unsigned types;
	const char *wanted;
} key_rule;

static const key_rule rules[] = {
	{ "description", IN_FILE | IN_TEST | IN_STEP, TYPE(STRING), "a string" },
	{ "defaults", IN_FILE, TYPE(OBJECT), "an object" },
	{ "tests", IN_FILE, TYPE(ARRAY), "an array" },
	{ "policy", IN_FILE | IN_TEST, TYPE(STRING) | TYPE(OBJECT), "a path or an object" },
	{ "name", IN_TEST | IN_STEP | IN_COLUMN, TYPE(STRING), "a string" },
	{ "skip", IN_TEST | IN_COLUMN, TYPE(STRING), "a string that says why" },
	{ "steps", IN_TEST, TYPE(ARRAY), "an array" },
	{ "columns", IN_TEST, TYPE(ARRAY), "an array" },
	{ "rows", IN_TEST, TYPE(ARRAY), "an array" },
	{ "request", IN_ASKING, TYPE(OBJECT), "a task or an object; 'requestFile' names a file" },
	{ "task", IN_ASKING, TYPE(OBJECT), "a task" },
	{ "object", IN_ASKING, TYPE(OBJECT), "a Kubernetes object" },
	{ "requestFile", IN_ASKING, TYPE(STRING), "a path" },
	{ "subject", IN_ASKING, TYPE(STRING), "task or object" },
	{ "hints", IN_ASKING, TYPE(OBJECT), "an object" },
	{ "user", IN_ASKING, TYPE(STRING), "a string" },
	{ "groups", IN_ASKING, TYPE(ARRAY), "an array of strings" },
	{ "operation", IN_ASKING, TYPE(STRING), "CREATE, UPDATE, DELETE or CONNECT" },
	{ "namespace", IN_ASKING, TYPE(STRING), "a string" },
	{ "oldObject", IN_ASKING, TYPE(OBJECT), "an object" },
	{ "asReceived", IN_ASKING, TYPE(BOOL), "true or false" },
	{ "phase", IN_ASKING, TYPE(STRING), "mutate or validate" },
	{ "time", IN_ASKING, TYPE(STRING) | TYPE(INTEGER) | TYPE(REAL),
	  "a time (2026-01-31T12:00:00Z) or seconds since 1970" },
	{ "after", IN_STEP, TYPE(STRING), "a period (PT30S, P1D)" },
	{ "repeat", IN_ASKING, TYPE(INTEGER), "a number of times" },
	{ "run", IN_ASKING, TYPE(BOOL) | TYPE(OBJECT), "true, or an object with start and duration" },
	{ "rewrite", IN_ASKING, TYPE(BOOL), "true or false" },
	{ "prioritize", IN_ASKING, TYPE(BOOL), "true or false" },
	{ "dryRun", IN_ASKING, TYPE(BOOL), "true or false" },
	{ "expect", IN_ASKING, TYPE(OBJECT), "an object, such as {verdict: refused}" },
};

static const key_rule *
find_rule(const char *key, size_t length, unsigned place)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if ((rules[i].places & place) != 0 && strlen(rules[i].key) == length &&
		    memcmp(rules[i].key, key, length) == 0)
			return &rules[i];
	return NULL;
}

static void
refuse_key(limen_value where, const char *key, unsigned place, limen_diag *diag)
{
	limen_nearest best = limen_nearest_to(key);

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if ((rules[i].places & place) != 0)
			limen_nearest_offer(&best, rules[i].key);
	tests_refuse_key(where, key, best.word, diag);
}

void
tests_refuse_key(limen_value where, const char *key, const char *meant, limen_diag *diag)
{
	if (meant == NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "unknown key '%s'", key);
	else
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where,
		               "unknown key '%s' (did you mean '%s'?)", key, meant);
}

/* Checks the type.  A text with a NUL is refused: later code would see only the part before it. */
static bool
check_type(const key_rule *rule, limen_value value, limen_diag *diag)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	if (text != NULL && strlen(text) != length) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value, "'%s' must not hold a NUL",
		               rule->key);
		return false;
	}
	if ((rule->types & (1U << limen_value_type(value))) != 0)
		return true;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value, "'%s' must be %s", rule->key,
	               rule->wanted);
	return false;
}

static bool
check_expect(limen_value expect, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(expect);
	limen_value key;
	limen_value value;
	bool good = true;

	while (limen_iter_next(&iter, &key, &value)) {
		size_t length;
		const char *text = limen_value_string(key, &length);

		good = tests_check_expected(text, length, key, value, diag) && good;
	}
	return good;
}

/* Checks the object form of "run"; an unknown member would be ignored. */
static bool
check_run(limen_value run, limen_diag *diag)
{
	static const char *const known[] = { "start", "duration", NULL };
	limen_iter iter = limen_iter_start(run);
	limen_value key, value;
	bool good = true;

	while (limen_value_type(run) == LIMEN_TYPE_OBJECT && limen_iter_next(&iter, &key, &value)) {
		const char *text = limen_value_string(key, NULL);
		size_t length = 0;
		const char *words = limen_value_string(value, &length);

		if (text[0] == '#')
			continue;
		if (!limen_value_is(key, known[0]) && !limen_value_is(key, known[1])) {
			tests_refuse_key(key, text, limen_nearest_of(text, known), diag);
			good = false;
		} else if (words == NULL || strlen(words) != length) {
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, value, "'%s' must be a string",
			               text);
			good = false;
		}
	}
	return good;
}

static bool
check_member(limen_value key, limen_value value, unsigned place, limen_diag *diag)
{
	size_t length;
	const char *text = limen_value_string(key, &length);
	const key_rule *rule = find_rule(text, length, place);

	if (text[0] == '#')
		return true;
	if (rule == NULL) {
		refuse_key(key, text, place, diag);
		return false;
	}
	if (!check_type(rule, value, diag))
		return false;
	if (strcmp(rule->key, "run") == 0)
		return check_run(value, diag);
	return strcmp(rule->key, "expect") != 0 || check_expect(value, diag);
}

bool
tests_check_object(limen_value object, unsigned place, const char *what, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(object);
	limen_value key;
	limen_value value;
	bool good = true;

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, object, "%s must be an object", what);
		return false;
	}
	while (limen_iter_next(&iter, &key, &value))
		good = check_member(key, value, place, diag) && good;
	return good;
}

/* ---- columns ---- */

/* Returns true if a column may set 'pointer', which is below a member of a test. */
static bool
is_settable(const char *pointer)
{
	if (g_str_has_prefix(pointer, "/hints/"))
		return strchr(pointer + strlen("/hints/"), '/') == NULL;
	return g_str_has_prefix(pointer, "/request/") || g_str_has_prefix(pointer, "/task/") ||
	       g_str_has_prefix(pointer, "/object/") || g_str_has_prefix(pointer, "/expect/") ||
	       strcmp(pointer, "/run/start") == 0 || strcmp(pointer, "/run/duration") == 0;
}

/* Checks that a row may set "/KEY...". */
static bool
check_pointer(const char *pointer, limen_value heading, limen_diag *diag)
{
	const char *key = pointer + 1;
	size_t length = strcspn(key, "/");
	const char *rest = key + length;
	size_t levels = 0;

	if (find_rule(key, length, IN_COLUMN) == NULL) {
		char *word = g_strndup(key, length);

		refuse_key(heading, word, IN_COLUMN, diag);
		g_free(word);
		return false;
	}
	for (const char *at = pointer; *at != '\0'; at++)
		levels += *at == '/';
	if (levels > DEPTH_MAX) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, heading,
		               "a column is at most %d levels deep", DEPTH_MAX);
		return false;
	}
	if (rest[0] == '/' && !is_settable(pointer)) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, heading,
		               "a row has no way to set '%s'", pointer);
		return false;
	}
	if (g_str_has_prefix(pointer, "/expect/"))
		return tests_check_expected(rest + 1, strlen(rest + 1), heading,
		                            limen_value_none(), diag);
	if (strcmp(pointer, "/expect") != 0)
		return true;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, heading,
	               "a column holds one expectation: /expect/KEY");
	return false;
}

/* Returns a pointer with one spelling of each token: a "~" that escapes nothing becomes "~0". */
static char *
spell(const char *pointer)
{
	GString *out = g_string_new(NULL);

	while (*pointer != '\0') {
		char *token = tests_take_token(&pointer);

		json_pointer_step(out, token, strlen(token));
		g_free(token);
	}
	return g_string_free(out, FALSE);
}

char *
tests_read_column(limen_value heading, limen_diag *diag)
{
	size_t length = 0;
	const char *text = limen_value_string(heading, &length);
	char *written = NULL;
	char *pointer;

	if (text == NULL || length == 0 || strlen(text) != length) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, heading,
		               "a column is a key, or a pointer such as /request/test/type");
		return NULL;
	}
	if (text[0] == '/')
		pointer = g_strdup(text);
	else if (find_rule(text, length, IN_COLUMN) != NULL)
		pointer = g_strconcat("/", text, NULL);
	else
		pointer = g_strconcat("/expect/", text, NULL);
	if (check_pointer(pointer, heading, diag))
		written = spell(pointer);
	g_free(pointer);
	return written;
}

bool
tests_check_cell(const char *pointer, limen_value cell, limen_diag *diag)
{
	const char *key = pointer + 1;
	const key_rule *rule = find_rule(key, strlen(key), IN_COLUMN);

	if (limen_value_type(cell) == LIMEN_TYPE_NULL)
		return true;
	if (g_str_has_prefix(pointer, "/expect/"))
		return tests_check_expected(pointer + 8, strlen(pointer + 8), cell, cell, diag);
	if (g_str_has_prefix(pointer, "/hints/") || g_str_has_prefix(pointer, "/run/")) {
		if (limen_value_type(cell) == LIMEN_TYPE_STRING)
			return true;
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, cell, "'%s' must be a string",
		               pointer);
		return false;
	}
	return rule == NULL || (check_type(rule, cell, diag) &&
	                        (strcmp(key, "run") != 0 || check_run(cell, diag)));
}
