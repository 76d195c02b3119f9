/* SPDX-License-Identifier: Apache-2.0 */
/*
 * imports.h - what a script that is not trusted may import.  libjq opens modules and
 * data (import "NAME" as $d) while it compiles, when the process of the script is not
 * closed yet: by a path of the script's own it would read files of the host.
 */
#ifndef LIMEN_SUPPORT_JQ_IMPORTS_H
#define LIMEN_SUPPORT_JQ_IMPORTS_H

#include "jq.h"

/*
 * Is every import one by a name below the directories of modules?  False with a
 * problem for each that is not.
 */
bool imports_check(const limen_transform *transform, limen_diag *diag);

#endif
