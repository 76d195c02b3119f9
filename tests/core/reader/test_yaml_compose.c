/* SPDX-License-Identifier: Apache-2.0 */
/* What aliases and merge keys become, and that they cannot make texts explode. */
#include "suite.h"
#include "yaml_case.h"
#include "reader/reader.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_aliases(void)
{
	static const yaml_case cases[] = {
		{ "a: &x [1, {b: 2}]\nc: *x\nd: [*x]\n", 0,
		  "{\"a\":[1,{\"b\":2}],\"c\":[1,{\"b\":2}],\"d\":[[1,{\"b\":2}]]}", NULL },
		{ "- &x 1\n- *x\n- &x 2\n- *x\n", 0, "[1,1,2,2]", NULL },
		{ "- &x\n- *x\n", 0, "[null,null]", NULL },
		{ "&k a: 1\nb: *k\n", 0, "{\"a\":1,\"b\":\"a\"}", NULL },
		{ "{? &k 0x10 : v, y: *k, *k : 5}", 0, "{\"y\":16,\"0x10\":5}", NULL },
		{ "- &x a\n--- \n- *x\n", 0, NULL, "3:3 no anchor 'x' precedes this alias" },
		{ "- *x\n- &x 1\n", 0, NULL, "1:3 no anchor 'x' precedes this alias" },
		{ "&x [*x]", 0, NULL, "1:5 the alias 'x' refers to a node that contains it" },
		{ "a: &x {b: {<<: *x}}", 0, NULL,
		  "1:16 the alias 'x' refers to a node that contains it" },
		{ "- &x [1]\n- {*x : 1}\n", 0, NULL,
		  "2:4 a key must be a scalar, not a list or a map" },
		{ "? &k .nan\n: *k\n", 0, NULL, "1:3 '.nan' is not a number that JSON can hold" },
	};

	check_yaml_cases(cases, COUNT(cases));
}

/* The examples of yaml.org/type/merge.html, in small. */
static void
test_merges(void)
{
	static const yaml_case cases[] = {
		{ "- &c {x: 1, y: 2}\n- {<<: *c, r: 9}\n", 0,
		  "[{\"x\":1,\"y\":2},{\"x\":1,\"y\":2,\"r\":9}]", NULL },
		{ "- &c {x: 1, y: 2}\n- {y: 7, <<: *c}\n- {<<: *c, y: 7}\n", 0,
		  "[{\"x\":1,\"y\":2},{\"x\":1,\"y\":7},{\"x\":1,\"y\":7}]",
		  "2:10 Kubernetes lets this override the keys before it; here those count" },
		{ "- {<<: [{x: 1}, {x: 2, z: 3}], y: 0}\n", 0,
		  "[{\"z\":3,\"x\":1,\"y\":0}]", NULL },
		{ "- {<<: []}\n- {<<: {}}\n", 0, "[{},{}]", NULL },
		{ "- &a {x: 1}\n- &b {<<: *a, y: 2}\n- {<<: *b, z: 3}\n", 0,
		  "[{\"x\":1},{\"x\":1,\"y\":2},{\"x\":1,\"y\":2,\"z\":3}]", NULL },
		{ "- &l [{x: 1}]\n- {<<: *l}\n", 0, "[[{\"x\":1}],{\"x\":1}]", NULL },
		{ "{<<: {a: 1, b: 1}, <<: {b: 2}}", 0, "{\"a\":1,\"b\":2}", NULL },
		{ "{\"<<\": 1}", 0, "{\"<<\":1}", NULL },
		{ "{!!str <<: 1}", 0, "{\"<<\":1}", NULL },
		{ "{!!merge x: {a: 1}}", 0, "{\"a\":1}", NULL },
		{ "[<<]", 0, "[\"<<\"]", NULL },
		{ "{<<: {\"#\": 1, a: 1}}", READ_COMMENTS, "{\"a\":1}", NULL },
		{ "{<<: }", 0, NULL, "1:6 a merge key takes a map or a list of maps" },
		{ "{<<: [[]]}", 0, NULL, "1:7 only maps can be merged" },
	};

	check_yaml_cases(cases, COUNT(cases));
}

static void
test_keys(void)
{
	static const yaml_case cases[] = {
		{ "{1: a, 0x10: b, 1.50: c, true: d, null: e, yes: f, ~: g}", 0,
		  "{\"1\":\"a\",\"0x10\":\"b\",\"1.50\":\"c\",\"true\":\"d\",\"null\":\"e\","
		  "\"yes\":\"f\",\"~\":\"g\"}", NULL },
		{ "{\"\": 1}", 0, "{\"\":1}", NULL },
		{ "{!!int 5: 1}", 0, "{\"5\":1}", NULL },
	};

	check_yaml_cases(cases, COUNT(cases));
}

/* Builds "a0: HEAD", then 'levels' lines, each of which uses the line before as FORMAT says. */
static void
check_bomb(const char *head, const char *format, unsigned levels, const char *problem)
{
	strbuf text = STRBUF_INIT;
	limen_diag *diag = limen_diag_new();
	document **list = NULL;
	size_t count = 0;

	strbuf_addf(&text, "a0: &a0 %s\n", head);
	for (unsigned i = 1; i <= levels; i++) {
		strbuf_addf(&text, "a%u: &a%u ", i, i);
		for (const char *c = format; *c != '\0'; c++) {
			if (*c == '*')
				strbuf_addf(&text, "*a%u", i - 1);
			else
				strbuf_addc(&text, *c);
		}
		strbuf_addc(&text, '\n');
	}
	CU_ASSERT_EQUAL(yaml_read(NULL, text.text, text.length, 0, &list, &count, diag),
	                LIMEN_EINVAL);
	CU_ASSERT_PTR_NOT_NULL(strstr(limen_diag_get(diag, 0)->text, problem));
	limen_diag_free(diag);
	strbuf_free(&text);
}

static void
test_bombs(void)
{
	const char *many = "more than 1000000 values, counting what aliases repeat";
	const char *deep = "nested more than 1000 deep, aliases included";

	check_bomb("lol", "[*, *, *, *, *, *, *, *, *, *]", 9, many);
	check_bomb("{}", "{<<: [*, *, *, *, *, *, *, *, *, *]}", 30, many);
	check_bomb("{x: 1}", "{<<: [*, *]}", 60, many);
	check_bomb("[]", "[*]", 2000, deep);
	check_bomb("{x: 1}", "{<<: *}", 2000, deep);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "aliases are copies", test_aliases },
		{ "merge keys", test_merges },
		{ "keys are their written text", test_keys },
		{ "small texts that stand for huge documents", test_bombs },
		{ NULL, NULL },
	};

	return suite_run("core/yaml_compose", tests);
}
