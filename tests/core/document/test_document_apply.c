/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "document/document_layout.h"
#include "jansson_patch.h"
#include "suite.h"
#include "reader/reader.h"

typedef struct step {
	change_kind kind;
	const char *target; /* pointer in the document */
	const char *key;
	size_t index;
	const char *value;
} step;

typedef struct apply_case {
	const char *before;
	step steps[6];
	const char *after;
} apply_case;

static const apply_case cases[] = {
	{ "{\"a\":1}", { { .target = NULL } }, "{\"a\":1}" },
	/* objects */
	{ "{\"a\":1,\"b\":2}", { { CHANGE_SET, "", "a", 0, "[3]" } }, "{\"a\":[3],\"b\":2}" },
	{ "{\"a\":1}", { { CHANGE_SET, "", "c", 0, "3" }, { CHANGE_SET, "", "b", 0, "2" } },
	  "{\"a\":1,\"c\":3,\"b\":2}" },
	{ "{\"a\":1}", { { CHANGE_SET, "", "b", 0, "2" }, { CHANGE_SET, "", "b", 0, "3" } },
	  "{\"a\":1,\"b\":3}" },
	{ "{\"a\":1}", { { CHANGE_SET, "", "", 0, "2" } }, "{\"a\":1,\"\":2}" },
	{ "{\"a\":1,\"b\":2}", { { CHANGE_REMOVE, "/a", NULL, 0, NULL } }, "{\"b\":2}" },
	{ "{\"a\":1}",
	  { { CHANGE_REMOVE, "/a", NULL, 0, NULL }, { CHANGE_SET, "", "a", 0, "2" } },
	  "{\"a\":2}" },
	{ "{\"a\":1}",
	  { { CHANGE_SET, "", "a", 0, "2" }, { CHANGE_REMOVE, "/a", NULL, 0, NULL } }, "{}" },
	{ "{\"a\":1}",
	  { { CHANGE_REMOVE, "/a", NULL, 0, NULL }, { CHANGE_SET, "", "a", 0, "2" },
	    { CHANGE_REMOVE, "/a", NULL, 0, NULL }, { CHANGE_SET, "", "a", 0, "3" } },
	  "{\"a\":3}" },
	{ "{\"a\":{\"b\":{\"c\":1}}}", { { CHANGE_SET, "/a/b", "d", 0, "2" } },
	  "{\"a\":{\"b\":{\"c\":1,\"d\":2}}}" },
	{ "{\"a\":{\"b\":1}}",
	  { { CHANGE_SET, "/a", "b", 0, "2" }, { CHANGE_SET, "", "a", 0, "{}" } }, "{\"a\":{}}" },
	{ "{\"a\":{\"b\":1}}",
	  { { CHANGE_SET, "", "a", 0, "{}" }, { CHANGE_SET, "/a", "b", 0, "2" } }, "{\"a\":{}}" },
	{ "{\"a\":{\"b\":1}}",
	  { { CHANGE_REMOVE, "/a/b", NULL, 0, NULL }, { CHANGE_REMOVE, "/a", NULL, 0, NULL } },
	  "{}" },
	{ "{\"x\":0,\"x\":1,\"y\":2}", { { CHANGE_SET, "", "y", 0, "3" } }, "{\"x\":1,\"y\":3}" },
	/* arrays */
	{ "[1,2,3]", { { CHANGE_SET, "", NULL, 1, "9" } }, "[1,9,3]" },
	{ "[1,2,3]", { { CHANGE_SET, "", NULL, 3, "9" } }, "[1,2,3,9]" },
	{ "[1,2,3]",
	  { { CHANGE_SET, "", NULL, 1, "8" }, { CHANGE_SET, "", NULL, 1, "9" } }, "[1,9,3]" },
	{ "[1,2,3]", { { CHANGE_INSERT, "", NULL, 0, "9" } }, "[9,1,2,3]" },
	{ "[1,2,3]", { { CHANGE_INSERT, "", NULL, 3, "9" } }, "[1,2,3,9]" },
	{ "[]", { { CHANGE_INSERT, "", NULL, 0, "9" } }, "[9]" },
	{ "[1,2,3]",
	  { { CHANGE_INSERT, "", NULL, 1, "8" }, { CHANGE_INSERT, "", NULL, 1, "9" },
	    { CHANGE_REMOVE, "/1", NULL, 0, NULL }, { CHANGE_INSERT, "", NULL, 3, "7" } },
	  "[1,8,9,3,7]" },
	{ "[1,2,3]",
	  { { CHANGE_REMOVE, "/0", NULL, 0, NULL }, { CHANGE_REMOVE, "/2", NULL, 0, NULL },
	    { CHANGE_SET, "", NULL, 1, "[]" } },
	  "[[]]" },
	{ "[1,2]",
	  { { CHANGE_REMOVE, "/0", NULL, 0, NULL }, { CHANGE_SET, "", NULL, 0, "9" } }, "[9,2]" },
	{ "[1,2]",
	  { { CHANGE_SET, "", NULL, 0, "9" }, { CHANGE_REMOVE, "/0", NULL, 0, NULL } }, "[2]" },
	{ "[[1],[2,[3]]]",
	  { { CHANGE_INSERT, "/1/1", NULL, 1, "4" }, { CHANGE_SET, "/0", NULL, 0, "0" } },
	  "[[0],[2,[3,4]]]" },
	{ "[1,2]",
	  { { CHANGE_INSERT, "", NULL, 9, "8" }, { CHANGE_INSERT, "", NULL, 9, "9" } },
	  "[1,2,8,9]" },
	/* the root, and changes that fit nothing */
	{ "{\"a\":1}", { { CHANGE_REMOVE, "", NULL, 0, NULL } }, "null" },
	{ "{\"a\":1}", { { CHANGE_SET, "/a", "b", 0, "2" } }, "{\"a\":1}" },
	{ "{\"a\":1}", { { CHANGE_SET, "", "a", 0, NULL } }, "{\"a\":null}" },
	{ "{\"a\":1}", { { CHANGE_SET, "", NULL, 0, "2" } }, "{\"a\":1}" },
	{ "[1]", { { CHANGE_SET, "", "a", 0, "2" } }, "[1]" },
};

static void
check_case(const apply_case *test)
{
	document *before = read_literal(test->before);
	document *values[6] = { NULL };
	change changes[6];
	size_t count = 0;
	document *after;

	for (; count < 6 && test->steps[count].target != NULL; count++) {
		const step *one = &test->steps[count];

		values[count] = one->value == NULL ? NULL : read_literal(one->value);
		changes[count] = (change){ .kind = one->kind,
			                   .target = find_value(before, one->target),
			                   .key = one->key,
			                   .key_length = one->key == NULL ? 0 : strlen(one->key),
			                   .index = one->index,
			                   .value = document_root(values[count]) };
	}
	after = document_apply(before, changes, count);
	CU_ASSERT_PTR_NOT_NULL_FATAL(after);
	CU_ASSERT_TRUE(prints_as(document_root(after), test->after));
	if (!prints_as(document_root(after), test->after))
		fprintf(stderr, "# %s\n", test->after);
	for (size_t i = 0; i < count; i++)
		document_unref(values[i]);
	document_unref(before);
	document_unref(after);
}

static void
test_table(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check_case(&cases[i]);
}

static void
test_places(void)
{
	document *before = read_literal("{\"a\":\n[1,\n2]}");
	document *value = read_literal("\n\n\ntrue");
	change what = { .kind = CHANGE_INSERT,
		        .target = find_value(before, "/a"),
		        .index = 0,
		        .value = document_root(value) };
	document *after;
	char *pointer;

	CU_ASSERT_TRUE(document_set_base(before, "/base"));
	after = document_apply(before, &what, 1);
	document_unref(before);
	document_unref(value);
	CU_ASSERT_EQUAL(value_place(find_value(after, "/a")).line, 2);
	CU_ASSERT_EQUAL(value_place(find_value(after, "/a/0")).line, 4);
	CU_ASSERT_EQUAL(value_place(find_value(after, "/a/2")).line, 3);
	pointer = value_pointer(find_value(after, "/a/2"));
	CU_ASSERT_STRING_EQUAL(pointer, "/base/a/2");
	free(pointer);
	document_unref(after);
}

/* ---- random changes, one at a time in jansson ---- */

typedef struct random_run {
	uint64_t state;
	document *before;
	json_t *expected; /* the same, changed */
	document *values[64];
	change changes[64];
	size_t count;
} random_run;

static void
add_change(random_run *run, change what, json_t *value)
{
	if (value != NULL) {
		run->values[run->count] = from_jansson(value);
		what.value = document_root(run->values[run->count]);
	}
	run->changes[run->count++] = what;
}

/*
 * Walks both side by side and changes each member at most once, from the back
 * of arrays, so that indices stay those of the document.
 */
static void
change_randomly(random_run *run, limen_value value, json_t *same)
{
	limen_iter iter = limen_iter_start(value);
	bool array = limen_value_type(value) == LIMEN_TYPE_ARRAY;
	limen_value key, member;

	if (array) {
		for (size_t i = limen_value_count(value) + 1; i-- > 0 && run->count < 60;) {
			uint32_t what = draw(&run->state, 8);
			json_t *fresh = make_small(&run->state, 2);

			member = limen_value_at(value, i);
			if (what == 0) {
				add_change(run, (change){ .kind = CHANGE_INSERT, .target = value,
				                          .index = i }, fresh);
				json_array_insert(same, i, fresh);
			} else if (what == 1 && limen_value_exists(member)) {
				add_change(run, (change){ .kind = CHANGE_REMOVE, .target = member },
				           NULL);
				json_array_remove(same, i);
			} else if (what == 2 && limen_value_exists(member)) {
				add_change(run, (change){ .kind = CHANGE_SET, .target = value,
				                          .index = i }, fresh);
				json_array_set(same, i, fresh);
			} else {
				change_randomly(run, member, json_array_get(same, i));
			}
			json_decref(fresh);
		}
		return;
	}
	while (limen_iter_next(&iter, &key, &member) && run->count < 60) {
		uint32_t what = draw(&run->state, 5);
		size_t length = 0;
		const char *name = limen_value_string(key, &length);
		json_t *fresh = make_small(&run->state, 2);

		if (what == 0) {
			add_change(run, (change){ .kind = CHANGE_REMOVE, .target = member }, NULL);
			json_object_del(same, name);
		} else if (what == 1) {
			add_change(run, (change){ .kind = CHANGE_SET, .target = value,
			                          .key = name, .key_length = length }, fresh);
			json_object_set(same, name, fresh);
		} else {
			change_randomly(run, member, json_object_get(same, name));
		}
		json_decref(fresh);
	}
}

/* The order of changes to different places does not count. */
static void
shuffle(random_run *run)
{
	for (size_t i = run->count; i > 1; i--) {
		size_t j = draw(&run->state, (uint32_t)i);
		change kept = run->changes[i - 1];

		run->changes[i - 1] = run->changes[j];
		run->changes[j] = kept;
	}
}

static void
check_patch(const document *before, const document *after, json_t *value)
{
	limen_value from = document_root(before);
	document *patch = document_diff(from, document_root(after));
	json_t *patched = apply_patch(value, patch);
	json_t *expected = to_jansson(document_root(after));

	CU_ASSERT_TRUE(json_equal(patched, expected));
	json_decref(patched);
	json_decref(expected);
	document_unref(patch);
}

static void
test_random(void)
{
	random_run run = { .state = 29 };

	for (int i = 0; i < 3000; i++) {
		json_t *value = make_small(&run.state, 0);
		document *after;
		json_t *found;

		run.count = 0;
		memset(run.values, 0, sizeof(run.values));
		run.before = from_jansson(value);
		run.expected = json_deep_copy(value);
		change_randomly(&run, document_root(run.before), run.expected);
		shuffle(&run);
		after = document_apply(run.before, run.changes, run.count);
		found = to_jansson(document_root(after));
		CU_ASSERT_TRUE(json_equal(found, run.expected));
		check_patch(run.before, after, value);
		for (size_t j = 0; j < 64; j++)
			document_unref(run.values[j]);
		json_decref(value);
		json_decref(found);
		json_decref(run.expected);
		document_unref(run.before);
		document_unref(after);
	}
}

static void
test_many_times(void)
{
	document *doc = json_read(NULL, "{\"n\":{\"x\":[1]}}", 15, 0, NULL);
	limen_value object;

	CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
	for (int i = 0; i < 100; i++) {
		char key[16];
		change what = { .kind = CHANGE_SET, .target = document_root(doc), .key = key };
		document *value = json_read(NULL, "[2]", 3, 0, NULL);
		document *after;

		what.key_length = (size_t)snprintf(key, sizeof(key), "k%d", i);
		what.value = document_root(value);
		after = document_apply(doc, &what, 1);
		CU_ASSERT_PTR_NOT_NULL_FATAL(after);
		document_unref(doc);
		document_unref(value);
		doc = after;
	}
	object = document_root(doc);
	CU_ASSERT_EQUAL(limen_value_count(object), 101);
	CU_ASSERT_TRUE(limen_value_exists(limen_value_at(
		limen_value_get(limen_value_get(object, "n"), "x"), 0)));
	CU_ASSERT_TRUE(limen_value_exists(limen_value_at(limen_value_get(object, "k0"), 0)));
	CU_ASSERT_TRUE(limen_value_exists(limen_value_at(limen_value_get(object, "k99"), 0)));
	document_unref(doc);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "changes", test_table },
		{ "nodes keep their places", test_places },
		{ "changes of what was changed", test_many_times },
		{ "random changes against jansson, and their patches", test_random },
		{ NULL, NULL },
	};

	return suite_run("core/document_apply", tests);
}
