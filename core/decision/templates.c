/* SPDX-License-Identifier: Apache-2.0 */
/*
 * templates.c - finds the pod and claim templates of a workload, and the controller of an object.
 */
#include <limen/template.h>

limen_value
limen_object_controller(limen_value object)
{
	limen_value metadata = limen_value_get(object, "metadata");
	limen_iter iter = limen_iter_start(limen_value_get(metadata, "ownerReferences"));
	limen_value owner;

	while (limen_iter_next(&iter, NULL, &owner)) {
		bool controls = false;

		if (limen_value_bool(limen_value_get(owner, "controller"), &controls) && controls)
			return owner;
	}
	return limen_value_none();
}
