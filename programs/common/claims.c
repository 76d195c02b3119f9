/* SPDX-License-Identifier: Apache-2.0 */
/*
 * claims.c - reads "operation", "user", "groups" and "oldObject", validates them and sets them
 * on the request.  The first three are set as hints, too.
 */
#include "claims.h"

#include <string.h>

#include "hints.h"
#include "plain_text.h"
#include "print.h"

limen_value
claims_member(limen_value members, const char *key)
{
	limen_value member = limen_value_get(members, key);

	return limen_value_type(member) == LIMEN_TYPE_NULL ? limen_value_none() : member;
}

bool
claims_refuse(char **why, const char *text)
{
	*why = g_strdup(text);
	return false;
}

const char *
claims_first(limen_value members)
{
	static const char *const names[] = { "operation", "user", "groups", "oldObject" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
		if (limen_value_exists(claims_member(members, names[i])))
			return names[i];
	return NULL;
}

/* Stores the text 'member' in '*out', NULL if it is absent or null. */
static bool
read_text(limen_value member, const char *key, const char **out, char **why)
{
	if (plain_text(member, out))
		return true;
	*why = print_text("'%s' must be a string without a NUL", key);
	return false;
}

bool
claims_text(limen_value members, const char *key, const char **out, char **why)
{
	return read_text(claims_member(members, key), key, out, why);
}

bool
claims_is_operation(const char *text)
{
	static const char *const words[] = { "CREATE", "UPDATE", "DELETE", "CONNECT" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

/* Sets a field and the hint of the same meaning.  Returns false if memory is short. */
static bool
set_text(limen_request *req, limen_field field, const char *hint, const char *text)
{
	return text == NULL || (limen_request_set_field(req, field, text) == LIMEN_OK &&
	                        limen_request_set_hint(req, hint, text) == LIMEN_OK);
}

static bool
set_groups(limen_value groups, limen_request *req, char **why)
{
	limen_iter iter = limen_iter_start(groups);
	hint_list *hints;
	limen_value group;

	if (!limen_value_exists(groups))
		return true;
	if (limen_value_type(groups) != LIMEN_TYPE_ARRAY)
		return claims_refuse(why, "'groups' must be an array of strings");
	while (limen_iter_next(&iter, NULL, &group)) {
		size_t length = 0;
		const char *name = limen_value_string(group, &length);

		if (name == NULL || strlen(name) != length)
			return claims_refuse(why, "'groups' must be an array of strings");
		if (limen_request_add_group(req, name) != LIMEN_OK)
			return false;
	}
	hints = hints_start(req);
	hints_put(hints, g_strdup("groups"), NULL, groups);
	return hints_finish(hints, req);
}

static bool
set_old(limen_value old, limen_request *req, char **why)
{
	if (!limen_value_exists(old))
		return true;
	if (limen_value_type(old) != LIMEN_TYPE_OBJECT)
		return claims_refuse(why, "'oldObject' must be an object");
	return limen_request_set_old(req, old) == LIMEN_OK;
}

bool
claims_set(const claims *self, limen_request *req, char **why)
{
	const char *operation, *user;

	*why = NULL;
	if (!set_old(self->old, req, why) ||
	    !read_text(self->operation, "operation", &operation, why))
		return false;
	if (operation != NULL && !claims_is_operation(operation))
		return claims_refuse(why, "'operation' must be CREATE, UPDATE, DELETE or CONNECT");
	return set_text(req, LIMEN_FIELD_OPERATION, "operation", operation) &&
	       read_text(self->user, "user", &user, why) &&
	       set_text(req, LIMEN_FIELD_USER, "user", user) &&
	       set_groups(self->groups, req, why);
}

bool
claims_read(limen_value members, limen_request *req, char **why)
{
	const claims made = { .operation = claims_member(members, "operation"),
		              .user = claims_member(members, "user"),
		              .groups = claims_member(members, "groups"),
		              .old = claims_member(members, "oldObject") };

	return claims_set(&made, req, why);
}
