/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_pending.c - decisions that wait for lookups without a thread.  Each lookup that ends resumes
 * its decision on its own thread; a job of the background thread resumes those whose time is over.
 */
#include "engine.h"

#include "decision/decision.h"

/* How often deadlines are looked at; they may be missed by as much. */
#define TICK (LIMEN_SECOND / 50)

struct limen_pending {
	sleeper sleeper; /* the first member; its references are those of all of this */
	/* 0: no thread runs a round; it is never 0 again once the last one was run. */
	atomic_uint signals;
	limen_engine *engine;
	limen_decide_options options;
	void (*ended)(void *data);
	void *data;
	limen_pending *next; /* in 'engine->waiting' */
	limen_pending **link; /* what points here */
	bool waits;           /* it is in that list */
	limen_pending *next_late;
	_Atomic(int64_t) due;
	pipeline run;
};

static void tick(void *data);

/* Returns false when memory is short.  The lock is held. */
static bool
schedule_tick(limen_engine *engine)
{
	engine->ticks = engine->ticks ||
	                limen_host_after(engine->host, TICK, tick, engine) == LIMEN_OK;
	return engine->ticks;
}

/* Wakes the decisions whose time is over. */
static void
tick(void *data)
{
	limen_engine *engine = data;
	int64_t now = limen_host_monotonic();
	limen_pending *late = NULL;

	pthread_mutex_lock(&engine->waiting_lock);
	for (limen_pending *pending = engine->waiting; pending != NULL; pending = pending->next) {
		if (atomic_load(&pending->due) > now)
			continue;
		sleeper_ref(&pending->sleeper);
		pending->next_late = late;
		late = pending;
	}
	engine->ticks = false;
	/* This does not fail: it is the job's own request. */
	if (engine->waiting != NULL)
		schedule_tick(engine);
	pthread_mutex_unlock(&engine->waiting_lock);
	while (late != NULL) {
		limen_pending *next = late->next_late;

		sleeper_wake(&late->sleeper);
		late = next;
	}
}

/* Returns false when memory is short. */
static bool
enlist(limen_pending *pending)
{
	limen_engine *engine = pending->engine;
	bool timed;

	atomic_store(&pending->due, pending->run.due);
	pthread_mutex_lock(&engine->waiting_lock);
	timed = schedule_tick(engine);
	if (timed) {
		pending->next = engine->waiting;
		pending->link = &engine->waiting;
		if (pending->next != NULL)
			pending->next->link = &pending->next;
		engine->waiting = pending;
	}
	pthread_mutex_unlock(&engine->waiting_lock);
	return timed;
}

static void
delist(limen_pending *pending)
{
	limen_engine *engine = pending->engine;

	pthread_mutex_lock(&engine->waiting_lock);
	*pending->link = pending->next;
	if (pending->next != NULL)
		pending->next->link = pending->link;
	pthread_mutex_unlock(&engine->waiting_lock);
}

/* Runs rounds as long as wakers are called meanwhile; true once nothing is waited for. */
static bool
run_rounds(limen_pending *pending)
{
	unsigned seen;

	do {
		seen = atomic_load(&pending->signals);
		pending->run.waits = wait_round(&pending->run);
		atomic_store(&pending->due, pending->run.waits ? pending->run.due : INT64_MAX);
		if (!pending->run.waits)
			return true;
	} while (!atomic_compare_exchange_strong(&pending->signals, &seen, 0));
	return false;
}

static void
resume(sleeper *self)
{
	limen_pending *pending = (limen_pending *)(void *)self;

	if (atomic_fetch_add(&pending->signals, 1) == 0 && run_rounds(pending))
		pending->ended(pending->data);
}

/* Frees what only the decision needs; lookups may still have wakers. */
static void
end(limen_pending *pending)
{
	policy *loaded = pending->run.policy;

	pipeline_end(&pending->run);
	policy_unref(loaded);
}

static limen_pending *
make_pending(limen_engine *engine, const policy *loaded, const limen_decide_options *options)
{
	size_t entries = loaded->identifiers.count + loaded->admission.count;
	limen_pending *pending = (limen_pending *)(void *)sleeper_new(sizeof(*pending), entries);

	if (pending == NULL)
		return NULL;
	pending->sleeper.resume = resume;
	atomic_init(&pending->signals, 1);
	atomic_init(&pending->due, INT64_MAX);
	pending->engine = engine;
	pending->options = *options;
	return pending;
}

/* Can a decision under this policy wait?  Without background work nothing resumes it. */
static bool
may_wait(const limen_engine *engine, const policy *loaded)
{
	return loaded != NULL && !(engine->flags & LIMEN_ENGINE_PASSIVE) &&
	       (loaded->identifiers.blocking || loaded->admission.blocking);
}

/* Begins under 'loaded'; NULL, with the result in '*result', if the decision is in '*out'. */
static limen_pending *
begin(limen_engine *engine, policy *loaded, const limen_request *req,
      const limen_decide_options *options, limen_decision **out, int *result)
{
	limen_pending *pending = loaded == NULL ? NULL : make_pending(engine, loaded, options);
	limen_decision *decision = pending == NULL ? NULL : decision_new();

	*result = decision != NULL ? LIMEN_OK : loaded == NULL ? LIMEN_ENOPOLICY : LIMEN_ENOMEM;
	if (decision == NULL) {
		sleeper_unref(pending == NULL ? NULL : &pending->sleeper);
		return NULL;
	}
	pipeline_begin(&pending->run, policy_ref(loaded), engine->workers, req, &pending->options, decision,
	               &pending->sleeper);
	pending->waits = pending->run.waits && enlist(pending);
	pending->run.view.failed |= pending->run.waits && !pending->waits;
	if (pending->waits || out == NULL)
		return pending;
	end(pending);
	*out = decision;
	return NULL;
}

/* Clears what limen_engine_begin() stores; false if it may not store so. */
static bool
clear_results(const limen_engine *engine, limen_pending **pending, limen_decision **out)
{
	if (pending == NULL || (out == NULL && (engine->flags & LIMEN_ENGINE_PASSIVE)))
		return false;
	*pending = NULL;
	if (out != NULL)
		*out = NULL;
	return true;
}

int
limen_engine_begin(limen_engine *engine, const limen_request *req,
                   const limen_decide_options *options, void (*ended)(void *data), void *data,
                   limen_pending **pending, limen_decision **out)
{
	limen_decide_options known = { .size = sizeof(known) };
	limen_pending *made = NULL;
	policy_reader *reader;
	policy *loaded;
	int result;

	if (engine == NULL || req == NULL)
		return LIMEN_ENOMEM;
	if (ended == NULL || !engine_take_options(options, &known) ||
	    !clear_results(engine, pending, out))
		return LIMEN_EINVAL;
	loaded = engine_hold(engine, &reader);
	if (out != NULL && !may_wait(engine, loaded))
		result = engine_decide_under(engine, loaded, req, &known, out);
	else
		made = begin(engine, loaded, req, &known, out, &result);
	engine_release(loaded, reader);
	if (made == NULL)
		return result;
	made->ended = ended;
	made->data = data;
	*pending = made;
	/* Is nothing waited for, or not any more?  Lookups may have ended since they began. */
	if (!made->waits || (atomic_fetch_sub(&made->signals, 1) > 1 && run_rounds(made)))
		ended(data);
	return LIMEN_OK;
}

limen_activity *
limen_pending_activity(limen_pending *pending)
{
	return pending == NULL ? NULL : &pending->run.activity;
}

int
limen_pending_decide(limen_pending *pending, limen_decision **out)
{
	limen_decision *decision;

	if (pending == NULL)
		return LIMEN_ENOMEM;
	decision = pending->run.decision;
	if (pending->waits)
		delist(pending);
	/* Unwanted, it asks no module and charges nothing. */
	pending->run.view.failed |= out == NULL;
	end(pending);
	if (out != NULL)
		*out = decision;
	else
		limen_decision_free(decision);
	return LIMEN_OK;
}
