/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list.h - lists the buckets of a store, in small portions, so that takes do not wait
 * for long.
 */
#ifndef LIMEN_PLUGINS_STORE_MEMORY_LIST_H
#define LIMEN_PLUGINS_STORE_MEMORY_LIST_H

#include "../../support/bucket/table.h"

/* As the method 'list' of a store. */
int
list_buckets(tables *all, limen_time now, limen_deadline deadline,
             bool (*each)(void *data, const limen_bucket *bucket), void *data, limen_diag *diag);

#endif
