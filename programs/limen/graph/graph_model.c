/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_model.c - builds a graph from the description of a policy: first the nodes of each
 * section, then the edges between them.  Edges to missing nodes are dropped.
 */
#include "graph.h"
#include "common/member.h"

const char *const graph_titles[GRAPH_SECTIONS] = {
	"Identifiers", "Classifiers", "Rewriter",    "Admission",
	"Applications", "Limits",     "Prioritizer", "Stores",
};

const char *const graph_classes[GRAPH_STATES] = { "", "", "skip", "pass", "fail", "error" };

static bool
only_matches(const graph_node *node)
{
	return node->section == GRAPH_IDENTIFIERS || node->section == GRAPH_CLASSIFIERS;
}

graph_state
graph_shown_state(const graph_node *node)
{
	return only_matches(node) && node->state == GRAPH_FAIL ? GRAPH_SKIP : node->state;
}

const char *
graph_word(const graph_node *node)
{
	bool matches = only_matches(node);

	return node->state == GRAPH_UNASKED           ? "not asked"
	       : matches && node->state == GRAPH_PASS ? "match"
	       : matches && node->state == GRAPH_FAIL ? "no match"
	                                              : graph_classes[node->state];
}

/* Returns a composed text as one of the graph, and frees it. */
static const char *
keep(graph *self, char *text)
{
	const char *kept = g_string_chunk_insert(self->texts, text);

	g_free(text);
	return kept;
}

/* Returns the number of a node, from 1; 0 if there is none.  A limend may send a name that is no text. */
static size_t
find_index(const graph *self, graph_section section, const char *name)
{
	return name == NULL ? 0 : GPOINTER_TO_SIZE(g_hash_table_lookup(self->index[section], name));
}

graph_node *
graph_find(const graph *self, graph_section section, const char *name)
{
	size_t found = find_index(self, section, name);

	return found == 0 ? NULL : graph_node_at(self, found - 1);
}

graph_node *
graph_find_application(const graph *self, unsigned number)
{
	char name[16];

	g_snprintf(name, sizeof(name), "%u", number);
	return graph_find(self, GRAPH_APPLICATIONS, name);
}

static graph_node *
add_node(graph *self, graph_section section, const char *name, limen_value from)
{
	graph_node node = { .section = section,
		            .name = name,
		            .type = member_text(from, "type"),
		            .description = member_text(from, "description"),
		            .file = member_text(from, "file") };

	limen_value_int(limen_value_get(from, "line"), &node.line);
	g_array_append_val(self->nodes, node);
	g_hash_table_insert(self->index[section], (gpointer)name,
	                    GSIZE_TO_POINTER((gsize)self->nodes->len));
	return graph_node_at(self, self->nodes->len - 1);
}

static void
add_remark(graph *self, graph_node *node, const char *text)
{
	node->remark = node->remark == NULL
	                       ? text
	                       : keep(self, g_strdup_printf("%s, %s", node->remark, text));
}

/* Adds an edge unless one end is missing: a later section may be empty. */
static void
add_edge(graph *self, size_t from, size_t to, const char *label, bool storing)
{
	graph_edge edge = { .from = from - 1, .to = to - 1, .label = label, .storing = storing };

	if (from != 0 && to != 0)
		g_array_append_val(self->edges, edge);
}

/* ---- nodes ---- */

/* Adds what a rule decided since the load. */
static void
add_counts(graph *self, graph_node *node, limen_value counts)
{
	static const char *const keys[][2] = { { "matched", "matched" },
		                               { "refused", "refused" },
		                               { "would", "would be refused" },
		                               { "errors", "errors" } };
	g_autoptr(GString) text = g_string_new(NULL);
	int64_t count = 0;

	if (!limen_value_int(limen_value_get(counts, "asked"), &count))
		return;
	g_string_printf(text, "%" G_GINT64_FORMAT " asked", count);
	node->unused = count == 0;
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
		if (!limen_value_int(limen_value_get(counts, keys[i][0]), &count))
			continue;
		node->unused = node->unused || (i == 0 && count == 0);
		if (count > 0)
			g_string_append_printf(text, ", %" G_GINT64_FORMAT " %s", count, keys[i][1]);
	}
	add_remark(self, node, keep(self, g_strdup(text->str)));
}

/* Applications are an array and are named by their numbers. */
static void
add_entries(graph *self, graph_section section, limen_value entries)
{
	limen_value key, value;
	unsigned number = 0;

	for (limen_iter iter = limen_iter_start(entries); limen_iter_next(&iter, &key, &value);) {
		const char *enforce = member_text(value, "enforce");
		const char *require = member_text(value, "require");
		const char *name = limen_value_string(key, NULL);
		graph_node *node;

		if (name == NULL)
			name = keep(self, g_strdup_printf("%u", ++number));
		node = add_node(self, section, name, value);
		if (require != NULL)
			node->type = keep(self, g_strdup_printf("require %s", require));
		if (member_is_true(value, "stop-on-failure"))
			add_remark(self, node, "stops on failure");
		if (member_is_true(value, "invert"))
			add_remark(self, node, "inverted");
		if (enforce != NULL && !g_str_equal(enforce, "deny"))
			add_remark(self, node, enforce);
		if (self->counted)
			add_counts(self, node, limen_value_get(value, "counts"));
	}
}

/* ---- edges ---- */

/* Adds edges from the entries named in the array 'names'. */
static void
join_names(graph *self, graph_section section, limen_value names, size_t to)
{
	limen_value name;

	for (limen_iter iter = limen_iter_start(names); limen_iter_next(&iter, NULL, &name);)
		add_edge(self, find_index(self, section, limen_value_string(name, NULL)), to, NULL, false);
}

/* Labels each edge with "require", and with the number of the group if there are several. */
static void
join_groups(graph *self, size_t from, limen_value groups)
{
	bool several = limen_value_count(groups) > 1;
	limen_value group, limit;
	unsigned number = 0;

	for (limen_iter iter = limen_iter_start(groups); limen_iter_next(&iter, NULL, &group);) {
		limen_iter limits = limen_iter_start(limen_value_get(group, "limits"));
		const char *require = member_text(group, "require");

		number++;
		while (limen_iter_next(&limits, NULL, &limit))
			add_edge(self, from, find_index(self, GRAPH_LIMITS, limen_value_string(limit, NULL)),
			         several ? keep(self, g_strdup_printf("%u: %s", number, require))
			                 : require, false);
		limits = limen_iter_start(limen_value_get(group, "observing"));
		while (limen_iter_next(&limits, NULL, &limit))
			add_edge(self, from, find_index(self, GRAPH_LIMITS, limen_value_string(limit, NULL)),
			         "audit", false);
	}
}

static void
join_applications(graph *self, limen_value entries)
{
	limen_value value;
	unsigned number = 0;

	for (limen_iter iter = limen_iter_start(entries); limen_iter_next(&iter, NULL, &value);) {
		const char *classifier = member_text(value, "classifier");
		char name[16];
		size_t at;

		g_snprintf(name, sizeof(name), "%u", ++number);
		at = find_index(self, GRAPH_APPLICATIONS, name);
		if (classifier != NULL)
			add_edge(self, find_index(self, GRAPH_CLASSIFIERS, classifier), at, NULL, false);
		join_groups(self, at, limen_value_get(value, "apply"));
	}
}

static void
join_tables(graph *self, size_t from, limen_value tables)
{
	limen_value table;

	for (limen_iter iter = limen_iter_start(tables); limen_iter_next(&iter, NULL, &table);) {
		const char *store = member_text(table, "store");

		if (store != NULL)
			add_edge(self, from, find_index(self, GRAPH_STORES, store), NULL, true);
	}
}

/* Adds the edges between admission entries, from members and classifiers, and to stores. */
static void
join_entries(graph *self, graph_section section, limen_value entries)
{
	limen_value key, value;
	size_t before = 0;

	for (limen_iter iter = limen_iter_start(entries); limen_iter_next(&iter, &key, &value);) {
		size_t at = find_index(self, section, limen_value_string(key, NULL));

		if (section == GRAPH_ADMISSION)
			add_edge(self, before, at, NULL, false);
		join_names(self, GRAPH_IDENTIFIERS, limen_value_get(value, "members"), at);
		join_names(self, GRAPH_CLASSIFIERS, limen_value_get(value, "classifiers"), at);
		join_tables(self, at, limen_value_get(value, "tables"));
		before = at;
	}
}

/* ---- the graph ---- */

static void
fill(graph *self, limen_value root)
{
	static const char *const keys[GRAPH_SECTIONS] = {
		"identifiers",      "classifiers", "rewrite",  "admission",
		"application-list", "limits",      "priority", "stores",
	};
	limen_value parts[GRAPH_SECTIONS];

	for (int i = 0; i < GRAPH_SECTIONS; i++) {
		parts[i] = limen_value_get(root, keys[i]);
		/* These two are a single entry with the name of its section. */
		if (i != GRAPH_REWRITE && i != GRAPH_PRIORITY)
			add_entries(self, (graph_section)i, parts[i]);
		else if (limen_value_exists(parts[i]))
			add_node(self, (graph_section)i, keys[i], parts[i]);
	}
	join_entries(self, GRAPH_CLASSIFIERS, parts[GRAPH_CLASSIFIERS]);
	join_applications(self, parts[GRAPH_APPLICATIONS]);
	join_entries(self, GRAPH_ADMISSION, parts[GRAPH_ADMISSION]);
	join_entries(self, GRAPH_LIMITS, parts[GRAPH_LIMITS]);
}

graph *
graph_new(limen_documents *described, bool counted)
{
	graph *self = g_new0(graph, 1);

	self->described = described;
	self->counted = counted;
	self->texts = g_string_chunk_new(1024);
	self->nodes = g_array_new(FALSE, FALSE, sizeof(graph_node));
	self->edges = g_array_new(FALSE, FALSE, sizeof(graph_edge));
	for (int i = 0; i < GRAPH_SECTIONS; i++)
		self->index[i] = g_hash_table_new(g_str_hash, g_str_equal);
	fill(self, limen_documents_get(self->described, 0));
	return self;
}

void
graph_free(gpointer data)
{
	graph *self = data;

	for (int i = 0; i < GRAPH_SECTIONS; i++)
		g_hash_table_unref(self->index[i]);
	g_array_unref(self->nodes);
	g_array_unref(self->edges);
	g_string_chunk_free(self->texts);
	limen_documents_free(self->described);
	g_free(self->title);
	g_free(self);
}
