/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objects.c - finds the objects in a document, with what their lists and workloads say of them, and
 * warns of misspelt keys of pods, claims and templates.
 */
#include "objects.h"

#include <glib.h>
#include <limen/nearest.h>
#include <limen/question.h>
#include <string.h>

#include "member.h"
#include "workload.h"

/* Caps nested lists, which real files do not have: deep nesting would make a small file costly. */
#define LIST_DEPTH_MAX 4

/* ---- misspelt keys ---- */

/* The keys that LimitRanger reads, then those of Kubernetes that resemble one of them. */
static const char *const object_keys[] = { "metadata", "spec", NULL };
static const char *const metadata_keys[] = { "namespace", "name", NULL };
static const char *const spec_keys[] = { "containers", "initContainers", "resources",
	                                 "ephemeralContainers", "resourceClaims", NULL };
static const char *const container_keys[] = { "resources", NULL };
static const char *const resources_keys[] = { "requests", "limits", "claims", NULL };

static void
lint_keys(limen_value object, const char *const *known, const char *place, const char *below,
          limen_diag *diag)
{
	limen_value key;

	for (limen_iter iter = limen_iter_start(object); limen_iter_next(&iter, &key, NULL);) {
		const char *text = limen_value_string(key, NULL);
		const char *meant = limen_nearest_of(text, known);

		if (meant != NULL && !g_str_equal(meant, text))
			limen_diag_add(diag, LIMEN_SEVERITY_WARNING, key,
			               "unknown field \"%s%s%s\"; did you mean \"%s\"?", place,
			               below, text, meant);
	}
}

static void
lint_containers(limen_value spec, const char *name, const char *place, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(limen_value_get(spec, name));
	limen_value item;

	for (size_t i = 0; limen_iter_next(&iter, NULL, &item); i++) {
		g_autofree char *field = g_strdup_printf("%sspec.%s[%zu].", place, name, i);

		lint_keys(item, container_keys, field, "", diag);
		lint_keys(limen_value_get(item, "resources"), resources_keys, field, "resources.",
		          diag);
	}
}

/*
 * Warns of keys of a Pod, a claim or a template that are probably misspelt: LimitRanges would not
 * see what stands there.  'place' is put before fields, as "spec.template.".
 */
static void
lint_object(limen_value object, const char *place, limen_diag *diag)
{
	limen_value spec = limen_value_get(object, "spec");

	lint_keys(object, object_keys, place, "", diag);
	lint_keys(limen_value_get(object, "metadata"), metadata_keys, place, "metadata.", diag);
	lint_keys(spec, spec_keys, place, "spec.", diag);
	lint_keys(limen_value_get(spec, "resources"), resources_keys, place, "spec.resources.",
	          diag);
	lint_containers(spec, "containers", place, diag);
	lint_containers(spec, "initContainers", place, diag);
}

/* ---- objects and what they make ---- */

static void
take(object_walk *walk, const found_object *found)
{
	walk->ended = walk->ended || !walk->take(walk->data, found);
}

static void
take_template(void *data, const limen_template *template)
{
	object_walk *walk = data;
	const char *noun = strcmp(template->kind, "Pod") == 0 ? "pods" : "claims";
	g_autofree char *field = g_strconcat(template->field, ".", NULL);
	g_autofree char *label = g_strdup_printf("%s, %s of %s", walk->label, noun, template->field);

	lint_object(template->value, field, walk->diag);
	take(walk, &(found_object){ .value = template->value, .api = "v1", .kind = template->kind,
	                            .label = label, .field = field, .template = template });
}

static void
take_object(object_walk *walk, found_object *found)
{
	limen_value metadata = limen_value_get(found->value, "metadata");
	const char *name = member_text(metadata, "name");
	g_autofree char *label = NULL;

	if (name == NULL)
		name = member_text(metadata, "generateName");
	label = g_strdup_printf("%s \"%s\"", found->kind == NULL ? "object" : found->kind,
	                        name == NULL ? "" : name);
	found->label = walk->label = label;
	if (workload_is_limited(found->api, found->kind))
		lint_object(found->value, "", walk->diag);
	take(walk, found);
	if (!walk->ended && !walk->whole && found->api != NULL && found->kind != NULL)
		workload_expand(walk->engine, found->value, found->api, found->kind, take_template,
		                walk, walk->diag);
}

/* ---- lists ---- */

/* Walks through a "List", or a list of one kind such as "PodList", whose items may omit it. */
static void
walk_list(object_walk *walk, const found_object *list)
{
	bool typed = strcmp(list->kind, "List") != 0;
	g_autofree char *kind = g_strndup(list->kind, strlen(list->kind) - strlen("List"));
	limen_value items = limen_value_get(list->value, "items");
	limen_iter iter = limen_iter_start(items);
	limen_type type = limen_value_type(items);
	limen_value item;

	if (type != LIMEN_TYPE_ARRAY && type != LIMEN_TYPE_NULL)
		limen_diag_refuse(walk->diag, items, "items: must be an array");
	else if (walk->depth == LIST_DEPTH_MAX)
		limen_diag_refuse(walk->diag, items, "lists are nested too deeply");
	walk->depth++;
	while (walk->depth <= LIST_DEPTH_MAX && type == LIMEN_TYPE_ARRAY && !walk->ended &&
	       limen_iter_next(&iter, NULL, &item))
		objects_walk(walk, item, typed ? list->api : NULL, typed ? kind : NULL);
	walk->depth--;
}

/* Returns a member; NULL for other types, and for a text with a NUL, which may be another word. */
static const char *
read_member(limen_value object, const char *key)
{
	size_t length = 0;
	const char *text = limen_value_string(limen_value_get(object, key), &length);

	return text == NULL || strlen(text) != length ? NULL : text;
}

void
objects_walk(object_walk *walk, limen_value value, const char *api, const char *kind)
{
	const char *own_api = read_member(value, "apiVersion");
	const char *own_kind = read_member(value, "kind");
	found_object found = { .value = value, .api = own_api == NULL ? api : own_api,
		               .kind = own_kind == NULL ? kind : own_kind, .field = "" };

	if (limen_review_is(value))
		take(walk, &found);
	else if (found.kind != NULL && g_str_has_suffix(found.kind, "List") &&
	         limen_value_exists(limen_value_get(value, "items")))
		walk_list(walk, &found);
	else
		take_object(walk, &found);
}
