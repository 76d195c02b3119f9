/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opening.h - what a module's 'open' is given.  It lives on the stack of
 * instance.c for that one call.
 */
#ifndef LIMEN_CORE_OPENING_H
#define LIMEN_CORE_OPENING_H

#include "instance.h"

struct limen_opening {
	instance *instance;
	const instance_context *context;
	const instance *predecessor; /* may be NULL */
	const conf *files;
};

/* Reports that memory is short; returns LIMEN_ENOMEM. */
int opening_no_memory(limen_diag *diag);

/*
 * How much of the name of the file that holds 'data' is its directory, the slash
 * included: what relative paths in it are relative to.
 */
size_t opening_directory(limen_value data);

#endif
