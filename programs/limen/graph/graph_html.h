/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_html.h - a graph as a page that needs nothing else: the picture, and the same
 * as tables for who cannot see it.
 */
#ifndef LIMEN_PROGRAM_GRAPH_HTML_H
#define LIMEN_PROGRAM_GRAPH_HTML_H

#include "graph_model.h"

/* Appends the page; 'svg' is an element, 'name' that of the policy. */
void graph_html_append(GString *out, const graph *of, const char *svg, const char *name);

#endif
