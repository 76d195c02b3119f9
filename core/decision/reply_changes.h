/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIMEN_CORE_DECISION_REPLY_CHANGES_H
#define LIMEN_CORE_DECISION_REPLY_CHANGES_H

#include "reply.h"

/* Frees what changes are made of. */
void reply_free_changes(limen_reply *reply);

#endif
