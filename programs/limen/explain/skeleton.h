/* SPDX-License-Identifier: Apache-2.0 */
/*
 * skeleton.h - the files of the examples in docs/examples/modules, which "limen
 * new-module" copies under another name.  The table is made when limen is built.
 */
#ifndef LIMEN_PROGRAM_SKELETON_H
#define LIMEN_PROGRAM_SKELETON_H

#include <stddef.h>

typedef struct skeleton_file {
	const char *kind;         /* "limit"; NULL ends the table */
	const char *type;         /* what the example is called, in its files' names too */
	const char *name;         /* of the file */
	const char *const *lines; /* without newlines; ended by NULL */
} skeleton_file;

extern const skeleton_file skeleton_files[];

#endif
