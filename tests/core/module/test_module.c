/* SPDX-License-Identifier: Apache-2.0 */
/* The ABI rule on descriptors made here; tests/abi has real modules. */
#include "module/module.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "problems.h"
#include "suite.h"

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	(void)self;
	(void)req;
	(void)reply;
	return LIMEN_SKIP;
}

static limen_verdict
prioritize(const void *self, const limen_request *req, double initial, limen_reply *reply)
{
	(void)initial;
	return check(self, req, reply);
}

static int
table(void *self, limen_opening *opening, const char *name, const limen_table_spec *spec,
      void **out, limen_diag *diag)
{
	(void)self;
	(void)opening;
	(void)name;
	(void)spec;
	(void)out;
	(void)diag;
	return LIMEN_OK;
}

static limen_verdict
take(void *self, limen_store_take *takes, size_t count, unsigned flags, limen_time now,
     limen_deadline deadline, limen_reply *reply)
{
	(void)self;
	(void)takes;
	(void)count;
	(void)flags;
	(void)now;
	(void)deadline;
	(void)reply;
	return LIMEN_ERROR;
}

/* A limit that loads, for tests to spoil. */
static limen_limit_module
good_limit(void)
{
	return (limen_limit_module){
		.abi_major = LIMEN_ABI_MAJOR,
		.abi_minor = LIMEN_ABI_MINOR,
		.kind = LIMEN_KIND_LIMIT,
		.size = sizeof(limen_limit_module),
		.option_size = sizeof(limen_option),
		.name = "cap",
		.check = check,
	};
}

static module made;
static char *problems;

static void
forget(void)
{
	arena_free(&made.memory);
	free(problems);
	made = (module){ .options = NULL };
	problems = NULL;
}

/* Normalises a descriptor and returns what was reported; "" if it loads. */
static const char *
normalise(const void *raw, limen_kind kind, const char *type)
{
	limen_diag *diag = limen_diag_new();
	bool good;

	forget();
	good = module_normalise(raw, kind, type, &made, diag, limen_value_none());
	CU_ASSERT_EQUAL(good, limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) == 0);
	problems = problems_print(diag, false);
	limen_diag_free(diag);
	return problems;
}

static const char *
normalise_limit(const limen_limit_module *raw)
{
	return normalise(raw, LIMEN_KIND_LIMIT, "cap");
}

static void
test_today(void)
{
	limen_limit_module raw = good_limit();

	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), "");
	CU_ASSERT_PTR_EQUAL((void *)(uintptr_t)made.descriptor.limit.check,
	                    (void *)(uintptr_t)check);
	CU_ASSERT_EQUAL(made.options[0].type, LIMEN_OPTION_NONE);
}

static void
test_versions(void)
{
	static const struct {
		uint32_t major;
		uint32_t minor;
		const char *problems;
	} cases[] = {
		{ 1, 0, "" },
		{ 1, 1,
		  "problem - 0:0 the module was built for ABI 1.1; this limen has 1.0"
		  " (install a newer limen, or build the module against this one)" },
		{ 0, 9, "problem - 0:0 the module was built for ABI 0.9; this limen has 1.0"
		        " (build the module against the headers of this limen)" },
		{ 2, 0, "problem - 0:0 the module was built for ABI 2.0; this limen has 1.0"
		        " (build the module against the headers of this limen)" },
		{ UINT32_MAX, UINT32_MAX,
		  "problem - 0:0 the module was built for ABI 4294967295.4294967295; this limen "
		  "has 1.0 (build the module against the headers of this limen)" },
	};

	/* Whoever changes the numbers above has read docs/abi.md. */
	CU_ASSERT_EQUAL(LIMEN_ABI_MAJOR, 1);
	CU_ASSERT_EQUAL(LIMEN_ABI_MINOR, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		limen_limit_module raw = good_limit();

		raw.abi_major = cases[i].major;
		raw.abi_minor = cases[i].minor;
		CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), cases[i].problems);
	}
}

static void
test_identity(void)
{
	limen_limit_module raw = good_limit();

	CU_ASSERT_STRING_EQUAL(normalise(&raw, LIMEN_KIND_IDENTIFIER, "cap"),
	                       "problem - 0:0 the module is of kind 'limit', not 'identifier'");
	CU_ASSERT_STRING_EQUAL(normalise(&raw, LIMEN_KIND_LIMIT, "hat"),
	                       "problem - 0:0 the module calls itself 'cap', but its file is "
	                       "named 'hat'");
	raw.name = NULL;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw),
	                       "problem - 0:0 the module calls itself '', but its file is "
	                       "named 'cap'");
	raw = good_limit();
	raw.kind = 7;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw),
	                       "problem - 0:0 the module is of kind 'unknown', not 'limit'");
}

#define TOO_SHORT "problem - 0:0 the module's descriptor is too short to be one"

static void
test_sizes(void)
{
	static const limen_option none[] = { LIMEN_OPT_END };
	limen_limit_module raw = good_limit();

	raw.size = 0;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), TOO_SHORT);
	raw.size = sizeof(limen_module_head) - 1;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), TOO_SHORT);
	/* A head alone is a descriptor, and lacks its method. */
	raw.size = sizeof(limen_module_head);
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw),
	                       "problem - 0:0 the module has no method 'check'");
	/* One that has grown since its minor number is cut to what we know. */
	raw.size = UINT32_MAX;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), "");
	/* The stride counts where there are rows. */
	raw = good_limit();
	raw.option_size = 0;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), "");
	raw.options = none;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), TOO_SHORT);
	raw.option_size = offsetof(limen_option, secret);
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), TOO_SHORT);
	raw.option_size = sizeof(limen_option);
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), "");
	for (size_t i = 0; i < 2; i++) {
		raw.option_size = i == 0 ? 0xFFFFFFF0 : sizeof(limen_option) + 1;
		CU_ASSERT_STRING_EQUAL(normalise_limit(&raw),
		                       "problem - 0:0 the module's 'option_size' is not the size "
		                       "of a limen_option");
	}
}

/* Keys that a policy has beside the options of a rewriter or prioritizer are limen's. */
static void
test_own_keys(void)
{
	static const limen_option rows[] = { { .type = LIMEN_OPTION_BOOL, .key = "type" },
		                             { .type = LIMEN_OPTION_BOOL, .key = "default" },
		                             LIMEN_OPT_END };
	static const struct {
		uint32_t kind;
		const char *problems;
	} cases[] = {
		{ LIMEN_KIND_REWRITER, "problem - 0:0 the module rewriter/x is refused: option 1 "
		                       "'type': limen reads this key itself" },
		{ LIMEN_KIND_PRIORITIZER,
		  "problem - 0:0 the module prioritizer/x is refused: option 1 'type': limen reads "
		  "this key itself\nproblem - 0:0 the module prioritizer/x is refused: option 2 "
		  "'default': limen reads this key itself" },
		{ LIMEN_KIND_LIMIT, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		descriptor raw = { .head = { .abi_major = LIMEN_ABI_MAJOR, .kind = cases[i].kind,
			                     .size = sizeof(raw), .name = "x", .options = rows,
			                     .option_size = sizeof(limen_option),
			                     .instance_size = sizeof(bool) } };

		if (cases[i].kind == LIMEN_KIND_REWRITER)
			raw.rewriter.rewrite = check;
		else if (cases[i].kind == LIMEN_KIND_PRIORITIZER)
			raw.prioritizer.prioritize = prioritize;
		else
			raw.limit.check = check;
		CU_ASSERT_STRING_EQUAL(normalise(&raw, (limen_kind)cases[i].kind, "x"),
		                       cases[i].problems);
	}
}

typedef struct method_case {
	descriptor raw;
	const char *missing; /* NULL: it loads */
} method_case;

static const method_case methods[] = {
	{ { .identifier = { .kind = LIMEN_KIND_IDENTIFIER, .identify = check } }, NULL },
	{ { .identifier = { .kind = LIMEN_KIND_IDENTIFIER } }, "identify" },
	{ { .rewriter = { .kind = LIMEN_KIND_REWRITER, .rewrite = check } }, NULL },
	{ { .rewriter = { .kind = LIMEN_KIND_REWRITER } }, "rewrite" },
	{ { .limit = { .kind = LIMEN_KIND_LIMIT, .check = check } }, NULL },
	{ { .limit = { .kind = LIMEN_KIND_LIMIT } }, "check" },
	{ { .admission = { .kind = LIMEN_KIND_ADMISSION, .mutate = check } }, NULL },
	{ { .admission = { .kind = LIMEN_KIND_ADMISSION, .validate = check } }, NULL },
	{ { .admission = { .kind = LIMEN_KIND_ADMISSION } }, "mutate or validate" },
	{ { .prioritizer = { .kind = LIMEN_KIND_PRIORITIZER, .prioritize = prioritize } }, NULL },
	{ { .prioritizer = { .kind = LIMEN_KIND_PRIORITIZER } }, "prioritize" },
	{ { .store = { .kind = LIMEN_KIND_STORE, .open_table = table, .take = take } }, NULL },
	{ { .store = { .kind = LIMEN_KIND_STORE, .open_table = table } }, "take" },
	{ { .store = { .kind = LIMEN_KIND_STORE, .take = take } }, "open_table" },
};

static void
test_methods(void)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		descriptor raw = methods[i].raw;
		char wanted[128] = "";

		raw.head.abi_major = LIMEN_ABI_MAJOR;
		raw.head.size = sizeof(raw);
		raw.head.name = "x";
		if (methods[i].missing != NULL)
			snprintf(wanted, sizeof(wanted),
			         "problem - 0:0 the module has no method '%s'", methods[i].missing);
		CU_ASSERT_STRING_EQUAL(normalise(&raw, (limen_kind)raw.head.kind, "x"), wanted);
	}
}

/* What lies behind a shorter descriptor is not read, whatever it is. */
static void
test_nothing_past_size(void)
{
	limen_store_module raw = {
		.abi_major = LIMEN_ABI_MAJOR,
		.kind = LIMEN_KIND_STORE,
		.size = offsetof(limen_store_module, give_back),
		.name = "x",
		.open_table = table,
		.take = take,
	};

	memset(&raw.give_back, 0xA5, sizeof(raw) - offsetof(limen_store_module, give_back));
	CU_ASSERT_STRING_EQUAL(normalise(&raw, LIMEN_KIND_STORE, "x"), "");
	CU_ASSERT_PTR_NULL((void *)(uintptr_t)made.descriptor.store.give_back);
	CU_ASSERT_PTR_NULL((void *)(uintptr_t)made.descriptor.store.table_status);
}

typedef struct longer_option {
	limen_option row;
	const char *later; /* of a version to come */
} longer_option;

/* Rows are read in the module's stride, also where it is longer than ours. */
static void
test_option_stride(void)
{
	static const longer_option longer[] = {
		{ { .key = "a", .type = LIMEN_OPTION_INT, .help = "h", .note = "n" }, "x" },
		{ { .key = "b", .type = LIMEN_OPTION_BOOL }, "y" },
		{ { .type = LIMEN_OPTION_NONE }, "z" },
	};
	limen_limit_module raw = good_limit();

	raw.options = &longer[0].row;
	raw.option_size = sizeof(longer_option);
	raw.instance_size = sizeof(int64_t);
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), "");
	CU_ASSERT_STRING_EQUAL(made.options[0].note, "n");
	CU_ASSERT_STRING_EQUAL(made.options[1].key, "b");
	CU_ASSERT_EQUAL(made.options[2].type, LIMEN_OPTION_NONE);
}

/* A table that no row ends is not read for ever. */
static void
test_endless_options(void)
{
	limen_option *rows = calloc(1000, sizeof(*rows));
	limen_limit_module raw = good_limit();

	for (size_t i = 0; i < 1000; i++)
		rows[i] = (limen_option){ .type = LIMEN_OPTION_BOOL, .key = "a" };
	raw.options = rows;
	raw.instance_size = sizeof(bool);
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw),
	                       "problem - 0:0 the module limit/cap is refused: a table has 1000 "
	                       "options or more, or no LIMEN_OPT_END");
	free(rows);
}

/* A table in a table is copied, in the same stride, down to a depth. */
static void
test_inner_options(void)
{
	static longer_option tables[5][3];
	limen_limit_module raw = good_limit();

	for (size_t i = 0; i < 5; i++) {
		tables[i][0].row = (limen_option){ .type = LIMEN_OPTION_BOOL, .key = "a" };
		tables[i][1].row = (limen_option){ .type = LIMEN_OPTION_ROWS, .key = "b",
			.row_size = sizeof(limen_rows), .rows = i < 4 ? &tables[i + 1][0].row : NULL };
	}
	raw.options = &tables[0][0].row;
	raw.option_size = sizeof(longer_option);
	raw.instance_size = sizeof(limen_rows);
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw),
	                       "problem - 0:0 the module limit/cap is refused: its tables are more "
	                       "than 4 deep");
	tables[3][1].row.type = LIMEN_OPTION_NONE;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), "");
	CU_ASSERT_PTR_NOT_EQUAL(made.options[1].rows, &tables[1][0].row);
	CU_ASSERT_STRING_EQUAL(made.options[1].rows[1].rows[1].rows[0].key, "a");
	CU_ASSERT_EQUAL(made.options[1].rows[1].rows[1].rows[1].type, LIMEN_OPTION_NONE);
}

/* Mistakes in a row are those of tests/core/option/test_options_check.c. */
static void
test_bad_option(void)
{
	static const limen_option rows[] = {
		{ .type = LIMEN_OPTION_BOOL, .offset = 1, .key = "a" },
		LIMEN_OPT_END
	};
	limen_limit_module raw = good_limit();

	raw.options = rows;
	raw.instance_size = 1;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw),
	                       "problem - 0:0 the module limit/cap is refused: option 1 'a': "
	                       "'offset' 1 is outside of the instance of 1 bytes"
	                       " (does the descriptor say '.instance_size'?)");
	raw.instance_size = 2;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), "");
}

static void
test_flags(void)
{
	limen_limit_module raw = good_limit();

	raw.flags = KNOWN_MODULE_FLAGS;
	CU_ASSERT_STRING_EQUAL(normalise_limit(&raw), "");
	for (int bit = 0; bit < 64; bit++) {
		char wanted[128];

		raw.flags = UINT64_C(1) << bit;
		snprintf(wanted, sizeof(wanted),
		         "problem - 0:0 the module limit/cap is refused: 'flags' has the unknown "
		         "bits %#" PRIx64,
		         raw.flags);
		CU_ASSERT_STRING_EQUAL(normalise_limit(&raw),
		                       (raw.flags & KNOWN_MODULE_FLAGS) != 0 ? "" : wanted);
	}
}

static void
test_no_memory(void)
{
	limen_limit_module raw = good_limit();
	limen_diag *diag = limen_diag_new();

	forget();
	fail_malloc_once(1);
	CU_ASSERT_FALSE(module_normalise((const limen_module_head *)&raw, LIMEN_KIND_LIMIT, "cap",
	                                 &made, diag, limen_value_none()));
	CU_ASSERT_TRUE(fail_malloc_stop());
	CU_ASSERT_EQUAL(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM), 1);
	limen_diag_free(diag);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a descriptor of today loads", test_today },
		{ "older minor numbers load, newer ones and other majors do not", test_versions },
		{ "kind and name must be those of the file's place", test_identity },
		{ "descriptors and rows have a least size", test_sizes },
		{ "each kind has methods it cannot do without", test_methods },
		{ "nothing is read past a descriptor's size", test_nothing_past_size },
		{ "option rows are read in the module's stride", test_option_stride },
		{ "a table of options has an end", test_endless_options },
		{ "a table in a table is copied, too", test_inner_options },
		{ "a module with a bad option is refused", test_bad_option },
		{ "options are not called as limen's own keys", test_own_keys },
		{ "so is one with flags that do not exist", test_flags },
		{ "a shortage of memory is a problem", test_no_memory },
		{ NULL, NULL },
	};
	int status = suite_run("core/module", tests);

	forget();
	return status;
}
