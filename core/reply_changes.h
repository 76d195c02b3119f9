/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIMEN_CORE_REPLY_CHANGES_H
#define LIMEN_CORE_REPLY_CHANGES_H

#include "reply_private.h"

/* Frees the documents that the values of changes live in. */
void reply_free_values(limen_reply *reply);

#endif
