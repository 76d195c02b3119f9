/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_dot.h - writes a graph in DOT, the language of Graphviz.
 */
#ifndef LIMEN_PROGRAM_GRAPH_DOT_H
#define LIMEN_PROGRAM_GRAPH_DOT_H

#include "graph_model.h"

/* Appends the whole graph.  Names are escaped: nothing in them is read as DOT. */
void graph_dot_append(GString *out, const graph *of);

/* Return the fill and line colours of a state, such as "#d6f5d6" and "#1a7f37". */
const char *graph_fill(graph_state state);
const char *graph_line(graph_state state);

#endif
