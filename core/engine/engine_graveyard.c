/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_graveyard.c - owns policies that were replaced and may still be in use.  A
 * sweep every second frees those whose last decision is over: their instances hold
 * sockets, timers and memory.
 *
 * Sweeps run on a thread that loads or on that of background work, and must not wait
 * for a download to break off: other jobs and loads would wait, too.
 */
#include "engine.h"

#define SWEEP_INTERVAL ((limen_duration)1000000)

static void
sweep_again(void *data)
{
	limen_engine *engine = data;

	pthread_mutex_lock(&engine->control);
	engine->sweep_due = false;
	engine_sweep(engine);
	pthread_mutex_unlock(&engine->control);
}

static void
schedule_sweep(limen_engine *engine)
{
	if (engine->sweep_due)
		return;
	engine->sweep_due = limen_host_after(engine->host, SWEEP_INTERVAL, sweep_again,
	                                     engine) == LIMEN_OK;
	if (!engine->sweep_due)
		limen_host_log(engine->host, LIMEN_LOG_WARNING,
		               "memory is short: a replaced policy is kept until the next load");
}

void
engine_bury(limen_engine *engine, policy *old)
{
	old->next = engine->graveyard;
	engine->graveyard = old;
	policy_unref(old);
}

/* Readers come first: a decision that leaves a job behind counts it before it stops reading. */
static bool
is_in_use(limen_engine *engine, policy *old)
{
	for (size_t i = 0; i < READERS; i++)
		if (atomic_load(&engine->readers[i].policy) == old)
			return true;
	return !policy_is_unused(old);
}

void
engine_free_unused(limen_engine *engine)
{
	policy **link = &engine->graveyard;

	while (*link != NULL) {
		policy *old = *link;

		if (is_in_use(engine, old) || !policy_stop(old)) {
			link = &old->next;
			continue;
		}
		*link = old->next;
		policy_free(old);
	}
}

void
engine_sweep(limen_engine *engine)
{
	engine_free_unused(engine);
	if (engine->graveyard != NULL)
		schedule_sweep(engine);
}

void
engine_stop_jobs(limen_engine *engine)
{
	const entry *item;

	for (const policy *old = engine->graveyard; old != NULL; old = old->next)
		for (size_t i = 0; (item = policy_entry(old, i)) != NULL; i++)
			host_begin_stop(item->instance->host);
}
