/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claims.h - reads the operation of a question about a Kubernetes object from its members
 * "operation", "user", "groups" and "oldObject".
 */
#ifndef LIMEN_PROGRAM_CLAIMS_H
#define LIMEN_PROGRAM_CLAIMS_H

#include <limen/request.h>

/* Returns member 'key', or none if it is null: both leave the default. */
limen_value claims_member(limen_value members, const char *key);

/* Stores a copy of 'text' in '*why' and returns false. */
bool claims_refuse(char **why, const char *text);

/* Returns true for CREATE, UPDATE, DELETE and CONNECT (admission.k8s.io/v1). */
bool claims_is_operation(const char *text);

/* Returns the name of the first of these members that is present and not null, or NULL. */
const char *claims_first(limen_value members);

/* The members of a question; an absent one leaves the request unchanged. */
typedef struct claims {
	limen_value operation;
	limen_value user;
	limen_value groups;
	limen_value old;
} claims;

/*
 * Sets the claims on 'req'.  Returns false with the reason in '*why' to g_free(), or with NULL
 * there when memory is short.
 */
bool claims_set(const claims *self, limen_request *req, char **why);

/* Calls claims_set() with the members of an object. */
bool claims_read(limen_value members, limen_request *req, char **why);

/*
 * Stores the text 'key', NULL if it is absent or null.  Refuses other types and texts with a
 * NUL, as claims_read() does.
 */
bool claims_text(limen_value members, const char *key, const char **out, char **why);

#endif
