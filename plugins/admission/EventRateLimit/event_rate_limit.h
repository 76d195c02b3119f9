/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_rate_limit.h - one entry of the module: its limits, overrides and exemptions.
 * Read-only once it is open.
 */
#ifndef LIMEN_EVENTRATELIMIT_EVENT_RATE_LIMIT_H
#define LIMEN_EVENTRATELIMIT_EVENT_RATE_LIMIT_H

#include <limen/module.h>

#include "event.h"
#include "exemption.h"
#include "override.h"
#include "rate.h"

/* Which API groups' events count. */
typedef enum event_groups {
	GROUPS_BOTH = 0, /* core and events.k8s.io */
	GROUPS_CORE = 1  /* as the plugin in kube-apiserver */
} event_groups;

typedef struct event_rate_limit {
	/* from the options */
	int api;
	int kind;
	limen_value limits;
	limen_value manifests;
	limen_value exempt;
	limen_value overrides;
	limen_store *store;
	int groups; /* event_groups */
	/* made of them */
	rate rates[LIMIT_TYPES]; /* in the order of the configuration, no type twice */
	size_t rate_count;
	override_list exceptions;
	exemption_list exemptions;
	limen_counter *admitted[LIMIT_TYPES]; /* by type of limit; NULL where there is none */
	limen_counter *refused[LIMIT_TYPES];
	limen_counter *accepted;
	limen_counter *exempted;
} event_rate_limit;

/* Is there a limit of 'type'? */
static inline bool
event_rate_limit_has(const event_rate_limit *self, limit_type type)
{
	for (size_t i = 0; i < self->rate_count; i++) {
		if (self->rates[i].type == type)
			return true;
	}
	return false;
}

/* Reads the Configurations among the options into 'self' and reports problems. */
void configuration_read(rate_reader *reader, event_rate_limit *self,
                        const limen_opening *opening);

/* Takes the counters of what the limits of 'self' will decide. */
void enforce_open(event_rate_limit *self, limen_host *host);

/* Takes a token for 'about' from every bucket it belongs to, and answers whether all had one. */
limen_verdict enforce_rates(const event_rate_limit *self, const event *about,
                            limen_reply *reply);

#endif
