/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.c - builds Pods and PersistentVolumeClaims from the templates of a workload.  Owns the
 * table of workload kinds, with the path of the pod template and the form of the pod name.
 */
#include "workload.h"

#include <limen/nearest.h>
#include <stdlib.h>
#include <string.h>

#include "common/auto.h"
#include "common/json_out.h"

/* Longest object name in Kubernetes (IsDNS1123Subdomain() in apimachinery). */
#define NAME_MAX_BYTES 253

/* A workload kind: the place of its pod template, and the form of its pods' names. */
typedef struct workload_kind {
	const char *kind;
	const char *group;
	const char *field;
	const char *suffix; /* "-": pods get a generateName */
	bool claims;        /* has volumeClaimTemplates */
} workload_kind;

static const workload_kind kinds[] = {
	{ "Deployment", "apps", "spec.template", "-", false },
	{ "ReplicaSet", "apps", "spec.template", "-", false },
	{ "DaemonSet", "apps", "spec.template", "-", false },
	{ "StatefulSet", "apps", "spec.template", "-0", true },
	{ "Deployment", "extensions", "spec.template", "-", false },
	{ "ReplicaSet", "extensions", "spec.template", "-", false },
	{ "DaemonSet", "extensions", "spec.template", "-", false },
	{ "Job", "batch", "spec.template", "-", false },
	{ "CronJob", "batch", "spec.jobTemplate.spec.template", "-", false },
	{ "ReplicationController", "", "spec.template", "-", false },
	{ "PodTemplate", "", "template", "-", false },
};

static const workload_kind *
find_kind(const char *api, const char *kind)
{
	const char *slash = strchr(api, '/');
	size_t length = slash == NULL ? 0 : (size_t)(slash - api);

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		const char *group = kinds[i].group;

		if (strcmp(kinds[i].kind, kind) == 0 && strlen(group) == length &&
		    memcmp(group, api, length) == 0)
			return &kinds[i];
	}
	return NULL;
}

bool
workload_is(const char *api, const char *kind)
{
	return find_kind(api, kind) != NULL;
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
	limen_iter iter = limen_iter_start(object);
	limen_value key;

	while (limen_iter_next(&iter, &key, NULL)) {
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

void
workload_lint(limen_value object, const char *place, limen_diag *diag)
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

static void
free_template(gpointer data)
{
	template_object *template = data;

	limen_documents_free(template->object);
	g_free(template->name);
	g_free(template->prefix);
	g_free(template->pointer);
	g_free(template->field);
	g_free(template);
}

/* Adds an object that is made as 'made' says, with what the template has of metadata and spec. */
static void
add(GPtrArray *to, const template_object *made, limen_value template, limen_diag *diag)
{
	static const char *const members[] = { "metadata", "spec" };
	g_autofree char *place = g_strconcat(made->field, ".", NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	template_object *item = g_memdup2(made, sizeof(*made));

	workload_lint(template, place, diag);
	item->template = template;
	json_write(text, "{apiVersion:s kind:s", "v1", item->kind);
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		limen_value member = limen_value_get(template, members[i]);

		if (!limen_value_exists(member))
			continue;
		json_key(text, members[i]);
		json_value(text, member);
	}
	json_write(text, "}");
	if (limen_documents_parse("template.json", text->str, text->len, 0, &item->object, diag) ==
	    LIMEN_ENOMEM)
		g_error("out of memory");
	g_ptr_array_add(to, item);
}

static void
add_pods(GPtrArray *to, const workload_kind *kind, limen_value template, const char *name,
         limen_diag *diag)
{
	bool numbered = strcmp(kind->suffix, "-") != 0;
	char *full = g_strconcat(name, kind->suffix, NULL);
	g_auto(GStrv) path = g_strsplit(kind->field, ".", -1);
	g_autofree char *below = g_strjoinv("/", path);

	for (size_t i = 0; path[i] != NULL; i++)
		template = limen_value_get(template, path[i]);
	add(to, &(template_object){ .kind = "Pod",
	                            .name = numbered ? full : NULL,
	                            .prefix = numbered ? NULL : full,
	                            .pointer = g_strconcat("/", below, NULL),
	                            .field = g_strdup(kind->field) },
	    template, diag);
}

static void
add_claims(GPtrArray *to, limen_value workload, const char *name, limen_diag *diag)
{
	limen_value spec = limen_value_get(workload, "spec");
	limen_value list = limen_value_get(spec, "volumeClaimTemplates");
	limen_iter iter = limen_iter_start(list);
	limen_type type = limen_value_type(list);
	limen_value template;

	if (type != LIMEN_TYPE_ARRAY && type != LIMEN_TYPE_NONE && type != LIMEN_TYPE_NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, list,
		               "spec.volumeClaimTemplates: must be an array");
	for (size_t i = 0; type == LIMEN_TYPE_ARRAY && limen_iter_next(&iter, NULL, &template); i++) {
		limen_value named = limen_value_get(limen_value_get(template, "metadata"), "name");
		const char *own = limen_value_string(named, NULL);

		add(to, &(template_object){
			.kind = "PersistentVolumeClaim",
			.name = g_strdup_printf("%s-%s-0", own == NULL ? "" : own, name),
			.pointer = g_strdup_printf("/spec/volumeClaimTemplates/%zu", i),
			.field = g_strdup_printf("spec.volumeClaimTemplates[%zu]", i),
		}, template, diag);
	}
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
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, named,
		               "metadata.%s: must be no more than %d bytes, but has %zu", keys[i],
		               NAME_MAX_BYTES, length);
		return false;
	}
	return true;
}

GPtrArray *
workload_expand(limen_value workload, const char *api, const char *kind, limen_diag *diag)
{
	GPtrArray *made = g_ptr_array_new_with_free_func(free_template);
	limen_value metadata = limen_value_get(workload, "metadata");
	const char *text = limen_value_string(limen_value_get(metadata, "name"), NULL);
	const char *name = text == NULL ? "" : text;
	const workload_kind *known = find_kind(api, kind);

	if (known == NULL || !check_names(metadata, diag))
		return made;
	add_pods(made, known, workload, name, diag);
	if (known->claims)
		add_claims(made, workload, name, diag);
	return made;
}
