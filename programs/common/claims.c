/* SPDX-License-Identifier: Apache-2.0 */
#include "claims.h"

#include <stdlib.h>
#include <string.h>

#include "hints.h"
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

bool
claims_text(limen_value members, const char *key, const char **out, char **why)
{
	limen_value member = claims_member(members, key);
	size_t length = 0;
	const char *text = limen_value_string(member, &length);

	*out = text;
	if (!limen_value_exists(member) || (text != NULL && strlen(text) == length))
		return true;
	*why = print_text("'%s' must be a string without a NUL", key);
	return false;
}

/* The words of admission.k8s.io/v1, Operation. */
static bool
is_operation(const char *text)
{
	static const char *const words[] = { "CREATE", "UPDATE", "DELETE", "CONNECT" };

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

static bool
set_operation(limen_value members, limen_request *req, char **why)
{
	const char *text;

	if (!claims_text(members, "operation", &text, why))
		return false;
	if (text == NULL)
		return true;
	if (!is_operation(text))
		return claims_refuse(why, "'operation' must be CREATE, UPDATE, DELETE or CONNECT");
	return limen_request_set_field(req, LIMEN_FIELD_OPERATION, text) == LIMEN_OK &&
	       limen_request_set_hint(req, "operation", text) == LIMEN_OK;
}

static bool
set_user(limen_value members, limen_request *req, char **why)
{
	const char *text;

	if (!claims_text(members, "user", &text, why))
		return false;
	return text == NULL || (limen_request_set_field(req, LIMEN_FIELD_USER, text) == LIMEN_OK &&
	                        limen_request_set_hint(req, "user", text) == LIMEN_OK);
}

static bool
set_groups(limen_value members, limen_request *req, char **why)
{
	limen_value groups = claims_member(members, "groups");
	limen_iter iter = limen_iter_start(groups);
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
	return hints_add_list(req, "groups", groups);
}

static bool
set_old(limen_value members, limen_request *req, char **why)
{
	limen_value old = claims_member(members, "oldObject");
	size_t length = 0;
	char *text;
	bool good;

	if (!limen_value_exists(old))
		return true;
	if (limen_value_type(old) != LIMEN_TYPE_OBJECT)
		return claims_refuse(why, "'oldObject' must be an object");
	text = limen_value_print(old, 0, &length);
	good = text != NULL && limen_request_parse_old(req, text, length, NULL) == LIMEN_OK;
	free(text);
	return good;
}

bool
claims_read(limen_value members, limen_request *req, char **why)
{
	*why = NULL;
	return set_old(members, req, why) && set_operation(members, req, why) &&
	       set_user(members, req, why) && set_groups(members, req, why);
}
