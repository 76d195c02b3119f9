/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claims.h - what a question about a Kubernetes object says of the operation: its
 * members "operation", "user", "groups" and "oldObject".
 */
#ifndef LIMEN_PROGRAM_CLAIMS_H
#define LIMEN_PROGRAM_CLAIMS_H

#include <limen/request.h>

/* Returns member 'key', or none if it is null: both leave the default. */
limen_value claims_member(limen_value members, const char *key);

/* Stores a copy of 'text' in '*why' and returns false. */
bool claims_refuse(char **why, const char *text);

/* Is 'text' an operation of admission.k8s.io/v1: CREATE, UPDATE, DELETE or CONNECT? */
bool claims_is_operation(const char *text);

/* Returns the name of the first of these members that is there and not null, or NULL. */
const char *claims_first(limen_value members);

/* What is said; none: nothing is. */
typedef struct claims {
	limen_value operation;
	limen_value user;
	limen_value groups;
	limen_value old;
} claims;

/*
 * Gives 'req' what is said.  False with the reason in '*why' to g_free(), or NULL
 * there when memory is short.
 */
bool claims_set(const claims *self, limen_request *req, char **why);

/* The same of the members of an object. */
bool claims_read(limen_value members, limen_request *req, char **why);

/*
 * Stores the text 'key', NULL if it is absent or null; what is no text without a NUL
 * is refused as by claims_read().
 */
bool claims_text(limen_value members, const char *key, const char **out, char **why);

#endif
