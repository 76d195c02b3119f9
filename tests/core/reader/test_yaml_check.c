/* SPDX-License-Identifier: Apache-2.0 */
/* Notes about scalars that may not mean what their author thinks. */
#include "suite.h"
#include "yaml_case.h"
#include "reader/reader.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void
test_notes(void)
{
	static const yaml_case cases[] = {
		{ "a: yes\nb: \"yes\"\nyes: !!str on\n", 0,
		  "{\"a\":\"yes\",\"b\":\"yes\",\"yes\":\"on\"}",
		  "1:4 'yes' is read as text, not as a boolean" },
		{ "{y: n, a: Y, b: y, c: N, d: \"y\", e: yY}", 0,
		  "{\"y\":\"n\",\"a\":\"Y\",\"b\":\"y\",\"c\":\"N\",\"d\":\"y\",\"e\":\"yY\"}",
		  "1:5 'n' is read as text, not as a boolean\n"
		  "1:11 'Y' is read as text, not as a boolean\n"
		  "1:17 'y' is read as text, not as a boolean\n"
		  "1:23 'N' is read as text, not as a boolean" },
		{ "[010, 1_000, -0b1]", 0, "[8,1000,-1]",
		  "1:2 '010' is read as the number 8, as Kubernetes does\n"
		  "1:7 '1_000' is read as the number 1000, as Kubernetes does\n"
		  "1:14 '-0b1' is read as the number -1, as Kubernetes does" },
		{ "[07, 0x10, 0o17, +1, .5, ye, no-]", 0, "[7,16,15,1,0.5,\"ye\",\"no-\"]", NULL },
		{ "- &a 010\n- *a\n", 0, "[8,8]",
		  "1:3 '010' is read as the number 8, as Kubernetes does" },
	};

	check_yaml_cases(cases, COUNT(cases));
}

static void
test_hints(void)
{
	limen_diag *diag = limen_diag_new();
	document **list = NULL;
	size_t count = 0;

	CU_ASSERT_EQUAL(yaml_read("f", "[no, 010]", 9, 0, &list, &count, diag), LIMEN_OK);
	CU_ASSERT_EQUAL_FATAL(limen_diag_count(diag, LIMEN_SEVERITY_NOTE), 2);
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->hint,
	                       "write true or false, or put it in quotes");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 1)->hint, "write 8, or put it in quotes");
	CU_ASSERT_STRING_EQUAL(limen_diag_get(diag, 0)->file, "f");
	document_unref(list[0]);
	free(list);
	limen_diag_free(diag);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "notes", test_notes },
		{ "what to do about them", test_hints },
		{ NULL, NULL },
	};

	return suite_run("core/yaml_check", tests);
}
