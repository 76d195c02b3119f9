/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - the option "cluster", and the cluster it names. */
#include <stdlib.h>
#include <string.h>

#include "../../../support/unknown_key.h"
#include "cluster.h"

static const char *const keys[] = {
	"context", "insecure", "kubeconfig", "namespaces", "service-account", NULL
};

/* Returns false. */
static bool
refuse(limen_diag *diag, limen_value where, const char *text)
{
	return limen_diag_refuse(diag, where, "cluster: %s", text);
}

static bool
read_text(limen_value option, const char *key, const char **out, limen_diag *diag)
{
	limen_value member = limen_value_get(option, key);
	size_t length = 0;
	const char *text = limen_value_string(member, &length);

	if (!limen_value_exists(member))
		return true;
	if (text != NULL && length > 0 && strlen(text) == length) {
		*out = text;
		return true;
	}
	return limen_diag_refuse(diag, member, "cluster: %s must be a string", key);
}

static bool
read_namespace(limen_value element, cluster_options *out, limen_diag *diag)
{
	name_problems problems = { .count = 0 };
	size_t length = 0;
	const char *text = limen_value_string(element, &length);

	if (text == NULL)
		return refuse(diag, element, "namespaces must be strings");
	names_check_label(text, length, &problems);
	if (problems.count > 0)
		return limen_diag_refuse(diag, element, "cluster: '%s' is not a namespace: %s",
		                         text, problems.texts[0]);
	for (size_t i = 0; i < out->namespace_count; i++)
		if (strcmp(out->namespaces[i], text) == 0)
			return true;
	if (out->namespace_count == CLUSTER_NAMESPACES_MAX)
		return limen_diag_refuse(diag, element,
		                         "cluster: there are more than %d namespaces; without "
		                         "\"namespaces\" all are followed", CLUSTER_NAMESPACES_MAX);
	out->namespaces[out->namespace_count++] = text;
	return true;
}

static bool
read_namespaces(limen_value option, cluster_options *out, limen_diag *diag)
{
	limen_value list = limen_value_get(option, "namespaces");
	limen_iter iter = limen_iter_start(list);
	limen_value element;
	bool good = true;

	if (!limen_value_exists(list))
		return true;
	if (limen_value_type(list) != LIMEN_TYPE_ARRAY || limen_value_count(list) == 0)
		return refuse(diag, list, "namespaces must be an array of at least one");
	while (good && limen_iter_next(&iter, NULL, &element))
		good = read_namespace(element, out, diag);
	return good;
}
static bool
check_keys(limen_value option, limen_diag *diag)
{
	limen_iter iter = limen_iter_start(option);
	limen_value key, member;
	bool good = true;

	while (unknown_key_next(&iter, keys, &key, &member)) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, member,
		               "cluster: unknown option \"%s\"", limen_value_string(key, NULL));
		unknown_key_hint(limen_value_string(key, NULL), keys, '"', diag);
		good = false;
	}
	return good;
}

static bool
check_together(limen_value option, const cluster_options *found, limen_diag *diag)
{
	if (found->kubeconfig != NULL && found->service_account != NULL)
		return refuse(diag, option, "kubeconfig and service-account exclude each other");
	if (found->kubeconfig == NULL && (found->context != NULL || found->insecure))
		return refuse(diag, option, "context and insecure are for a kubeconfig");
	return true;
}

int
cluster_options_read(limen_value option, cluster_options *out, limen_diag *diag)
{
	limen_value insecure = limen_value_get(option, "insecure");
	bool flag = false;
	bool good;

	*out = (cluster_options){ .wanted = false };
	if (!limen_value_exists(option) || limen_value_bool(option, &flag)) {
		out->wanted = flag;
		return LIMEN_OK;
	}
	if (limen_value_type(option) != LIMEN_TYPE_OBJECT) {
		refuse(diag, option, "must be true, false or an object");
		return LIMEN_ECONFIG;
	}
	out->wanted = true;
	good = check_keys(option, diag);
	good = read_text(option, "kubeconfig", &out->kubeconfig, diag) && good;
	good = read_text(option, "context", &out->context, diag) && good;
	good = read_text(option, "service-account", &out->service_account, diag) && good;
	if (limen_value_exists(insecure) && !limen_value_bool(insecure, &out->insecure))
		good = refuse(diag, insecure, "insecure must be true or false");
	good = read_namespaces(option, out, diag) && good;
	return good && check_together(option, out, diag) ? LIMEN_OK : LIMEN_ECONFIG;
}

/* ---- where it is ---- */

/* File names in a kubeconfig are seen from its directory. */
static int
read_kubeconfig(cluster *self, limen_opening *opening, limen_diag *diag)
{
	const cluster_options *options = &self->options;
	limen_value where = limen_value_get(self->option, "kubeconfig");
	const char *path = limen_opening_path(opening, options->kubeconfig);
	const char *slash = path == NULL ? NULL : strrchr(path, '/');
	kube_choice choice = { .context = options->context, .insecure = options->insecure };
	const limen_documents *found = NULL;
	char *directory;
	int result;

	if (path == NULL)
		return LIMEN_ENOMEM;
	result = limen_opening_documents(opening, options->kubeconfig, where, &found, diag);
	if (result != LIMEN_OK)
		return result;
	directory = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path));
	if (directory == NULL)
		return LIMEN_ENOMEM;
	choice.directory = directory;
	result = kube_target_of_config(limen_documents_get(found, 0), &choice, &self->target, diag);
	free(directory);
	return result;
}

/* A policy can be checked elsewhere than where it is for. */
static int
find_pod(cluster *self, limen_opening *opening, limen_diag *diag)
{
	const char *directory = self->options.service_account;
	int result;

	directory = directory == NULL ? KUBE_SERVICE_ACCOUNT
	                              : limen_opening_path(opening, directory);
	if (directory == NULL)
		return LIMEN_ENOMEM;
	result = kube_target_of_pod(directory, &self->target, self->missing);
	if (result != LIMEN_ENOENT)
		return result;
	limen_diag_add(diag, LIMEN_SEVERITY_WARNING, self->option, "cluster: %s", self->missing);
	return LIMEN_OK;
}

int
cluster_find(cluster *self, limen_opening *opening, limen_diag *diag)
{
	return self->options.kubeconfig != NULL ? read_kubeconfig(self, opening, diag)
	                                        : find_pod(self, opening, diag);
}
