/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy.c - the lifetime of policies.  Any thread may take and release references; only
 * a thread that loads policies frees them.
 */
#include "compiled.h"

#include <stdlib.h>

policy *
policy_ref(policy *loaded)
{
	atomic_fetch_add_explicit(&loaded->references, 1, memory_order_relaxed);
	return loaded;
}

void
policy_unref(policy *loaded)
{
	atomic_fetch_sub_explicit(&loaded->references, 1, memory_order_release);
}

bool
policy_is_unused(const policy *loaded)
{
	return atomic_load_explicit(&loaded->references, memory_order_acquire) == 0;
}

static void
each_listed(const entry_list *list, void (*each)(void *data, instance *inst), void *data)
{
	for (size_t i = 0; i < list->count; i++)
		each(data, list->items[i].instance);
}

void
policy_each_instance(const policy *loaded, void (*each)(void *data, instance *inst), void *data)
{
	each_listed(&loaded->stores, each, data);
	each_listed(&loaded->identifiers, each, data);
	each_listed(&loaded->limits, each, data);
	each_listed(&loaded->admission, each, data);
	if (loaded->rewriter != NULL)
		each(data, loaded->rewriter->instance);
	if (loaded->prioritizer != NULL)
		each(data, loaded->prioritizer->instance);
}

static void
note_missing(void *data, instance *inst)
{
	bool *complete = data;

	*complete = *complete && inst != NULL;
}

bool
policy_is_complete(const policy *loaded)
{
	bool complete = true;

	policy_each_instance(loaded, note_missing, &complete);
	return complete;
}

/* An instance that only this policy holds may have to break off a download. */
static void
stop_instance(void *data, instance *inst)
{
	bool *idle = data;

	if (inst != NULL && inst->references <= 1)
		*idle = host_begin_stop(inst->host) && *idle;
}

bool
policy_stop(const policy *done)
{
	bool idle = true;

	policy_each_instance(done, stop_instance, &idle);
	return idle;
}

static void
release_entries(entry_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		instance_unref(list->items[i].instance);
	name_index_free(&list->names);
}

void
policy_free(policy *done)
{
	if (done == NULL)
		return;
	/* All instances stop in parallel, so that closing them one by one waits only once. */
	policy_stop(done);
	activity_await_readers();
	if (done->rewriter != NULL)
		instance_unref(done->rewriter->instance);
	if (done->prioritizer != NULL)
		instance_unref(done->prioritizer->instance);
	release_entries(&done->identifiers);
	release_entries(&done->limits);
	release_entries(&done->admission);
	/* Last: others hold tables in them. */
	release_entries(&done->stores);
	name_index_free(&done->classifier_names);
	cleanup_run(&done->owned);
	conf_free(done->files);
	free(done);
}
