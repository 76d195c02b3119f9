/* SPDX-License-Identifier: Apache-2.0 */
/* unknown_fields.h - warns of fields that a LimitRange does not have. */
#ifndef LIMEN_LIMITRANGER_UNKNOWN_FIELDS_H
#define LIMEN_LIMITRANGER_UNKNOWN_FIELDS_H

#include <limen/diag.h>

/*
 * Stores the next key of an object that is none of 'known', its member (may be NULL), and the
 * one of 'known' that it may be meant to be, or NULL.  False if there is none.
 */
bool unknown_fields_next(limen_iter *iter, const char *const *known, limen_value *key,
                         limen_value *member, const char **nearest);

/* Which object of a LimitRange is looked at. */
typedef enum unknown_place {
	UNKNOWN_IN_RANGE = 0,
	UNKNOWN_IN_METADATA = 1,
	UNKNOWN_IN_SPEC = 2,
	UNKNOWN_IN_ITEM = 3
} unknown_place;

/* Warns of each unknown member of 'object', as 'prefix' and its key. */
void unknown_fields_report(limen_value object, unknown_place place, const char *prefix,
                           limen_diag *diag);

#endif
