/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_html.h - writes a graph as a page without external resources: the picture, and tables
 * with the same content for readers who cannot see it.
 */
#ifndef LIMEN_PROGRAM_GRAPH_HTML_H
#define LIMEN_PROGRAM_GRAPH_HTML_H

#include "graph_model.h"

/* Appends the page; 'svg' is an SVG element, 'name' the name of the policy. */
void graph_html_append(GString *out, const graph *of, const char *svg, const char *name);

#endif
