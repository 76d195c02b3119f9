/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_objects.c - how many LimitRanges of an API server are kept, whatever
 * it sends: those that are known, and those that the state in force names.
 */
#include <stdio.h>
#include <string.h>

#include "../../../plugins/admission/LimitRanger/cluster.h"
#include "suite.h"

#define NAMED 3 /* objects in a list */

static bool
put_one(cluster_objects *objects, const cluster_source *source, int number)
{
	char why[KUBE_ERROR_MAX];
	char text[120];
	limen_documents *owner = NULL;

	snprintf(text, sizeof text,
	         "{\"metadata\": {\"name\": \"limits-%d\", \"namespace\": \"default\"}}", number);
	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("object.json", text, strlen(text), 0, &owner,
	                                            NULL), LIMEN_OK);
	return cluster_objects_put(objects, owner, limen_documents_get(owner, 0), source, why);
}

/* A list that fails before its end, or says the same on each page. */
static void
list_in_vain(cluster_objects *objects, cluster_source *source, int times)
{
	for (int i = 0; i < times; i++) {
		source->list++;
		for (int number = 0; number < NAMED; number++)
			CU_ASSERT_TRUE(put_one(objects, source, number));
	}
}

static void
test_lists(void)
{
	cluster_objects objects = { .items = NULL };
	cluster_source source = { .list = 0 };

	list_in_vain(&objects, &source, 100);
	CU_ASSERT_EQUAL(objects.count, NAMED);
	CU_ASSERT_EQUAL(objects.gone_count, 0);
	/* Now a state names these. */
	cluster_objects_sweep(&objects);
	list_in_vain(&objects, &source, 100);
	CU_ASSERT_EQUAL(objects.count, NAMED);
	CU_ASSERT_EQUAL(objects.gone_count, NAMED);
	/* And now the others. */
	cluster_objects_sweep(&objects);
	CU_ASSERT_EQUAL(objects.gone_count, 0);
	source.list++;
	CU_ASSERT_TRUE(put_one(&objects, &source, 1));
	CU_ASSERT_TRUE(put_one(&objects, &source, NAMED));
	CU_ASSERT_TRUE(cluster_objects_keep_listed(&objects, &source));
	CU_ASSERT_EQUAL(objects.count, 2);
	CU_ASSERT_EQUAL(objects.gone_count, NAMED);
	cluster_objects_clear(&objects);
}

/* As long as another namespace cannot be listed, no state is made. */
static void
test_events(void)
{
	cluster_objects objects = { .items = NULL };
	cluster_source source = { .list = 1 };

	for (int i = 0; i < 100; i++) {
		char why[KUBE_ERROR_MAX];

		CU_ASSERT_TRUE(put_one(&objects, &source, 1));
		CU_ASSERT_TRUE(put_one(&objects, &source, 2));
		CU_ASSERT_TRUE(cluster_objects_drop(&objects, objects.items[0].value, &source,
		                                    why));
		CU_ASSERT_EQUAL(objects.count, 1);
		CU_ASSERT_EQUAL(objects.gone_count, 0);
	}
	cluster_objects_clear(&objects);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "lists that come to nothing", test_lists },
		{ "changes that come to nothing", test_events },
		{ NULL, NULL },
	};

	return suite_run("plugins/admission/LimitRanger/objects", tests);
}
