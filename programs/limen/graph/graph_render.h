/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_render.h - draws a graph with Graphviz.
 */
#ifndef LIMEN_PROGRAM_GRAPH_RENDER_H
#define LIMEN_PROGRAM_GRAPH_RENDER_H

#include <glib.h>

/*
 * Returns the SVG element that the program dot draws from 'text', to g_free(), or NULL with
 * '*why' to g_free().
 */
char *graph_render(const GString *text, char **why);

#endif
