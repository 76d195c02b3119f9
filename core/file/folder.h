/* SPDX-License-Identifier: Apache-2.0 */
/*
 * folder.h - lists the policy files of a directory: regular files (links are
 * followed) whose names end in .conf, .json, .yaml or .yml and begin with
 * neither "." nor "#".
 */
#ifndef LIMEN_CORE_FILE_FOLDER_H
#define LIMEN_CORE_FILE_FOLDER_H

#include <limen/diag.h>

typedef struct folder {
	char **paths; /* in byte order of the names */
	size_t count;
} folder;

/*
 * Lists the policy files of 'directory', and adds a note for every other one.
 * Returns LIMEN_OK, LIMEN_EIO with errno set, or LIMEN_ENOMEM; folder_free() is
 * due only after LIMEN_OK.
 */
int folder_list(const char *directory, folder *out, limen_diag *diag);
void folder_free(folder *list);

/* Tells lists of other files apart. */
uint64_t folder_hash(const folder *list);

bool folder_is(const char *path);

#endif
