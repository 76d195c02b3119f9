/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range_table.h - prints LimitRanges as "kubectl get" and "kubectl describe" do.
 */
#ifndef LIMEN_PROGRAM_RANGE_TABLE_H
#define LIMEN_PROGRAM_RANGE_TABLE_H

#include "policy/ranges.h"

/* Prints one LimitRange: its name, its namespace and its table. */
void range_table_print(limen_value range);

/* Prints the part of "kubectl describe namespace" about the LimitRanges in 'found'. */
void range_table_print_namespace(const ranges *found);

/* Prints a line for each of 'found': its namespace, its name and when it was made. */
void range_table_print_names(const ranges *found);

#endif
