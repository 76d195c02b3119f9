/* SPDX-License-Identifier: Apache-2.0 */
/* library.h - where scripts find what they import. */
#ifndef LIMEN_SUPPORT_JQ_LIBRARY_H
#define LIMEN_SUPPORT_JQ_LIBRARY_H

#include <jv.h>

/* The directory of limen's own modules, or that of $LIMEN_JQ_PATH.  Static. */
const char *library_directory(void);

/* All directories, an array of strings: that one, then pScheduler's. */
jv library_path(void);

#endif
