/* SPDX-License-Identifier: Apache-2.0 */
/* library.h - where scripts find what they import. */
#ifndef LIMEN_SUPPORT_JQ_LIBRARY_H
#define LIMEN_SUPPORT_JQ_LIBRARY_H

#include <jv.h>
#include <limen/host.h>

/* The directory of limen's own modules, or that of $LIMEN_JQ_PATH.  Static. */
const char *library_directory(void);

/* All directories, an array of strings: that one, then pScheduler's. */
jv library_path(void);

/*
 * Makes the modules that 'script' imports inputs of the instance, so that a
 * reload opens it afresh when one has changed.
 */
void library_watch(limen_opening *opening, const char *script);

#endif
