/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places.h - what can be told of the addresses and files of the options without
 * opening any of them, since a daemon that runs may have them open.
 */
#ifndef LIMEND_PLACES_H
#define LIMEND_PLACES_H

#include "options.h"

/*
 * Returns NULL, or why limend could not start with these, to g_free().  Who may write to
 * a directory is not looked at: another user may ask than the one of the daemon.
 */
char *places_check(const limend_options *options);

/* Says that other machines reach the address in the clear, to g_free(). */
char *places_in_the_clear(const char *shown);

#endif
