/* SPDX-License-Identifier: Apache-2.0 */
/* engine_templates.c - the templates of a workload, by the policy in force. */
#include "engine.h"

#include "decision/decision.h"

/* The receiver of the templates. */
typedef struct receiver {
	void (*each)(void *data, const limen_template *found);
	void *data;
} receiver;

static void
give(void *data, const limen_template *found, limen_value old, document *object)
{
	const receiver *to = data;

	(void)old;
	(void)object;
	to->each(to->data, found);
}

int
limen_engine_each_template(limen_engine *engine, const char *api_group, const char *kind,
                           limen_value workload,
                           void (*each)(void *data, const limen_template *found), void *data,
                           limen_diag *diag)
{
	receiver to = { .each = each, .data = data };
	policy_reader *reader = NULL;
	policy *loaded = engine == NULL ? NULL : engine_hold(engine, &reader);
	int result;

	if (api_group == NULL || kind == NULL)
		result = LIMEN_ENOENT;
	else
		result = templates_each(loaded, api_group, kind, workload, limen_value_none(),
		                        each == NULL ? NULL : give, &to, diag);
	if (engine != NULL)
		engine_release(loaded, reader);
	return result;
}
