/* SPDX-License-Identifier: Apache-2.0 */
/* suggest_limits.h - "limen suggest limits": LimitRanges that fit what is there. */
#ifndef LIMEN_PROGRAM_SUGGEST_LIMITS_H
#define LIMEN_PROGRAM_SUGGEST_LIMITS_H

#include "cli/command.h"

extern const command suggest_limits_command;

#endif
