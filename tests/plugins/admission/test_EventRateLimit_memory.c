/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What EventRateLimit allocates while it decides, and what it does when there is
 * nothing to be had.
 *
 * The allocating functions of the whole process, libc and modules included, are
 * those below.  Sanitizers have their own, so with them there is nothing to see.
 */
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "event_case.h"
#include "sanitizers.h"

#ifdef OWN_MALLOC

static void
test_nothing(void)
{
	suite_skip("sanitizers have an allocator of their own");
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "memory", test_nothing },
		{ NULL, NULL }
	};

	return suite_run("EventRateLimit_memory", tests);
}

#else

/* Only what is visible takes the place of libc's. */
#pragma GCC visibility push(default)
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
#pragma GCC visibility pop

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* What liblimen keeps cannot fail. */
__attribute__((constructor)) static void
ask_for_malloc(void)
{
	setenv("LIMEN_ALWAYS_MALLOC", "1", 1);
}

static atomic_ulong made;                     /* allocations so far */
static atomic_ulong first_failure = ULONG_MAX; /* the first of them to fail ... */
static atomic_ulong last_failure;              /* ... and the last */
static atomic_bool failed;

static bool
must_fail(void)
{
	unsigned long number = atomic_fetch_add(&made, 1) + 1;

	if (number < atomic_load(&first_failure) || number > atomic_load(&last_failure))
		return false;
	atomic_store(&failed, true);
	return true;
}

void *
malloc(size_t size)
{
	return must_fail() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return must_fail() ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	return must_fail() ? NULL : __libc_realloc(old, size);
}

/* From here on allocation 'from' fails, and those up to 'to'. */
static void
start_failing(unsigned long from, unsigned long to)
{
	atomic_store(&made, 0);
	atomic_store(&failed, false);
	atomic_store(&last_failure, to);
	atomic_store(&first_failure, from);
}

/* Returns whether one has failed. */
static bool
stop_failing(void)
{
	atomic_store(&first_failure, ULONG_MAX);
	return atomic_load(&failed);
}

#define LIMITS                                                                \
	"{\"type\": \"Server\", \"burst\": 1, \"qps\": 1},"                   \
	"{\"type\": \"Namespace\", \"burst\": 1000000, \"qps\": 1},"          \
	"{\"type\": \"User\", \"burst\": 1000000, \"qps\": 1},"               \
	"{\"type\": \"SourceAndObject\", \"burst\": 1000000, \"qps\": 1}"

#define DATA                                                                  \
	"\"limits\": [" LIMITS "],"                                           \
	"\"exempt\": [{\"user\": [\"root\"]}, {\"reason\": \"x\", \"type\": [\"y\"]}]," \
	"\"overrides\": [{\"type\": \"User\", \"keys\": [\"bob\"], \"qps\": 1, \"burst\": 1}]"

#define POLICY                                                                 \
	"{\"admission\": [{\"name\": \"events\", \"plugin\": \"EventRateLimit\"," \
	" \"data\": {" DATA "}}]}"

#define OBJECT                                                             \
	"{\"source\": {\"component\": \"kubelet\", \"host\": \"node1\"},"  \
	"\"involvedObject\": {\"kind\": \"Pod\", \"name\": \"web\"}}"

static unsigned long
count_allocations(limen_engine *engine, const limen_request *req)
{
	limen_decision *decision = NULL;
	unsigned long count;

	atomic_store(&made, 0);
	if (limen_engine_decide(engine, req, NULL, &decision) != LIMEN_OK)
		abort();
	count = atomic_load(&made);
	CU_ASSERT_EQUAL(limen_decision_code(decision), 200);
	limen_decision_free(decision);
	return count;
}

/*
 * Charging four buckets needs the memory of the decision, of which one block is
 * enough, and nothing of the heap besides.
 */
static void
test_heap(void)
{
	limen_engine *engine = event_open(
		"\"limits\": [{\"type\": \"Server\", \"burst\": 9000, \"qps\": 1},"
		"{\"type\": \"Namespace\", \"burst\": 9000, \"qps\": 1},"
		"{\"type\": \"User\", \"burst\": 9000, \"qps\": 1},"
		"{\"type\": \"SourceAndObject\", \"burst\": 9000, \"qps\": 1}]");
	struct event_request event = { .namespace = "shop", .user = "ann", .object = OBJECT };
	limen_request *counted = event_request_new(&event);
	limen_request *left_alone = event_request_new(&event);
	unsigned long least;

	limen_request_set_field(left_alone, LIMEN_FIELD_KIND, "Pod");
	least = count_allocations(engine, left_alone);
	CU_ASSERT_TRUE_FATAL(least > 0);
	count_allocations(engine, counted);
	for (int i = 0; i < 100; i++) {
		unsigned long count = count_allocations(engine, counted);

		ASSERT(count <= least + 1, "%lu allocations, and %lu where nothing is charged",
		       count, least);
	}
	limen_request_free(left_alone);
	limen_request_free(counted);
	limen_engine_free(engine);
}

/* Decides while memory fails; returns the code, or 0 without a decision. */
static int
decide_failing(limen_engine *engine, const limen_request *req, unsigned long from,
               unsigned long to)
{
	limen_decision *decision = NULL;
	int code = 0;

	start_failing(from, to);
	if (limen_engine_decide(engine, req, NULL, &decision) == LIMEN_OK)
		code = limen_decision_code(decision);
	stop_failing();
	limen_decision_free(decision);
	return code;
}

/* Lets each allocation fail, alone and with all that follow, and looks at the answers. */
static void
exhaust(limen_engine *engine, const limen_request *req, int wanted)
{
	unsigned long n = 0;
	bool more = true;

	while (more) {
		int alone, with_others;

		n++;
		alone = decide_failing(engine, req, n, n);
		more = atomic_load(&failed);
		with_others = decide_failing(engine, req, n, ULONG_MAX);
		ASSERT(alone == wanted || alone == 500 || alone == 0, "%lu: code %d", n, alone);
		ASSERT(with_others == wanted || with_others == 500 || with_others == 0,
		       "from %lu: code %d", n, with_others);
	}
	ASSERT(n > 1, "no allocation");
}

/* Nothing is admitted because memory is short. */
static void
test_short_decisions(void)
{
	limen_engine *engine = event_open(DATA);
	struct event_request event = { .namespace = "shop", .user = "ann", .object = OBJECT };
	struct event_request exempt = { .namespace = "shop", .user = "root", .object = OBJECT };
	limen_request *req = event_request_new(&event);
	limen_request *root = event_request_new(&exempt);

	CU_ASSERT_EQUAL(event_code(engine, &event), 200);
	CU_ASSERT_EQUAL(event_code(engine, &event), 429);
	exhaust(engine, req, 429);
	exhaust(engine, root, 200);
	CU_ASSERT_EQUAL(event_code(engine, &event), 429);
	limen_request_free(root);
	limen_request_free(req);
	limen_engine_free(engine);
}

static int
load(limen_engine *engine)
{
	return limen_engine_load_text(engine, "policy", POLICY, strlen(POLICY), NULL);
}

/* A load that lacks memory fails, and what is in force stays. */
static void
test_short_loads(void)
{
	struct event_request event = { .namespace = "shop", .user = "ann", .object = OBJECT };
	unsigned long n = 0;
	bool more = true;

	while (more) {
		limen_engine *engine = event_open(DATA ", \"groups\": \"core\"");
		int result;

		n++;
		start_failing(n, n);
		result = load(engine);
		more = stop_failing();
		CU_ASSERT_EQUAL(event_code(engine, &event), 200);
		CU_ASSERT_EQUAL(event_code(engine, &event), 429);
		ASSERT(result == LIMEN_OK || result == LIMEN_ENOMEM || result == LIMEN_ECONFIG ||
		       result == LIMEN_EMODULE, "%lu: result %d", n, result);
		limen_engine_free(engine);
	}
	ASSERT(n > 50, "only %lu allocations", n);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "one block of memory is enough to charge four buckets", test_heap },
		{ "decisions without memory", test_short_decisions },
		{ "loads without memory", test_short_loads },
		{ NULL, NULL }
	};

	return suite_run("EventRateLimit_memory", tests);
}

#endif
