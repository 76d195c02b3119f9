/* SPDX-License-Identifier: Apache-2.0 */
/*
 * classify.c - evaluates the classifiers, which group identifiers.
 */
#include "pipeline.h"

static bool
collect_names(pipeline *run, bool *unknown)
{
	arena *memory = &run->decision->arena;
	size_t total = run->policy->classifier_count;
	const char **items = arena_alloc(memory, total * sizeof(*items));
	size_t count = 0;

	if (items == NULL)
		return false;
	for (size_t i = 0; i < total; i++) {
		const classifier *target = &run->policy->classifiers[i];
		tally met = { 0, 0, 0 };

		for (size_t k = 0; k < target->identifiers.count; k++)
			tally_add(&met, run->identified[target->identifiers.items[k]]);
		run->classified[i] = require_outcome(target->require, &met);
		pipeline_count(run, target->rule, run->classified[i]);
		step_end(step_begin(run, target->where, .kind = LIMEN_STEP_CLASSIFIER,
		                    .name = target->name,
		                    .require = require_words[target->require]),
		         run->classified[i]);
		*unknown = *unknown || run->classified[i] == OUTCOME_UNKNOWN;
		if (run->classified[i] != OUTCOME_YES)
			continue;
		items[count] = arena_strdup(memory, target->name);
		if (items[count] == NULL)
			return false;
		count++;
	}
	run->decision->classifiers = (names){ items, count };
	run->view.classifiers = run->decision->classifiers;
	return true;
}

bool
classify(pipeline *run)
{
	bool unknown = false;

	run->classified = arena_alloc(&run->decision->arena, run->policy->classifier_count *
	                                                             sizeof(*run->classified));
	if (run->classified == NULL || !collect_names(run, &unknown))
		return decision_no_memory(run->decision);
	if (run->decision->classifiers.count == 0 && run->request.subject->needs_identification) {
		if (!unknown || !identify_blame(run, NULL))
			decision_refuse(run->decision, verdict_code(unknown, false),
			                "Made no classifications");
		decision_say(run->decision, "Made no classifications.");
		return false;
	}
	/* From here on only applications say whether an error matters. */
	run->uncertain = false;
	decision_names(run->decision, "Classified as", &run->decision->classifiers);
	return true;
}
