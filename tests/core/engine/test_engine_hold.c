/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A policy that was replaced lives as long as somebody decides under it, on
 * however many threads and however deep.
 */
#include "engine/engine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "policy/compiled.h"
#include "suite.h"

enum {
	CROWD = READERS + 6 /* some have to count */
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
	policy_reader *reader;
	policy *held;

	CU_ASSERT_PTR_NULL(engine_hold(engine, &reader));
	load(engine);
	held = engine_hold(engine, &reader);
	CU_ASSERT_PTR_EQUAL(held, engine->current);
	engine_release(held, reader);
	limen_engine_free(engine);
}

static void
test_kept(void)
{
	limen_engine *engine = new_engine();
	policy_reader *reader;
	policy *held;

	load(engine);
	held = engine_hold(engine, &reader);
	load(engine);
	CU_ASSERT_PTR_EQUAL(engine->graveyard, held);
	CU_ASSERT_PTR_NOT_EQUAL(engine->current, held);
	engine_release(held, reader);
	load(engine);
	CU_ASSERT_PTR_NULL(engine->graveyard);
	limen_engine_free(engine);
}

/* A thread that decides while it decides has two policies, if one was loaded between. */
static void
test_nested(void)
{
	limen_engine *engine = new_engine();
	policy_reader *outside, *inside;
	policy *outer, *inner;

	load(engine);
	outer = engine_hold(engine, &outside);
	load(engine);
	inner = engine_hold(engine, &inside);
	CU_ASSERT_PTR_EQUAL(inner, engine->current);
	CU_ASSERT_PTR_NOT_EQUAL(inner, outer);
	load(engine);
	CU_ASSERT_PTR_EQUAL(engine->graveyard, inner);
	CU_ASSERT_PTR_EQUAL(engine->graveyard->next, outer);
	engine_release(inner, inside);
	load(engine);
	CU_ASSERT_PTR_EQUAL(engine->graveyard, outer);
	engine_release(outer, outside);
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
	policy_reader *reader;
	policy *held = engine_hold(shared->engine, &reader);

	pthread_barrier_wait(&shared->everybody);
	/* Meanwhile another policy is loaded. */
	pthread_barrier_wait(&shared->everybody);
	engine_release(held, reader);
	return NULL;
}

static void
test_crowd(void)
{
	crowd shared = { .engine = new_engine() };
	pthread_t threads[CROWD];
	policy *old;

	load(shared.engine);
	old = shared.engine->current;
	pthread_barrier_init(&shared.everybody, NULL, CROWD + 1);
	for (size_t i = 0; i < CROWD; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, borrow, &shared), 0);
	pthread_barrier_wait(&shared.everybody);
	load(shared.engine);
	CU_ASSERT_PTR_EQUAL(shared.engine->graveyard, old);
	pthread_barrier_wait(&shared.everybody);
	for (size_t i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	load(shared.engine);
	CU_ASSERT_PTR_NULL(shared.engine->graveyard);
	pthread_barrier_destroy(&shared.everybody);
	limen_engine_free(shared.engine);
}

/* Decides as fast as it can while policies are exchanged. */
static void *
decide_on(void *data)
{
	crowd *shared = data;

	pthread_barrier_wait(&shared->everybody);
	for (int i = 0; i < 20000; i++) {
		policy_reader *reader;
		policy *held = engine_hold(shared->engine, &reader);

		/* What was freed is found by the sanitizers here. */
		CU_ASSERT_PTR_NOT_NULL(held->files);
		engine_release(held, reader);
	}
	return NULL;
}

static void
test_reloads(void)
{
	crowd shared = { .engine = new_engine() };
	pthread_t threads[4];

	load(shared.engine);
	pthread_barrier_init(&shared.everybody, NULL, 5);
	for (size_t i = 0; i < 4; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, decide_on, &shared), 0);
	pthread_barrier_wait(&shared.everybody);
	for (int i = 0; i < 50; i++)
		load(shared.engine);
	for (size_t i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	load(shared.engine);
	CU_ASSERT_PTR_NULL(shared.engine->graveyard);
	pthread_barrier_destroy(&shared.everybody);
	limen_engine_free(shared.engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a policy that is held is the one in force", test_none },
		{ "a held policy lives on", test_kept },
		{ "so does that of a decision within a decision", test_nested },
		{ "so does that of many threads", test_crowd },
		{ "threads that decide during reloads have a policy, and let go of it", test_reloads },
		{ NULL, NULL },
	};

	return suite_run("core/engine_hold", tests);
}
