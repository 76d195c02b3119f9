/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIMEN_CORE_REPLY_CHANGES_H
#define LIMEN_CORE_REPLY_CHANGES_H

#include "reply_private.h"

/* Frees what changes are made of. */
void reply_free_changes(limen_reply *reply);

#endif
