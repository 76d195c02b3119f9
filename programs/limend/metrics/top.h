/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top.h - the most refused keys in constant memory: the space-saving sketch (Metwally et al.,
 * "Efficient computation of frequent and top-k elements in data streams").  A key with more than
 * 1 / (TOP_SPARE * wanted) of all refusals is always kept.  A count is never too low, and too
 * high by at most the error that is kept with it.
 */
#ifndef LIMEND_TOP_H
#define LIMEND_TOP_H

#include <glib.h>

/* Number of keys kept for each key that is shown. */
#define TOP_SPARE 4
/* Most keys that can be shown; each is a series of Prometheus. */
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
