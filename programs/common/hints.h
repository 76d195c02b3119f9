/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints.h - adds hints to a request that may have some already.
 */
#ifndef LIMEN_PROGRAM_HINTS_H
#define LIMEN_PROGRAM_HINTS_H

#include <glib.h>
#include <limen/request.h>

/* Adds the members of 'object'; they win over hints of the same name. */
bool hints_add(limen_request *req, limen_value object);

/* Makes an object that is written in JSON the hints, instead of those before. */
bool hints_set_json(limen_request *req, const GString *json);

/* Appends the members of 'object' to the JSON of an object that is not closed yet. */
void hints_append(GString *json, limen_value object);

/* Adds one hint whose value is the list 'values'. */
bool hints_add_list(limen_request *req, const char *name, limen_value values);

/*
 * Is 'text' "NAME=VALUE" in UTF-8 with a name?  Arguments that are not are wrong
 * usage.
 */
bool hints_check(const char *text);

/* Adds hints that hints_check() accepted, up to NULL; of one name the last counts. */
bool hints_add_texts(limen_request *req, char *const *texts);

#endif
