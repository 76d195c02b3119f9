/* SPDX-License-Identifier: Apache-2.0 */
/*
 * controller.c - reads the controller of a Kubernetes object from its owner references.
 */
#include "controller.h"

#include <glib.h>
#include <limen/template.h>

char *
controller_name(limen_value object)
{
	limen_value owner = limen_object_controller(object);
	const char *kind = limen_value_string(limen_value_get(owner, "kind"), NULL);
	const char *name = limen_value_string(limen_value_get(owner, "name"), NULL);

	return kind == NULL || name == NULL ? NULL : g_strconcat(kind, "/", name, NULL);
}

char *
controller_of_request(const limen_request *req)
{
	limen_value object = limen_request_original(req);

	if (limen_request_subject(req) != LIMEN_SUBJECT_OBJECT)
		return NULL;
	return controller_name(limen_value_type(object) == LIMEN_TYPE_OBJECT
	                               ? object
	                               : limen_request_old(req));
}
