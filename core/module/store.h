/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store.h - connects modules that take tokens with the store modules that keep
 * them: it records which instance holds which table.
 *
 * A module sees a limen_store (a store instance) and limen_tables in it.  A
 * table keeps its store alive.
 */
#ifndef LIMEN_CORE_MODULE_STORE_H
#define LIMEN_CORE_MODULE_STORE_H

#include <stdatomic.h>

#include "instance.h"

/* The store that exists even if the policy does not declare it. */
#define STORE_DEFAULT "default"
#define STORE_MEMORY "memory" /* its type */

struct limen_store {
	instance *instance;
};

struct limen_table {
	limen_table *next; /* among those of the instance that opened it */
	limen_table_spec spec;
	const char *entry; /* the name of that */
	limen_store *store;
	void *table; /* the store module's */
	_Atomic(void *) rehearsal; /* another one, for takes that are rehearsed; NULL: none */
};

/* An option of an instance named this store; the store is kept alive. */
typedef struct store_use {
	struct store_use *next;
	const char *name; /* NULL: the default */
	limen_store *store;
} store_use;

/* Notes that 'inst' uses 'store'; false when memory is short. */
bool store_use_add(instance *inst, const char *name, limen_store *store);

/* The name of the table for rehearsed takes begins with this. */
#define STORE_REHEARSAL "rehearsal/"

/*
 * Opens a second table beside each of 'inst', unless it has one: rehearsed takes count in it.
 * Other threads may use 'inst' meanwhile.  Reports problems.
 */
void store_rehearse(instance *inst, const instance_context *context);

/* Closes the tables of 'inst' and lets go of its stores. */
void store_close_tables(instance *inst);

/* Makes the store of 'inst', so that tables can be opened in it; reports a memory shortage. */
bool store_publish(instance *inst, limen_diag *diag);

#endif
