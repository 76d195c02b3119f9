/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resource_table.h - prints the effective requests and limits of a pod or claim, with the
 * origin of each value.
 */
#ifndef LIMEN_PROGRAM_RESOURCE_TABLE_H
#define LIMEN_PROGRAM_RESOURCE_TABLE_H

#include <limen/decision.h>
#include <limen/request.h>

/* Prints the table; returns false if 'req' is not about a pod or claim. */
bool resource_table_print(const limen_decision *decision, const limen_request *req);

/* Returns true if that table shows what is at 'pointer', an RFC 6901 pointer into the object. */
bool resource_table_shows(const char *pointer);

#endif
