/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_run.c - what becomes of the outputs of scripts: the rules are those of
 * pScheduler 5.2 and jq 1.7.1, which it runs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jq_rows.h"
#include "plugin.h"
#include "suite.h"

static void
test_outcomes(void)
{
	static const struct jq_row rows[] = {
		{ ".", "{\"a\":[1,\"x\",null,true,false]}", "{\"a\":[1,\"x\",null,true,false]}" },
		{ "1, 2", NULL, "1" },
		{ "empty", NULL, "(nothing)" },
		{ "first(empty)", NULL, "(nothing)" },
		{ "error(\"no\")", NULL, "! no" },
		{ "1, error(\"late\")", NULL, "! late" },
		{ "error({a: [1, null, true, \"x'y\", 1.5]})", NULL,
		  "! {'a': [1, None, True, \"x'y\", 1.5]}" },
		{ "error([])", NULL, "! []" },
		{ "error(7)", NULL, "! 7" },
		{ "error(\"a\\u0000b\")", NULL, "! a" },
		{ "try error(\"x\") catch .", NULL, "\"x\"" },
		{ "# nothing but a comment", "7", "7" },
		{ " \n\t", "7", "7" },
		{ NULL, NULL, NULL }
	};

	jq_rows_check(rows);
}

/* Halting gives no result, and ends this run only. */
static void
test_halts(void)
{
	static const struct jq_row rows[] = {
		{ "halt", NULL, "(nothing)" },
		{ "1, halt", NULL, "(nothing)" },
		{ "halt, 1", NULL, "(nothing)" },
		{ "halt_error", "\"x\"", "(nothing)" },
		{ "halt_error(3)", "{}", "(nothing)" },
		{ "try halt catch 1", NULL, "(nothing)" },
		{ NULL, NULL, NULL }
	};
	jq_script *script = jq_rows_open("if . then halt else 5 end", LIMEN_SECOND * 60);
	char *first = jq_rows_run(script, "true");
	char *second = jq_rows_run(script, "false");

	jq_rows_check(rows);
	CU_ASSERT_STRING_EQUAL(first, "(nothing)");
	CU_ASSERT_STRING_EQUAL(second, "5");
	free(first);
	free(second);
	jq_script_close(script);
}

/* Numbers in are doubles; numbers out that are as good as whole are integers. */
static void
test_numbers(void)
{
	static const struct jq_row rows[] = {
		{ ".", "1.0", "1" },
		{ ".", "-0.0", "0" },
		{ ".", "0.1", "0.1" },
		{ ".", "1e-17", "0" },
		{ ".", "-2.5", "-2.5" },
		{ ".", "3.0000001", "3.0000001" },
		{ ".", "10000000000000001", "10000000000000000" },
		{ ".", "1e17", "100000000000000000" },
		{ "1/3", NULL, "0.3333333333333333" },
		{ "infinite", NULL, "! cannot convert float infinity to integer" },
		{ "[{a: -infinite}]", NULL, "! cannot convert float infinity to integer" },
		{ "1, infinite", NULL, "! cannot convert float infinity to integer" },
		{ "[nan] | length", NULL, "1" },
		{ NULL, NULL, NULL }
	};
	jq_script *script = jq_rows_open("nan", LIMEN_SECOND * 60);
	jq_result result;

	jq_rows_check(rows);
	jq_run(script, jv_null(), INT64_MAX, &result);
	CU_ASSERT_EQUAL(result.outcome, JQ_VALUE);
	CU_ASSERT(isnan(jv_number_value(result.value)));
	CU_ASSERT_PTR_NULL(jq_to_json(jv_copy(result.value)));
	jq_result_clear(&result);
	jq_script_close(script);
}

/* Nothing of the process is to be seen, and nothing is written to its streams. */
static void
test_surroundings(void)
{
	static const struct jq_row rows[] = {
		{ "env", NULL, "{}" },
		{ "env.PATH", NULL, "null" },
		{ "$ENV", NULL, "{}" },
		{ "\"\\($ENV.PATH)\"", NULL, "\"null\"" },
		{ "def f: $ENV; f", NULL, "{}" },
		{ "[{$ENV}, $ENV.PATH]", NULL, "[{\"ENV\":{}},null]" },
		{ "input", NULL, "! break" },
		{ "[inputs]", NULL, "[]" },
		{ "debug", "[1]", "[1]" },
		{ "stderr", "[1]", "[1]" },
		{ "input_filename", NULL, "null" },
		{ "$__loc__.line", NULL, "1" },
		{ "\n$__loc__.line", NULL, "2" },
		{ NULL, NULL, NULL }
	};

	jq_rows_check(rows);
}

static void
check_text(const char *json, const char *expected)
{
	char *text = jq_to_text(jv_parse(json));

	plugin_assert(strcmp(text, expected) == 0, __FILE__, __LINE__, "%s, not %s", text,
	              expected);
	free(text);
}

/* Python's str(). */
static void
test_text(void)
{
	check_text("\"a'b\\n\"", "a'b\n");
	check_text("null", "None");
	check_text("[true,false,null]", "[True, False, None]");
	check_text("{\"a\":{\"b\":[]}}", "{'a': {'b': []}}");
	check_text("[\"a'b\",\"a\\\"b\",\"a'\\\"b\",\"\\n\\t\\\\\\u0001\\u007f\"]",
	           "[\"a'b\", 'a\"b', 'a\\'\"b', '\\n\\t\\\\\\x01\\x7f']");
	check_text("[\"\\u00e9\\u0085\\u00a0\"]", "['\xc3\xa9\\x85\\xa0']");
	check_text("[1.0,1.5,1e22]",
	           "[1, 1.5, 10000000000000000000000]");
}

static void
test_json(void)
{
	char *json = jq_to_json(jv_parse("{\"a\\u0000\\\"\\\\\":[\"\\u00e9\\u001f/\",{}]}"));

	CU_ASSERT_STRING_EQUAL(json, "{\"a\\u0000\\\"\\\\\":[\"\xc3\xa9\\u001f/\",{}]}");
	free(json);
}

/* Scripts that run in this process: the same results, and no guard hides the environment. */
static void
test_here(void)
{
	static const struct {
		const char *script;
		const char *input;
		const char *result;
	} rows[] = {
		{ ".a | map(. + 1), 5", "{\"a\":[1,2]}", "[2,3]" },
		{ "error({a: 1})", "null", "! {'a': 1}" },
		{ "[infinite]", "null", "! cannot convert float infinity to integer" },
		{ "halt", "null", "(nothing)" },
		{ "$ENV.LIMEN_TEST, env.LIMEN_TEST", "null", "\"seen\"" },
		{ "{c: [\"x\"], d: .}", "[1]", "{\"c\":[\"x\"],\"d\":[1]}" },
	};
	const jq_setup setup = { .sandbox = JQ_SANDBOX_NONE };

	setenv("LIMEN_TEST", "seen", 1);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const limen_transform transform = { .script = rows[i].script };
		jq_script *script = NULL;
		char *found;

		CU_ASSERT_EQUAL(jq_script_open(&setup, &transform, NULL, NULL, &script), LIMEN_OK);
		for (int j = 0; j < 2; j++) {
			found = jq_rows_run(script, rows[i].input);
			CU_ASSERT_STRING_EQUAL(found, rows[i].result);
			free(found);
		}
		jq_script_close(script);
	}
}

/* Runs 'script' on 'input', which it returns, again and again. */
static bool
is_steady(jq_script *script, const char *input)
{
	bool good = true;

	for (int i = 0; i < 20000 && good; i++) {
		char *found = jq_rows_run(script, input);

		good = strcmp(found, input) == 0;
		free(found);
	}
	return good;
}

/* After a fork, neither process sees the replies of the other. */
static void
test_fork(void)
{
	const jq_setup setup = { .sandbox = JQ_SANDBOX_NONE };
	const limen_transform transform = { .script = "." };
	jq_script *script = NULL;
	int status = -1;
	pid_t child;

	CU_ASSERT_EQUAL(jq_script_open(&setup, &transform, NULL, NULL, &script), LIMEN_OK);
	child = fork();
	if (child == 0)
		_exit(is_steady(script, "[\"the child\"]") ? 0 : 1);
	CU_ASSERT_TRUE(is_steady(script, "{\"of\":[\"the parent\"]}"));
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_EQUAL(status, 0);
	jq_script_close(script);
}

/* With output-raw every output is text. */
static void
test_raw(void)
{
	const jq_setup setup = { .timeout = 60 * LIMEN_SECOND };
	const limen_transform transform = { .script = ".[]", .output_raw = true };
	jq_script *script = NULL;
	char *found;

	CU_ASSERT_EQUAL(jq_script_open(&setup, &transform, NULL, NULL, &script), LIMEN_OK);
	found = jq_rows_run(script, "[{\"a\":true}]");
	CU_ASSERT_STRING_EQUAL(found, "\"{\\\"a\\\":true}\"");
	free(found);
	found = jq_rows_run(script, "[\"x\"]");
	CU_ASSERT_STRING_EQUAL(found, "\"x\"");
	free(found);
	jq_script_close(script);
}

static void
count_outputs(jv output, void *data)
{
	int *sum = data;

	*sum += (int)jv_number_value(output);
	jv_free(output);
}

static void
test_each(void)
{
	jq_script *script = jq_rows_open(".[], (if length > 3 then error(\"many\") else empty end)",
	                                 60 * LIMEN_SECOND);
	char *error = NULL;
	int sum = 0;

	CU_ASSERT_EQUAL(jq_run_each(script, jv_parse("[1,2,4]"), INT64_MAX, count_outputs, &sum,
	                            &error), JQ_VALUE);
	CU_ASSERT_EQUAL(sum, 7);
	CU_ASSERT_PTR_NULL(error);
	CU_ASSERT_EQUAL(jq_run_each(script, jv_parse("[]"), INT64_MAX, count_outputs, &sum, NULL),
	                JQ_NOTHING);
	CU_ASSERT_EQUAL(jq_run_each(script, jv_parse("[1,1,1,1]"), INT64_MAX, count_outputs, &sum,
	                            &error), JQ_FAILED);
	CU_ASSERT_STRING_EQUAL(error, "many");
	free(error);
	jq_script_close(script);
}

/* An input that could not be converted is the failure of the run. */
static void
test_invalid_input(void)
{
	jq_script *script = jq_rows_open("1", 60 * LIMEN_SECOND);
	jq_result result;

	jq_run(script, jv_invalid_with_msg(jv_string("too large")), INT64_MAX, &result);
	CU_ASSERT_EQUAL(result.outcome, JQ_FAILED);
	CU_ASSERT_STRING_EQUAL(jq_result_error(&result), "too large");
	jq_result_clear(&result);
	jq_result_clear(&result);
	jq_script_close(script);
	jq_script_close(NULL);
}

/* Results are the caller's own: they outlive the script, and its next run. */
static void
test_ownership(void)
{
	jq_script *script = jq_rows_open("{constant: [\"text\"], same: .}", 60 * LIMEN_SECOND);
	jv input = jv_parse("{\"a\":[1,2]}");
	jq_result first;
	jq_result second;
	char *json;

	jq_run(script, jv_copy(input), INT64_MAX, &first);
	jq_run(script, input, INT64_MAX, &second);
	jq_script_close(script);
	CU_ASSERT_EQUAL(jv_get_refcnt(first.value), 1);
	json = jq_to_json(jv_copy(first.value));
	CU_ASSERT_STRING_EQUAL(json, "{\"constant\":[\"text\"],\"same\":{\"a\":[1,2]}}");
	free(json);
	jq_result_clear(&first);
	jq_result_clear(&second);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "outputs and errors", test_outcomes },
		{ "halting", test_halts },
		{ "numbers", test_numbers },
		{ "environment, streams, further inputs", test_surroundings },
		{ "values as Python's text", test_text },
		{ "values as JSON", test_json },
		{ "in this process", test_here },
		{ "in this process, after a fork", test_fork },
		{ "output-raw", test_raw },
		{ "every output", test_each },
		{ "an input that is none", test_invalid_input },
		{ "who owns results", test_ownership },
		{ NULL, NULL }
	};

	return suite_run("support/jq: runs", tests);
}
