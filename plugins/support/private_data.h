/* SPDX-License-Identifier: Apache-2.0 */
/*
 * private_data.h - the pair that pScheduler's rewriter and prioritizer add to
 * the task a script works on (limits.rst, "Task Rewriting", "The Priority
 * Script"), and the functions that both offer.
 */
#ifndef LIMEN_SUPPORT_PRIVATE_DATA_H
#define LIMEN_SUPPORT_PRIVATE_DATA_H

#include "jq/jq.h"

/*
 * The beginning of a prelude.  What does not change is kept in a variable, so
 * that these functions work wherever they are called, not only on the task.
 * Equality, where pScheduler's contains() takes any part of a name.
 */
#define PRIVATE_DATA_PRELUDE(key)                                                       \
	"." key " as $" key " | "                                                       \
	"def classifiers: $" key ".classifiers; "                                       \
	"def classifiers_has($v): any($" key ".classifiers[]; . == $v); "               \
	"def hint($n): $" key ".hints[$n]; "

/*
 * What pScheduler's own examples look for in a task, and what means something
 * else to it, for "limen validate".
 */
extern const jq_stranger private_data_strangers[];

/* {classifiers, 'name': 'value' (consumed), diags: [], hints}, in pScheduler's order. */
jv private_data_new(const limen_request *req, const char *name, jv value);

/*
 * Removes the private data from '*result', an object, and returns it: an
 * object, or invalid if the script lost or replaced it.
 */
jv private_data_take(jv *result, const char *key);

/*
 * Hands the text of each message in 'data' (borrowed) to 'take'.  Returns false
 * if the script made something else of them.
 */
bool private_data_messages(jv data, limen_reply *reply,
                           void (*take)(limen_reply *reply, const char *message));

#endif
