/* SPDX-License-Identifier: Apache-2.0 */
/* unknown_key.h - finds keys of an object that no module reads: a misspelt key loosens a policy. */
#ifndef LIMEN_PLUGINS_SUPPORT_UNKNOWN_KEY_H
#define LIMEN_PLUGINS_SUPPORT_UNKNOWN_KEY_H

#include <limen/diag.h>
#include <limen/value.h>

/* Stores the next key that is not in 'known', and its member (may be NULL). */
bool unknown_key_next(limen_iter *iter, const char *const *known, limen_value *key,
                      limen_value *member);

/* Adds a hint with the word of 'known' that 'text' may mean, in 'quote' marks, if there is one. */
void unknown_key_hint(const char *text, const char *const *known, char quote, limen_diag *diag);

#endif
