/* SPDX-License-Identifier: Apache-2.0 */
/* verdict_name.h - names the verdict of a module. */
#ifndef LIMEN_PROGRAM_VERDICT_NAME_H
#define LIMEN_PROGRAM_VERDICT_NAME_H

#include <limen/types.h>

/* Returns the word used in the trace of a decision object; an unknown verdict is "error". */
const char *verdict_name(limen_verdict verdict);

#endif
