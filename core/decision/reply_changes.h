/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply_changes.h - what the functions that change a document share.  'call' is the name of
 * the public function, for the reason of a mistake.
 */
#ifndef LIMEN_CORE_DECISION_REPLY_CHANGES_H
#define LIMEN_CORE_DECISION_REPLY_CHANGES_H

#include "reply.h"

/* Records a mistake of the function 'call' if the module may not change the document. */
bool reply_may_change(limen_reply *reply, const char *call);

/*
 * Records a mistake of 'call' about the member 'key' of 'target', which may be none, or about
 * 'target' itself if 'key' is NULL.
 */
void reply_refuse(limen_reply *reply, const char *call, limen_value target, const char *key,
                  const char *format, ...) LIMEN_PRINTF(5, 6);

/* Bytes that the document of a value takes beside its texts and nodes. */
#define VALUE_BYTES ((size_t)128)

/* Counts the bytes of a change; above the cap that is a mistake, and false. */
bool reply_take_bytes(limen_reply *reply, const char *call, size_t bytes);

/*
 * Keeps the document of 'value' as long as the changes, and takes over the reference.
 * Returns 'value', or none when memory is, or was short for 'doc'.
 */
limen_value reply_keep_value(limen_reply *reply, const document *doc, limen_value value);

/* The same for a value of the caller's, whose document gets a reference. */
limen_value reply_share_value(limen_reply *reply, limen_value value);

/* Returns a string without a document; none if that was a mistake, or memory is short. */
limen_value reply_keep_text(limen_reply *reply, const char *call, limen_value target,
                            const char *key, const char *text, size_t length);

/* Adds a change whose parts are kept already. */
void reply_add_change(limen_reply *reply, const char *call, const change *item);

/* Frees what changes are made of. */
void reply_free_changes(limen_reply *reply);

#endif
