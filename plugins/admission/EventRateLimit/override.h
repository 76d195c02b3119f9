/* SPDX-License-Identifier: Apache-2.0 */
/* override.h - rates of some keys in place of the limit's, as the option "overrides" says. */
#ifndef LIMEN_EVENTRATELIMIT_OVERRIDE_H
#define LIMEN_EVENTRATELIMIT_OVERRIDE_H

#include "pattern.h"
#include "rate.h"

typedef struct rate_override {
	rate rate;
	pattern_list keys;
} rate_override;

typedef struct override_list {
	rate_override *items;
	size_t count;
} override_list;

/* Reads the value of "overrides"; the caller frees 'items', also after a problem. */
void override_list_read(rate_reader *reader, override_list *out, limen_value value);

/* Opens the tables of all; returns LIMEN_OK or what went wrong. */
int override_list_open(override_list *list, limen_opening *opening, const rate_home *home,
                       limen_diag *diag);

/* Is there an override of 'type'? */
bool override_list_has(const override_list *list, limit_type type);

/* Returns the rate of the first override of 'type' that names 'key', or NULL. */
const rate *override_list_find(const override_list *list, limit_type type, const char *key,
                               size_t length);

#endif
