/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_objects.c - how many LimitRanges of an API server are kept, and what of
 * them, whatever it sends: those that are known, and those that the state in force names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../../plugins/admission/LimitRanger/cluster/cluster.h"
#include "plugin.h"
#include "suite.h"

#define NAMED 3 /* objects in a list */

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

enum { LARGE = 63 << 10, TOO_LARGE = 65 << 10 };

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

/* Each is another than the one before it of that name. */
static bool
put_one(cluster_objects *objects, const cluster_source *source, int number)
{
	static unsigned times;
	char why[KUBE_ERROR_MAX];
	char text[160];
	limen_documents *owner = NULL;
	bool taken;

	snprintf(text, sizeof text,
	         "{\"metadata\": {\"name\": \"limits-%d\", \"namespace\": \"default\"}, "
	         "\"spec\": %u}", number, times++);
	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("object.json", text, strlen(text), 0, &owner,
	                                            NULL), LIMEN_OK);
	taken = cluster_objects_put(objects, limen_documents_get(owner, 0), source, why);
	limen_documents_free(owner);
	return taken;
}

/* A list that fails before its end, or says the same on each page. */
static void
list_in_vain(cluster_objects *objects, cluster_source *source, int times)
{
	for (int i = 0; i < times; i++) {
		cluster_objects_begin(objects, source);
		for (int number = 0; number < NAMED; number++)
			CU_ASSERT_TRUE(put_one(objects, source, number));
	}
}

static void
test_lists(void)
{
	cluster_objects objects = { .items = NULL };
	cluster_source source = { .owner = NULL };

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
	cluster_objects_begin(&objects, &source);
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
	cluster_source source = { .owner = NULL };

	for (int i = 0; i < 100; i++) {
		char why[KUBE_ERROR_MAX];

		CU_ASSERT_TRUE(put_one(&objects, &source, 1));
		CU_ASSERT_TRUE(put_one(&objects, &source, 2));
		CU_ASSERT_TRUE(cluster_objects_drop(&objects, objects.items[0].kept->value,
		                                    &source, why));
		CU_ASSERT_EQUAL(objects.count, 1);
		CU_ASSERT_EQUAL(objects.gone_count, 0);
	}
	cluster_objects_clear(&objects);
}

/* Puts an object as if it came from a page of a list. */
static bool
put(cluster_objects *objects, const char *text, char why[KUBE_ERROR_MAX])
{
	limen_documents *page = NULL;
	bool taken;

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("page", text, strlen(text), 0, &page, NULL),
	                      LIMEN_OK);
	taken = cluster_objects_put(objects, limen_documents_get(page, 0), NULL, why);
	limen_documents_free(page);
	return taken;
}

static void
test_trimmed(void)
{
	for (size_t i = 0; i < sizeof trimmed / sizeof trimmed[0]; i++) {
		cluster_objects objects = { .items = NULL };
		const char *wanted = trimmed[i].kept;
		char why[KUBE_ERROR_MAX] = "";
		bool taken = put(&objects, trimmed[i].object, why);
		char *found = taken ? limen_value_print(objects.items[0].kept->value, 0, NULL) : NULL;

		ASSERT(taken == (wanted != NULL), "%s: '%s'", trimmed[i].object, why);
		if (taken && wanted != NULL)
			ASSERT(strcmp(found, wanted) == 0 && objects.bytes == strlen(wanted),
			       "%s\n  is %s (%zu)\nwant %s", trimmed[i].object, found,
			       objects.bytes, wanted);
		free(found);
		cluster_objects_clear(&objects);
	}
}

/* Puts an object of 'size' bytes of which 'kept' is in what is kept of it. */
static bool
put_into(cluster_objects *objects, const char *namespace, unsigned number, size_t size, bool kept,
         char why[KUBE_ERROR_MAX])
{
	char *filling = malloc(size + 1);
	char *text;
	bool taken;

	if (filling == NULL)
		abort();
	memset(filling, 'x', size);
	filling[size] = '\0';
	if (asprintf(&text, "{\"metadata\":{\"name\":\"a%u\",\"namespace\":\"%s\",\"annotations\":"
	                    "{\"%s\":\"%s\"}}}", number, namespace,
	             kept ? ANNOTATION_ITEMS : "another", filling) < 0)
		abort();
	taken = put(objects, text, why);
	free(text);
	free(filling);
	return taken;
}

static bool
put_large(cluster_objects *objects, unsigned number, size_t size, bool kept,
          char why[KUBE_ERROR_MAX])
{
	return put_into(objects, "n", number, size, kept, why);
}

static unsigned
count_unfit(const cluster_objects *objects)
{
	unsigned found = 0;

	for (size_t i = 0; i < objects->count; i++)
		found += objects->items[i].kept->unfit != NULL;
	return found;
}

/*
 * All together have a bound: of who has the most of it only names are kept, and nobody else
 * has less for it.
 */
static void
test_bound(void)
{
	const unsigned fit = CLUSTER_BYTES_MAX / LARGE;
	cluster_objects objects = { .items = NULL };
	char why[KUBE_ERROR_MAX] = "";
	size_t full;

	for (unsigned i = 0; i < fit; i++)
		CU_ASSERT_TRUE(put_large(&objects, i, LARGE, true, why));
	full = objects.bytes;
	CU_ASSERT_TRUE(full > fit * (size_t)LARGE && full <= CLUSTER_BYTES_MAX);
	CU_ASSERT_EQUAL(count_unfit(&objects), 0);
	CU_ASSERT_TRUE(put_into(&objects, "other", 0, LARGE, true, why));
	CU_ASSERT_EQUAL(count_unfit(&objects), fit);
	ASSERT(objects.bytes < 2 * (size_t)LARGE, "%zu bytes", objects.bytes);
	CU_ASSERT_STRING_EQUAL(objects.items[0].kept->unfit,
	                       "the LimitRanges of the cluster are too large together");
	/* Whatever it does now waits for a list. */
	CU_ASSERT_TRUE(put_large(&objects, 0, LARGE, true, why));
	CU_ASSERT_TRUE(put_large(&objects, 0, LARGE, false, why));
	CU_ASSERT_EQUAL(count_unfit(&objects), fit);
	CU_ASSERT_TRUE(put_into(&objects, "other", 1, LARGE, true, why));
	CU_ASSERT_EQUAL(objects.count, fit + 2);
	CU_ASSERT_EQUAL(count_unfit(&objects), fit);
	cluster_objects_clear(&objects);
	CU_ASSERT_EQUAL(objects.bytes, 0);
}

/* Nor are more than 50000 kept: then none of the namespace that has most are. */
static void
test_many(void)
{
	enum { FIRST = 100000 }; /* of as many digits as the last, so that they come in order */
	cluster_objects objects = { .items = NULL };
	cluster_source source = { .owner = NULL };
	char why[KUBE_ERROR_MAX] = "";

	CU_ASSERT_TRUE(put_into(&objects, "other", 0, 1, true, why));
	for (int i = 1; i < 50000; i++) {
		if (!put_one(&objects, &source, FIRST + i))
			CU_FAIL_FATAL("there is no room");
	}
	CU_ASSERT_EQUAL(objects.count, 50000);
	CU_ASSERT_EQUAL(count_unfit(&objects), 0);
	/* One of them may change. */
	CU_ASSERT_TRUE(put_one(&objects, &source, FIRST + 1));
	CU_ASSERT_EQUAL(objects.count, 50000);
	CU_ASSERT_TRUE(put_one(&objects, &source, FIRST));
	CU_ASSERT_EQUAL(objects.count, 1);
	CU_ASSERT_STRING_EQUAL(objects.items[0].kept->namespace, "other");
	CU_ASSERT_EQUAL(objects.shares.collapsed_count, 1);
	cluster_objects_clear(&objects);
}

/* However many of them somebody writes, there is room for those of others. */
static void
test_too_large(void)
{
	cluster_objects objects = { .items = NULL };
	char why[KUBE_ERROR_MAX] = "";

	for (unsigned i = 0; i < 200; i++)
		CU_ASSERT_TRUE(put_large(&objects, i, TOO_LARGE, true, why));
	CU_ASSERT_EQUAL(count_unfit(&objects), 200);
	CU_ASSERT_STRING_EQUAL(objects.items[0].kept->unfit, "it is too large");
	CU_ASSERT_STRING_EQUAL(objects.items[0].kept->name, "a0");
	CU_ASSERT_EQUAL(objects.bytes, 0);
	CU_ASSERT_TRUE(put_large(&objects, 200, LARGE, true, why));
	CU_ASSERT_EQUAL(count_unfit(&objects), 200);
	cluster_objects_clear(&objects);
}

/* Where a namespace has no room at all, there is for names: no list fails for want of it. */
static void
test_full(void)
{
	const unsigned fit = CLUSTER_BYTES_MAX / LARGE;
	cluster_objects objects = { .items = NULL };
	char why[KUBE_ERROR_MAX] = "";
	size_t around;

	for (unsigned i = 0; i < fit; i++)
		CU_ASSERT_TRUE(put_large(&objects, 100 + i, LARGE, true, why));
	around = objects.bytes / fit - LARGE;
	CU_ASSERT_TRUE(put_large(&objects, 999, CLUSTER_BYTES_MAX - objects.bytes - around, true,
	                         why));
	CU_ASSERT_EQUAL(objects.bytes, CLUSTER_BYTES_MAX);
	CU_ASSERT_EQUAL(count_unfit(&objects), 0);
	for (unsigned i = 0; i < 10; i++)
		CU_ASSERT_TRUE(put_large(&objects, i, 1, true, why));
	CU_ASSERT_EQUAL(objects.count, fit + 11);
	CU_ASSERT_EQUAL(count_unfit(&objects), fit + 11);
	CU_ASSERT_EQUAL(objects.bytes, 0);
	cluster_objects_clear(&objects);
}

static double
get_time(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* Lists 50000 namespaces with one LimitRange of 'size' bytes or a few more; returns seconds. */
static double
list_many(cluster_objects *objects, cluster_source *source, size_t size)
{
	double began = get_time();
	char why[KUBE_ERROR_MAX] = "";
	char name[32];

	cluster_objects_begin(objects, source);
	for (unsigned i = 0; i < 50000; i++) {
		snprintf(name, sizeof name, "n%u", 100000 + i);
		/* Later ones want a little less: each that comes has another lose. */
		if (!put_into(objects, name, 0, size - i / 1000, true, why))
			CU_FAIL_FATAL("it is not taken");
	}
	return get_time() - began;
}

/* However many lose, it takes about as long as if there were room for all. */
static void
test_many_lose(void)
{
	cluster_objects few = { .items = NULL };
	cluster_objects many = { .items = NULL };
	cluster_source source = { .owner = NULL };
	double good = list_many(&few, &source, 60);
	double bad = list_many(&many, &source, 150);

	/* Both bounds of what fits follow from the length of an object. */
	CU_ASSERT_EQUAL(count_unfit(&few), 0);
	CU_ASSERT(count_unfit(&many) > 10000 && count_unfit(&many) < 40000);
	ASSERT(bad < 5 * good, "%f s, and %f s where there is room", bad, good);
	bad = list_many(&many, &source, 150);
	ASSERT(bad < 5 * good, "%f s again, and %f s where there is room", bad, good);
	cluster_objects_clear(&few);
	cluster_objects_clear(&many);
}

/* Names are as long as Kubernetes lets them be, and none is empty. */
static void
test_names(void)
{
	for (size_t length = 0; length <= CLUSTER_NAME_MAX + 1; length++) {
		cluster_objects objects = { .items = NULL };
		char why[KUBE_ERROR_MAX] = "";
		char name[CLUSTER_NAME_MAX + 2] = "";
		char text[CLUSTER_NAME_MAX + 100];
		bool good = length > 0 && length <= CLUSTER_NAME_MAX;

		memset(name, 'a', length);
		snprintf(text, sizeof text, OBJECT("\"name\":\"%s\",\"namespace\":\"n\"", ""), name);
		ASSERT(put(&objects, text, why) == good, "name of %zu: %s", length, why);
		snprintf(text, sizeof text, OBJECT("\"name\":\"n\",\"namespace\":\"%s\"", ""), name);
		ASSERT(put(&objects, text, why) == good, "namespace of %zu: %s", length, why);
		cluster_objects_clear(&objects);
	}
}

/* What a list does not name any more does not count, nor does what was dropped. */
static void
test_gone(void)
{
	cluster_objects objects = { .items = NULL };
	cluster_source source = { .owner = NULL };
	char why[KUBE_ERROR_MAX] = "";
	limen_documents *parsed = NULL;
	static const char one[] = OBJECT("\"name\":\"a0\",\"namespace\":\"n\"", "");

	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("one", one, strlen(one), 0, &parsed, NULL),
	                      LIMEN_OK);
	CU_ASSERT_TRUE(put_large(&objects, 0, LARGE, true, why));
	CU_ASSERT_TRUE(put_large(&objects, 1, LARGE, true, why));
	CU_ASSERT_TRUE(cluster_objects_drop(&objects, limen_documents_get(parsed, 0), NULL, why));
	CU_ASSERT_TRUE(objects.bytes > LARGE && objects.bytes < LARGE + 1000);
	cluster_objects_sweep(&objects);
	cluster_objects_begin(&objects, &source);
	CU_ASSERT_TRUE(cluster_objects_keep_listed(&objects, &source));
	CU_ASSERT_EQUAL(objects.bytes, 0);
	CU_ASSERT_EQUAL(objects.count, 0);
	limen_documents_free(parsed);
	cluster_objects_clear(&objects);
}

/* What a list says again is not made again, whether it is in force or not. */
static void
test_same(void)
{
	static const char *const texts[] = {
		OBJECT(NAMES, ",\"spec\":{\"limits\":[{\"type\":\"Pod\",\"max\":{\"cpu\":1.50}}]}"),
		OBJECT(NAMES ",\"annotations\":{" NARROW "}," TIME, ""),
		OBJECT(NAMES, ",\"spec\":\"\\u0001\\u00e9\\ud83d\\ude00\\\"\""),
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		cluster_objects objects = { .items = NULL };
		char why[KUBE_ERROR_MAX] = "";
		const cluster_kept *first;

		CU_ASSERT_TRUE(put(&objects, texts[i], why));
		cluster_objects_sweep(&objects);
		first = objects.items[0].kept;
		CU_ASSERT_TRUE(put(&objects, texts[i], why));
		CU_ASSERT_PTR_EQUAL(objects.items[0].kept, first);
		CU_ASSERT_EQUAL(objects.gone_bytes, 0);
		CU_ASSERT_TRUE(put(&objects, OBJECT(NAMES, SPEC), why));
		CU_ASSERT_PTR_NOT_EQUAL(objects.items[0].kept, first);
		CU_ASSERT_EQUAL(objects.gone_bytes, first->size);
		cluster_objects_clear(&objects);
	}
}

/* What was too large is so in a copy, where there is no more than its name. */
static void
test_copy(void)
{
	cluster_objects first = { .items = NULL };
	cluster_objects second = { .items = NULL };
	cluster_objects third = { .items = NULL };
	char why[KUBE_ERROR_MAX] = "";

	CU_ASSERT_TRUE(put_large(&first, 0, TOO_LARGE, true, why));
	CU_ASSERT_TRUE(put_large(&first, 1, LARGE, true, why));
	CU_ASSERT_TRUE(cluster_objects_copy(&second, &first, true));
	CU_ASSERT_TRUE(cluster_objects_copy(&third, &second, false));
	CU_ASSERT_EQUAL(third.count, 2);
	CU_ASSERT_EQUAL(third.bytes, first.bytes);
	CU_ASSERT_EQUAL(count_unfit(&third), 1);
	ASSERT(third.items[0].kept->unfit != NULL, "it is not unfit any more");
	/* Until somebody says what it is now. */
	CU_ASSERT_TRUE(put_large(&third, 0, LARGE, true, why));
	CU_ASSERT_EQUAL(count_unfit(&third), 0);
	cluster_objects_clear(&first);
	cluster_objects_clear(&second);
	cluster_objects_clear(&third);
}

/* Only what has been read is shared, and only by those who would read the same. */
static void
test_shared(void)
{
	cluster_objects first = { .items = NULL };
	cluster_objects alike = { .items = NULL };
	cluster_objects other = { .items = NULL };
	char why[KUBE_ERROR_MAX] = "";

	CU_ASSERT_TRUE(put(&first, OBJECT(NAMES, SPEC), why));
	CU_ASSERT_TRUE(put_large(&first, 1, 1, true, why));
	first.items[0].kept->read = true;
	CU_ASSERT_TRUE(cluster_objects_copy(&alike, &first, true));
	CU_ASSERT_TRUE(cluster_objects_copy(&other, &first, false));
	CU_ASSERT_PTR_EQUAL(alike.items[0].kept, first.items[0].kept);
	CU_ASSERT_PTR_NOT_EQUAL(alike.items[1].kept, first.items[1].kept);
	CU_ASSERT_PTR_NOT_EQUAL(other.items[0].kept, first.items[0].kept);
	CU_ASSERT_EQUAL(alike.bytes, first.bytes);
	CU_ASSERT_EQUAL(other.bytes, first.bytes);
	/* It outlives whoever had it first. */
	cluster_objects_clear(&first);
	CU_ASSERT_STRING_EQUAL(alike.items[0].kept->name, "a");
	cluster_objects_clear(&alike);
	cluster_objects_clear(&other);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "lists that come to nothing", test_lists },
		{ "changes that come to nothing", test_events },
		{ "what limen reads is kept", test_trimmed },
		{ "all together have a bound", test_bound },
		{ "no more than 50000 are kept", test_many },
		{ "one that is too large takes no room", test_too_large },
		{ "where there is no room there is for names", test_full },
		{ "many namespaces lose", test_many_lose },
		{ "names have a bound", test_names },
		{ "what is gone does not count", test_gone },
		{ "what is said again", test_same },
		{ "a copy of what was too large", test_copy },
		{ "what instances share", test_shared },
		{ NULL, NULL },
	};

	return suite_run("plugins/admission/LimitRanger/objects", tests);
}
