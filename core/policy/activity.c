/* SPDX-License-Identifier: Apache-2.0 */
/*
 * activity.c - the module call that each thread is in, for a program that watches its threads.
 *
 * A thread only stores a pointer, as it does so for each call.  The entry that another thread
 * reads under the lock stays: its thread clears the pointer before it releases the policy, and
 * policy_free() passes the lock before it frees an entry.
 */
#include <limen/engine.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/thread.h"
#include "policy.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local limen_activity mine THREAD_LOCAL_NEAR;

/* A child of a fork finds the lock free; it has none of the threads. */
static void
forget_readers(void)
{
	pthread_mutex_init(&lock, NULL);
}

__attribute__((constructor)) static void
watch_forks(void)
{
	pthread_atfork(NULL, NULL, forget_readers);
}

void
activity_set(const entry *current)
{
	atomic_store_explicit(&mine.current, current, memory_order_release);
}

void
activity_await_readers(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

limen_activity *
limen_activity_here(void)
{
	return &mine;
}

char *
limen_activity_text(limen_activity *activity)
{
	const entry *current;
	char *text = NULL;

	if (activity == NULL)
		return NULL;
	pthread_mutex_lock(&lock);
	current = atomic_load_explicit(&activity->current, memory_order_acquire);
	if (current != NULL) {
		const instance *inst = current->instance;
		const char *kind = limen_kind_name((limen_kind)inst->module->descriptor.head.kind);

		if (asprintf(&text, "%s '%s' (module %s/%s)", kind, current->name, kind,
		             current->type) < 0)
			text = NULL;
	}
	pthread_mutex_unlock(&lock);
	return text;
}
