/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_check.h - reports errors in one YAML node as soon as it is read, and values
 * that may not mean what their author thinks.
 */
#ifndef LIMEN_CORE_READER_YAML_CHECK_H
#define LIMEN_CORE_READER_YAML_CHECK_H

#include "yaml_reader.h"
#include "yaml_tree.h"

/* Reports about 'item'.  'scratch' is reset. */
void yaml_check(yaml_reader *reader, const yaml_node *item, arena *scratch);

#endif
