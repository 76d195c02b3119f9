/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places.h - checks the addresses and files of the options without opening any of them, since
 * a running daemon may have them open.
 */
#ifndef LIMEND_PLACES_H
#define LIMEND_PLACES_H

#include "options.h"

/*
 * Returns NULL, or why limend could not start with these options, to g_free().  Permissions are
 * not checked: --check may run as another user than the daemon.
 */
char *places_check(const limend_options *options);

/* Returns the message that other machines reach an address without TLS, to g_free(). */
char *places_in_the_clear(const char *shown);

#endif
