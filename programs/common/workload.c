/* SPDX-License-Identifier: Apache-2.0 */
/* workload.c - finds the Pods and PersistentVolumeClaims that a workload would make. */
#include "workload.h"

#include <glib.h>
#include <string.h>

#include "auto.h"

/* Longest object name in Kubernetes (IsDNS1123Subdomain() in apimachinery). */
#define NAME_MAX_BYTES 253

/* Returns the group of 'api' ("apps/v1"; "": the core group), to g_free(). */
static char *
api_group(const char *api)
{
	const char *slash = strchr(api, '/');

	return g_strndup(api, slash == NULL ? 0 : (size_t)(slash - api));
}

bool
workload_is_limited(const char *api, const char *kind)
{
	return g_strcmp0(api, "v1") == 0 && (g_strcmp0(kind, "Pod") == 0 ||
	                                     g_strcmp0(kind, "PersistentVolumeClaim") == 0);
}

bool
workload_is(limen_engine *engine, const char *api, const char *kind)
{
	g_autofree char *group = api_group(api);

	return limen_engine_each_template(engine, group, kind, limen_value_none(), NULL, NULL,
	                                  NULL) != LIMEN_ENOENT;
}

/* Returns the first object below 'value' that has a list of containers, or none. */
static limen_value
find_containers(limen_value value)
{
	limen_iter iter = limen_iter_start(value);
	limen_value list = limen_value_get(value, "containers");
	limen_value found = limen_value_none();
	limen_value member;

	if (limen_value_type(list) == LIMEN_TYPE_ARRAY &&
	    limen_value_type(limen_value_at(list, 0)) == LIMEN_TYPE_OBJECT)
		return value;
	while (!limen_value_exists(found) && limen_iter_next(&iter, NULL, &member))
		found = find_containers(member);
	return found;
}

char *
workload_like(limen_value object)
{
	limen_value found = find_containers(object);
	g_auto(heap_text) path = limen_value_exists(found) ? limen_value_field_path(found) : NULL;
	char *field = g_strdup(path);

	if (field != NULL && g_str_has_suffix(field, ".spec"))
		field[strlen(field) - strlen(".spec")] = '\0';
	return field;
}

/*
 * Limits the length of names: each object repeats the workload's name in its own name and in a
 * label, so a long name and many claims would use unbounded memory.
 */
static bool
check_names(limen_value metadata, limen_diag *diag)
{
	static const char *const keys[] = { "name", "generateName", "namespace" };

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		limen_value named = limen_value_get(metadata, keys[i]);
		size_t length = 0;

		if (limen_value_string(named, &length) == NULL || length <= NAME_MAX_BYTES)
			continue;
		return limen_diag_refuse(diag, named,
		                         "metadata.%s: must be no more than %d bytes, but has %zu",
		                         keys[i], NAME_MAX_BYTES, length);
	}
	return true;
}

void
workload_expand(limen_engine *engine, limen_value workload, const char *api, const char *kind,
                void (*each)(void *data, const limen_template *found), void *data, limen_diag *diag)
{
	g_autofree char *group = api_group(api);

	if (workload_is(engine, api, kind) &&
	    check_names(limen_value_get(workload, "metadata"), diag) &&
	    limen_engine_each_template(engine, group, kind, workload, each, data, diag) ==
	            LIMEN_ENOMEM)
		g_error("out of memory");
}
