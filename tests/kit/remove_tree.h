/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remove_tree.h - removes the directory of a test's server.
 */
#ifndef LIMEN_TEST_REMOVE_TREE_H
#define LIMEN_TEST_REMOVE_TREE_H

/* Removes the directory at 'path' with all that is in it; follows no link. */
void remove_tree(const char *path);

#endif
