/* SPDX-License-Identifier: Apache-2.0 */
/*
 * resource_table.c - prints a row for each container or claim and resource.  Takes values from the
 * rewritten object, if any, and labels each with its origin; values without a known origin are
 * "given".
 */
#include "resource_table.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "cli/columns.h"
#include "common/json_out.h"

/* Longest quantity shown; longer ones are cut. */
#define QUANTITY_MAX 24

/* The columns with values, and the members they come from. */
static const char *const sides[] = { "requests", "limits" };

typedef struct table {
	columns text;
	GHashTable *origins; /* from JSON pointer to the origin in the decision */
} table;

static GHashTable *
collect_origins(const limen_decision *decision)
{
	GHashTable *origins = g_hash_table_new(g_str_hash, g_str_equal);
	const limen_origin *origin = limen_decision_origin(decision, 0);

	for (size_t i = 1; origin != NULL; i++) {
		g_hash_table_insert(origins, (gpointer)origin->pointer, (gpointer)origin->text);
		origin = limen_decision_origin(decision, i);
	}
	return origins;
}

static char *
quantity_text(limen_value value)
{
	size_t length = 0;
	const char *text = limen_value_string(value, NULL);
	const char *number = limen_value_number(value, &length);
	g_autofree char *quantity = text != NULL     ? g_strdup(text)
	                            : number != NULL ? g_strndup(number, length)
	                                             : g_strdup("?");
	g_autofree char *cut = NULL;

	if (g_utf8_strlen(quantity, -1) <= QUANTITY_MAX)
		return g_steal_pointer(&quantity);
	cut = g_utf8_substring(quantity, 0, QUANTITY_MAX - 3);
	return g_strconcat(cut, "...", NULL);
}

static void
add_value(table *to, const row *from, size_t side, const char *pointer)
{
	g_autoptr(GString) place = g_string_new(pointer);
	g_autofree char *text = NULL;
	const char *origin;

	if (!limen_value_exists(from->values[side])) {
		columns_add(&to->text, NULL);
		return;
	}
	text = quantity_text(from->values[side]);
	g_string_append_printf(place, "/resources/%s", sides[side]);
	json_pointer_step(place, from->name, strlen(from->name));
	origin = g_hash_table_lookup(to->origins, place->str);
	columns_take(&to->text,
	             g_strdup_printf("%s (%s)", text, origin == NULL ? "given" : origin));
}

static void
add_resources(table *to, const char *label, limen_value holder, const char *pointer)
{
	g_autoptr(GArray) found = rows_collect(limen_value_get(holder, "resources"), sides,
	                             G_N_ELEMENTS(sides));

	for (guint i = 0; i < found->len; i++) {
		const row *item = &g_array_index(found, row, i);

		columns_add(&to->text, i == 0 ? label : "");
		columns_add(&to->text, item->name);
		for (size_t side = 0; side < G_N_ELEMENTS(sides); side++)
			add_value(to, item, side, pointer);
	}
	if (found->len == 0)
		columns_add_row(&to->text, (const char *const[]){ label, NULL, NULL, NULL });
}

static char *
container_label(limen_value container, bool init, size_t index)
{
	const char *name = limen_value_string(limen_value_get(container, "name"), NULL);
	bool sidecar = limen_value_is(limen_value_get(container, "restartPolicy"), "Always");
	const char *kind = !init ? "" : sidecar ? " (sidecar)" : " (init)";

	return name == NULL ? g_strdup_printf("number %zu%s", index, kind)
	                    : g_strconcat(name, kind, NULL);
}

static void
add_containers(table *to, limen_value spec, const char *key)
{
	bool init = strcmp(key, "initContainers") == 0;
	limen_value list = limen_value_get(spec, key);
	limen_iter iter = limen_iter_start(list);
	limen_value container;

	if (limen_value_type(list) != LIMEN_TYPE_ARRAY)
		return;
	for (size_t i = 0; limen_iter_next(&iter, NULL, &container); i++) {
		g_autofree char *label = container_label(container, init, i);
		g_autofree char *pointer = g_strdup_printf("/spec/%s/%zu", key, i);

		add_resources(to, label, container, pointer);
	}
}

/* Returns "Pod", "PersistentVolumeClaim", or NULL for other objects. */
static const char *
find_kind(const limen_request *req)
{
	static const char *const kinds[] = { "Pod", "PersistentVolumeClaim" };
	const char *group = limen_request_field(req, LIMEN_FIELD_GROUP);
	const char *kind = limen_request_field(req, LIMEN_FIELD_KIND);

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++)
		if (kind != NULL && (group == NULL || group[0] == '\0') &&
		    strcmp(kind, kinds[i]) == 0)
			return kinds[i];
	return NULL;
}

bool
resource_table_print(const limen_decision *decision, const limen_request *req)
{
	limen_value changed = limen_decision_rewritten(decision);
	limen_value document = limen_value_exists(changed) ? changed
	                                                   : limen_request_document(req);
	limen_value spec = limen_value_get(document, "spec");
	const char *kind = find_kind(req);
	bool pod = kind != NULL && strcmp(kind, "Pod") == 0;
	table shown;

	if (kind == NULL || limen_value_type(spec) != LIMEN_TYPE_OBJECT)
		return false;
	columns_start(&shown.text, 4);
	shown.origins = collect_origins(decision);
	columns_add_row(&shown.text, (const char *const[]){ pod ? "Container" : "Claim", "Resource",
	                                                   "Request", "Limit" });
	add_containers(&shown, spec, "containers");
	add_containers(&shown, spec, "initContainers");
	if (!pod || limen_value_exists(limen_value_get(spec, "resources")))
		add_resources(&shown, pod ? "(the pod)" : "(the claim)", spec, "/spec");
	columns_print(&shown.text);
	g_hash_table_unref(shown.origins);
	return true;
}

bool
resource_table_shows(const char *pointer)
{
	return g_regex_match_simple("^/spec(/(containers|initContainers)/[0-9]+)?/resources"
	                            "(/(requests|limits)(/|$)|$)", pointer, 0, 0);
}
