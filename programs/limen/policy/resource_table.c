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

/* The longest quantity that is shown; longer ones are cut. */
#define QUANTITY_MAX 24

/* The columns that hold values, and the lists they are from. */
static const char *const sides[] = { "requests", "limits" };

typedef struct table {
	columns text;
	GHashTable *origins; /* pointers and what the decision says of them */
} table;

static GHashTable *
collect_origins(const limen_decision *decision)
{
	GHashTable *origins = g_hash_table_new(g_str_hash, g_str_equal);
	const limen_origin *one = limen_decision_origin(decision, 0);

	for (size_t i = 1; one != NULL; i++) {
		g_hash_table_insert(origins, (gpointer)one->pointer, (gpointer)one->text);
		one = limen_decision_origin(decision, i);
	}
	return origins;
}

static char *
quantity_text(limen_value value)
{
	size_t length = 0;
	const char *text = limen_value_string(value, NULL);
	char *made;

	if (text != NULL) {
		made = g_strdup(text);
	} else {
		text = limen_value_number(value, &length);
		made = text == NULL ? g_strdup("?") : g_strndup(text, length);
	}
	if (g_utf8_strlen(made, -1) > QUANTITY_MAX) {
		char *cut = g_utf8_substring(made, 0, QUANTITY_MAX - 3);

		g_free(made);
		made = g_strconcat(cut, "...", NULL);
		g_free(cut);
	}
	return made;
}

/* A quantity of one of the lists. */
typedef struct entry {
	const char *name;
	size_t side;
	limen_value value;
} entry;

static void
add_value(table *to, const entry *from, const char *pointer)
{
	GString *place = g_string_new(pointer);
	const char *origin;
	char *text = quantity_text(from->value);

	g_string_append_printf(place, "/resources/%s", sides[from->side]);
	json_pointer_step(place, from->name, strlen(from->name));
	origin = g_hash_table_lookup(to->origins, place->str);
	columns_take(&to->text,
	             g_strdup_printf("%s (%s)", text, origin == NULL ? "given" : origin));
	g_free(text);
	g_string_free(place, TRUE);
}

static int
compare_entries(gconstpointer a, gconstpointer b)
{
	const entry *one = a, *other = b;
	int order = strcmp(one->name, other->name);

	return order != 0 ? order : (int)one->side - (int)other->side;
}

/* What is in both lists, by names in byte order: of a name, the request is first. */
static GArray *
collect_entries(limen_value resources)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(entry));

	for (size_t side = 0; side < G_N_ELEMENTS(sides); side++) {
		limen_value list = limen_value_get(resources, sides[side]);
		limen_iter iter = limen_iter_start(list);
		limen_value key, value;

		if (limen_value_type(list) != LIMEN_TYPE_OBJECT)
			continue;
		while (limen_iter_next(&iter, &key, &value)) {
			entry one = { limen_value_string(key, NULL), side, value };

			g_array_append_val(found, one);
		}
	}
	g_array_sort(found, compare_entries);
	return found;
}

/* Adds the row of the first of the 'count' entries; returns how many are in it. */
static guint
add_row(table *to, const char *label, const entry *entries, guint count, const char *pointer)
{
	guint used = 0;

	columns_add(&to->text, label);
	columns_add(&to->text, entries[0].name);
	for (size_t side = 0; side < G_N_ELEMENTS(sides); side++)
		if (used < count && entries[used].side == side &&
		    strcmp(entries[used].name, entries[0].name) == 0)
			add_value(to, &entries[used++], pointer);
		else
			columns_add(&to->text, NULL);
	return used;
}

static void
add_resources(table *to, const char *label, limen_value holder, const char *pointer)
{
	GArray *found = collect_entries(limen_value_get(holder, "resources"));
	guint at = 0;

	while (at < found->len)
		at += add_row(to, at == 0 ? label : "", &g_array_index(found, entry, at),
		              found->len - at, pointer);
	if (found->len == 0)
		columns_add_row(&to->text, (const char *const[]){ label, NULL, NULL, NULL });
	g_array_unref(found);
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
	size_t index = 0;

	if (limen_value_type(list) != LIMEN_TYPE_ARRAY)
		return;
	while (limen_iter_next(&iter, NULL, &container)) {
		char *label = container_label(container, init, index);
		char *pointer = g_strdup_printf("/spec/%s/%zu", key, index);

		add_resources(to, label, container, pointer);
		g_free(pointer);
		g_free(label);
		index++;
	}
}

/* "Pod", "PersistentVolumeClaim", or NULL for what has no table. */
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
	table made;

	if (kind == NULL || limen_value_type(spec) != LIMEN_TYPE_OBJECT)
		return false;
	columns_start(&made.text, 4);
	made.origins = collect_origins(decision);
	columns_add_row(&made.text, (const char *const[]){ pod ? "Container" : "Claim", "Resource",
	                                                   "Request", "Limit" });
	add_containers(&made, spec, "containers");
	add_containers(&made, spec, "initContainers");
	if (!pod || limen_value_exists(limen_value_get(spec, "resources")))
		add_resources(&made, pod ? "(the pod)" : "(the claim)", spec, "/spec");
	columns_print(&made.text);
	g_hash_table_unref(made.origins);
	return true;
}
