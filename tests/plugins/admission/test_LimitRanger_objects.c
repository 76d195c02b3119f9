/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_objects.c - which LimitRanges of an API server are kept, and what of
 * them, whatever it sends.  Here a namespace has room for 1000 bytes, all for 4000.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../plugins/admission/LimitRanger/cluster/cluster.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

/* Of a metadata and what follows it. */
#define OBJECT(metadata, more)                                                             \
	"{\"apiVersion\":\"v1\",\"kind\":\"LimitRange\",\"metadata\":{" metadata "}" more "}"
#define KEPT(annotations, metadata, more)                                        \
	"{\"metadata\":{\"annotations\":{" annotations "}," metadata "}" more "}"
#define NAMES "\"name\":\"a\",\"namespace\":\"n\""
#define TIME "\"creationTimestamp\":\"2026-01-01T00:00:00Z\""
#define SPEC ",\"spec\":{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":\"1e0\"}}]}"
#define NARROW "\"limen.policy/items\":\"[{}]\""

static const struct {
	const char *object;
	const char *kept; /* NULL: it is refused */
} trimmed[] = {
	{ OBJECT(NAMES, SPEC), KEPT("", NAMES, SPEC) },
	{ OBJECT(NAMES "," TIME ",\"uid\":\"u\",\"resourceVersion\":\"7\",\"labels\":{\"a\":\"b\"},"
	         "\"managedFields\":[{\"manager\":\"kubectl\",\"fieldsV1\":{\"f:spec\":{}}}]", SPEC),
	  KEPT("", NAMES "," TIME, SPEC) },
	{ OBJECT(NAMES ",\"annotations\":{\"x\":\"AAAAAAAA\"," NARROW ",\"y\":\"\"}", SPEC),
	  KEPT(NARROW, NAMES, SPEC) },
	{ OBJECT(NAMES ",\"annotations\":{\"limen.policy/namespaces\":\"[]\"}", ""),
	  KEPT("\"limen.policy/namespaces\":\"[]\"", NAMES, "") },
	/* What is of the wrong type is refused where it is read. */
	{ OBJECT(NAMES ",\"annotations\":7", ",\"status\":{},\"spec\":7"),
	  KEPT("", NAMES, ",\"spec\":7") },
	{ OBJECT("\"name\":\"a\"", SPEC), NULL },
	{ OBJECT("\"namespace\":\"n\"", SPEC), NULL },
	{ "{\"metadata\":[]}", NULL },
	{ "[]", NULL },
};

static limen_documents *
parse(const char *text)
{
	limen_documents *owner = NULL;

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("object.json", text, strlen(text), 0, &owner,
	                                            NULL), LIMEN_OK);
	return owner;
}

/* An object that has 'size' bytes of text or, if that is less than its names take, those. */
static limen_documents *
make_object(const char *namespace, const char *name, size_t size)
{
	char text[4096];
	size_t used = strlen(namespace) + strlen(name) + strlen(
		"{\"metadata\":{\"annotations\":{},\"name\":\"\",\"namespace\":\"\"},\"spec\":\"\"}");

	snprintf(text, sizeof text,
	         "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\"},\"spec\":\"%*s\"}", name,
	         namespace, size < used ? 0 : (int)(size - used), "");
	return parse(text);
}

static void
put(cluster_objects *objects, const cluster_source *source, const char *namespace,
    const char *name, size_t size)
{
	limen_documents *owner = make_object(namespace, name, size);
	char why[KUBE_ERROR_MAX];

	CU_ASSERT_TRUE(cluster_objects_put(objects, objects, limen_documents_get(owner, 0), source,
	                                   why));
	limen_documents_free(owner);
}

static void
drop(cluster_objects *objects, const char *namespace, const char *name)
{
	limen_documents *owner = make_object(namespace, name, 0);
	char why[KUBE_ERROR_MAX];

	CU_ASSERT_TRUE(cluster_objects_drop(objects, limen_documents_get(owner, 0), NULL, why));
	limen_documents_free(owner);
}

/* The namespace has 'count' objects of 'bytes' bytes, or is closed because of 'why'. */
static void
expect(const cluster_objects *objects, const char *namespace, size_t count, size_t bytes,
       cluster_closed why)
{
	const cluster_gap *gap = cluster_objects_gap(objects, namespace);

	for (size_t i = 0; i < objects->count; i++) {
		if (strcmp(objects->items[i]->namespace, namespace) != 0)
			continue;
		count--;
		bytes -= objects->items[i]->size;
	}
	ASSERT(count == 0 && bytes == 0 && why == (gap == NULL ? CLUSTER_OPEN : gap->why),
	       "%s: closed %d, %zu objects and %zu bytes more are expected", namespace,
	       gap == NULL ? CLUSTER_OPEN : (int)gap->why, count, bytes);
}

static void
test_trimmed(void)
{
	for (size_t i = 0; i < sizeof trimmed / sizeof trimmed[0]; i++) {
		cluster_objects objects = { .items = NULL };
		limen_documents *owner = parse(trimmed[i].object);
		char why[KUBE_ERROR_MAX] = "";
		bool taken = cluster_objects_put(&objects, NULL, limen_documents_get(owner, 0), NULL,
		                                 why);

		ASSERT(taken == (trimmed[i].kept != NULL), "%s: %s", trimmed[i].object, why);
		if (taken && trimmed[i].kept != NULL)
			CU_ASSERT_STRING_EQUAL(objects.items[0]->text, trimmed[i].kept);
		limen_documents_free(owner);
		cluster_objects_clear(&objects);
	}
}

static void
test_changes(void)
{
	cluster_objects objects = { .items = NULL };

	put(&objects, NULL, "b", "y", 200);
	put(&objects, NULL, "b", "x", 200);
	put(&objects, NULL, "a", "x", 200);
	put(&objects, NULL, "b", "x", 300);
	expect(&objects, "b", 2, 500, CLUSTER_OPEN);
	CU_ASSERT(objects.count == 3 && objects.bytes == 700);
	CU_ASSERT_STRING_EQUAL(objects.items[0]->namespace, "a");
	CU_ASSERT_STRING_EQUAL(objects.items[1]->name, "x");
	drop(&objects, "b", "x");
	drop(&objects, "b", "none");
	drop(&objects, "none", "x");
	expect(&objects, "b", 1, 200, CLUSTER_OPEN);
	drop(&objects, "a", "x");
	CU_ASSERT(objects.count == 1 && objects.bytes == 200);
	cluster_objects_clear(&objects);
}

static void
test_large(void)
{
	cluster_objects objects = { .items = NULL };

	put(&objects, NULL, "a", "x", 500);
	put(&objects, NULL, "b", "x", 500);
	put(&objects, NULL, "a", "y", 500);
	expect(&objects, "a", 2, 1000, CLUSTER_OPEN);
	put(&objects, NULL, "a", "z", 100);
	expect(&objects, "a", 0, 0, CLUSTER_LARGE);
	/* It counts for nothing, whatever comes. */
	CU_ASSERT(objects.bytes == 500 && objects.count == 1 && objects.gap_count == 1);
	put(&objects, NULL, "a", "z", 900);
	CU_ASSERT(objects.bytes == 500 && objects.count == 1);
	drop(&objects, "a", "x");
	expect(&objects, "a", 0, 0, CLUSTER_LARGE);
	expect(&objects, "b", 1, 500, CLUSTER_OPEN);
	cluster_objects_clear(&objects);
}

/* Five namespaces of 900 bytes and less; 4000 are to be left. */
static void
test_crowded(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	static const size_t sizes[] = { 500, 900, 850, 900, 800 };
	cluster_objects objects = { .items = NULL };

	for (size_t i = 0; i < 5; i++)
		put(&objects, NULL, names[i], "x", sizes[i]);
	put(&objects, NULL, "f", "x", 200);
	CU_ASSERT(objects.gap_count == 0 && objects.bytes == 4150);
	CU_ASSERT_TRUE(cluster_objects_fit(&objects));
	/* Of two that are as large the first by name. */
	expect(&objects, "b", 0, 0, CLUSTER_CROWDED);
	CU_ASSERT(objects.gap_count == 1 && objects.bytes == 3250);
	/* With an eighth more it happens at once. */
	put(&objects, NULL, "g", "x", 900);
	put(&objects, NULL, "h", "x", 351);
	CU_ASSERT(objects.gap_count == 2 && objects.bytes == 3601);
	expect(&objects, "d", 0, 0, CLUSTER_CROWDED);
	cluster_objects_clear(&objects);
}

static void
begin(cluster_source *source)
{
	cluster_objects_clear(&source->pending);
	source->listing = true;
}

static void
test_lists(void)
{
	cluster_source all = { .namespace = NULL };
	cluster_source one = { .namespace = "b" };
	cluster_objects objects = { .items = NULL };
	const cluster_object *kept;

	put(&objects, NULL, "a", "x", 200);
	put(&objects, NULL, "b", "x", 200);
	put(&objects, NULL, "b", "y", 1000);
	expect(&objects, "b", 0, 0, CLUSTER_LARGE);
	begin(&one);
	put(&one.pending, &one, "b", "x", 200);
	CU_ASSERT_TRUE(cluster_objects_take(&objects, &one));
	expect(&objects, "a", 1, 200, CLUSTER_OPEN);
	expect(&objects, "b", 1, 200, CLUSTER_OPEN);
	CU_ASSERT(objects.gap_count == 0 && objects.bytes == 400 && objects.count == 2);
	/* One that names nothing. */
	begin(&one);
	CU_ASSERT_TRUE(cluster_objects_take(&objects, &one));
	CU_ASSERT(objects.count == 1 && objects.bytes == 200);
	/* One that fails is forgotten. */
	begin(&all);
	put(&all.pending, &all, "c", "x", 200);
	begin(&all);
	kept = objects.items[0];
	{
		limen_documents *owner = make_object("a", "x", 200);
		char why[KUBE_ERROR_MAX];

		CU_ASSERT_TRUE(cluster_objects_put(&all.pending, &objects,
		                                   limen_documents_get(owner, 0), &all, why));
		limen_documents_free(owner);
	}
	put(&all.pending, &all, "d", "x", 300);
	CU_ASSERT_TRUE(cluster_objects_take(&objects, &all));
	CU_ASSERT(objects.count == 2 && objects.bytes == 500 && !all.listing);
	/* What is as it was is shared. */
	CU_ASSERT_PTR_EQUAL(objects.items[0], kept);
	cluster_objects_clear(&objects);
	cluster_objects_clear(&all.pending);
	cluster_objects_clear(&one.pending);
}

/* Another list is wanted only where it may help, and once a minute at most. */
static void
test_again(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	const int64_t minute = CLUSTER_AGAIN_AFTER;
	cluster_source all = { .namespace = NULL };
	cluster_source other = { .namespace = "other" };
	cluster_objects objects = { .items = NULL };

	put(&objects, NULL, "z", "x", 1100);
	CU_ASSERT_FALSE(cluster_objects_again(&objects, &all, minute));
	drop(&objects, "z", "y");
	CU_ASSERT_FALSE(cluster_objects_again(&objects, &other, minute));
	CU_ASSERT_TRUE(cluster_objects_again(&objects, &all, minute));
	CU_ASSERT_FALSE(cluster_objects_again(&objects, &all, 2 * minute - 1));
	CU_ASSERT_TRUE(cluster_objects_again(&objects, &all, 2 * minute));
	cluster_objects_clear(&objects);
	all.again = 0;
	for (size_t i = 0; i < 5; i++)
		put(&objects, NULL, names[i], "x", 880);
	CU_ASSERT_TRUE(cluster_objects_fit(&objects));
	expect(&objects, "a", 0, 0, CLUSTER_CROWDED);
	CU_ASSERT_FALSE(cluster_objects_again(&objects, &all, minute));
	put(&objects, NULL, "e", "x", 400);
	CU_ASSERT_TRUE(cluster_objects_again(&objects, &all, minute));
	cluster_objects_clear(&objects);
}

static void
test_copy(void)
{
	cluster_objects objects = { .items = NULL };
	cluster_objects alike = { .items = NULL };
	cluster_objects others = { .items = NULL };

	put(&objects, NULL, "a", "x", 300);
	put(&objects, NULL, "b", "x", 1100);
	objects.items[0]->read = true;
	CU_ASSERT_TRUE(cluster_objects_copy(&alike, &objects, true));
	CU_ASSERT_TRUE(cluster_objects_copy(&others, &objects, false));
	CU_ASSERT_PTR_EQUAL(alike.items[0], objects.items[0]);
	CU_ASSERT_PTR_NOT_EQUAL(others.items[0], objects.items[0]);
	CU_ASSERT_FALSE(others.items[0]->read);
	cluster_objects_clear(&objects);
	expect(&alike, "a", 1, 300, CLUSTER_OPEN);
	expect(&others, "b", 0, 0, CLUSTER_LARGE);
	CU_ASSERT(others.bytes == 300 && others.count == 1 && others.gap_count == 1);
	cluster_objects_clear(&alike);
	cluster_objects_clear(&others);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "what limen reads is kept", test_trimmed },
		{ "objects come, change and go", test_changes },
		{ "a namespace that has too much", test_large },
		{ "all that have too much together", test_crowded },
		{ "lists", test_lists },
		{ "another list", test_again },
		{ "a copy", test_copy },
		{ NULL, NULL },
	};

	return suite_run("plugins/admission/LimitRanger/objects", tests);
}
