/* SPDX-License-Identifier: Apache-2.0 */
/* changes.h - from what a script made of a task to changes of the task. */
#ifndef LIMEN_REWRITER_JQ_CHANGES_H
#define LIMEN_REWRITER_JQ_CHANGES_H

#include "../../support/jq/jq.h"

/*
 * Puts into the reply what has to change for the task of 'req' to become
 * 'after' (an object, consumed).  What the script left alone stays as it was
 * written, numbers included.  Returns false if that cannot be done: memory is
 * short, or 'after' holds what JSON has no words for.
 */
bool changes_write(const limen_request *req, jv after, limen_reply *reply);

#endif
