/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints.h - adds hints to a request that may have some already.
 */
#ifndef LIMEN_PROGRAM_HINTS_H
#define LIMEN_PROGRAM_HINTS_H

#include <glib.h>
#include <limen/request.h>

/* Hints to be, and texts that have to live as long. */
typedef struct hint_list {
	GArray *hints;    /* limen_hint; of several with one name the last counts */
	GPtrArray *names; /* that are owned */
} hint_list;

/* Begins a list with the hints that 'req' has. */
hint_list *hints_start(const limen_request *req);

/* Adds a text or, if that is NULL, a value; 'name' is taken over. */
void hints_put(hint_list *list, char *name, const char *text, limen_value value);

/* Adds the members of 'object', which has to live on. */
void hints_put_all(hint_list *list, limen_value object);

/* Makes them the hints of 'req', and frees the list.  False if memory is short. */
bool hints_finish(hint_list *list, limen_request *req);

/* Adds the members of 'object'; they win over hints of the same name. */
bool hints_add(limen_request *req, limen_value object);

/*
 * Is 'text' "NAME=VALUE" in UTF-8 with a name?  Arguments that are not are wrong
 * usage.
 */
bool hints_check(const char *text);

/* Adds hints that hints_check() accepted, up to NULL; of one name the last counts. */
bool hints_add_texts(limen_request *req, char *const *texts);

#endif
