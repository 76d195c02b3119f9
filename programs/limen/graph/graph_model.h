/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_model.h - a policy as nodes and edges, built from limen_engine_describe().  Both keep
 * the order of the policy, so equal policies give equal graphs.
 */
#ifndef LIMEN_PROGRAM_GRAPH_MODEL_H
#define LIMEN_PROGRAM_GRAPH_MODEL_H

#include <glib.h>
#include <limen/engine.h>
#include <stdbool.h>

/* The sections, in the order in which a decision runs them. */
typedef enum graph_section {
	GRAPH_IDENTIFIERS,
	GRAPH_CLASSIFIERS,
	GRAPH_REWRITE,
	GRAPH_ADMISSION,
	GRAPH_APPLICATIONS,
	GRAPH_LIMITS,
	GRAPH_PRIORITY,
	GRAPH_STORES,
	GRAPH_SECTIONS
} graph_section;

/* Returns the title of a section, such as "Identifiers". */
const char *graph_section_title(graph_section section);

/* State of a node or edge in the decision that is shown. */
typedef enum graph_state {
	GRAPH_PLAIN, /* no decision is shown */
	GRAPH_UNASKED,
	GRAPH_SKIP,
	GRAPH_PASS,
	GRAPH_FAIL,
	GRAPH_ERROR,
	GRAPH_STATES
} graph_state;

/* Returns the word for a state, such as "pass" or "not asked". */
const char *graph_state_word(graph_state state);

typedef struct graph_node {
	graph_section section;
	char *name;        /* the number of an application */
	char *type;        /* module type, or "require any"; may be NULL */
	char *description; /* may be NULL */
	char *file;        /* may be NULL */
	int64_t line;
	char *remark;      /* "inverted", "stops on failure"; may be NULL */
	graph_state state;
	char *reason;      /* for the state; may be NULL */
} graph_node;

typedef struct graph_edge {
	size_t from;
	size_t to;
	char *label;   /* may be NULL */
	bool storing;  /* leads to a store */
	graph_state state;
} graph_edge;

typedef struct graph {
	GPtrArray *nodes; /* graph_node, by section */
	GPtrArray *edges; /* graph_edge */
	GHashTable *index; /* "SECTION/NAME" to the number of a node, from 1 */
	char *title;       /* the decision on one line; NULL: none is shown */
	graph_state state; /* of the whole decision */
} graph;

/* Builds the graph of the policy in force; free it with graph_free(). */
graph *graph_new(limen_engine *engine);
void graph_free(graph *of);

/* Returns a node, or NULL. */
graph_node *graph_find(const graph *of, graph_section section, const char *name);

static inline graph_node *
graph_node_at(const graph *of, size_t index)
{
	return g_ptr_array_index(of->nodes, index);
}

static inline graph_edge *
graph_edge_at(const graph *of, size_t index)
{
	return g_ptr_array_index(of->edges, index);
}

#endif
