/* SPDX-License-Identifier: Apache-2.0 */
/*
 * controller.c - reads the controller of a Kubernetes object from its owner references.
 */
#include "controller.h"

#include <glib.h>
#include <limen/template.h>

char *
controller_name(const limen_request *req)
{
	limen_value object = limen_request_original(req);
	limen_value owner, kind, name;

	if (limen_request_subject(req) != LIMEN_SUBJECT_OBJECT)
		return NULL;
	if (limen_value_type(object) != LIMEN_TYPE_OBJECT)
		object = limen_request_old(req);
	owner = limen_object_controller(object);
	kind = limen_value_get(owner, "kind");
	name = limen_value_get(owner, "name");
	if (limen_value_type(kind) != LIMEN_TYPE_STRING ||
	    limen_value_type(name) != LIMEN_TYPE_STRING)
		return NULL;
	return g_strconcat(limen_value_string(kind, NULL), "/", limen_value_string(name, NULL),
	                   NULL);
}
