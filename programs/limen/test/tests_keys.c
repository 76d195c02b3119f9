/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_keys.c - checks the keys of a test file and the types of their values.  Unknown keys
 * are problems: a test with an ignored key would check less than its author thinks.
 */
#include <limen/nearest.h>
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
	{ "http", IN_ASKING, TYPE(OBJECT), "an HTTP request" },
	{ "requestFile", IN_ASKING, TYPE(STRING), "a path" },
	{ "subject", IN_ASKING, TYPE(STRING), "task, object or http" },
	{ "hints", IN_ASKING, TYPE(OBJECT), "an object" },
	{ "user", IN_ASKING, TYPE(STRING), "a string" },
	{ "groups", IN_ASKING, TYPE(ARRAY), "an array of strings" },
	{ "operation", IN_ASKING, TYPE(STRING), "CREATE, UPDATE, DELETE or CONNECT" },
	{ "namespace", IN_ASKING, TYPE(STRING), "a string" },
	{ "oldObject", IN_ASKING, TYPE(OBJECT), "an object" },
	{ "asReceived", IN_ASKING, TYPE(BOOL), "true or false" },
	{ "phase", IN_ASKING, TYPE(STRING), "mutate, validate or workload" },
	{ "time", IN_ASKING, TYPE(STRING) | TYPE(INTEGER) | TYPE(REAL),
	  "a time (2026-01-31T12:00:00Z) or seconds since 1970" },
	{ "after", IN_STEP, TYPE(STRING), "a period (PT30S, P1D)" },
	{ "repeat", IN_ASKING, TYPE(INTEGER), "a number of times" },
	{ "run", IN_ASKING, TYPE(BOOL) | TYPE(OBJECT), "true, or an object with start and duration" },
	{ "start", IN_RUN, TYPE(STRING), "a string" },
	{ "duration", IN_RUN, TYPE(STRING), "a string" },
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

static bool
refuse_key(limen_value where, const char *key, unsigned place, limen_diag *diag)
{
	limen_nearest best = limen_nearest_to(key);

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if ((rules[i].places & place) != 0)
			limen_nearest_offer(&best, rules[i].key);
	tests_refuse_key(where, key, best.word, diag);
	return false;
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

static bool
check_expect(limen_value expect, limen_diag *diag)
{
	limen_value key, value;
	bool good = true;

	for (limen_iter iter = limen_iter_start(expect); limen_iter_next(&iter, &key, &value);) {
		size_t length;
		const char *text = limen_value_string(key, &length);

		good = tests_check_expected(text, length, key, value, diag) && good;
	}
	return good;
}

/* Checks a value.  A text with a NUL is refused: later code would see only the part before it. */
static bool
check_value(const key_rule *rule, limen_value value, limen_diag *diag)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	if (text != NULL && strlen(text) != length)
		return limen_diag_refuse(diag, value, "'%s' must not hold a NUL", rule->key);
	if ((rule->types & (1U << limen_value_type(value))) == 0)
		return limen_diag_refuse(diag, value, "'%s' must be %s", rule->key, rule->wanted);
	if (strcmp(rule->key, "run") == 0 && limen_value_type(value) == LIMEN_TYPE_OBJECT)
		return tests_check_object(value, IN_RUN, rule->key, diag);
	return strcmp(rule->key, "expect") != 0 || check_expect(value, diag);
}

bool
tests_check_object(limen_value object, unsigned place, const char *name, limen_diag *diag)
{
	limen_value key, value;
	bool good = true;

	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return limen_diag_refuse(diag, object, "%s must be an object", name);
	for (limen_iter iter = limen_iter_start(object); limen_iter_next(&iter, &key, &value);) {
		size_t length;
		const char *text = limen_value_string(key, &length);
		const key_rule *rule = find_rule(text, length, place);

		if (text[0] != '#')
			good = (rule == NULL ? refuse_key(key, text, place, diag)
			                     : check_value(rule, value, diag)) && good;
	}
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
	g_autofree char *word = g_strndup(key, length);
	size_t levels = 0;

	if (find_rule(key, length, IN_COLUMN) == NULL)
		return refuse_key(heading, word, IN_COLUMN, diag);
	for (const char *byte = pointer; *byte != '\0'; byte++)
		levels += *byte == '/';
	if (levels > DEPTH_MAX)
		return limen_diag_refuse(diag, heading, "a column is at most %d levels deep",
		                         DEPTH_MAX);
	if (rest[0] == '/' && !is_settable(pointer))
		return limen_diag_refuse(diag, heading, "a row has no way to set '%s'", pointer);
	if (g_str_has_prefix(pointer, "/expect/"))
		return tests_check_expected(rest + 1, strlen(rest + 1), heading,
		                            limen_value_none(), diag);
	return strcmp(pointer, "/expect") != 0 ||
	       limen_diag_refuse(diag, heading, "a column holds one expectation: /expect/KEY");
}

char *
tests_read_column(limen_value heading, limen_diag *diag)
{
	size_t length = 0;
	const char *text = limen_value_string(heading, &length);
	g_autofree char *pointer = NULL;
	GString *written;

	if (text == NULL || length == 0 || strlen(text) != length) {
		limen_diag_refuse(diag, heading,
		                  "a column is a key, or a pointer such as /request/test/type");
		return NULL;
	}
	pointer = g_strconcat(text[0] == '/'                              ? ""
	                      : find_rule(text, length, IN_COLUMN) != NULL ? "/"
	                                                                   : "/expect/",
	                      text, NULL);
	if (!check_pointer(pointer, heading, diag))
		return NULL;
	/* Each token gets one spelling: a "~" that escapes nothing becomes "~0". */
	written = g_string_new(NULL);
	for (const char *rest = pointer; *rest != '\0';) {
		g_autofree char *token = tests_take_token(&rest);

		json_pointer_step(written, token, strlen(token));
	}
	return g_string_free(written, FALSE);
}

bool
tests_check_cell(const char *pointer, limen_value cell, limen_diag *diag)
{
	const key_rule *rule = find_rule(pointer + 1, strlen(pointer + 1), IN_COLUMN);

	if (limen_value_type(cell) == LIMEN_TYPE_NULL)
		return true;
	if (g_str_has_prefix(pointer, "/expect/"))
		return tests_check_expected(pointer + 8, strlen(pointer + 8), cell, cell, diag);
	if (g_str_has_prefix(pointer, "/hints/") || g_str_has_prefix(pointer, "/run/"))
		return limen_value_type(cell) == LIMEN_TYPE_STRING ||
		       limen_diag_refuse(diag, cell, "'%s' must be a string", pointer);
	return rule == NULL || check_value(rule, cell, diag);
}
