/* SPDX-License-Identifier: Apache-2.0 */
/*
 * take.h - batches of takes, each at once: all locks of a batch are held while
 * it is answered, and are taken in one order.
 */
#ifndef LIMEN_PLUGINS_SUPPORT_BUCKET_TAKE_H
#define LIMEN_PLUGINS_SUPPORT_BUCKET_TAKE_H

#include "table.h"

/* Answers as the method 'take' of a store does. */
limen_verdict take_batch(tables *all, limen_store_take *takes, size_t count, unsigned flags,
                         limen_time now);

/* Gives back what was granted; a bucket that is gone, or was made anew, is left alone. */
void take_settle(tables *all, const limen_store_take *takes, size_t count);

#endif
