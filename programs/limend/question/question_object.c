/* SPDX-License-Identifier: Apache-2.0 */
/*
 * question_object.c - reads questions about Kubernetes objects: a manifest, and the operation
 * that the sender claims.
 */
#include <string.h>

#include "../common/claims.h"
#include "../common/plain_text.h"
#include "../common/review.h"
#include "question.h"

/* Returns a text member, or NULL if it is none; admission entries refuse such manifests. */
static const char *
find_text(limen_value object, const char *key)
{
	const char *text;

	plain_text(limen_value_get(object, key), &text);
	return text;
}

/* Sets kind, name and namespace of the request from 'shown', the object or the old object. */
static bool
describe(limen_value members, limen_value shown, limen_request *req, fault *why)
{
	limen_value metadata = limen_value_get(shown, "metadata");
	const char *own = find_text(metadata, "namespace");
	const char *given;
	char *reason = NULL;
	review_identity identity = {
		.api = find_text(shown, "apiVersion"),
		.kind = find_text(shown, "kind"),
		.name = find_text(metadata, "name"),
		.prefix = find_text(metadata, "generateName"),
	};

	if (!claims_text(members, "namespace", &given, &reason))
		return question_refuse(reason, why);
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
	limen_value object = question_subject(members, "object");
	limen_value old = claims_member(members, "oldObject");
	limen_value shown = limen_value_exists(object) ? object : old;
	char *reason = NULL;

	*out = limen_request_new(LIMEN_OBJECT);
	if (*out == NULL)
		return fault_memory(why);
	limen_request_set_manifest(*out, true);
	if (!set_object(object, *out, why) || !describe(members, shown, *out, why))
		return false;
	return claims_read(members, *out, &reason) ? true : question_refuse(reason, why);
}
