/* SPDX-License-Identifier: Apache-2.0 */
/* unknown_key.h - keys that an object should not have, and what they may mean. */
#ifndef LIMEN_EVENTRATELIMIT_UNKNOWN_KEY_H
#define LIMEN_EVENTRATELIMIT_UNKNOWN_KEY_H

#include <limen/diag.h>

/*
 * Warns of each member of 'object' that is not among 'known' (ended by NULL), as
 * 'prefix' and its key: Kubernetes takes no notice of them.
 */
void unknown_key_warn(limen_value object, const char *const *known, const char *prefix,
                      limen_diag *diag);

/*
 * Makes each such member of element 'index' of the option 'list' a problem.  Returns
 * whether there is one.
 */
bool unknown_key_refuse(limen_value object, const char *const *known, const char *list,
                        size_t index, limen_diag *diag);

/* Gives the problem added last a hint if 'text' is close to one of 'known'. */
void unknown_key_hint(const char *text, const char *const *known, limen_diag *diag);

#endif
