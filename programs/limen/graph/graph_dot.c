/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_dot.c - writes a graph in DOT: a cluster for each section, escaped and shortened labels,
 * and invisible edges that keep the sections in order.  Owns the colours of the states.
 */
#include "graph.h"

#include <string.h>

/* Form of a text: at most 'most' characters, each backslash as 'backslash'. */
typedef struct text_form {
	glong most;
	const char *backslash;
} text_form;

static const text_form label_form = { 48, "\\\\" };
static const text_form title_form = { 160, "\\\\" };
/* Graphviz 2.43 reads the escapes of tooltips twice. */
static const text_form tip_form = { 400, "\\\\\\\\" };

static const struct {
	const char *fill;
	const char *line;
} colors[GRAPH_STATES] = {
	[GRAPH_PLAIN] = { "#edf1f6", "#51606f" },   [GRAPH_UNASKED] = { "#ffffff", "#7b8691" },
	[GRAPH_SKIP] = { "#edf1f6", "#7b8691" },    [GRAPH_PASS] = { "#d8f3de", "#1a7f37" },
	[GRAPH_FAIL] = { "#ffe0dc", "#b42318" },    [GRAPH_ERROR] = { "#ffedca", "#8a5a00" },
};

/*
 * Appends a character to a quoted string: dot reads "\" as an escape and "&" as the beginning
 * of an entity.  Unprintable characters become blanks.
 */
static void
append_character(GString *out, gunichar c, const char *backslash)
{
	if (c == '"')
		g_string_append(out, "\\\"");
	else if (c == '\\')
		g_string_append(out, backslash);
	else if (c == '&')
		g_string_append(out, "&amp;");
	else
		g_string_append_unichar(out, g_unichar_isprint(c) ? c : ' ');
}

static void
append_text(GString *out, const char *text, const text_form *form)
{
	for (glong count = 0; *text != '\0'; text = g_utf8_next_char(text)) {
		if (++count > form->most) {
			g_string_append(out, "…");
			break;
		}
		append_character(out, g_utf8_get_char(text), form->backslash);
	}
}

/* Appends another line; nothing if 'text' is NULL. */
static void
append_line(GString *out, const char *text, const text_form *form)
{
	if (text == NULL)
		return;
	g_string_append(out, "\\n");
	append_text(out, text, form);
}

static const char *
heading_of(const graph_node *node)
{
	bool described = node->section == GRAPH_APPLICATIONS && node->description != NULL;

	return described ? node->description : node->name;
}

static void
append_label(GString *out, const graph_node *node)
{
	g_string_append(out, "label=\"");
	if (node->section == GRAPH_APPLICATIONS)
		g_string_append_printf(out, "%s. ", node->name);
	append_text(out, node->section == GRAPH_APPLICATIONS && node->description == NULL
	                         ? "application"
	                         : heading_of(node), &label_form);
	append_line(out, node->type, &label_form);
	append_line(out, node->remark, &label_form);
	/* The state is written, too, for readers who cannot see colours. */
	if (node->state > GRAPH_UNASKED && node->section != GRAPH_STORES)
		append_line(out, graph_word(node), &label_form);
	g_string_append_c(out, '"');
}

static void
append_tip(GString *out, const graph_node *node)
{
	g_string_append(out, ", tooltip=\"");
	append_text(out, heading_of(node), &tip_form);
	if (heading_of(node) != node->description)
		append_line(out, node->description, &tip_form);
	append_line(out, node->reason, &tip_form);
	append_line(out, node->file, &tip_form);
	if (node->file != NULL)
		g_string_append_printf(out, ":%" G_GINT64_FORMAT, node->line);
	g_string_append_c(out, '"');
}

static void
append_node(GString *out, const graph *self, size_t index)
{
	const graph_node *node = graph_node_at(self, index);
	const char *shape = node->section == GRAPH_STORES ? "cylinder" : "box";
	graph_state shown = graph_shown_state(node);

	g_string_append_printf(out, "\t\tn%zu [", index + 1);
	append_label(out, node);
	append_tip(out, node);
	g_string_append_printf(out, ", shape=%s, fillcolor=\"%s\", color=\"%s\"", shape,
	                       colors[shown].fill, colors[shown].line);
	if (node->state == GRAPH_UNASKED)
		g_string_append(out, ", fontcolor=\"#55606c\"");
	if (node->unused)
		g_string_append(out, ", style=\"rounded,filled,dashed\"");
	g_string_append(out, "];\n");
}

static void
append_section(GString *out, const graph *self, graph_section section)
{
	bool any = false;

	for (guint i = 0; i < self->nodes->len; i++) {
		if (graph_node_at(self, i)->section != section)
			continue;
		if (!any)
			g_string_append_printf(out,
			                       "\tsubgraph cluster_%d {\n\t\trank=same; label=\"%s\"; "
			                       "style=\"rounded\"; color=\"#d8dee4\"; "
			                       "fontcolor=\"#51606f\";\n",
			                       (int)section, graph_titles[section]);
		any = true;
		append_node(out, self, i);
	}
	if (any)
		g_string_append(out, "\t}\n");
}

static void
append_edge(GString *out, const graph_edge *edge)
{
	bool taken = edge->state > GRAPH_SKIP;

	g_string_append_printf(out, "\tn%zu -> n%zu [color=\"%s\"", edge->from + 1, edge->to + 1,
	                       colors[edge->state].line);
	if (edge->label != NULL) {
		g_string_append(out, ", label=\"");
		append_text(out, edge->label, &label_form);
		g_string_append_c(out, '"');
	}
	if (edge->storing)
		g_string_append(out, ", style=dotted, arrowhead=odot");
	else if (taken)
		g_string_append(out, ", penwidth=2");
	g_string_append(out, "];\n");
}

/*
 * Keeps the sections in order if no edge connects them: an invisible edge leads from the first
 * node of each section to the first of the next.
 */
static void
append_order(GString *out, const graph *self)
{
	size_t before = SIZE_MAX;

	for (guint i = 0; i < self->nodes->len; i++) {
		const graph_node *node = graph_node_at(self, i);
		bool first = i == 0 || graph_node_at(self, i - 1)->section != node->section;

		if (!first || node->section == GRAPH_STORES)
			continue;
		if (before != SIZE_MAX)
			g_string_append_printf(out, "\tn%zu -> n%u [style=invis];\n", before + 1,
			                       i + 1);
		before = i;
	}
}

void
graph_dot_append(GString *out, const graph *self)
{
	g_string_append(out, "digraph policy {\n"
	                     "\trankdir=LR; nodesep=0.2; ranksep=0.7; newrank=true;\n"
	                     "\tfontname=\"sans-serif\"; fontsize=12; tooltip=\"policy\";\n");
	if (self->title != NULL) {
		g_string_append(out, "\tlabelloc=t; label=\"");
		append_text(out, self->title, &title_form);
		g_string_append_printf(out, "\"; fontcolor=\"%s\";\n", colors[self->state].line);
	}
	g_string_append(out, "\tnode [fontname=\"sans-serif\", fontsize=10, "
	                     "style=\"rounded,filled\", margin=\"0.12,0.06\"];\n"
	                     "\tedge [fontname=\"sans-serif\", fontsize=9, arrowsize=0.7, "
	                     "fontcolor=\"#51606f\"];\n");
	for (int i = 0; i < GRAPH_SECTIONS; i++)
		append_section(out, self, (graph_section)i);
	for (guint i = 0; i < self->edges->len; i++)
		append_edge(out, graph_edge_at(self, i));
	append_order(out, self);
	g_string_append(out, "}\n");
}
