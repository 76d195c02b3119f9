/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blame.h - which entry of the policy refused how often.  Entries come from the policy,
 * and those that find no room any more, after many reloads, are counted together.
 */
#ifndef LIMEND_BLAME_H
#define LIMEND_BLAME_H

#include <glib.h>

typedef struct blame blame;

blame *blame_new(void);
void blame_free(blame *self);

/* Counts one refusal with 'code' by 'entry' (NULL: by no single one), from any thread. */
void blame_add(blame *self, const char *entry, int code);

/* Writes limend_refusals_total. */
void blame_write(blame *self, GString *out);

#endif
