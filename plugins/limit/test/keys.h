/* SPDX-License-Identifier: Apache-2.0 */
/*
 * keys.h - the parameters that the limits of pScheduler's own tests knew.
 *
 * Nothing is refused for not being here: tests and their parameters come and
 * go, and every parameter is checked by its shape.  The table only finds
 * limits that can never mean what they say.
 */
#ifndef LIMEN_TEST_KEYS_H
#define LIMEN_TEST_KEYS_H

#include "parameter.h"

/*
 * Adds a warning at 'where' if 'test' is known and its parameter is of another
 * type than 'param' compares, or if the key looks like a misspelt known one.
 */
void keys_check(const char *test, const parameter *param, limen_value where, limen_diag *diag);

#endif
