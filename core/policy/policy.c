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

const entry *
policy_entry(const policy *loaded, size_t index)
{
	entry *last = loaded->prioritizer;
	const entry_list rewriter = { loaded->rewriter, .count = loaded->rewriter != NULL };
	const entry_list prioritizer = { last, .count = last != NULL };
	const entry_list *const lists[] = { &loaded->stores, &loaded->identifiers, &loaded->limits,
		                            &loaded->admission, &rewriter, &prioritizer };

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (index < lists[i]->count)
			return &lists[i]->items[index];
		index -= lists[i]->count;
	}
	return NULL;
}

void
policy_each_input(const policy *loaded, void (*each)(void *data, const input *known), void *data)
{
	const conf *files = loaded->files;
	const entry *item;

	for (size_t i = files->own_count; i < files->file_count; i++) {
		const conf_file *file = &files->files[i];
		const input named = { .path = file->name, .hash = file->hash, .missing = file->hash == 0 };

		each(data, &named);
	}
	for (size_t i = 0; (item = policy_entry(loaded, i)) != NULL; i++)
		for (const input *known = item->instance == NULL ? NULL : item->instance->inputs;
		     known != NULL; known = known->next)
			each(data, known);
}

bool
policy_is_complete(const policy *loaded)
{
	const entry *item;

	for (size_t i = 0; (item = policy_entry(loaded, i)) != NULL; i++)
		if (item->instance == NULL)
			return false;
	return true;
}

bool
policy_stop(const policy *done)
{
	bool idle = true;
	const entry *item;

	/* An instance that only this policy holds may have to break off a download. */
	for (size_t i = 0; (item = policy_entry(done, i)) != NULL; i++)
		if (item->instance != NULL && item->instance->references <= 1)
			idle = host_begin_stop(item->instance->host) && idle;
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
