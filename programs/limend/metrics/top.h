/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top.h - who is refused most, in memory that does not grow (Metwally et al.,
 * "Efficient computation of frequent and top-k elements in data streams": the
 * space-saving sketch).  Whoever makes up more than one part in TOP_SPARE x the
 * number wanted of all refusals is among those kept; counts are never too low, and
 * too high by at most the error that is kept with them.
 */
#ifndef LIMEND_TOP_H
#define LIMEND_TOP_H

#include <glib.h>

/* How many keys are kept for each that is shown. */
#define TOP_SPARE 4
/* The most that may be shown: each is a series. */
#define TOP_MAX 100

typedef struct top top;

/* Makes a sketch that shows 'wanted' keys, TOP_MAX at most. */
top *top_new(size_t wanted);
void top_free(top *self);

/* Counts one refusal of 'key' by 'entry', from any thread. */
void top_add(top *self, const char *entry, const char *key);

/* Writes limend_top_refused and limend_top_refused_error. */
void top_write(top *self, GString *out);

#endif
