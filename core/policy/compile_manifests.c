/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_manifests.c - manifests of a policy as the data of the entry they
 * are for.
 */
#include <string.h>

#include "compile.h"

#define MEMBER "manifests"
#define NAMESPACE "namespace"

static void
copy_members(builder *build, limen_value data)
{
	limen_value key, member;

	for (limen_iter iter = limen_iter_start(data); limen_iter_next(&iter, &key, &member);) {
		builder_copy(build, key);
		builder_copy(build, member);
	}
}

static document *
build_data(const conf_list *manifests, limen_value data, const char *namespace)
{
	builder *build = builder_new();

	if (build == NULL)
		return NULL;
	builder_begin_object(build, ORIGIN_NONE, 0);
	copy_members(build, data);
	/* Only LimitRanges have a namespace; what the entry says itself comes first. */
	if (namespace != NULL && !limen_value_exists(limen_value_get(data, NAMESPACE))) {
		builder_text(build, NAMESPACE);
		builder_text(build, namespace);
	}
	builder_text(build, MEMBER);
	builder_begin_array(build, ORIGIN_NONE, 0);
	for (size_t i = 0; i < manifests->count; i++)
		builder_graft(build, manifests->items[i].value);
	builder_end(build);
	builder_end(build);
	return builder_finish_as(build, data);
}

document *
compile_manifests(compile_context *context, manifest_plugin which, limen_value data)
{
	const conf_list *manifests = &context->policy->files->manifests[which];
	limen_value given = limen_value_get(data, MEMBER);
	const char *namespace = which == MANIFESTS_LIMIT_RANGER
	                                ? context->inputs->namespace
	                                : NULL;
	document *doc;

	if (limen_value_exists(given)) {
		limen_diag_add(context->diag, LIMEN_SEVERITY_PROBLEM, given,
		               "'" MEMBER "' is given twice: here, and by the files of the policy");
		return NULL;
	}
	doc = build_data(manifests, data, namespace);
	if (doc == NULL)
		compile_no_memory(context, data);
	return doc;
}
