/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A policy that was replaced lives as long as somebody decides under it, on
 * however many threads and however deep.
 */
#include "engine/engine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum {
	CROWD = THREAD_SLOTS + 8
};

static void
load(limen_engine *engine)
{
	static const char text[] = "{\"schema\": 4}";

	CU_ASSERT_EQUAL_FATAL(limen_engine_load_text(engine, "test", text, strlen(text), NULL),
	                      LIMEN_OK);
}

static limen_engine *
new_engine(void)
{
	limen_engine_options options = {
		.size = sizeof(options),
		.module_path = getenv("LIMEN_MODULE_PATH"),
		/* Nobody looks at the graveyard in between. */
		.flags = LIMEN_ENGINE_PASSIVE,
	};

	return limen_engine_new(&options);
}

static void
test_none(void)
{
	limen_engine *engine = new_engine();
	loan lent = engine_borrow(engine);

	CU_ASSERT_PTR_NULL(lent.policy);
	engine_return(&lent);
	load(engine);
	lent = engine_borrow(engine);
	CU_ASSERT_PTR_EQUAL(lent.policy, engine->current);
	engine_return(&lent);
	CU_ASSERT_FALSE(engine_is_lent(engine, engine->current));
	limen_engine_free(engine);
}

static void
test_kept(void)
{
	limen_engine *engine = new_engine();
	loan lent;

	load(engine);
	lent = engine_borrow(engine);
	CU_ASSERT_PTR_NOT_NULL(lent.by);
	load(engine);
	CU_ASSERT_PTR_EQUAL(engine->graveyard, lent.policy);
	CU_ASSERT_PTR_NOT_EQUAL(engine->current, lent.policy);
	engine_return(&lent);
	load(engine);
	CU_ASSERT_PTR_NULL(engine->graveyard);
	limen_engine_free(engine);
}

/* A thread that decides while it decides has two policies, if one was loaded between. */
static void
test_nested(void)
{
	limen_engine *engine = new_engine();
	loan outer, inner;

	load(engine);
	outer = engine_borrow(engine);
	load(engine);
	inner = engine_borrow(engine);
	CU_ASSERT_PTR_EQUAL(inner.policy, engine->current);
	CU_ASSERT_PTR_NOT_EQUAL(inner.policy, outer.policy);
	load(engine);
	CU_ASSERT_PTR_EQUAL(engine->graveyard, inner.policy);
	CU_ASSERT_PTR_EQUAL(engine->graveyard->next, outer.policy);
	engine_return(&inner);
	load(engine);
	CU_ASSERT_PTR_EQUAL(engine->graveyard, outer.policy);
	engine_return(&outer);
	load(engine);
	CU_ASSERT_PTR_NULL(engine->graveyard);
	limen_engine_free(engine);
}

typedef struct crowd {
	limen_engine *engine;
	pthread_barrier_t everybody;
} crowd;

static void *
borrow(void *data)
{
	crowd *shared = data;
	loan lent = engine_borrow(shared->engine);

	pthread_barrier_wait(&shared->everybody);
	/* Meanwhile another policy is loaded. */
	pthread_barrier_wait(&shared->everybody);
	engine_return(&lent);
	return NULL;
}

static void
test_crowd(void)
{
	crowd shared = { .engine = new_engine() };
	pthread_t threads[CROWD];
	const policy *old;

	load(shared.engine);
	old = shared.engine->current;
	pthread_barrier_init(&shared.everybody, NULL, CROWD + 1);
	for (size_t i = 0; i < CROWD; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, borrow, &shared), 0);
	pthread_barrier_wait(&shared.everybody);
	load(shared.engine);
	CU_ASSERT_PTR_EQUAL(shared.engine->graveyard, old);
	CU_ASSERT_TRUE(engine_is_lent(shared.engine, old));
	/* Who found no place of its own is counted. */
	CU_ASSERT_FALSE(policy_is_unused(old));
	pthread_barrier_wait(&shared.everybody);
	for (size_t i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	load(shared.engine);
	CU_ASSERT_PTR_NULL(shared.engine->graveyard);
	pthread_barrier_destroy(&shared.everybody);
	limen_engine_free(shared.engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a policy that is borrowed is the one in force", test_none },
		{ "a borrowed policy lives on", test_kept },
		{ "so does that of a decision within a decision", test_nested },
		{ "so do those of more threads than there are places", test_crowd },
		{ NULL, NULL },
	};

	return suite_run("core/engine_borrow", tests);
}
