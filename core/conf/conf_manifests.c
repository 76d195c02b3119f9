/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conf_manifests.c - sorts Kubernetes manifests by kind and apiVersion into the lists of a
 * policy.  It reads the EventRateLimit file that an AdmissionConfiguration names, as
 * kube-apiserver does.
 */
#include "conf_manifests.h"

#include <stdlib.h>
#include <string.h>
#include <limen/nearest.h>

#include "option/option.h"

#define EVENT_RATE_LIMIT_API "eventratelimit.admission.k8s.io/v1alpha1"

typedef bool add_manifest(conf *files, limen_value root, limen_diag *diag);

static add_manifest add_range, add_list, add_events, add_plugins;

typedef struct manifest_kind {
	const char *name;
	const char *api;
	const char *own; /* a key that happens to be the name of a section too, or NULL */
	add_manifest *add;
} manifest_kind;

static const manifest_kind kinds[] = {
	{ "LimitRange", "v1", NULL, add_range },
	{ "LimitRangeList", "v1", NULL, add_range },
	{ "List", "v1", NULL, add_list },
	{ "Configuration", EVENT_RATE_LIMIT_API, "limits", add_events },
	{ "AdmissionConfiguration", "apiserver.config.k8s.io/v1", NULL, add_plugins },
	{ "AdmissionConfiguration", "apiserver.k8s.io/v1alpha1", NULL, add_plugins },
};

#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

const char *
manifest_plugin_name(manifest_plugin which)
{
	static const char *const names[MANIFESTS_COUNT] = {
		[MANIFESTS_LIMIT_RANGER] = "LimitRanger",
		[MANIFESTS_EVENT_RATE_LIMIT] = "EventRateLimit",
	};

	return names[which];
}

bool
manifest_is(limen_value root)
{
	return limen_value_exists(limen_value_get(root, "kind")) ||
	       limen_value_exists(limen_value_get(root, "apiVersion"));
}

static void
report_kind(limen_value kind, limen_diag *diag)
{
	options_context context = { .diag = diag };
	const char *name = limen_value_string(kind, NULL);
	limen_nearest best = limen_nearest_to(name == NULL ? "" : name);

	if (name == NULL) {
		problem_type(&context, kind, "string");
		return;
	}
	for (size_t i = 0; i < KIND_COUNT; i++)
		limen_nearest_offer(&best, kinds[i].name);
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, kind, "kind '%s' cannot be part of a policy",
	               name);
	if (best.word != NULL)
		limen_diag_hint(diag, "did you mean '%s'?", best.word);
	else
		limen_diag_hint(diag, "a policy accepts LimitRange, LimitRangeList, List, "
		                      "Configuration of EventRateLimit and AdmissionConfiguration");
}

/* Which kind of manifest 'root' is; NULL after a report. */
static const manifest_kind *
find_kind(limen_value root, limen_diag *diag)
{
	limen_value kind = limen_value_get(root, "kind");
	limen_value api = limen_value_get(root, "apiVersion");
	size_t i = 0;

	while (i < KIND_COUNT && !limen_value_is(kind, kinds[i].name))
		i++;
	if (!limen_value_exists(kind) || !limen_value_exists(api)) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, root, "'%s' is a required property",
		               limen_value_exists(kind) ? "apiVersion" : "kind");
		if (i < KIND_COUNT)
			limen_diag_hint(diag, "apiVersion: %s", kinds[i].api);
		return NULL;
	}
	if (i == KIND_COUNT) {
		report_kind(kind, diag);
		return NULL;
	}
	for (size_t j = i; j < KIND_COUNT; j++)
		if (limen_value_is(kind, kinds[j].name) && limen_value_is(api, kinds[j].api))
			return &kinds[j];
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, api,
	               "kind '%s' needs apiVersion '%s'", kinds[i].name, kinds[i].api);
	return NULL;
}

static void
report_sections(const manifest_kind *kind, limen_value root, limen_diag *diag)
{
	for (size_t i = 0; i < SECTION_COUNT; i++) {
		const char *name = section_name((section)i);
		limen_value found = limen_value_get(root, name);

		if (!limen_value_exists(found) ||
		    (kind->own != NULL && strcmp(kind->own, name) == 0))
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, found,
		               "a manifest of kind '%s' cannot have sections of a policy", kind->name);
		limen_diag_hint(diag, "move '%s' to a separate file", name);
	}
}

bool
manifest_add(conf *files, limen_value root, limen_diag *diag)
{
	const manifest_kind *kind = find_kind(root, diag);

	if (kind == NULL)
		return true;
	report_sections(kind, root, diag);
	return kind->add(files, root, diag);
}

static bool
add_for(conf *files, manifest_plugin which, limen_value root)
{
	return conf_list_add(&files->manifests[which], limen_value_none(), root, root);
}

static bool
add_range(conf *files, limen_value root, limen_diag *diag)
{
	(void)diag;
	return add_for(files, MANIFESTS_LIMIT_RANGER, root);
}

/* "kubectl get limits -o yaml" writes a List; anything else in one is not for a policy. */
static bool
add_list(conf *files, limen_value root, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(limen_value_get(root, "items"));
	limen_value item;

	while (limen_iter_next(&iter, NULL, &item)) {
		const manifest_kind *kind = NULL;

		if (limen_value_type(item) == LIMEN_TYPE_OBJECT) {
			kind = find_kind(item, diag);
			if (kind == NULL)
				continue;
		}
		if (kind == NULL || kind->add != add_range)
			limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, item,
			               "a List in a policy may hold only LimitRanges");
	}
	return add_for(files, MANIFESTS_LIMIT_RANGER, root);
}

static bool
add_events(conf *files, limen_value root, limen_diag *diag)
{
	(void)diag;
	return add_for(files, MANIFESTS_EVENT_RATE_LIMIT, root);
}

/* Adds a configuration that an AdmissionConfiguration names: only EventRateLimit has one. */
static bool
add_configuration(conf *files, limen_value root, limen_diag *diag)
{
	const manifest_kind *kind;

	if (limen_value_type(root) != LIMEN_TYPE_OBJECT) {
		options_context context = { .diag = diag };

		problem_type(&context, root, "object");
		return true;
	}
	kind = find_kind(root, diag);
	if (kind != NULL && kind->add == add_events)
		return manifest_add(files, root, diag);
	if (kind != NULL)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, root,
		               "this is not a configuration of EventRateLimit");
	return true;
}

typedef struct plugin_fields {
	const char *name;
	const char *path;
	limen_value configuration;
} plugin_fields;

/* Upstream refuses unknown keys in this file, and so does limen. */
static const limen_option plugin_rows[] = {
	LIMEN_OPT_STRING(plugin_fields, name, .key = "name", .required = true,
	                 .help = "Which plugin it is about"),
	LIMEN_OPT_STRING(plugin_fields, path, .key = "path",
	                 .help = "The file that holds its configuration"),
	LIMEN_OPT_JSON(plugin_fields, configuration, .key = "configuration",
	               .help = "Its configuration"),
	LIMEN_OPT_END
};

/* "configuration" wins over "path", as upstream. */
static bool
add_plugin(conf *files, limen_value plugin, const plugin_fields *fields, limen_diag *diag)
{
	limen_type type = limen_value_type(fields->configuration);

	if (type != LIMEN_TYPE_NONE && type != LIMEN_TYPE_NULL)
		return add_configuration(files, fields->configuration, diag);
	if (fields->path != NULL && fields->path[0] != '\0')
		return conf_list_add(&files->named, limen_value_none(),
		                     limen_value_get(plugin, "path"), plugin);
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, plugin,
	               "EventRateLimit needs a 'path' or a 'configuration'");
	return true;
}

typedef struct plugins_fields {
	const char *api;
	const char *kind;
	limen_value plugins;
} plugins_fields;

static const limen_option plugins_rows[] = {
	LIMEN_OPT_STRING(plugins_fields, api, .key = "apiVersion", .required = true,
	                 .help = "apiserver.config.k8s.io/v1 or apiserver.k8s.io/v1alpha1"),
	LIMEN_OPT_STRING(plugins_fields, kind, .key = "kind", .required = true,
	                 .help = "AdmissionConfiguration"),
	LIMEN_OPT_JSON(plugins_fields, plugins, .key = "plugins", .help = "An array"),
	LIMEN_OPT_END
};

/* The first entry for a plugin counts, as in kube-apiserver. */
static bool
take_plugin(conf *files, limen_value plugin, bool *found, limen_diag *diag)
{
	options_context context = { .diag = diag };
	plugin_fields fields = { .name = NULL };
	bool known;

	if (!options_fill(plugin_rows, plugin, &fields, &context))
		return true;
	known = strcmp(fields.name, manifest_plugin_name(MANIFESTS_EVENT_RATE_LIMIT)) == 0;
	if (known && !*found) {
		*found = true;
		return add_plugin(files, plugin, &fields, diag);
	}
	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, plugin, "plugin '%s' is left out: %s",
	               fields.name,
	               known ? "the first entry about it counts"
	                     : "limen reads only the configuration of EventRateLimit");
	return true;
}

static bool
add_plugins(conf *files, limen_value root, limen_diag *diag)
{
	options_context context = { .diag = diag };
	plugins_fields fields = { .api = NULL };
	bool good = options_fill(plugins_rows, root, &fields, &context);
	bool found = false;
	limen_value plugin;

	if (limen_value_exists(fields.plugins) &&
	    limen_value_type(fields.plugins) != LIMEN_TYPE_ARRAY)
		good = problem_type(&context, fields.plugins, "array");
	for (limen_iter iter = limen_iter_start(good ? fields.plugins : limen_value_none());
	     limen_iter_next(&iter, NULL, &plugin);)
		if (!take_plugin(files, plugin, &found, diag))
			return false;
	return true;
}

/* Both may stand in one directory: a file must not count twice. */
static bool
is_read_already(const conf *files, const char *path)
{
	char *real = realpath(path, NULL);
	bool found = false;

	for (size_t i = 0; real != NULL && !found && i < files->file_count; i++) {
		char *other = realpath(files->files[i].name, NULL);

		found = other != NULL && strcmp(real, other) == 0;
		free(other);
	}
	free(real);
	return found;
}

static int
read_named(conf *files, const char *path, limen_diag *diag)
{
	document **documents = NULL;
	size_t count = 0;
	int result = conf_read_file(files, path, &documents, &count, diag);

	for (size_t i = 0; i < count; i++)
		if (!conf_keep_document(files, documents[i]) ||
		    !add_configuration(files, document_root(documents[i]), diag))
			result = LIMEN_ENOMEM;
	free(documents);
	return result;
}

int
manifests_finish(conf *files, limen_diag *diag)
{
	arena memory = ARENA_INIT;
	int result = LIMEN_OK;

	files->own_count = files->file_count;
	for (size_t i = 0; i < files->named.count; i++) {
		limen_value where = files->named.items[i].value;
		const char *path = conf_resolve(&memory, where, limen_value_string(where, NULL));
		int outcome = LIMEN_OK;

		if (path == NULL) {
			result = LIMEN_ENOMEM;
			break;
		}
		if (!is_read_already(files, path))
			outcome = read_named(files, path, diag);
		result = result == LIMEN_OK ? outcome : result;
	}
	arena_free(&memory);
	return result;
}
