/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tests_cover.c - collects which parts of the policies were covered by tests, and prints the
 * rest.  A part is a node of the policy's graph; a covered one is marked as passed.
 */
#include <pthread.h>
#include <string.h>

#include "common/json_out.h"
#include "common/message_put.h"
#include "graph/graph.h"
#include "policy/policy.h"
#include "tests.h"

/* The parts of a policy, in the order of the report. */
static const struct {
	graph_section section;
	const char *kind;
	const char *idle; /* the report text if no test covered it */
} parts[] = {
	{ GRAPH_IDENTIFIERS, "identifier", "never identified" },
	{ GRAPH_LIMITS, "limit", "never asked" },
	{ GRAPH_ADMISSION, "admission entry", "never asked" },
	{ GRAPH_REWRITE, "rewriter", "never asked" },
	{ GRAPH_PRIORITY, "prioritizer", "never asked" },
	{ GRAPH_CLASSIFIERS, "classifier", "never met" },
	{ GRAPH_APPLICATIONS, "application", "never asked" },
};

/* A line of the report. */
typedef struct item {
	const char *kind;
	const char *idle;
	const char *name;
	const graph_node *node;
	bool used;
} item;

struct test_cover {
	pthread_mutex_t lock;
	GHashTable *policies; /* graph, by the name of the policy */
};

test_cover *
tests_cover_new(void)
{
	test_cover *cover = g_new0(test_cover, 1);

	pthread_mutex_init(&cover->lock, NULL);
	cover->policies = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, graph_free);
	return cover;
}

void
tests_cover_free(test_cover *cover)
{
	if (cover == NULL)
		return;
	g_hash_table_destroy(cover->policies);
	pthread_mutex_destroy(&cover->lock);
	g_free(cover);
}

void
tests_cover_policy(test_cover *cover, const char *name, limen_engine *engine)
{
	graph *policy = graph_new(policy_describe(engine), false);

	pthread_mutex_lock(&cover->lock);
	g_hash_table_replace(cover->policies, g_strdup(name), policy);
	pthread_mutex_unlock(&cover->lock);
}

/* ---- use ---- */

static void
mark(graph_node *node)
{
	if (node != NULL)
		node->state = GRAPH_PASS;
}

static void
mark_names(const graph *policy, graph_section section, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		mark(graph_find(policy, section, names[i]));
}

/* Modules and applications that skipped are not covered. */
static void
mark_decision(const graph *policy, const limen_decision *decision)
{
	const limen_trace *run = limen_decision_trace(decision, 0);
	const limen_step *step = limen_decision_step(decision, 0);
	size_t count;
	const char *const *names = limen_decision_identifiers(decision, &count);

	mark_names(policy, GRAPH_IDENTIFIERS, names, count);
	names = limen_decision_classifiers(decision, &count);
	mark_names(policy, GRAPH_CLASSIFIERS, names, count);
	for (size_t i = 0; run != NULL; run = limen_decision_trace(decision, ++i))
		if (run->kind != LIMEN_KIND_IDENTIFIER && run->verdict != LIMEN_SKIP)
			mark(graph_find(policy, graph_section_of(run->kind), run->name));
	for (size_t i = 0; step != NULL; step = limen_decision_step(decision, ++i))
		if (step->kind == LIMEN_STEP_APPLICATION && step->verdict != LIMEN_SKIP)
			mark(graph_find_application(policy, step->application));
}

void
tests_cover_decision(test_cover *cover, const char *name, const limen_decision *decision)
{
	const graph *policy;

	pthread_mutex_lock(&cover->lock);
	policy = g_hash_table_lookup(cover->policies, name);
	if (policy != NULL)
		mark_decision(policy, decision);
	pthread_mutex_unlock(&cover->lock);
}

/* ---- output ---- */

static GList *
sort_policies(const test_cover *cover)
{
	return g_list_sort(g_hash_table_get_keys(cover->policies),
	                   (GCompareFunc)(void (*)(void))strcmp);
}

static const char *
shown_name(const char *name)
{
	return name[0] == '{' ? "a policy in a file of tests" : name;
}

/* Returns the items of a policy; those without a name, as applications may be, are left out. */
static GArray *
list_items(const graph *policy, size_t *used)
{
	GArray *items = g_array_new(FALSE, FALSE, sizeof(item));

	*used = 0;
	for (size_t part = 0; part < G_N_ELEMENTS(parts); part++)
		for (guint i = 0; i < policy->nodes->len; i++) {
			const graph_node *node = graph_node_at(policy, i);
			item entry = { parts[part].kind, parts[part].idle,
				       node->section == GRAPH_APPLICATIONS
				               ? node->description
				               : node->name,
				       node, node->state == GRAPH_PASS };

			if (node->section != parts[part].section || entry.name == NULL)
				continue;
			*used += entry.used;
			g_array_append_val(items, entry);
		}
	return items;
}

void
tests_cover_print(test_cover *cover)
{
	g_autoptr(GList) names = sort_policies(cover);

	for (GList *name = names; name != NULL; name = name->next) {
		size_t used;
		g_autoptr(GArray) items = list_items(g_hash_table_lookup(cover->policies, name->data), &used);

		message_print_line(stdout, "coverage of %s: %zu of %u", shown_name(name->data), used,
		                   items->len);
		for (guint i = 0; i < items->len; i++) {
			const item *entry = &g_array_index(items, item, i);

			if (entry->used)
				continue;
			fputs("  ", stdout);
			if (entry->node->file != NULL)
				message_print_part(stdout, "%s:%u: ", entry->node->file,
				                   (unsigned)entry->node->line);
			message_print_line(stdout, "%s '%s': %s", entry->kind, entry->name, entry->idle);
		}
	}
}

void
tests_cover_json(test_cover *cover, GString *out)
{
	g_autoptr(GList) names = sort_policies(cover);

	json_write(out, "coverage:[");
	for (GList *name = names; name != NULL; name = name->next) {
		size_t used;
		g_autoptr(GArray) items = list_items(g_hash_table_lookup(cover->policies, name->data), &used);

		json_write(out, "{policy:s exercised:z of:d items:[", shown_name(name->data), used,
		           (int)items->len);
		for (guint i = 0; i < items->len; i++) {
			const item *entry = &g_array_index(items, item, i);

			json_write(out, "{kind:s name:s file:s line:d exercised:b}", entry->kind,
			           entry->name, entry->node->file, (int)entry->node->line, entry->used);
		}
		g_string_append(out, "]}");
	}
	g_string_append_c(out, ']');
}
