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
 * The beginning of a prelude.  A variable keeps the private data, so that the functions
 * work on any input, not only on the task.  classifiers_has() compares whole names;
 * pScheduler's contains() accepts any part of a name.
 */
#define PRIVATE_DATA_PRELUDE(key)                                                       \
	"." key " as $" key " | "                                                       \
	"def classifiers: $" key ".classifiers; "                                       \
	"def classifiers_has($v): any($" key ".classifiers[]; . == $v); "               \
	"def hint($n): $" key ".hints[$n]; "

/*
 * Fields that pScheduler's examples read but no task has, and functions that differ
 * from pScheduler's.  "limen validate" notes them.
 */
extern const jq_stranger private_data_strangers[];

/*
 * Returns 'task' (consumed) with {classifiers, 'name': 'value', diags: [], hints}, in
 * pScheduler's order, as its member 'key', or an invalid value with a message if it is not an
 * object.  'value' is a number or a boolean, which need not be freed.
 */
jv private_data_add(jv task, const char *key, const limen_request *req, const char *name, jv value);

/*
 * Removes the private data from '*result', an object, and returns it: an
 * object, or invalid if the script lost or replaced it.
 */
jv private_data_take(jv *result, const char *key);

/*
 * Calls 'take' with the text of each message in 'data' (borrowed).  Returns false if
 * the script replaced the messages by something else.
 */
bool private_data_messages(jv data, limen_reply *reply,
                           void (*take)(limen_reply *reply, const char *message));

#endif
