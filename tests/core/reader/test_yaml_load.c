/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with single nodes is all reported, each at its place. */
#include "suite.h"
#include "yaml_case.h"
#include "reader/reader.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_problems(void)
{
	static const yaml_case cases[] = {
		{ "[!foo a, !!binary aa, !!int a,\n !!map 5, !!seq {}, !!str []]", 0, NULL,
		  "1:2 the tag '!foo' is not known\n"
		  "1:10 the tag 'tag:yaml.org,2002:binary' is not known\n"
		  "1:23 'a' is not an integer\n"
		  "2:2 '5' has a tag that does not fit a scalar\n"
		  "2:11 the tag does not fit a map\n"
		  "2:21 the tag does not fit a list" },
		{ "{[a]: b, {c: d}: e}", 0, NULL,
		  "1:2 a key must be a scalar, not a list or a map\n"
		  "1:10 a key must be a scalar, not a list or a map" },
		{ "? \n: b\n", 0, NULL, "1:2 there is no key before the colon" },
		{ "{!!seq a: b}", 0, NULL, "1:2 the tag of a key must be that of a scalar" },
		{ "- .nan\n- \"multi\n\n  line\"\n- !!int \"a\n\n  b\"\n", 0, NULL,
		  "1:3 '.nan' is not a number that JSON can hold\n5:3 'a...' is not an integer" },
		{ "!!int 0123456789012345678901234567890123456789012345678901234567890x", 0, NULL,
		  "1:1 '01234567890123456789012345678901234567890123...' is not an integer" },
	};

	check_yaml_cases(cases, COUNT(cases));
}

static void
test_tags(void)
{
	static const yaml_case cases[] = {
		{ "[!!str 1, !!int \"1\", !!bool \"true\", !!null \"\", !!float 1.5]", 0,
		  "[\"1\",1,true,null,1.5]", NULL },
		{ "[!!map {}, !!seq [], ! {}, ! [], ! \"5\"]", 0, "[{},[],{},[],\"5\"]", NULL },
		{ "!<tag:yaml.org,2002:str> 5", 0, "\"5\"", NULL },
		{ "%TAG !y! tag:yaml.org,2002:\n---\n!y!str 5", 0, "\"5\"", NULL },
		{ "!!str", 0, "\"\"", NULL },
	};

	check_yaml_cases(cases, COUNT(cases));
}

/* libyaml decodes escapes, so that what is behind a NUL would be lost, and bytes be anything. */
static void
test_escapes(void)
{
	static const yaml_case cases[] = {
		{ "kind: !!str%00foo x\n", 0, NULL, "1:7 the tag '!!str%00foo' is not known" },
		{ "a: !%c0%80 x\n", 0, NULL, "1:4 the tag '!%c0%80' is not known" },
		{ "[!!%73tr x, !!str, !<tag:yaml.org,2002:%73tr> y]", 0, NULL,
		  "1:2 the tag '!!%73tr' is not known\n"
		  "1:20 the tag '!<tag:yaml.org,2002:%73tr>' is not known" },
		{ "&a # ! 100%\n  !!str%00 x\n", 0, NULL, "1:1 the tag '!!str%00' is not known" },
		{ "&a # \xC2\x85  !!str%00 x\n", 0, NULL, "1:1 the tag '!!str%00' is not known" },
		{ "!!str%00 &a x\n", 0, NULL, "1:1 the tag '!!str%00' is not known" },
		{ "%TAG !y! tag:yaml.org,2002:%00x\n---\n!y!str 5", 0, NULL,
		  "1:1 a tag directive must not have escapes (%XX)" },
		{ "a\n...\n# 1\n%YAML 1.1 # 5%\n# 6%\n%TAG !y! x%41\n---\na\n", 0, NULL,
		  "4:1 a tag directive must not have escapes (%XX)" },
		{ "# 5%\n%YAML 1.1 # 6%\n# 7%\xC2\x85%TAG !y! tag:yaml.org,2002:\n---\n!y!str 5%",
		  0, "\"5%\"", NULL },
		{ "&a # %\n  !!str # %\n  x%\n", 0, "\"x%\"", NULL },
		{ "[!!str,'%',!!str\xC2\x85 5%, &b !!str x%41]", 0, "[\"\",\"%\",\"5%\",\"x%41\"]",
		  NULL },
	};

	check_yaml_cases(cases, COUNT(cases));
}

/* The parser counts characters, and not the byte order mark. */
static void
test_offsets(void)
{
	static const yaml_case cases[] = {
		{ "\xEF\xBB\xBF\xC3\xBC: \"\xE2\x82\xAC\"\n\xF0\x9F\x98\x80: *x\nz: *y\n", 0, NULL,
		  "2:4 no anchor 'x' precedes this alias\n"
		  "3:4 no anchor 'y' precedes this alias" },
		{ "\xEF\xBB\xBF\xC3\xBC: \x01", 0, NULL,
		  "1:5 Invalid YAML: control characters are not allowed" },
		{ "\xEF\xBB\xBF\xC3\xBC: *x", 0, NULL,
		  "1:5 no anchor 'x' precedes this alias" },
		{ "a: 1\r\nb: *x\r\n", 0, NULL, "2:4 no anchor 'x' precedes this alias" },
	};

	check_yaml_cases(cases, COUNT(cases));
}

static void
test_many_problems(void)
{
	strbuf text = STRBUF_INIT;
	limen_diag *diag = limen_diag_new();
	document **list = NULL;
	size_t count = 0;

	for (int i = 0; i < 1000; i++)
		strbuf_adds(&text, "- *x\n");
	CU_ASSERT_EQUAL(yaml_read(NULL, text.text, text.length, 0, &list, &count, diag),
	                LIMEN_EINVAL);
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 100);
	CU_ASSERT_EQUAL(limen_diag_get(diag, 99)->line, 100);
	CU_ASSERT_EQUAL(yaml_read(NULL, text.text, text.length, 0, &list, &count, NULL),
	                LIMEN_EINVAL);
	limen_diag_free(diag);
	strbuf_free(&text);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "problems of nodes", test_problems },
		{ "tags", test_tags },
		{ "escapes in tags", test_escapes },
		{ "places behind more than ASCII", test_offsets },
		{ "reading ends after a hundred problems", test_many_problems },
		{ NULL, NULL },
	};

	return suite_run("core/yaml_load", tests);
}
