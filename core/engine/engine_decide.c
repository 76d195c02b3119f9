/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_decide.c - makes one decision under the policy in force.  A load in between
 * does not change the policy of a running decision.
 */
#include "engine.h"

#include <stddef.h>

#include "base/sized.h"
#include "decision/decision.h"

/*
 * Admits without a policy, if the engine has LIMEN_ENGINE_WITHOUT_POLICY and no load
 * was ever attempted: an engine whose policy failed to load must not admit.
 */
static int
decide_inert(const limen_engine *engine, const limen_request *req,
             const limen_decide_options *options, limen_decision *decision)
{
	if (!(engine->flags & LIMEN_ENGINE_WITHOUT_POLICY) ||
	    atomic_load(&engine->wants_policy))
		return LIMEN_ENOPOLICY;
	decision->admitted = true;
	decision->code = 200;
	decision->reason = "No limits were applied";
	decision->wants_diagnostics = options->diagnostics && req->subject->has_report;
	decision_say(decision, "No limits were applied");
	return LIMEN_OK;
}

bool
engine_take_options(const limen_decide_options *options, limen_decide_options *known)
{
	if (options == NULL)
		return true;
	return options->size >= offsetof(limen_decide_options, diagnostics) &&
	       sized_copy(known, sizeof(*known), options) && known->rewrite <= LIMEN_SWITCH_OFF &&
	       known->prioritize <= LIMEN_SWITCH_OFF && known->phase <= LIMEN_PHASE_WORKLOAD;
}

int
engine_decide_under(limen_engine *engine, policy *loaded, const limen_request *req,
                    const limen_decide_options *options, limen_decision **out)
{
	limen_decision *decision = decision_new();
	int result = LIMEN_OK;

	if (decision == NULL)
		return LIMEN_ENOMEM;
	if (loaded == NULL)
		result = decide_inert(engine, req, options, decision);
	else
		pipeline_run(loaded, engine->workers, req, options, decision);
	if (result == LIMEN_OK)
		*out = decision;
	else
		limen_decision_free(decision);
	return result;
}

int
limen_engine_decide(limen_engine *engine, const limen_request *req,
                    const limen_decide_options *options, limen_decision **out)
{
	limen_decide_options known = { .size = sizeof(known) };
	policy_reader *reader;
	policy *loaded;
	int result;

	if (engine == NULL || req == NULL)
		return LIMEN_ENOMEM;
	if (out == NULL || !engine_take_options(options, &known))
		return LIMEN_EINVAL;
	loaded = engine_hold(engine, &reader);
	result = engine_decide_under(engine, loaded, req, &known, out);
	engine_release(loaded, reader);
	return result;
}
