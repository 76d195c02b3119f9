/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cleanup.h - things to free together, newest first: what options and policy
 * files leave behind outside an arena.
 */
#ifndef LIMEN_CORE_BASE_CLEANUP_H
#define LIMEN_CORE_BASE_CLEANUP_H

#include "arena.h"

typedef struct cleanup {
	arena arena; /* text and tables that live as long */
	struct cleanup_step *steps;
} cleanup;

#define CLEANUP_INIT { .arena = ARENA_INIT, .steps = NULL }

/*
 * Calls 'release' with 'pointer' when the list is run.  If memory is short it
 * is called at once and false returned.
 */
bool cleanup_push(cleanup *list, void (*release)(void *pointer), void *pointer);

/* Frees everything, the arena included; the list is empty after. */
void cleanup_run(cleanup *list);

#endif
