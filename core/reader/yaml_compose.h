/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_compose.h - converts the tree of one YAML document to a document, replacing
 * aliases and merge keys by copies of the nodes they refer to.
 */
#ifndef LIMEN_CORE_READER_YAML_COMPOSE_H
#define LIMEN_CORE_READER_YAML_COMPOSE_H

#include "yaml_reader.h"
#include "yaml_tree.h"

/*
 * Makes a document of a tree that was read without problems.  Returns NULL
 * after a problem, which the reader has counted.
 */
document *yaml_compose(yaml_reader *reader, const yaml_tree *tree);

#endif
