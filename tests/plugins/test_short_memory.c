/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocations fail, alone and with all that follow, while a policy is loaded, takes the place of
 * another and is reloaded: the example of each module, and the policy that is shipped.  What
 * modules, jansson, libyaml, the dynamic linker and libc ask for fails as what the core asks
 * for does.  A load succeeds or says why not, what was in force decides on, and no block
 * of memory is left behind.
 *
 * Before any of that each policy is loaded in processes that have no module yet, where the
 * dynamic linker needs memory, too: what could not be loaded can be loaded the next time.
 *
 * So many allocations of each step are tried, spread evenly from one that the seed picks on;
 * LIMEN_MEMORY_TRIES says how many, and a large number tries all.  test_oom.c tries all
 * those of the core, with sanitizers.
 */
#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <limen/limen.h>

#include "plugin.h"
#include "short_memory.h"
#include "suite.h"

#define TRIES        60
#define TRIES_SCRIPT 5 /* to compile one takes long */
#define FIRST_STRIDE 29 /* each takes a process */
#define SEED         20261123

/* So often what grew does it again before it is called a leak: pools and caches grow once. */
enum { REPEATS = 4, POLICIES_MAX = 128, CALLS_MAX = 1000000 };

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

/* In force before, in some steps: nobody may do anything. */
static const char closed[] =
	"{\"schema\": 4, \"identifiers\": [{\"name\": \"all\", \"description\": \"\","
	"  \"type\": \"always\", \"data\": {}}],"
	" \"classifiers\": [{\"name\": \"all\", \"description\": \"\", \"identifiers\": [\"all\"]}],"
	" \"limits\": [{\"name\": \"closed\", \"type\": \"pass-fail\", \"data\": {\"pass\": false}}],"
	" \"applications\": [{\"description\": \"none\", \"classifier\": \"all\","
	"  \"apply\": [{\"require\": \"all\", \"limits\": [\"closed\"]}]}]}";

typedef struct subject {
	const char *path;
	unsigned flags;      /* of its engines */
	bool decides;        /* without asking anybody elsewhere */
	char *right;         /* what it decides; only if it 'decides' */
	limen_engine *engine;
	int result;
} subject;

static limen_request *question;

static limen_engine *
make_engine(const subject *on)
{
	limen_engine_options options = { .size = sizeof(options),
		                         .module_path = getenv("LIMEN_MODULE_PATH"),
		                         .flags = on->flags };

	return limen_engine_new(&options);
}

/* "CODE REASON", or what there is instead; the caller frees it. */
static char *
decide(limen_engine *engine)
{
	limen_decision *decision = NULL;
	int result = limen_engine_decide(engine, question, NULL, &decision);
	char *text = NULL;

	if (result != LIMEN_OK)
		return strdup(limen_result_text(result));
	if (asprintf(&text, "%d %s", limen_decision_code(decision),
	             limen_decision_reason(decision)) < 0)
		abort();
	limen_decision_free(decision);
	return text;
}

static void
expect(limen_engine *engine, const char *right, const char *after)
{
	char *found = decide(engine);

	ASSERT(strcmp(found, right) == 0, "%s: %s, not %s", after, found, right);
	free(found);
}

/* ---- what runs while memory is short, and what is looked at then ---- */

typedef struct step {
	const char *name;
	void (*prepare)(subject *on);
	void (*run)(subject *on);
	void (*check)(subject *on);
} step;

/* A load that failed says so, unless there was no memory even for that. */
static void
load(subject *on, int again)
{
	limen_diag *diag = limen_diag_new();

	on->result = LIMEN_ENOMEM;
	if (on->engine != NULL)
		on->result = again ? limen_engine_reload(on->engine, diag)
		                   : limen_engine_load(on->engine, on->path, diag);
	if (diag != NULL && on->result != LIMEN_OK && on->result != LIMEN_ENOMEM)
		ASSERT(limen_diag_count(diag, LIMEN_SEVERITY_PROBLEM) > 0,
		       "%s: %s without a problem", on->path, limen_result_text(on->result));
	limen_diag_free(diag);
}

static void
stop(subject *on)
{
	limen_engine_free(on->engine);
	on->engine = NULL;
}

static void
prepare_nothing(subject *on)
{
	(void)on;
}

static void
run_first(subject *on)
{
	on->engine = make_engine(on);
	load(on, false);
}

static void
check_first(subject *on)
{
	if (on->engine != NULL && on->result != LIMEN_OK)
		expect(on->engine, limen_result_text(LIMEN_ENOPOLICY), "a load that failed");
	else if (on->result == LIMEN_OK && on->decides)
		expect(on->engine, on->right, "a load that succeeded");
	stop(on);
}

static void
prepare_other(subject *on)
{
	on->engine = make_engine(on);
	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(on->engine, "closed", closed,
	                                             sizeof(closed) - 1, NULL), LIMEN_OK);
}

static void
run_other(subject *on)
{
	load(on, false);
}

static void
check_other(subject *on)
{
	if (on->result != LIMEN_OK)
		expect(on->engine,
		       "403 application 'none' fails: limit 'closed' failed: Forced failure",
		       "another policy that failed");
	else if (on->decides)
		expect(on->engine, on->right, "another policy");
	stop(on);
}

static void
prepare_again(subject *on)
{
	if (on->engine != NULL)
		return;
	on->engine = make_engine(on);
	CU_ASSERT_EQUAL_FATAL(limen_engine_load(on->engine, on->path, NULL), LIMEN_OK);
}

static void
run_again(subject *on)
{
	load(on, true);
}

/* The engine is kept, so that what it gathers shows, too. */
static void
check_again(subject *on)
{
	if (on->decides)
		expect(on->engine, on->right, "a reload");
}

static const step steps[] = {
	{ "load", prepare_nothing, run_first, check_first },
	{ "instead", prepare_other, run_other, check_other },
	{ "reload", prepare_again, run_again, check_again },
};

/* Returns whether there was an allocation to fail; 'grown' receives the blocks left behind. */
static bool
try_once(subject *on, const step *one, unsigned long nth, bool all, long *grown)
{
	long before = short_memory_live();
	bool failed;

	one->prepare(on);
	short_memory_start(nth, all);
	one->run(on);
	failed = short_memory_stop();
	one->check(on);
	*grown = short_memory_live() - before;
	return failed;
}

static bool
try(subject *on, const step *one, unsigned long nth, bool all)
{
	bool failed = true;
	long grown = 1;

	for (int i = 0; i < REPEATS && grown > 0; i++)
		failed = try_once(on, one, nth, all, &grown);
	ASSERT(grown <= 0, "%s, %s, allocation %lu%s: %ld blocks are left", on->path, one->name,
	       nth, all ? " and all others" : "", grown);
	return failed;
}

/* ---- the policies ---- */

static bool
has_scripts(const char *path)
{
	return strstr(path, "/jq/") != NULL || strstr(path, "/url-fetch/") != NULL ||
	       strcmp(path, "./conf.d") == 0;
}

static unsigned long
tries(const subject *on)
{
	const char *text = getenv("LIMEN_MEMORY_TRIES");

	if (text != NULL)
		return strtoul(text, NULL, 10) + 1;
	return has_scripts(on->path) ? TRIES_SCRIPT : TRIES;
}

static void
exhaust(subject *on, const step *one, bool all)
{
	static unsigned seed = SEED;
	unsigned long count;
	unsigned long stride;

	/* What is made once for all of the process is no leak. */
	try(on, one, CALLS_MAX, all);
	count = short_memory_made();
	CU_ASSERT(count > 2 && count < CALLS_MAX);
	stride = count / tries(on) + 1;
	for (unsigned long nth = 1 + (unsigned long)rand_r(&seed) % stride; nth <= count;
	     nth += stride)
		try(on, one, nth, all);
	CU_ASSERT_FALSE(try(on, one, CALLS_MAX, all));
	stop(on);
}

static bool
ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/* Libraries of libcurl, and GnuTLS, do more when memory is short while they are loaded than fail. */
static bool
brings_tls(const char *path)
{
	return strstr(path, "/LimitRanger/") != NULL || strstr(path, "/ip-cidr-list-url/") != NULL ||
	       strstr(path, "/redis/") != NULL;
}

/* These begin to ask others when they are loaded. */
static bool
is_remote(const char *path)
{
	return ends_with(path, "/ip-cidr-list-url/example.json") ||
	       ends_with(path, "/redis/example.json");
}

/*
 * libjq, which has oniguruma do its patterns, ends the process where it gets no memory, or
 * reads what strdup() did not give it.
 */
static void
spare_libjq(void)
{
	static const char *const fatal[] = { "libjq", "libonig", "libc.so", NULL };
	static bool spared;

	if (!spared)
		short_memory_spare(fatal);
	spared = true;
}

static void
test_policy(void *data)
{
	subject on = { .path = data };

	if (short_memory_unavailable() != NULL) {
		suite_skip(short_memory_unavailable());
		return;
	}
	on.flags = is_remote(on.path) ? LIMEN_ENGINE_PASSIVE : 0;
	run_first(&on);
	CU_ASSERT_EQUAL_FATAL(on.result, LIMEN_OK);
	/* Its libraries are there now. */
	if (has_scripts(on.path))
		spare_libjq();
	on.decides = !limen_engine_may_block(on.engine) && !is_remote(on.path);
	on.right = on.decides ? decide(on.engine) : NULL;
	stop(&on);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		exhaust(&on, &steps[i], false);
		exhaust(&on, &steps[i], true);
	}
	free(on.right);
}

static limen_request *
make_question(void)
{
	static const char task[] =
		"{\"test\": {\"type\": \"rtt\", \"spec\": {\"dest\": \"192.0.2.200\"}}}";
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);

	if (req == NULL || limen_request_parse(req, task, sizeof(task) - 1, NULL) != LIMEN_OK)
		abort();
	limen_request_set_hint(req, "requester", "192.0.2.7");
	limen_request_set_hint(req, "server", "192.0.2.200");
	/* Nothing of it is charged: each decision is like the first. */
	limen_request_set_dry_run(req, true);
	limen_request_set_now(req, INT64_C(1700000000) * LIMEN_SECOND);
	return req;
}

/* ---- the first load of a process ---- */

enum { WENT_WELL = 0, WITHOUT_MEMORY = 3, WENT_WRONG = 4 };

static int
load_first(const char *path, unsigned long nth)
{
	subject on = { .path = path, .flags = LIMEN_ENGINE_PASSIVE };
	bool failed;

	short_memory_start(nth, false);
	run_first(&on);
	failed = short_memory_stop();
	if (on.result != LIMEN_OK) {
		stop(&on);
		run_first(&on);
	}
	if (on.result != LIMEN_OK)
		printf("# %s, allocation %lu: %s, for ever\n", path, nth,
		       limen_result_text(on.result));
	stop(&on);
	fflush(stdout);
	if (on.result != LIMEN_OK)
		return WENT_WRONG;
	return failed ? WITHOUT_MEMORY : WENT_WELL;
}

static void
test_first(void *data)
{
	static unsigned seed = SEED;
	unsigned long nth = 1 + (unsigned long)rand_r(&seed) % FIRST_STRIDE;
	int status = WITHOUT_MEMORY << 8;

	if (short_memory_unavailable() != NULL) {
		suite_skip(short_memory_unavailable());
		return;
	}
	for (; WIFEXITED(status) && WEXITSTATUS(status) == WITHOUT_MEMORY; nth += FIRST_STRIDE) {
		pid_t child;

		fflush(stdout);
		child = fork();
		if (child == 0)
			_exit(load_first(data, nth));
		CU_ASSERT_FATAL(child > 0 && waitpid(child, &status, 0) == child);
	}
	ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == WENT_WELL, "allocation %lu: status %x",
	       nth - FIRST_STRIDE, (unsigned)status);
}

/* Those with scripts come last: from then on libc does not fail. */
static size_t
add_tests(const glob_t *paths, bool scripts, struct suite_data_test *tests, size_t count)
{
	for (size_t i = 0; i < paths->gl_pathc && count < POLICIES_MAX; i++) {
		char *path = paths->gl_pathv[i];

		if (has_scripts(path) == scripts)
			tests[count++] = (struct suite_data_test){ path, test_policy, path };
	}
	return count;
}

/* These come first, while this process has no module. */
static size_t
add_first_tests(const glob_t *paths, struct suite_data_test *tests)
{
	static char names[POLICIES_MAX][100];
	size_t count = 0;

	for (size_t i = 0; i < paths->gl_pathc && count < POLICIES_MAX / 2; i++) {
		char *path = paths->gl_pathv[i];

		if (has_scripts(path) || brings_tls(path))
			continue;
		snprintf(names[count], sizeof(names[count]), "%s, first of all", path);
		tests[count] = (struct suite_data_test){ names[count], test_first, path };
		count++;
	}
	return count;
}

int
main(void)
{
	static struct suite_data_test tests[POLICIES_MAX];
	const char *source = getenv("LIMEN_SRCDIR");
	size_t count;
	glob_t found;
	int status;

	/* So that the names of the tests are the same everywhere. */
	if (chdir(source == NULL ? "." : source) != 0)
		return 99;
	/* GLib ends a process that has no memory while it is loaded; limen and limend have it. */
	if (dlopen("libglib-2.0.so.0", RTLD_NOW | RTLD_GLOBAL) == NULL)
		return 99;
	glob("plugins/*/*/example.json", 0, NULL, &found);
	glob("./conf.d", GLOB_APPEND, NULL, &found);
	question = make_question();
	count = add_first_tests(&found, tests);
	count = add_tests(&found, false, tests, count);
	count = add_tests(&found, true, tests, count);
	status = suite_run_data("plugins/short memory", tests, count);
	limen_request_free(question);
	globfree(&found);
	return status;
}
