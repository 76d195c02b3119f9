/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rate.h - what limits are, and how a Configuration says so (kubernetes:
 * eventratelimit/v1alpha1 and its validation).
 */
#ifndef LIMEN_EVENTRATELIMIT_RATE_H
#define LIMEN_EVENTRATELIMIT_RATE_H

#include <limen/module.h>

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

/* Reports that 'where' is not as it should be. */
void rate_refuse(rate_reader *reader, limen_value where, const char *format, ...)
	LIMEN_PRINTF(3, 4);

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

#endif
