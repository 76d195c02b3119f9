/* SPDX-License-Identifier: Apache-2.0 */
/* verdict_name.h - the word for what a module said. */
#ifndef LIMEN_PROGRAM_VERDICT_NAME_H
#define LIMEN_PROGRAM_VERDICT_NAME_H

#include <limen/types.h>

/* As in the trace of a decision object; what is no verdict is an error. */
const char *verdict_name(limen_verdict verdict);

#endif
