/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_html.c - writes an HTML page with the SVG of a graph and a table for each section.  The
 * page has no scripts, and its Content-Security-Policy forbids external resources.
 */
#include "cli/markup.h"
#include "graph.h"

static void
append_row(GString *out, const graph *self, const graph_node *node)
{
	markup_append(out, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td>", node->name,
	              node->type, node->description, node->remark);
	if (self->title != NULL && node->section != GRAPH_STORES)
		markup_append(out, "<td class=\"%s\">%s%s%s</td>",
		              graph_classes[graph_shown_state(node)], graph_word(node),
		              node->reason == NULL ? "" : ": ", node->reason);
	markup_append(out, "<td><code>%s", node->file);
	if (node->line > 0)
		g_string_append_printf(out, ":%" G_GINT64_FORMAT, node->line);
	g_string_append(out, "</code></td></tr>\n");
}

static void
append_table(GString *out, const graph *self, graph_section section)
{
	bool any = false;

	for (guint i = 0; i < self->nodes->len; i++) {
		const graph_node *node = graph_node_at(self, i);

		if (node->section != section)
			continue;
		if (!any)
			g_string_append_printf(out,
			                       "<h2>%s</h2>\n<table>\n<tr><th>name</th><th>type</th>"
			                       "<th>description</th><th>remarks</th>%s<th>place</th>"
			                       "</tr>\n",
			                       graph_titles[section],
			                       self->title != NULL && section != GRAPH_STORES
			                               ? "<th>verdict</th>"
			                               : "");
		any = true;
		append_row(out, self, node);
	}
	if (any)
		g_string_append(out, "</table>\n");
}

void
graph_html_append(GString *out, const graph *self, const char *svg, const char *name)
{
	g_autofree char *shown = g_filename_display_name(name);
	g_autofree char *title = g_strconcat("Policy ", shown, NULL);

	markup_append_head(out, title);
	markup_append(out, "<h1>Policy <code>%s</code></h1>\n", shown);
	if (self->title != NULL)
		markup_append(out, "<p class=\"verdict %s\">%s</p>\n", graph_classes[self->state],
		              self->title);
	g_string_append(out, "<div class=\"picture drawn\" role=\"img\" aria-label=\"The policy as a "
	                     "graph; the tables below say the same\">\n");
	g_string_append(out, svg);
	g_string_append(out, "</div>\n");
	for (int i = 0; i < GRAPH_SECTIONS; i++)
		append_table(out, self, (graph_section)i);
	g_string_append(out, "</body>\n</html>\n");
}
