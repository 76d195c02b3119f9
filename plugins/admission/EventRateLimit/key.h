/* SPDX-License-Identifier: Apache-2.0 */
/*
 * key.h - the bucket of an event: its key for the store, and its name for people.
 */
#ifndef LIMEN_EVENTRATELIMIT_KEY_H
#define LIMEN_EVENTRATELIMIT_KEY_H

#include "event.h"
#include "rate.h"

/* All that keys are made of. */
typedef struct key_facts {
	const event *about;
	event_origin origin; /* for LIMIT_SOURCE_AND_OBJECT */
} key_facts;

/*
 * Returns the key of 'type' for the store.  Its length is bounded, and different
 * keys are different texts as long as none of their fields is longer than names
 * in Kubernetes can be.  The text is good until the decision ends; NULL when
 * memory is short.
 */
event_text key_make(const key_facts *facts, limit_type type);

/* Returns the key as kube-apiserver prints it, ended by a NUL and without others, or NULL. */
event_text key_print(const key_facts *facts, limit_type type);

#endif
