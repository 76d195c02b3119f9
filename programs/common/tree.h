/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - lets a program of the build tree find the modules and jq files of its tree.
 */
#ifndef LIMEN_PROGRAM_TREE_H
#define LIMEN_PROGRAM_TREE_H

/*
 * Makes the modules, the jq library and the jq sandbox of the build tree the defaults of this
 * process: the environment still comes first.  Does nothing in a program that is installed,
 * which has no path of a build tree compiled in.  Call it before threads start.
 */
void tree_prepare(void);

#endif
