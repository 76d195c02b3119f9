/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_html.c - writes an HTML page with the SVG of a graph and a table for each section.  The
 * page has no scripts, and its Content-Security-Policy forbids external resources.
 */
#include <stdio.h>

#include "cli/markup.h"
#include "graph.h"

static void
print_row(const graph *self, const graph_node *node)
{
	markup_print("<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td>", node->name, node->type,
	             node->description, node->remark);
	if (self->title != NULL && node->section != GRAPH_STORES)
		markup_print("<td class=\"%s\">%s%s%s</td>", graph_classes[graph_shown_state(node)],
		             graph_word(node), node->reason == NULL ? "" : ": ", node->reason);
	markup_print("<td><code>%s", node->file);
	if (node->line > 0)
		printf(":%" G_GINT64_FORMAT, node->line);
	fputs("</code></td></tr>\n", stdout);
}

static void
print_table(const graph *self, graph_section section)
{
	bool any = false;

	for (guint i = 0; i < self->nodes->len; i++) {
		const graph_node *node = graph_node_at(self, i);

		if (node->section != section)
			continue;
		if (!any)
			printf("<h2>%s</h2>\n<table>\n<tr><th>name</th><th>type</th><th>description</th>"
			       "<th>remarks</th>%s<th>place</th></tr>\n", graph_titles[section],
			       self->title != NULL && section != GRAPH_STORES ? "<th>verdict</th>" : "");
		any = true;
		print_row(self, node);
	}
	if (any)
		fputs("</table>\n", stdout);
}

void
graph_html_print(const graph *self, const char *svg, const char *name)
{
	g_autofree char *shown = g_filename_display_name(name);
	g_autofree char *title = g_strconcat("Policy ", shown, NULL);

	markup_print_head(title);
	markup_print("<h1>Policy <code>%s</code></h1>\n", shown);
	if (self->title != NULL)
		markup_print("<p class=\"verdict %s\">%s</p>\n", graph_classes[self->state], self->title);
	printf("<div class=\"picture drawn\" role=\"img\" aria-label=\"The policy as a graph; the "
	       "tables below say the same\">\n%s</div>\n", svg);
	for (int i = 0; i < GRAPH_SECTIONS; i++)
		print_table(self, (graph_section)i);
	fputs("</body>\n</html>\n", stdout);
}
