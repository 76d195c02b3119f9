/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints.h - adds hints to a request that may have some already.
 */
#ifndef LIMEN_PROGRAM_HINTS_H
#define LIMEN_PROGRAM_HINTS_H

#include <glib.h>
#include <limen/request.h>

/* A list of hints to set, with the names that it owns. */
typedef struct hint_list {
	GArray *hints;    /* limen_hint; the last one of a name wins */
	GPtrArray *names; /* owned names */
} hint_list;

/* Begins a list with the hints that 'req' has. */
hint_list *hints_start(const limen_request *req);

/* Adds a text or, if that is NULL, a value; 'name' is taken over. */
void hints_put(hint_list *list, char *name, const char *text, limen_value value);

/* Adds the members of 'object', which must outlive the list. */
void hints_put_all(hint_list *list, limen_value object);

/* Sets the hints of 'req' and frees the list.  Returns false if memory is short. */
bool hints_finish(hint_list *list, limen_request *req);

/* Adds the members of 'object'; they win over hints of the same name. */
bool hints_add(limen_request *req, limen_value object);

/*
 * Returns true if 'text' is "NAME=VALUE" in UTF-8 with a name.  Other arguments are usage
 * errors.
 */
bool hints_check(const char *text);

/* Adds 'texts', ended by NULL, that hints_check() accepted; the last one of a name wins. */
bool hints_add_texts(limen_request *req, char *const *texts);

#endif
