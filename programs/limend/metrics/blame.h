/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blame.h - counts refusals by entry of the policy.  The number of entries is bounded; entries
 * beyond it, as after many reloads, are counted together.
 */
#ifndef LIMEND_BLAME_H
#define LIMEND_BLAME_H

#include <glib.h>

typedef struct blame blame;

blame *blame_new(void);
void blame_free(blame *self);

/* Counts one refusal with 'code' by 'entry' (NULL: by no single entry), from any thread. */
void blame_add(blame *self, const char *entry, int code);

/* Writes limend_refusals_total. */
void blame_write(blame *self, GString *out);

#endif
