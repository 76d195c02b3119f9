/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIMEN_CORE_DECISION_HINTS_H
#define LIMEN_CORE_DECISION_HINTS_H

#include <limen/value.h>

#include "decision_state.h"

/* Adds the "Hints:" block of the diagnostics, if they are wanted and there are hints. */
void hints_write(limen_decision *decision, limen_value hints);

#endif
