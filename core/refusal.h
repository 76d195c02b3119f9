/* SPDX-License-Identifier: Apache-2.0 */
/*
 * refusal.h - from the violations of one admission entry to the code, the
 * reason and the details of a refusal.
 */
#ifndef LIMEN_CORE_REFUSAL_H
#define LIMEN_CORE_REFUSAL_H

#include "pipeline.h"

/*
 * Refuses the request because 'name' found 'violations', which become the
 * decision's.  Unless it is 'certain' that the entry applies, the code is 500.
 * False when memory is short.
 */
bool refusal_make(pipeline *run, const char *name, const text_list *violations, bool certain);

#endif
