/* SPDX-License-Identifier: Apache-2.0 */
/* builds.h - whether a script may make values whose parts are shared. */
#ifndef LIMEN_SUPPORT_JQ_BUILDS_H
#define LIMEN_SUPPORT_JQ_BUILDS_H

#include <stdbool.h>

/*
 * False: all that 'script' has to do with are parts of its input, arguments, and what
 * it says itself, each no larger than it is in memory.
 */
bool builds_values(const char *script);

#endif
