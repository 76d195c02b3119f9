/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.h - one store: how it counts, where, and what it does when it cannot.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_STORE_H
#define LIMEN_PLUGINS_STORE_REDIS_STORE_H

#include "book.h"
#include "settings.h"

/* Takes 'where' over if it returns LIMEN_OK. */
int store_new(const settings *asked, place *where, limen_opening *opening, limen_diag *diag,
              struct store **out);

/* After the last job has ended. */
void store_free(struct store *one);

/* NULL with a problem in 'diag'. */
book *store_table(struct store *one, const char *name, const limen_table_spec *spec,
                  limen_diag *diag);
void store_release(struct store *one, book *table);

limen_verdict store_take(struct store *one, limen_store_take *takes, size_t count,
                         unsigned flags, limen_time now, int64_t deadline);
void store_settle(struct store *one, const limen_store_take *takes, size_t count);

int store_list(struct store *one, int64_t deadline,
               bool (*each)(void *data, const limen_bucket *bucket), void *data,
               limen_diag *diag);

void store_report(struct store *one, limen_sink *sink);

#endif
