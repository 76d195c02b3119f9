/* SPDX-License-Identifier: Apache-2.0 */
/* Templates of workloads, and controllers of objects. */
#include <limen/documents.h>
#include <limen/template.h>
#include <string.h>

#include "suite.h"

static void
expect_controller(const char *text, const char *name)
{
	limen_documents *parsed = NULL;
	limen_value owner;

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse(NULL, text, strlen(text), 0, &parsed, NULL),
	                      LIMEN_OK);
	owner = limen_object_controller(limen_documents_get(parsed, 0));
	CU_ASSERT_EQUAL(limen_value_exists(owner), name != NULL);
	if (name != NULL)
		CU_ASSERT_TRUE(limen_value_is(limen_value_get(owner, "name"), name));
	limen_documents_free(parsed);
}

static void
test_controllers(void)
{
	expect_controller("{}", NULL);
	expect_controller("{\"metadata\":{\"ownerReferences\":null}}", NULL);
	expect_controller("{\"metadata\":{\"ownerReferences\":[{\"name\":\"a\"},"
	                  "{\"name\":\"b\",\"controller\":false},5]}}", NULL);
	expect_controller("{\"metadata\":{\"ownerReferences\":[{\"name\":\"a\"},"
	                  "{\"name\":\"b\",\"controller\":true},5]}}", "b");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the controller is the owner that says so", test_controllers },
		{ NULL, NULL },
	};

	return suite_run("decision/templates", tests);
}
