/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sync_ask.h - one question about a lease, and its answer.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_SYNC_ASK_H
#define LIMEN_PLUGINS_STORE_REDIS_SYNC_ASK_H

#include "sync.h"

/*
 * Queues a question about 'which', which is in flight from then on.  With
 * 'leaving' everything is put back.  Returns false if there is nothing to ask.
 */
bool sync_ask(sync_state *one, lease *which, int64_t now, bool leaving);

/* Takes the answer over; false if it is none, and the wire has then failed. */
bool sync_answer(sync_state *one, lease *which, const redisReply *reply);

#endif
