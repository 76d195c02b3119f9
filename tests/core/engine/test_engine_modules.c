/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modules that the program adds: checked like files, found before them, started once.
 */
#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

#include "fail_malloc.h"
#include "policy_case.h"

static int starts;       /* calls of 'init' */
static int start_result; /* what it returns */

static int
start(limen_diag *diag)
{
	starts++;
	if (start_result == LIMEN_EIO)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_value_none(), "no device");
	return start_result;
}

struct own {
	int64_t n;
};

static const limen_option own_options[] = {
	LIMEN_OPT_INT(struct own, n, .key = "n", .required = true, .help = "a number"),
	LIMEN_OPT_END
};

static limen_verdict
pass_three(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct own *own = self;

	(void)req;
	(void)reply;
	return own->n == 3 ? LIMEN_PASS : LIMEN_FAIL;
}

#define LIMIT_AS(minor, type_kind, type_name, method)                                      \
	.abi_major = LIMEN_ABI_MAJOR, .abi_minor = (minor), .kind = (type_kind),            \
	.size = sizeof(limen_limit_module), .option_size = sizeof(limen_option),            \
	.name = (type_name), .check = (method)
#define LIMIT(type_name) LIMIT_AS(LIMEN_ABI_MINOR, LIMEN_KIND_LIMIT, type_name, pass_three)

static const limen_limit_module own = { LIMIT("own"), .options = own_options,
	                                .instance_size = sizeof(struct own),
	                                .summary = "Passes 3", .version = "7" };
/* In the place of a file, whose options it does not have. */
static const limen_limit_module pass_fail = { LIMIT("pass-fail"), .options = own_options,
	                                      .instance_size = sizeof(struct own) };
static const limen_limit_module started = { LIMIT("started"), .options = own_options,
	                                    .instance_size = sizeof(struct own), .init = start };

/* Writes the status that 'n' asks for. */
static void
tell(const void *self, limen_builder *status)
{
	switch (((const struct own *)self)->n) {
	case 0:
		break;
	case 1:
		limen_builder_text(status, "text\xFF", "a\n\xC3");
		limen_builder_text(status, "none", NULL);
		limen_builder_array(status, "list");
		limen_builder_real(status, NULL, 0.1);
		limen_builder_end(status);
		break;
	case 2: /* the object that the core ends */
		limen_builder_end(status);
		break;
	case 3:
		limen_builder_object(status, "open");
		break;
	case 4:
		limen_builder_finish(status);
		break;
	default:
		limen_builder_string(status, "text", "\xFF", 1);
	}
}

static char *
policy_of(const char *type, int n)
{
	char *text;

	CU_ASSERT_TRUE_FATAL(asprintf(&text,
	                              "{\"schema\": 4, " EVERYBODY ", \"limits\": [{\"name\": \"l\","
	                              " \"description\": \"\", \"type\": \"%s\", \"data\": {\"n\": %d}}],"
	                              " \"applications\": [{\"description\": \"\", \"classifier\": \"all\","
	                              " \"apply\": [{\"require\": \"all\", \"limits\": [\"l\"]}]}]}",
	                              type, n) > 0);
	return text;
}

static int
load_type(limen_engine *engine, const char *type, int n, limen_diag *diag)
{
	char *text = policy_of(type, n);
	int result = limen_engine_load_text(engine, "policy", text, strlen(text), diag);

	free(text);
	return result;
}

static void
add(limen_engine *engine, const void *definition, int result, const char *problems)
{
	limen_diag *diag = limen_diag_new();
	char *found;

	CU_ASSERT_EQUAL(limen_engine_add_module(engine, definition, diag), result);
	found = problems_print(diag, false);
	CU_ASSERT_STRING_EQUAL(found, problems);
	free(found);
	limen_diag_free(diag);
}

static void
test_decides(void)
{
	limen_engine *engine = policy_case_engine(0);

	add(engine, &own, LIMEN_OK, "");
	add(engine, &pass_fail, LIMEN_OK, "");
	CU_ASSERT_EQUAL(load_type(engine, "own", 3, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(policy_case_admits(engine));
	CU_ASSERT_EQUAL(load_type(engine, "own", 4, NULL), LIMEN_OK);
	CU_ASSERT_FALSE(policy_case_admits(engine));
	/* There is a file limit/pass-fail, too. */
	CU_ASSERT_EQUAL(load_type(engine, "pass-fail", 3, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(policy_case_admits(engine));
	limen_engine_free(engine);
}

/* What one engine was given another does not have, but may be given. */
static void
test_engines(void)
{
	limen_engine *first = policy_case_engine(0);
	limen_engine *second = policy_case_engine(0);

	add(first, &own, LIMEN_OK, "");
	CU_ASSERT_EQUAL(load_type(second, "own", 3, NULL), LIMEN_ECONFIG);
	limen_engine_free(second);
	second = policy_case_engine(0);
	add(second, &own, LIMEN_OK, "");
	limen_engine_free(first);
	CU_ASSERT_EQUAL(load_type(second, "own", 3, NULL), LIMEN_OK);
	CU_ASSERT_TRUE(policy_case_admits(second));
	limen_engine_free(second);
}

static void
test_refused(void)
{
	static const limen_limit_module newer = {
		LIMIT_AS(LIMEN_ABI_MINOR + 1, LIMEN_KIND_LIMIT, "newer", pass_three)
	};
	static const limen_limit_module no_kind = {
		LIMIT_AS(LIMEN_ABI_MINOR, LIMEN_KIND_STORE + 1, "own", pass_three)
	};
	static const limen_limit_module zero_kind = { LIMIT_AS(LIMEN_ABI_MINOR, 0, "own", pass_three) };
	static const limen_limit_module no_method = {
		LIMIT_AS(LIMEN_ABI_MINOR, LIMEN_KIND_LIMIT, "none", NULL)
	};
	static const limen_limit_module no_name = { LIMIT(NULL) };
	static const limen_limit_module no_type = { LIMIT("a/b") };
	static const limen_limit_module outside = { LIMIT("outside"), .options = own_options };
	static const struct {
		const limen_limit_module *module;
		const char *problem;
	} cases[] = {
		{ &newer, "the module was built for ABI 1.1; this limen has 1.0 (install a newer"
		          " limen, or build the module against this one)" },
		{ &no_name, "the module has no valid kind and name: 'limit/'" },
		{ &no_type, "the module has no valid kind and name: 'limit/a/b'" },
		{ &no_kind, "the module has no valid kind and name: 'unknown/own'" },
		{ &zero_kind, "the module has no valid kind and name: 'unknown/own'" },
		{ &no_method, "the module has no method 'check'" },
		{ &outside, "the module limit/outside is refused: option 1 'n': 'offset' 0 is outside"
		            " of the instance of 0 bytes (does the descriptor say '.instance_size'?)" },
	};
	limen_engine *engine = policy_case_engine(0);
	char text[300];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "problem - 0:0 %s", cases[i].problem);
		add(engine, cases[i].module, LIMEN_EMODULE, text);
	}
	limen_engine_free(engine);
	CU_ASSERT_EQUAL(limen_engine_add_module(NULL, &own, NULL), LIMEN_ENOMEM);
}

static void
test_too_late(void)
{
	static const char again[] =
		"problem - 0:0 the module limit/own must be added once, before a policy is loaded";
	static const limen_limit_module twin = { LIMIT("own") };
	limen_engine *engine = policy_case_engine(0);

	add(engine, &own, LIMEN_OK, "");
	add(engine, &own, LIMEN_EINVAL, again);
	add(engine, &twin, LIMEN_EINVAL, again);
	limen_engine_free(engine);
	engine = policy_case_engine(0);
	CU_ASSERT_EQUAL(load_type(engine, "nothing", 3, NULL), LIMEN_ECONFIG);
	add(engine, &own, LIMEN_EINVAL, again);
	limen_engine_free(engine);
}

static void
add_word(void *data, const limen_module_info *info)
{
	char *list = data;
	size_t length = strlen(list);

	if (info->file == NULL)
		snprintf(list + length, 200 - length, "%s %s %s;", info->type, info->version,
		         info->summary);
	else if (strcmp(info->type, "own") == 0 || strcmp(info->type, "pass-fail") == 0)
		strcat(list, "file;");
}

static void
test_listed(void)
{
	limen_engine *engine = policy_case_engine(0);
	char list[200] = "";

	add(engine, &pass_fail, LIMEN_OK, "");
	add(engine, &own, LIMEN_OK, "");
	CU_ASSERT_EQUAL(limen_engine_each_module(engine, add_word, list, NULL), LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(list, "own 7 Passes 3;pass-fail  ;");
	list[0] = '\0';
	CU_ASSERT_EQUAL(load_type(engine, "own", 3, NULL), LIMEN_OK);
	CU_ASSERT_EQUAL(limen_engine_find_module(engine, LIMEN_KIND_LIMIT, "own", add_word, list, NULL),
	                LIMEN_OK);
	CU_ASSERT_STRING_EQUAL(list, "own 7 Passes 3;");
	CU_ASSERT_EQUAL(limen_engine_find_module(engine, LIMEN_KIND_STORE, "own", add_word, list, NULL),
	                LIMEN_ENOENT);
	limen_engine_free(engine);
}

/* A misspelt type is told the nearest one, added ones included. */
static void
test_meant(void)
{
	limen_engine *engine = policy_case_engine(0);
	char *text = policy_of("owm", 3);

	add(engine, &own, LIMEN_OK, "");
	policy_case_refuse(engine, text, LIMEN_ECONFIG,
	                   "problem /limits/0/type 1:227 Limit 'l' has unsupported type 'owm' (did you"
	                   " mean 'own'?)");
	free(text);
	limen_engine_free(engine);
}

static void
load_started(int result, const char *problems)
{
	limen_engine *engine = policy_case_engine(0);
	limen_diag *diag = limen_diag_new();
	char *found;

	add(engine, &started, LIMEN_OK, "");
	CU_ASSERT_EQUAL(load_type(engine, "started", 3, diag), result);
	found = problems_print(diag, false);
	CU_ASSERT_STRING_EQUAL(found, problems);
	free(found);
	limen_diag_free(diag);
	limen_engine_free(engine);
}

/* The order counts: 'init' runs until it has succeeded, and then never again. */
static void
test_start(void)
{
	static const struct {
		int init_result;
		int result;
		int starts;
		const char *problems;
	} steps[] = {
		{ LIMEN_EIO, LIMEN_ECONFIG, 1, "problem /limits/0/data 1:246 no device" },
		{ LIMEN_ENOMEM, LIMEN_ECONFIG, 2,
		  "problem /limits/0/data 1:246 the module started could not be opened: out of memory" },
		{ LIMEN_OK, LIMEN_OK, 3, "" },
		{ LIMEN_EIO, LIMEN_OK, 3, "" },
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		start_result = steps[i].init_result;
		load_started(steps[i].result, steps[i].problems);
		CU_ASSERT_EQUAL(starts, steps[i].starts);
	}
}

/* A module that writes no status or an invalid one loses nothing but that. */
static void
test_status(void)
{
	static const limen_limit_module telling = { LIMIT("telling"), .options = own_options,
		                                    .instance_size = sizeof(struct own),
		                                    .status = tell };
	static const char *const expected[] = {
		"\"status\":{},",
		"\"status\":{\"text\xEF\xBF\xBD\":\"a\\n\xEF\xBF\xBD\",\"none\":null,\"list\":[0.1]},",
	};
	limen_engine *engine = policy_case_engine(0);

	add(engine, &telling, LIMEN_OK, "");
	for (int n = 0; n < 6; n++) {
		const char *wanted = n < 2 ? expected[n]
		                           : "\"status\":{\"error\":\"memory was short, or the"
		                             " module wrote an invalid status\"},";
		char *text;

		CU_ASSERT_EQUAL(load_type(engine, "telling", n, NULL), LIMEN_OK);
		text = limen_engine_describe(engine, 0, NULL);
		CU_ASSERT_PTR_NOT_NULL_FATAL(text);
		CU_ASSERT_PTR_NOT_NULL(strstr(text, wanted));
		free(text);
	}
	limen_engine_free(engine);
}

static void
test_no_memory(void)
{
	static const limen_limit_module other = { LIMIT("other") };
	limen_engine *engine = policy_case_engine(0);
	int result = LIMEN_ENOMEM;
	bool failed = true;

	for (unsigned n = 1; failed && n < 20; n++) {
		fail_malloc_once(n);
		result = limen_engine_add_module(engine, &other, NULL);
		failed = fail_malloc_stop();
		CU_ASSERT_EQUAL(result == LIMEN_OK, !failed);
	}
	CU_ASSERT_FALSE(failed);
	limen_engine_free(engine);
}

/* The keys that a policy may have are those that editors and pages show. */
static void
test_keys(void)
{
	static const struct {
		const char *section;
		const char *key;
	} known[] = {
		{ "identifiers", "invert" }, { "classifiers", "require" }, { "limits", "clone" },
		{ "applications", "stop-on-failure" }, { "apply", "require" },
		{ "admission", "failurePolicy" }, { "stores", "type" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const limen_option *row = NULL;
		size_t index = 0;

		do
			row = limen_policy_option(known[i].section, index++);
		while (row != NULL && strcmp(row->key, known[i].key) != 0);
		CU_ASSERT_FATAL(row != NULL && row->help != NULL);
	}
	CU_ASSERT_PTR_NULL(limen_policy_option("limit", 0));
	CU_ASSERT_PTR_NULL(limen_policy_option(NULL, 0));
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "an added module decides, also where there is a file of its name", test_decides },
		{ "it belongs to the engines it was added to", test_engines },
		{ "it is checked like a file", test_refused },
		{ "it is added once, and before a load", test_too_late },
		{ "it is listed as built in", test_listed },
		{ "it is what a misspelt type may have meant", test_meant },
		{ "its init is called until it succeeds", test_start },
		{ "an invalid status is an error in its place", test_status },
		{ "a shortage of memory adds nothing", test_no_memory },
		{ "the keys of entries are listed by section", test_keys },
		{ NULL, NULL },
	};

	return suite_run("core/engine_modules", tests);
}
