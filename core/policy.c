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
static void
begin_stop(const entry *one)
{
	if (one->instance != NULL && one->instance->references == 1)
		host_begin_stop(one->instance->host);
}

static void
begin_stop_list(const entry_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		begin_stop(&list->items[i]);
}

/* All at once, so that closing them one by one waits once. */
static void
begin_stop_all(const policy *done)
{
	if (done->rewriter != NULL)
		begin_stop(done->rewriter);
	if (done->prioritizer != NULL)
		begin_stop(done->prioritizer);
	begin_stop_list(&done->identifiers);
	begin_stop_list(&done->limits);
	begin_stop_list(&done->admission);
	begin_stop_list(&done->stores);
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
	begin_stop_all(done);
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
