/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranges.c - collects LimitRanges from the status of the admission entries, selects and prints
 * them.  The annotation limen.policy/namespaces replaces the namespace of a LimitRange in a
 * selection.
 */
#include "ranges.h"

#include <limen/engine.h>
#include <limen/string_match.h>
#include <string.h>

#include "cli/yaml_out.h"
#include "common/auto.h"
#include "common/json_out.h"
#include "common/member.h"
#include "policy.h"

static const char *
metadata_text(limen_value range, const char *key, const char *otherwise)
{
	return member_text_or(limen_value_get(range, "metadata"), key, otherwise);
}

const char *
ranges_name(limen_value range)
{
	return metadata_text(range, "name", metadata_text(range, "generateName", ""));
}

const char *
ranges_namespace(limen_value range)
{
	return metadata_text(range, "namespace", "");
}

const char *
ranges_created(limen_value range)
{
	return metadata_text(range, "creationTimestamp", "");
}

static int
compare_ranges(gconstpointer a, gconstpointer b)
{
	const limen_value *left = a;
	const limen_value *right = b;
	int order = strcmp(ranges_namespace(*left), ranges_namespace(*right));

	return order != 0 ? order : strcmp(ranges_name(*left), ranges_name(*right));
}

/* Collects from "status" of every admission entry; only LimitRanger lists LimitRanges there. */
static void
collect(ranges *out)
{
	limen_value admission = limen_value_get(limen_documents_get(out->description, 0),
	                                        "admission");
	limen_iter entries = limen_iter_start(admission);
	limen_value entry, range;

	while (limen_iter_next(&entries, NULL, &entry)) {
		limen_value status = limen_value_get(entry, "status");
		limen_iter iter = limen_iter_start(limen_value_get(status, "limitRanges"));

		while (limen_iter_next(&iter, NULL, &range))
			g_array_append_val(out->items, range);
	}
	g_array_sort(out->items, compare_ranges);
}

void
ranges_of_engine(ranges *out, limen_engine *engine)
{
	*out = (ranges){ .items = g_array_new(FALSE, FALSE, sizeof(limen_value)),
		         .description = policy_describe(engine) };
	collect(out);
}

bool
ranges_load(ranges *out, const common_options *common, char *const *paths, const char *namespace)
{
	g_autoptr(limen_engine) engine = policy_engine_for(common, LIMEN_ENGINE_PASSIVE, namespace);

	*out = (ranges){ .items = NULL };
	if (!policy_open(engine, paths))
		return false;
	ranges_of_engine(out, engine);
	return true;
}

/* Returns true if the patterns match 'namespace'; a pattern after "!" excludes. */
static bool
has_namespace(limen_value patterns, const char *namespace)
{
	limen_iter iter = limen_iter_start(patterns);
	bool found = false;
	limen_value element;

	while (limen_iter_next(&iter, NULL, &element)) {
		const char *pattern = limen_value_string(element, NULL);
		bool excepts = pattern != NULL && *pattern == '!';

		if (pattern == NULL ||
		    !limen_glob_match(pattern + (excepts ? 1 : 0), namespace, strlen(namespace)))
			continue;
		if (excepts)
			return false;
		found = true;
	}
	return found;
}

/* An annotation can apply a LimitRange to several namespaces instead of its own (LimitRanger). */
bool
ranges_is_for(limen_value range, const char *namespace)
{
	limen_value metadata = limen_value_get(range, "metadata");
	limen_value annotations = limen_value_get(metadata, "annotations");
	size_t length = 0;
	const char *text = limen_value_string(
		limen_value_get(annotations, "limen.policy/namespaces"), &length);
	g_autoptr(limen_documents) parsed = NULL;

	if (text == NULL)
		return strcmp(ranges_namespace(range), namespace) == 0;
	return limen_documents_parse("annotation.json", text, length, 0, &parsed, NULL) == LIMEN_OK &&
	       has_namespace(limen_documents_get(parsed, 0), namespace);
}

void
ranges_keep(ranges *self, const char *namespace, const char *name)
{
	guint kept = 0;

	for (guint i = 0; i < self->items->len; i++) {
		limen_value range = g_array_index(self->items, limen_value, i);

		if ((namespace == NULL || ranges_is_for(range, namespace)) &&
		    (name == NULL || strcmp(ranges_name(range), name) == 0))
			g_array_index(self->items, limen_value, kept++) = range;
	}
	g_array_set_size(self->items, kept);
}

void
ranges_clear(ranges *self)
{
	if (self->items != NULL)
		g_array_unref(self->items);
	limen_documents_free(self->description);
	*self = (ranges){ .items = NULL };
}

/* A List is that of "kubectl get limits -o json", without the members a cluster adds. */
void
ranges_print(const ranges *self, bool single, bool yaml)
{
	g_autoptr(GString) text = g_string_new(NULL);
	bool list = !single || self->items->len != 1;

	if (list)
		json_write(text, "{apiVersion:s kind:s items:[", "v1", "List");
	for (guint i = 0; i < self->items->len; i++)
		json_value(text, g_array_index(self->items, limen_value, i));
	if (list)
		json_write(text, "]}");
	if (!yaml)
		json_print_pretty(text);
	else if (!yaml_print(text, ""))
		g_error("out of memory");
}
