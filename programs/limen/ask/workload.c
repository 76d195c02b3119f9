/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.c - builds Pods and PersistentVolumeClaims from the templates of a workload.  Owns the
 * table of workload kinds, with the path of the pod template and the form of the pod name.
 */
#include "workload.h"

#include <glib.h>
#include <string.h>

#include "common/json_out.h"

/* Longest object name in Kubernetes (IsDNS1123Subdomain() in apimachinery). */
#define NAME_MAX_BYTES 253

/* A workload kind: the path of its pod template, and the form of its pods' names. */
typedef struct workload_kind {
	const char *kind;
	const char *group;
	const char *path[5];
	const char *pointer;
	const char *field;
	const char *suffix; /* "-": pods get a generateName */
	bool claims;        /* has volumeClaimTemplates */
} workload_kind;

static const workload_kind kinds[] = {
	{ "Deployment", "apps", { "spec", "template" }, "/spec/template", "spec.template", "-", false },
	{ "ReplicaSet", "apps", { "spec", "template" }, "/spec/template", "spec.template", "-", false },
	{ "DaemonSet", "apps", { "spec", "template" }, "/spec/template", "spec.template", "-", false },
	{ "StatefulSet", "apps", { "spec", "template" }, "/spec/template", "spec.template", "-0", true },
	{ "Deployment", "extensions", { "spec", "template" }, "/spec/template", "spec.template", "-",
	  false },
	{ "ReplicaSet", "extensions", { "spec", "template" }, "/spec/template", "spec.template", "-",
	  false },
	{ "DaemonSet", "extensions", { "spec", "template" }, "/spec/template", "spec.template", "-",
	  false },
	{ "Job", "batch", { "spec", "template" }, "/spec/template", "spec.template", "-", false },
	{ "CronJob", "batch", { "spec", "jobTemplate", "spec", "template" },
	  "/spec/jobTemplate/spec/template", "spec.jobTemplate.spec.template", "-", false },
	{ "ReplicationController", "", { "spec", "template" }, "/spec/template", "spec.template", "-",
	  false },
	{ "PodTemplate", "", { "template" }, "/template", "template", "-", false },
};

/* State of one workload_expand() call. */
typedef struct expansion {
	limen_value workload;
	const workload_kind *kind;
	const char *name;
	limen_diag *diag;
	void (*take)(void *data, const template_object *one);
	void *data;
} expansion;

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

/* Returns the object of a template as JSON; members missing in the template stay missing. */
static char *
make_object(limen_value template, const char *kind)
{
	static const char *const members[] = { "metadata", "spec" };
	GString *out = g_string_new(NULL);

	json_write(out, "{apiVersion:s kind:s", "v1", kind);
	for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
		limen_value member = limen_value_get(template, members[i]);

		if (!limen_value_exists(member))
			continue;
		json_key(out, members[i]);
		json_value(out, member);
	}
	json_write(out, "}");
	return g_string_free(out, FALSE);
}

static void
take_pods(const expansion *run)
{
	const workload_kind *kind = run->kind;
	bool numbered = strcmp(kind->suffix, "-") != 0;
	limen_value template = run->workload;
	char *name = g_strconcat(run->name, kind->suffix, NULL);
	char *json;

	for (size_t i = 0; kind->path[i] != NULL; i++)
		template = limen_value_get(template, kind->path[i]);
	json = make_object(template, "Pod");
	run->take(run->data, &(template_object){ .kind = "Pod",
	                                         .json = json,
	                                         .name = numbered ? name : NULL,
	                                         .prefix = numbered ? NULL : name,
	                                         .pointer = kind->pointer,
	                                         .field = kind->field });
	g_free(json);
	g_free(name);
}

static void
take_claim(const expansion *run, limen_value template, size_t index)
{
	limen_value named = limen_value_get(limen_value_get(template, "metadata"), "name");
	const char *own = limen_value_string(named, NULL);
	char *name = g_strdup_printf("%s-%s-0", own == NULL ? "" : own, run->name);
	char *pointer = g_strdup_printf("/spec/volumeClaimTemplates/%zu", index);
	char *field = g_strdup_printf("spec.volumeClaimTemplates[%zu]", index);
	char *json = make_object(template, "PersistentVolumeClaim");

	run->take(run->data, &(template_object){ .kind = "PersistentVolumeClaim",
	                                         .json = json,
	                                         .name = name,
	                                         .pointer = pointer,
	                                         .field = field });
	g_free(json);
	g_free(field);
	g_free(pointer);
	g_free(name);
}

static void
take_claims(const expansion *run)
{
	limen_value spec = limen_value_get(run->workload, "spec");
	limen_value list = limen_value_get(spec, "volumeClaimTemplates");
	limen_iter iter = limen_iter_start(list);
	limen_type type = limen_value_type(list);
	limen_value template;
	size_t index = 0;

	if (type == LIMEN_TYPE_NONE || type == LIMEN_TYPE_NULL)
		return;
	if (type != LIMEN_TYPE_ARRAY) {
		limen_diag_add(run->diag, LIMEN_PROBLEM, list,
		               "spec.volumeClaimTemplates: must be an array");
		return;
	}
	while (limen_iter_next(&iter, NULL, &template))
		take_claim(run, template, index++);
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
		limen_diag_add(diag, LIMEN_PROBLEM, named,
		               "metadata.%s: must be no more than %d bytes, but has %zu", keys[i],
		               NAME_MAX_BYTES, length);
		return false;
	}
	return true;
}

void
workload_expand(limen_value workload, const char *api, const char *kind, limen_diag *diag,
                void (*take)(void *data, const template_object *one), void *data)
{
	limen_value metadata = limen_value_get(workload, "metadata");
	const char *name = limen_value_string(limen_value_get(metadata, "name"), NULL);
	expansion run = { .workload = workload,
		          .kind = find_kind(api, kind),
		          .name = name == NULL ? "" : name,
		          .diag = diag,
		          .take = take,
		          .data = data };

	if (run.kind == NULL || !check_names(metadata, diag))
		return;
	take_pods(&run);
	if (run.kind->claims)
		take_claims(&run);
}
