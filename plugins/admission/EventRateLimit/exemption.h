/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exemption.h - the events that no limit is about, as the option "exempt"
 * describes them.
 */
#ifndef LIMEN_EVENTRATELIMIT_EXEMPTION_H
#define LIMEN_EVENTRATELIMIT_EXEMPTION_H

#include <limen/module.h>

#include "event.h"
#include "pattern.h"
#include "rate.h"

/* The keys that are compared with patterns. */
typedef enum exempt_key {
	EXEMPT_USER = 0,
	EXEMPT_GROUP = 1,
	EXEMPT_NAMESPACE = 2,
	EXEMPT_REASON = 3,
	EXEMPT_TYPE = 4,
	EXEMPT_CLASSIFIER = 5,
	EXEMPT_KEYS = 6
} exempt_key;

/* All lists that are not empty must describe the event. */
typedef struct exemption {
	pattern_list lists[EXEMPT_KEYS];
} exemption;

typedef struct exemption_list {
	exemption *items;
	size_t count;
} exemption_list;

/* Reads the value of "exempt"; the caller frees 'items', also after a problem. */
void exemption_list_read(rate_reader *reader, exemption_list *out, limen_value value,
                         limen_opening *opening);

/* Returns the index of the exemption that describes 'about', or SIZE_MAX. */
size_t exemption_list_find(const exemption_list *list, const event *about);

#endif
