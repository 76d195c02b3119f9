/* SPDX-License-Identifier: Apache-2.0 */
/*
 * policy.c - how long a policy lives.  Any thread may hold and let go of one;
 * only a thread that loads policies frees it.
 */
#include "policy.h"

#include <stdlib.h>

policy *
policy_ref(policy *held)
{
	atomic_fetch_add_explicit(&held->references, 1, memory_order_relaxed);
	return held;
}

void
policy_unref(policy *held)
{
	atomic_fetch_sub_explicit(&held->references, 1, memory_order_release);
}

bool
policy_is_unused(const policy *held)
{
	return atomic_load_explicit(&held->references, memory_order_acquire) == 0;
}

static bool
list_is_complete(const entry_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].instance == NULL)
			return false;
	}
	return true;
}

bool
policy_is_complete(const policy *made)
{
	return list_is_complete(&made->identifiers) && list_is_complete(&made->limits) &&
	       list_is_complete(&made->admission) && list_is_complete(&made->stores) &&
	       (made->rewriter == NULL || made->rewriter->instance != NULL) &&
	       (made->prioritizer == NULL || made->prioritizer->instance != NULL);
}

/* An instance that nobody else holds may have a download to break off. */
static bool
stop(const entry *one)
{
	if (one->instance == NULL || one->instance->references > 1)
		return true;
	return host_begin_stop(one->instance->host);
}

static bool
stop_list(const entry_list *list)
{
	bool idle = true;

	for (size_t i = 0; i < list->count; i++)
		idle = stop(&list->items[i]) && idle;
	return idle;
}

bool
policy_stop(const policy *done)
{
	bool idle = stop_list(&done->identifiers);

	idle = stop_list(&done->limits) && idle;
	idle = stop_list(&done->admission) && idle;
	idle = stop_list(&done->stores) && idle;
	if (done->rewriter != NULL)
		idle = stop(done->rewriter) && idle;
	if (done->prioritizer != NULL)
		idle = stop(done->prioritizer) && idle;
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
	/* All at once, so that closing them one by one waits once. */
	policy_stop(done);
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
