/* SPDX-License-Identifier: Apache-2.0 */
/*
 * history.h - what was decided, how long it took, and events by type of limit, in each of the last 120
 * seconds and 60 minutes, in less than 64 KiB.  It lasts as long as the process, and across loads of the policy.
 */
#ifndef LIMEND_HISTORY_H
#define LIMEND_HISTORY_H

#include <glib.h>

#include "audit/record.h"

typedef struct history history;

history *history_new(void);
void history_free(history *self);

/* Counts a decision, from any thread; NULL is allowed. */
void history_count(history *self, record_outcome outcome, int64_t nanoseconds);

/* Ends seconds that are over, and reads the counters of events; call it about once a second. */
void history_tick(history *self, limen_engine *engine);

/* Appends an object with the members "seconds" and "minutes"; from any thread. */
void history_write(history *self, GString *out);

/* Appends the averages a second of the last ten, by outcome, as an object. */
void history_write_rates(history *self, GString *out);

#endif
