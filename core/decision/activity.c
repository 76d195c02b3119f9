/* SPDX-License-Identifier: Apache-2.0 */
/*
 * activity.c - the module call that each thread is in, for a program that watches its threads.  A
 * mutex of the thread keeps the entry from being freed while another thread reads it.
 */
#include <stdio.h>

#include "base/thread.h"
#include "pipeline.h"

struct limen_activity {
	pthread_mutex_t lock;
	const entry *current; /* NULL: no module is called */
};

static _Thread_local limen_activity mine THREAD_LOCAL_NEAR = { .lock = PTHREAD_MUTEX_INITIALIZER };

void
activity_set(const entry *current)
{
	pthread_mutex_lock(&mine.lock);
	mine.current = current;
	pthread_mutex_unlock(&mine.lock);
}

limen_activity *
limen_activity_here(void)
{
	return &mine;
}

char *
limen_activity_text(limen_activity *activity)
{
	char *text = NULL;

	if (activity == NULL)
		return NULL;
	pthread_mutex_lock(&activity->lock);
	if (activity->current != NULL) {
		const instance *inst = activity->current->instance;
		const char *kind = limen_kind_name((limen_kind)inst->module->descriptor.head.kind);

		if (asprintf(&text, "%s '%s' (module %s/%s)", kind, activity->current->name, kind,
		             activity->current->type) < 0)
			text = NULL;
	}
	pthread_mutex_unlock(&activity->lock);
	return text;
}
