/* SPDX-License-Identifier: Apache-2.0 */
#include "remove_tree.h"

#include <ftw.h>
#include <stdio.h>

#define DESCRIPTORS 8

static int
remove_one(const char *path, const struct stat *info, int type, struct FTW *where)
{
	(void)info;
	(void)type;
	(void)where;
	return remove(path);
}

void
remove_tree(const char *path)
{
	nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}
