/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resource_table.h - the requests and limits of a pod or claim as they will be,
 * and where each of them comes from, as the decision says.
 */
#ifndef LIMEN_PROGRAM_RESOURCE_TABLE_H
#define LIMEN_PROGRAM_RESOURCE_TABLE_H

#include <limen/decision.h>
#include <limen/request.h>

/* Prints the table, or returns false if 'req' is about no pod or claim. */
bool resource_table_print(const limen_decision *decision, const limen_request *req);

#endif
