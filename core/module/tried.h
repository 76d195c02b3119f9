/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tried.h - the files that a failed load tried to read.
 */
#ifndef LIMEN_CORE_MODULE_TRIED_H
#define LIMEN_CORE_MODULE_TRIED_H

#include "base/arena.h"

#include "instance.h"

typedef struct tried_inputs {
	arena memory;
	input *list;
	bool incomplete; /* memory was too short for one */
} tried_inputs;

void tried_clear(tried_inputs *tried);

/* Adds a copy of 'known' to 'tried', the tried_inputs of a load. */
void tried_add(void *tried, const input *known);

#endif
