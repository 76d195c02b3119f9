/* SPDX-License-Identifier: Apache-2.0 */
/*
 * event_rate_limit.h - one entry of the module: its limits, overrides and exemptions.
 * Read-only once it is open.
 */
#ifndef LIMEN_EVENTRATELIMIT_EVENT_RATE_LIMIT_H
#define LIMEN_EVENTRATELIMIT_EVENT_RATE_LIMIT_H

#include <limen/module.h>

#include "../../support/refuse.h"

/* ---- event.c, origin.c: the event of a request, in the form of either API group; borrowed from it ---- */

/* Bytes that may hold NULs. */
typedef struct event_text {
	const char *text;
	size_t length;
} event_text;

typedef struct event {
	const limen_request *request;
	bool is_new; /* in the form of events.k8s.io */
	event_text namespace;
} event;

/*
 * Finds the event of 'req'.  LIMEN_SKIP if the request does not count; with 'core_only',
 * requests to events.k8s.io do not.  LIMEN_ERROR, with a reason, if that is unknown.
 */
limen_verdict event_find(event *out, const limen_request *req, bool core_only, limen_reply *reply);

/* Not every limit asks for it. */
event_text event_user(const event *subject);

/* The fields that identify the source and the object of an event. */
typedef enum origin_field {
	ORIGIN_COMPONENT = 0,
	ORIGIN_HOST = 1,
	ORIGIN_KIND = 2,
	ORIGIN_NAMESPACE = 3,
	ORIGIN_NAME = 4,
	ORIGIN_UID = 5,
	ORIGIN_API_VERSION = 6,
	ORIGIN_FIELDS = 7
} origin_field;

typedef struct event_origin {
	event_text fields[ORIGIN_FIELDS];
} event_origin;

/*
 * Reads source and object of 'subject'; what is not there is empty.  What is of a
 * wrong type is a violation, and the result LIMEN_FAIL; else LIMEN_PASS.  With
 * 'exact' the source is the one kube-apiserver looks at, else that of the
 * reporter stands in where there is none.
 */
limen_verdict event_read_origin(const event *subject, bool exact, event_origin *out,
                                limen_reply *reply);

/* ---- pattern.c: lists of texts in which "*" stands for any characters ---- */

/* The patterns stay where they were read: in the data of the instance. */
typedef struct pattern_list {
	limen_value values; /* one string, or an array of them */
	size_t count;
} pattern_list;

/*
 * Reads a pattern or an array of patterns without NUL; false if 'value' is neither.  None
 * makes an empty list.
 */
bool pattern_list_read(pattern_list *out, limen_value value);

/* Returns the next pattern of the list; 'iter' begins with limen_iter_start(list->values). */
limen_value pattern_list_next(const pattern_list *list, limen_iter *iter);

/* Does one of the patterns describe 'length' bytes of 'text'? */
bool pattern_list_match(const pattern_list *list, const char *text, size_t length);

/* ---- rate.c: what limits are, and how a Configuration says so (eventratelimit/v1alpha1) ---- */

/* The owners of a bucket (event-rate-limit, LimitType). */
typedef enum limit_type {
	LIMIT_SERVER = 0,
	LIMIT_NAMESPACE = 1,
	LIMIT_USER = 2,
	LIMIT_SOURCE_AND_OBJECT = 3,
	LIMIT_TYPES = 4
} limit_type;

/* The names Kubernetes has for the types today, in the order of the enum. */
extern const char *const limit_type_names[LIMIT_TYPES];

/* The rate and size of the buckets of a table, and the number kept. */
typedef struct rate {
	limit_type type;
	int64_t qps;
	int64_t burst;
	int64_t cache_size;
	limen_table *table;
} rate;

/* The list of problems; 'result' is LIMEN_OK as long as it is empty. */
typedef struct rate_reader {
	limen_diag *diag;
	int result;
} rate_reader;

/* The list of an object and its index there. */
typedef struct rate_place {
	const char *list;
	size_t index;
	bool is_override; /* it has keys, which Server has not */
} rate_place;

/*
 * Reads the rate at 'object'; everything wrong with it is reported.  True if its
 * type is known, whatever else is wrong.
 */
bool rate_read(rate_reader *reader, rate *out, limen_value object, const rate_place *at);

/*
 * Returns zeroed memory for the elements of the option 'value' and one more, which the caller
 * frees.  NULL: there is no option, it is no array, which is reported, or memory is short.
 */
void *rate_make_array(rate_reader *reader, limen_value value, const char *option, size_t size);

/*
 * Reports the keys of 'object' that are not in 'known': as warnings, the prefix before each, or
 * as problems of element 'index' of 'list'.
 */
void rate_warn_unknown(rate_reader *reader, limen_value object, const char *const *known,
                       const char *prefix);
void rate_refuse_unknown(rate_reader *reader, limen_value object, const char *const *known,
                         const char *list, size_t index);

/* Null is as good as absent, as in every object of Kubernetes. */
static inline bool
rate_is_left_out(limen_value value)
{
	limen_type type = limen_value_type(value);

	return type == LIMEN_TYPE_NONE || type == LIMEN_TYPE_NULL;
}

/* Reports that the type of 'object' is that of another one. */
void rate_refuse_duplicate(rate_reader *reader, const rate *one, limen_value object,
                           const rate_place *at);

/* The store of an entry's buckets, and the source of their keys. */
typedef struct rate_home {
	limen_store *store;
	bool core_only; /* the reporter of an event does not stand in for a source */
} rate_home;

/* Opens the table of 'one', whose name is unique in the instance. */
int rate_open(rate *one, const char *name, limen_opening *opening, const rate_home *home,
              limen_diag *diag);

/* ---- exemption.c: the events that no limit is about ---- */

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

/* Returns the index of the exemption that describes 'subject', or SIZE_MAX. */
size_t exemption_list_find(const exemption_list *list, const event *subject);

/* ---- override.c: rates of some keys in place of the limit's ---- */

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

/* ---- key.c: the bucket of an event, its key for the store and its name for people ---- */

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
	for (size_t i = 0; i < self->rate_count; i++)
		if (self->rates[i].type == type)
			return true;
	return false;
}

/* Reads the Configurations among the options into 'self' and reports problems. */
void configuration_read(rate_reader *reader, event_rate_limit *self, const limen_opening *opening);

/* Takes the counters of what the limits of 'self' will decide. */
void enforce_open(event_rate_limit *self, limen_host *host);

/* Takes a token for 'subject' from every bucket it belongs to, and answers whether all had one. */
limen_verdict enforce_rates(const event_rate_limit *self, const event *subject, limen_reply *reply);

#endif
