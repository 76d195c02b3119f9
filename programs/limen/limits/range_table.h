/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range_table.h - prints LimitRanges as "kubectl describe" does.
 */
#ifndef LIMEN_PROGRAM_RANGE_TABLE_H
#define LIMEN_PROGRAM_RANGE_TABLE_H

#include <limen/value.h>

#include "policy/ranges.h"

/* Prints one LimitRange: its name, its namespace and its table. */
void range_table_print(limen_value range);

/* Prints the part of "kubectl describe namespace" about the LimitRanges in 'of'. */
void range_table_print_namespace(const ranges *of);

#endif
