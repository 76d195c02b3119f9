/* SPDX-License-Identifier: Apache-2.0 */
/*
 * observer.h - looks at the engine and at the process, not more than once a
 * second however often it is asked, and on a thread of its own: a load may hold
 * the engine for a while, and those who ask decide requests too.
 */
#ifndef LIMEND_OBSERVER_H
#define LIMEND_OBSERVER_H

#include <glib.h>
#include <limen/engine.h>
#include <stdbool.h>

typedef struct observer observer;

typedef enum sight {
	SIGHT_POLICY = 0,  /* limen_engine_describe(), indented */
	SIGHT_METRICS = 1, /* samples of its instances, and of the process */
	SIGHTS = 2
} sight;

observer *observer_new(limen_engine *engine);
void observer_free(observer *self);

/*
 * Appends what was seen last; waits a moment for a look at it if that was more
 * than a second ago.  False if nothing was seen yet.
 */
bool observer_show(observer *self, sight what, GString *out);

#endif
