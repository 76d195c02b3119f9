/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_render.h - lets Graphviz draw.
 */
#ifndef LIMEN_PROGRAM_GRAPH_RENDER_H
#define LIMEN_PROGRAM_GRAPH_RENDER_H

#include <glib.h>

/*
 * Returns the SVG element that the program dot makes of 'text', to g_free(), or NULL
 * with '*why' to g_free().
 */
char *graph_render(const GString *text, char **why);

#endif
