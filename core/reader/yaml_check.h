/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_check.h - what can be said about one node of a YAML text as soon as it
 * was read: that it is wrong, or that it may not mean what its author thinks.
 */
#ifndef LIMEN_CORE_READER_YAML_CHECK_H
#define LIMEN_CORE_READER_YAML_CHECK_H

#include "yaml_reader.h"
#include "yaml_tree.h"

/* Reports about 'item'.  'scratch' is reset. */
void yaml_check(yaml_reader *reader, const yaml_node *item, arena *scratch);

#endif
