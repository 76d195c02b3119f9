/* SPDX-License-Identifier: Apache-2.0 */
#include "fail_malloc.h"
#include "jansson_value.h"
#include "suite.h"

#define CHANGES_MAX 48
#define NODES_MAX 4000

/* Random changes of a random document. */
typedef struct patch_run {
	uint64_t state;
	document *before;
	document *values[CHANGES_MAX];
	change changes[CHANGES_MAX];
	size_t count;
	limen_value objects[NODES_MAX];
	size_t object_count;
	limen_value others[NODES_MAX];
	size_t other_count;
} patch_run;

static void
collect(patch_run *run, limen_value value)
{
	limen_iter iter = limen_iter_start(value);
	limen_value inner;

	if (run->object_count == NODES_MAX || run->other_count == NODES_MAX)
		return;
	if (limen_value_type(value) == LIMEN_TYPE_OBJECT)
		run->objects[run->object_count++] = value;
	else
		run->others[run->other_count++] = value;
	while (limen_iter_next(&iter, NULL, &inner))
		collect(run, inner);
}

/* A change that adds a member, or sets one that may be there. */
static change
make_setting(patch_run *run, size_t number)
{
	static const char *const keys[] = { "new", "n/e~w", "", "a", "b", "other" };
	uint32_t object = draw(&run->state, (uint32_t)run->object_count);
	/* Some have few changes, so that all of them add something. */
	uint32_t which = draw(&run->state, run->count < 4 ? 6 : 3);

	return (change){
		.kind = CHANGE_SET,
		.target = run->objects[object],
		.key = keys[which],
		.key_length = strlen(keys[which]),
		.value = document_root(run->values[number]),
	};
}

static change
make_change(patch_run *run, size_t number)
{
	uint32_t kind = draw(&run->state, 40);
	limen_value other = limen_value_none();

	if (run->other_count > 0)
		other = run->others[draw(&run->state, (uint32_t)run->other_count)];
	if (kind == 0 && limen_value_type(other) == LIMEN_TYPE_ARRAY)
		return (change){ .kind = CHANGE_INSERT,
			         .target = other,
			         .value = document_root(run->values[number]) };
	if (kind == 1 && limen_value_exists(other) &&
	    other.node != document_root(run->before).node)
		return (change){ .kind = CHANGE_REMOVE, .target = other };
	return make_setting(run, number);
}

static void
start(patch_run *run)
{
	json_t *before = json_object();

	while (json_object_size(before) < 3) {
		char key[8];

		snprintf(key, sizeof(key), "%zu", json_object_size(before));
		json_object_set_new(before, key, make_small(&run->state, 0));
	}
	run->before = from_jansson(before);
	json_decref(before);
	run->object_count = run->other_count = 0;
	collect(run, document_root(run->before));
	run->count = 1 + draw(&run->state, draw(&run->state, 4) == 0 ? CHANGES_MAX : 4);
	for (size_t i = 0; i < run->count; i++) {
		json_t *value = make_small(&run->state, 2);

		run->values[i] = from_jansson(value);
		run->changes[i] = make_change(run, i);
		json_decref(value);
	}
}

/* Returns whether the changes were simple; then the patch is that of the long way. */
static bool
compare_patches(const patch_run *run)
{
	document *after = document_apply(run->before, run->changes, run->count);
	document *wanted = document_diff(document_root(run->before), document_root(after));
	document *found = document_patch(run->before, run->changes, run->count);
	char *text = limen_value_to_json(document_root(wanted), 0, NULL);

	if (found != NULL && !prints_as(document_root(found), text)) {
		printf("# %s\n", text);
		CU_FAIL("another patch");
	}
	free(text);
	document_unref(after);
	document_unref(wanted);
	document_unref(found);
	return found != NULL;
}

static void
finish(patch_run *run)
{
	document_unref(run->before);
	for (size_t i = 0; i < run->count; i++)
		document_unref(run->values[i]);
}

static patch_run run;

static void
test_random(void)
{
	unsigned simple = 0;

	run = (patch_run){ .state = 41 };
	for (unsigned i = 0; i < 20000; i++) {
		start(&run);
		simple += compare_patches(&run) ? 1 : 0;
		finish(&run);
	}
	printf("# %u of 20000 were written at once\n", simple);
	CU_ASSERT(simple > 4000 && simple < 16000);
}

/* ---- which changes are simple ---- */

typedef struct table_row {
	const char *before;
	const char *targets[3]; /* pointers */
	const char *keys[3];
	const char *patch; /* NULL: not simple */
} table_row;

static const table_row rows[] = {
	{ "{\"a\":{}}", { "/a" }, { "k" }, "[{\"op\":\"add\",\"path\":\"/a/k\",\"value\":0}]" },
	/* What is inside comes before what is added outside, which comes behind. */
	{ "{\"a\":{\"b\":[{}]}}", { "", "/a", "/a/b/0" }, { "x", "y", "z" },
	  "[{\"op\":\"add\",\"path\":\"/a/b/0/z\",\"value\":2},"
	  "{\"op\":\"add\",\"path\":\"/a/y\",\"value\":1},"
	  "{\"op\":\"add\",\"path\":\"/x\",\"value\":0}]" },
	{ "{\"a\":{}}", { "/a", "/a" }, { "y", "x" },
	  "[{\"op\":\"add\",\"path\":\"/a/y\",\"value\":0},"
	  "{\"op\":\"add\",\"path\":\"/a/x\",\"value\":1}]" },
	{ "[[],[0,1,2,3,4,5,6,7,8,9,{}]]", { "/1/10" }, { "~/" },
	  "[{\"op\":\"add\",\"path\":\"/1/10/~0~1\",\"value\":0}]" },
	{ "{\"a\":{\"x\":1},\"a\":{}}", { "/a" }, { "x" },
	  "[{\"op\":\"add\",\"path\":\"/a/x\",\"value\":0}]" },
	{ "{\"a\":{\"k\":1}}", { "/a" }, { "k" }, NULL },
	{ "{\"a\":{}}", { "/a", "/a" }, { "k", "k" }, NULL },
	{ "{\"a\":[]}", { "/a" }, { "0" }, NULL },
};

static void
test_table(void)
{
	static const char *const values[] = { "0", "1", "2" };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const table_row *row = &rows[i];
		document *patch;

		run = (patch_run){ .before = read_literal(row->before) };
		for (; run.count < 3 && row->targets[run.count] != NULL; run.count++) {
			run.values[run.count] = read_literal(values[run.count]);
			run.changes[run.count] = (change){
				.kind = CHANGE_SET,
				.target = find_value(run.before, row->targets[run.count]),
				.key = row->keys[run.count],
				.key_length = strlen(row->keys[run.count]),
				.value = document_root(run.values[run.count]),
			};
		}
		patch = document_patch(run.before, run.changes, run.count);
		CU_ASSERT_EQUAL(patch != NULL, row->patch != NULL);
		CU_ASSERT(patch == NULL || prints_as(document_root(patch), row->patch));
		document_unref(patch);
		finish(&run);
	}
}

#define TEN_OBJECTS   "{},{},{},{},{},{},{},{},{},{}"
#define FORTY_OBJECTS TEN_OBJECTS "," TEN_OBJECTS "," TEN_OBJECTS "," TEN_OBJECTS

/* The only member of the object that is the only element. */
static limen_value
find_first(const document *doc)
{
	limen_iter iter = limen_iter_start(limen_value_at(document_root(doc), 0));
	limen_value found = limen_value_none();

	limen_iter_next(&iter, NULL, &found);
	return found;
}

/* A path is written anew for each change below it: a long key makes it many times too large. */
static void
test_long_paths(void)
{
	static const struct {
		int length;
		size_t changes;
		bool simple;
	} cases[] = {
		{ 10, 40, true }, { 20000, 40, true }, { 100000, 5, true },
		{ 100000, 20, false }, { 2 << 20, 1, false }, { 1 << 20, 40, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text;

		run = (patch_run){ .count = cases[i].changes };
		CU_ASSERT_FATAL(asprintf(&text, "[{\"%0*d\":[%s]}]", cases[i].length, 0,
		                         FORTY_OBJECTS) > 0);
		run.before = read_literal(text);
		for (size_t j = 0; j < run.count; j++) {
			limen_value array = find_first(run.before);

			run.values[j] = read_literal("0");
			run.changes[j] = (change){
				.kind = CHANGE_SET,
				.target = limen_value_at(array, j),
				.key = "n",
				.key_length = 1,
				.value = document_root(run.values[j]),
			};
		}
		CU_ASSERT_EQUAL(compare_patches(&run), cases[i].simple);
		finish(&run);
		free(text);
	}
}

/* Nobody can ask for an overridden member, whose changes are met by no walk. */
static void
test_overridden(void)
{
	static const char *const texts[] = {
		"{\"a\":{\"b\":{}},\"a\":{\"b\":{}}}",
		"{\"a\":{},\"z\":[{\"a\":0},{}],\"a\":{}}",
		"[{\"a\":{},\"a\":1},{}]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		document *doc = read_literal(texts[i]);
		document *value = read_literal("0");
		const node *first = (const node *)document_root(doc).node;
		document *patch;

		while (first->text == NULL || strcmp(first->text, "a") != 0)
			first++;
		patch = document_patch(doc,
		                       &(change){ .kind = CHANGE_SET,
		                                  .target = { doc, first + 1 },
		                                  .key = "k",
		                                  .key_length = 1,
		                                  .value = document_root(value) },
		                       1);
		CU_ASSERT_PTR_NULL(patch);
		document_unref(value);
		document_unref(doc);
	}
}

/* Texts of the values are shared, so their documents are kept. */
static void
test_lives_on(void)
{
	document *patch;

	run = (patch_run){ .before = read_literal("{}"), .count = 1 };
	run.values[0] = read_literal("{\"long enough to be no constant\": [\"of anybody\", 1e5]}");
	run.changes[0] = (change){ .target = document_root(run.before), .key = "k",
		                   .key_length = 1, .value = document_root(run.values[0]) };
	patch = document_patch(run.before, run.changes, 1);
	finish(&run);
	CU_ASSERT(prints_as(document_root(patch),
	                    "[{\"op\":\"add\",\"path\":\"/k\",\"value\":"
	                    "{\"long enough to be no constant\":[\"of anybody\",1e5]}}]"));
	document_unref(patch);
}

static void
test_no_memory(void)
{
	bool failed = true;

	run = (patch_run){ .state = 43 };
	do {
		start(&run);
		failed = !compare_patches(&run) || run.count < 3;
		if (failed)
			finish(&run);
	} while (failed);
	failed = true;
	for (unsigned long n = 1; failed; n++) {
		document *patch;

		fail_malloc_once(n);
		patch = document_patch(run.before, run.changes, run.count);
		failed = fail_malloc_stop();
		CU_ASSERT(failed || patch != NULL);
		document_unref(patch);
	}
	finish(&run);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "changes that only add members", test_table },
		{ "random changes of random documents", test_random },
		{ "changes of what is overridden", test_overridden },
		{ "paths that are long", test_long_paths },
		{ "a patch outlives what it was made of", test_lives_on },
		{ "memory is short", test_no_memory },
		{ NULL, NULL },
	};

	return suite_run("core/document_patch", tests);
}
