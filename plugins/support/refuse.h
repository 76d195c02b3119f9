/* SPDX-License-Identifier: Apache-2.0 */
/* refuse.h - reports what is wrong with a configuration to a reader, which goes on. */
#ifndef LIMEN_REFUSE_H
#define LIMEN_REFUSE_H

#include <limen/diag.h>

/* Adds a problem to the 'diag' of a reader, and makes its 'result' a failure. */
#define REFUSE(reader, where, ...) \
	((reader)->result = (reader)->result == LIMEN_OK ? LIMEN_ECONFIG : (reader)->result, \
	 (void)limen_diag_refuse((reader)->diag, where, __VA_ARGS__))

#endif
