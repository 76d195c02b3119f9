/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_hostile.c - scripts and inputs that crash libjq, hang it or fill the memory: each costs
 * one failed run.
 */
#include <limen/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jq_rows.h"
#include "plugin.h"
#include "sanitizers.h"
#include "suite.h"

/* libjq fails an assertion, ends on a signal or never ends, in some version or all of them. */
static void
test_crashes(void)
{
	static const struct jq_row rows[] = {
		{ "if . then [1] | .[nan:] else 7 end", NULL, NULL },
		{ "if . then [1] | .[{start: nan, end: null}] else 7 end", NULL, NULL },
		{ "if . then [1] | .[(\"nan\" | tonumber):] else 7 end", NULL, NULL },
		{ "if . then [1] | delpaths([[nan]]) else 7 end", NULL, NULL },
		{ "if . then -9223372036854775808 % -1 else 7 end", NULL, NULL },
		{ "if . then 1e300 | todate else 7 end", NULL, NULL },
		{ "if . then [\"abc\" | indices(\"\")] else 7 end", NULL, NULL },
		{ "if . then \"abc\" * 1e9 else 7 end", NULL, NULL },
		{ "if . then [] | .[1e9] = 1 else 7 end", NULL, NULL },
		{ "if . then \"\u65e5\u672c\u8a9exyz\" | [scan(\"[a-z]*\")] else 7 end", NULL, NULL },
		{ "if . then jn(1e9; 1) else 7 end", NULL, NULL },
		{ "if . then reduce range(40) as $i (1; [., .]) | tojson else 7 end", NULL, NULL },
		{ "if . then reduce range(40) as $i (1; [., .]) | . == . else 7 end", NULL, NULL },
		{ "if . then reduce range(40) as $i (1; [., .]) | . + 1 else 7 end", NULL, NULL },
		{ "if . then reduce range(5000000) as $i (1; [.]) | 1 else 7 end", NULL, NULL },
		{ NULL, NULL, NULL }
	};

	/* Whatever comes of them, the next run is as good as ever. */
	for (const struct jq_row *row = rows; row->script != NULL; row++) {
		jq_script *script = jq_rows_open(row->script, LIMEN_SECOND);
		char *found = jq_rows_run(script, "true");

		CU_ASSERT_PTR_NOT_NULL(found);
		free(found);
		found = jq_rows_run(script, "false");
		plugin_assert(strcmp(found, "7") == 0, __FILE__, __LINE__, "after %s: %s",
		              row->script, found);
		free(found);
		jq_script_close(script);
	}
}

/* All scripts of a template are in each of its workers; one that ends it costs no other run. */
static void
test_neighbours(void)
{
	jq_script *bad = jq_rows_open("if . then last(repeat(1)) else 1 end", 100000);
	jq_script *good = jq_rows_open(". + 1", 60 * LIMEN_SECOND);

	for (int i = 0; i < 5; i++) {
		char *found = jq_rows_run(bad, "true");

		CU_ASSERT_PTR_NOT_NULL(strstr(found, "it took longer than PT0.1S"));
		free(found);
		found = jq_rows_run(good, "1");
		CU_ASSERT_STRING_EQUAL(found, "2");
		free(found);
	}
	jq_script_close(bad);
	jq_script_close(good);
}

static void
check_beginning(const char *source, const char *expected)
{
	jq_script *script = jq_rows_open(source, 60 * LIMEN_SECOND);
	char *found = jq_rows_run(script, NULL);

	plugin_assert(strncmp(found, expected, strlen(expected)) == 0, __FILE__, __LINE__,
	              "%s: %.80s", source, found);
	free(found);
	jq_script_close(script);
}

/* The bounds of one result. */
static void
test_sizes(void)
{
	static const struct jq_row rows[] = {
		{ "[range(999999)] | length", NULL, "999999" },
		{ "[range(1000000)]", NULL, "! The result is too large" },
		{ "reduce range(17) as $i ([{}]; . + .)", NULL, "! The result is too large" },
		{ "reduce range(40) as $i (1; [., .])", NULL, "! The result is too large" },
		{ "1, [range(1000000)]", NULL, "1" },
		{ "[range(2e6) | \"abc\"]", NULL, "! The result is too large" },
		{ "reduce range(40) as $i (1; [., .]) | error", NULL,
		  "! The error is too large to be printed" },
		{ "[infinite, reduce range(40) as $i (1; [., .])] | error", NULL,
		  "! The error is too large to be printed" },
		{ "[(reduce range(3000) as $i (1; [.])), reduce range(40) as $i (1; [., .])] | error",
		  NULL, "! The error is too large to be printed" },
		/* Each of these is four bytes in Python. */
		{ "[\"\\u0001\" * 17000000] | error", NULL, "! The error is too large to be printed" },
		{ NULL, NULL, NULL }
	};

	jq_rows_check(rows);
	/* Outputs before an error take no room from it. */
	check_beginning("\"x\" * 50000000, error(\"y\" * 30000000)", "! yyyy");
}

/* What a script nests, it may not hand out; freeing it takes no more than the large stack. */
static void
test_depth(void)
{
	static const struct jq_row rows[] = {
		{ "reduce range(2000) as $i (null; [.])", NULL, "[[[[" },
		{ "reduce range(2001) as $i (null; [.])", NULL, "! The result is nested too deeply" },
		{ "error(reduce range(3000) as $i (null; {a: .}))", NULL, "! {'a': {'a': " },
		{ "reduce range(300000) as $i (null; [.]) | length", NULL, "1" },
		{ NULL, NULL, NULL }
	};

	for (const struct jq_row *row = rows; row->script != NULL; row++)
		check_beginning(row->script, row->result);
}

/* Runs 'text', which must be stopped; returns how long it took in milliseconds. */
static long
run_away(const char *text, const char *reason)
{
	jq_script *script = jq_rows_open(text, 200000);
	int64_t start = limen_host_monotonic();
	char *found = jq_rows_run(script, NULL);
	long took = (long)((limen_host_monotonic() - start) / 1000000);

	plugin_assert(strstr(found, reason) != NULL, __FILE__, __LINE__, "%s: %s", text, found);
	free(found);
	jq_script_close(script);
	return took;
}

/* Nothing costs much more than its time-out, of which these have 200 ms. */
static void
test_endless(void)
{
	static const char *const scripts[] = {
		"def f: f; f", "last(repeat(1))", "[range(0; infinite)] | length",
		"reduce range(1e9) as $i (0; . + $i)", "\"abc\" | [while(true; .)] | length",
		"[limit(1e9; repeat(1))] | length", "[1] | [combinations(1e9)]",
		"until(false; .)", "[range(1e5)] | until(false; sort)"
	};

	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
		long took = run_away(scripts[i], "it took longer than PT0.2S");

		plugin_assert(took >= 200 && took < 20000, __FILE__, __LINE__, "%s: %ld ms",
		              scripts[i], took);
	}
}

static void
test_greedy(void)
{
#ifdef OWN_MALLOC
	suite_skip("a sanitizer's memory grows by itself");
#else
	static const char *const scripts[] = {
		"reduce range(40) as $i (\"x\"; . + .)", "def f: 1 + f; f",
	};

	for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
		run_away(scripts[i], "! The script was stopped: it took ");
#endif
}

/* The deadline of the caller counts as well, also one that has passed. */
static void
test_deadline(void)
{
	jq_script *script = jq_rows_open("def f: f; f", 3600 * LIMEN_SECOND);
	int64_t start = limen_host_monotonic();
	jq_result result;

	for (int64_t left = 50000000; left >= -50000000; left -= 50000000) {
		jq_run(script, jv_null(), limen_host_monotonic() + left, &result);
		CU_ASSERT_EQUAL(result.outcome, JQ_FAILED);
		CU_ASSERT_STRING_EQUAL(jq_result_error(&result),
		                       "The script was stopped: no time was left for the decision");
		jq_result_clear(&result);
	}
	CU_ASSERT(limen_host_monotonic() - start < INT64_C(20000000000));
	jq_script_close(script);
}

/* A script that was stopped runs again: in time, even where a new process must start first. */
static void
test_after(void)
{
	jq_script *script = jq_rows_open("if . then last(repeat(1)) else 7 end", 1000000);

	for (int i = 0; i < 3; i++) {
		char *found = jq_rows_run(script, "true");

		CU_ASSERT_PTR_NOT_NULL(strstr(found, "it took longer than PT1S"));
		free(found);
		found = jq_rows_run(script, "false");
		CU_ASSERT_STRING_EQUAL(found, "7");
		free(found);
	}
	jq_script_close(script);
}

static void
test_large_input(void)
{
	size_t length = ((size_t)16 << 20) + 1;
	char *text = malloc(length + 3);
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	jv made;

	memset(text, 'x', length + 2);
	text[0] = '"';
	text[length + 1] = '"';
	text[length + 2] = '\0';
	CU_ASSERT_EQUAL(limen_request_parse(req, text, length + 2, NULL), LIMEN_OK);
	made = jq_from_value(limen_request_document(req));
	CU_ASSERT_FALSE(jv_is_valid(made));
	jv_free(made);
	text[length] = '"';
	CU_ASSERT_EQUAL(limen_request_parse(req, text, length + 1, NULL), LIMEN_OK);
	made = jq_from_value(limen_request_document(req));
	CU_ASSERT(jv_is_valid(made));
	jv_free(made);
	limen_request_free(req);
	free(text);
}

/* Short texts that libjq needs much memory for, near what they may take. */
static void
test_heavy_input(void)
{
	static const struct {
		const char *element;
		size_t count;
		bool taken;
	} rows[] = {
		{ "{}", 77000, true }, { "{}", 78000, false }, { "{\"\":0}", 73000, false },
		{ "[]", 78000, true }, { "[]", 700000, false }, { "\"\"", 700000, false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t length = strlen(rows[i].element) + 1;
		char *text = malloc(rows[i].count * length + 2);
		limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
		jv made;

		for (size_t j = 0; j < rows[i].count; j++)
			sprintf(text + j * length, ",%s", rows[i].element);
		text[0] = '[';
		strcpy(text + rows[i].count * length, "]");
		CU_ASSERT_EQUAL(limen_request_parse(req, text, strlen(text), NULL), LIMEN_OK);
		made = jq_from_value(limen_request_document(req));
		plugin_assert(jv_is_valid(made) == rows[i].taken, __FILE__, __LINE__, "%zu %s",
		              rows[i].count, rows[i].element);
		jv_free(made);
		limen_request_free(req);
		free(text);
	}
}

/* Texts of so many values are told before they are read; those that are taken are no more. */
static void
test_many_values(void)
{
	static const struct {
		const char *element;
		size_t count;
		bool fits;
	} rows[] = {
		{ "0", 999999, true }, { "0", 1000000, false },
		{ "[ ]", 999999, true }, { "{}", 1000000, false },
		{ "[0]", 499999, true }, { "[0]", 500000, false },
		{ "{\"\\\",[\": [\n0]}", 333333, true }, { "{\"a\":[0]}", 333334, false },
		{ "\",[{\"", 999999, true }, { "\"\\\\\",[[[1]]]", 200000, false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		size_t length = strlen(rows[i].element) + 1;
		char *text = malloc(rows[i].count * length + 2);

		for (size_t j = 0; j < rows[i].count; j++)
			sprintf(text + j * length, ",%s", rows[i].element);
		text[0] = '[';
		strcpy(text + rows[i].count * length, "]");
		plugin_assert(jq_text_fits(text, strlen(text)) == rows[i].fits, __FILE__, __LINE__,
		              "%zu %s", rows[i].count, rows[i].element);
		free(text);
	}
	CU_ASSERT_TRUE(jq_text_fits("", 0) && jq_text_fits("\"", 1) && jq_text_fits("\"\\", 2));
}

/* Returns {KEY: 1, ...}, 'count' keys of which the hash of libjq makes no difference, or does. */
static char *
make_object(size_t count, bool colliding)
{
	/* Eight bytes after which MurmurHash3 has the same state, whatever it had before. */
	static const char *const parts[2] = { "\xcc\x9f" "0eUd ^", "$AQZUd\xd1\x99" };
	const size_t bits = 7;
	char *text = malloc(count * (8 * bits + 8) + 8);
	char *at = text;

	for (size_t i = 0; i < count; i++) {
		at += sprintf(at, "%s\"", i == 0 ? "{" : ",");
		for (size_t bit = 0; colliding && bit < bits; bit++)
			at += sprintf(at, "%s", parts[i >> bit & 1]);
		at += colliding ? sprintf(at, "\":1") : sprintf(at, "%zu\":1", i);
	}
	sprintf(at, "}");
	return text;
}

/* Keys that libjq keeps in one chain are refused before they take the square of their number. */
static void
test_collisions(void)
{
	static const struct {
		size_t count;
		bool colliding;
		bool taken;
	} rows[] = {
		{ 64, true, true }, { 65, true, false }, { 128, true, false },
		{ 65, false, true }, { 200000, false, true },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char *text = make_object(rows[i].count, rows[i].colliding);
		limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
		jv made;

		CU_ASSERT_EQUAL(limen_request_parse(req, text, strlen(text), NULL), LIMEN_OK);
		made = jq_from_value(limen_request_document(req));
		plugin_assert(jv_is_valid(made) == rows[i].taken, __FILE__, __LINE__, "%zu keys",
		              rows[i].count);
		jv_free(made);
		limen_request_free(req);
		free(text);
	}
}

/* The child of a fork starts processes of its own. */
static void
test_fork(void)
{
	jq_script *script = jq_rows_open("if . then last(repeat(1)) else 7 end", 100000);
	char *found = jq_rows_run(script, "false");
	int status = -1;
	pid_t child;

	CU_ASSERT_STRING_EQUAL(found, "7");
	free(found);
	child = fork();
	if (child == 0) {
		found = jq_rows_run(script, "true");
		_exit(strstr(found, "it took longer") != NULL ? 0 : 1);
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	jq_script_close(script);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "values that crash libjq", test_crashes },
		{ "scripts beside one that is stopped", test_neighbours },
		{ "values that are too large", test_sizes },
		{ "values nested deeply", test_depth },
		{ "scripts without an end", test_endless },
		{ "scripts that fill the memory", test_greedy },
		{ "deadlines", test_deadline },
		{ "a stopped script runs again", test_after },
		{ "the largest input", test_large_input },
		{ "the heaviest input", test_heavy_input },
		{ "a text of too many values is told", test_many_values },
		{ "keys that collide", test_collisions },
		{ "after a fork", test_fork },
		{ NULL, NULL }
	};

	return suite_run("support/jq: hostile scripts and inputs", tests);
}
