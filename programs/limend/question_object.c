/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question_object.c - questions about Kubernetes objects: a manifest, and what the
 * sender says of the operation.
 */
#include <stdlib.h>
#include <string.h>

#include "../common/hints.h"
#include "../common/review.h"
#include "question.h"

/* Stores the text 'key', NULL if there is none; what is no text without a NUL is a fault. */
static bool
read_text(limen_value members, const char *key, const char **out, fault *why)
{
	limen_value member = question_member(members, key);
	size_t length = 0;
	const char *text = limen_value_string(member, &length);

	*out = text;
	if (!limen_value_exists(member) || (text != NULL && strlen(text) == length))
		return true;
	return fault_set(why, 400, "'%s' must be a string without a NUL", key);
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
set_operation(limen_value members, limen_request *req, fault *why)
{
	const char *text;

	if (!read_text(members, "operation", &text, why))
		return false;
	if (text == NULL)
		return true;
	if (!is_operation(text))
		return fault_set(why, 400,
		                 "'operation' must be CREATE, UPDATE, DELETE or CONNECT");
	return limen_request_set_field(req, LIMEN_FIELD_OPERATION, text) == LIMEN_OK &&
	                       limen_request_set_hint(req, "operation", text) == LIMEN_OK
	               ? true
	               : fault_memory(why);
}

static bool
set_user(limen_value members, limen_request *req, fault *why)
{
	const char *text;

	if (!read_text(members, "user", &text, why))
		return false;
	if (text == NULL)
		return true;
	return limen_request_set_field(req, LIMEN_FIELD_USER, text) == LIMEN_OK &&
	                       limen_request_set_hint(req, "user", text) == LIMEN_OK
	               ? true
	               : fault_memory(why);
}

static bool
set_groups(limen_value members, limen_request *req, fault *why)
{
	limen_value groups = question_member(members, "groups");
	limen_iter iter = limen_iter_start(groups);
	limen_value group;

	if (!limen_value_exists(groups))
		return true;
	if (limen_value_type(groups) != LIMEN_TYPE_ARRAY)
		return fault_set(why, 400, "'groups' must be an array of strings");
	while (limen_iter_next(&iter, NULL, &group)) {
		size_t length = 0;
		const char *name = limen_value_string(group, &length);

		if (name == NULL || strlen(name) != length)
			return fault_set(why, 400, "'groups' must be an array of strings");
		if (limen_request_add_group(req, name) != LIMEN_OK)
			return fault_memory(why);
	}
	return hints_add_list(req, "groups", groups) ? true : fault_memory(why);
}

static bool
set_old(limen_value old, limen_request *req, fault *why)
{
	size_t length = 0;
	char *text;
	bool good;

	if (!limen_value_exists(old))
		return true;
	if (limen_value_type(old) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "'oldObject' must be an object");
	text = limen_value_print(old, 0, &length);
	good = text != NULL && limen_request_parse_old(req, text, length, NULL) == LIMEN_OK;
	free(text);
	return good ? true : fault_memory(why);
}

/* What the manifest calls itself; what is no text there is for admission entries to refuse. */
static const char *
find_text(limen_value object, const char *key)
{
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(object, key), &length);

	return text != NULL && strlen(text) == length ? text : NULL;
}

/* The document is set: gives the request the names of 'shown', the object or the old one. */
static bool
describe(limen_value members, limen_value shown, limen_request *req, fault *why)
{
	limen_value metadata = limen_value_get(shown, "metadata");
	const char *own = find_text(metadata, "namespace");
	const char *given;
	review_identity identity = {
		.api = find_text(shown, "apiVersion"),
		.kind = find_text(shown, "kind"),
		.name = find_text(metadata, "name"),
		.prefix = find_text(metadata, "generateName"),
	};

	if (!read_text(members, "namespace", &given, why))
		return false;
	identity.namespace = own == NULL || own[0] == '\0' ? given : own;
	return review_describe(req, &identity) ? true : fault_memory(why);
}

static bool
set_object(limen_value object, limen_request *req, fault *why)
{
	if (!limen_value_exists(object))
		return true;
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		return fault_set(why, 400, "'object' must be an object");
	if (review_is(object))
		return fault_set(why, 400,
		                 "An AdmissionReview goes to /admission/mutate and "
		                 "/admission/validate");
	return limen_request_set_document(req, object) == LIMEN_OK ? true : fault_memory(why);
}

bool
question_read_object(limen_value members, limen_request **out, fault *why)
{
	limen_value object = question_member(members, "object");
	limen_value old = question_member(members, "oldObject");
	limen_value shown = limen_value_exists(object) ? object : old;

	*out = limen_request_new(LIMEN_OBJECT);
	if (*out == NULL)
		return fault_memory(why);
	limen_request_set_manifest(*out, true);
	return set_object(object, *out, why) && set_old(old, *out, why) &&
	       describe(members, shown, *out, why) && set_operation(members, *out, why) &&
	       set_user(members, *out, why) && set_groups(members, *out, why);
}
