/* SPDX-License-Identifier: Apache-2.0 */
#include "resource_table.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "columns.h"

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

/* A step of a pointer (RFC 6901 section 3). */
static char *
escape_step(const char *name)
{
	GString *out = g_string_new(name);

	g_string_replace(out, "~", "~0", 0);
	g_string_replace(out, "/", "~1", 0);
	return g_string_free(out, FALSE);
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

static void
add_value(table *to, limen_value list, const char *pointer, const char *side, const char *name)
{
	limen_value value = limen_value_get(list, name);
	char *step = escape_step(name);
	char *place = g_strdup_printf("%s/resources/%s/%s", pointer, side, step);
	const char *origin = g_hash_table_lookup(to->origins, place);
	char *text;

	if (limen_value_exists(value)) {
		text = quantity_text(value);
		columns_take(&to->text, g_strdup_printf("%s (%s)", text,
		                                        origin == NULL ? "given" : origin));
		g_free(text);
	} else {
		columns_add(&to->text, NULL);
	}
	g_free(place);
	g_free(step);
}

static int
compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in both lists, each once, in byte order. */
static GPtrArray *
collect_names(limen_value resources)
{
	GPtrArray *names = g_ptr_array_new();

	for (size_t i = 0; i < G_N_ELEMENTS(sides); i++) {
		limen_value list = limen_value_get(resources, sides[i]);
		limen_iter iter = limen_iter_start(list);
		limen_value key, value;

		if (limen_value_type(list) != LIMEN_TYPE_OBJECT)
			continue;
		while (limen_iter_next(&iter, &key, &value))
			g_ptr_array_add(names, (gpointer)limen_value_string(key, NULL));
	}
	g_ptr_array_sort(names, compare_names);
	return names;
}

static void
add_resources(table *to, const char *label, limen_value holder, const char *pointer)
{
	limen_value resources = limen_value_get(holder, "resources");
	GPtrArray *names = collect_names(resources);
	const char *before = NULL;

	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);

		if (before != NULL && strcmp(before, name) == 0)
			continue;
		columns_add(&to->text, before == NULL ? label : "");
		columns_add(&to->text, name);
		for (size_t side = 0; side < G_N_ELEMENTS(sides); side++)
			add_value(to, limen_value_get(resources, sides[side]), pointer,
			          sides[side], name);
		before = name;
	}
	if (names->len == 0)
		columns_add_row(&to->text, (const char *const[]){ label, NULL, NULL, NULL });
	g_ptr_array_unref(names);
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
