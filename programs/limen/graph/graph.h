/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.h - a policy as nodes and edges, built from limen_engine_describe().  Both keep the
 * order of the policy, so equal policies give equal graphs.
 */
#ifndef LIMEN_PROGRAM_GRAPH_H
#define LIMEN_PROGRAM_GRAPH_H

#include <glib.h>
#include <limen/documents.h>
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

/* The titles of the sections, such as "Identifiers". */
extern const char *const graph_titles[GRAPH_SECTIONS];

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

/* The classes of the states in pages, such as "pass". */
extern const char *const graph_classes[GRAPH_STATES];

/* Texts are borrowed from the graph. */
typedef struct graph_node {
	graph_section section;
	const char *name;        /* the number of an application */
	const char *type;        /* module type, or "require any"; may be NULL */
	const char *description; /* may be NULL */
	const char *file;        /* may be NULL */
	int64_t line;
	const char *remark;      /* "inverted", "stops on failure"; may be NULL */
	bool unused;             /* no request asked it, or matched it, since the load */
	graph_state state;
	const char *reason;      /* for the state; borrowed from the decision; may be NULL */
} graph_node;

typedef struct graph_edge {
	size_t from;
	size_t to;
	const char *label; /* may be NULL */
	bool storing;      /* leads to a store */
	graph_state state;
} graph_edge;

typedef struct graph {
	limen_documents *described;        /* owns the texts of the policy */
	bool counted;                      /* nodes have their counts */
	GStringChunk *texts;               /* owns the composed texts */
	GArray *nodes;                     /* graph_node, by section */
	GArray *edges;                     /* graph_edge */
	GHashTable *index[GRAPH_SECTIONS]; /* name to the number of a node, from 1 */
	char *title;                       /* the decision on one line; NULL: none is shown */
	graph_state state;                 /* of the whole decision */
} graph;

/*
 * Builds the graph of a policy that limen_engine_describe() has described, and takes the documents over;
 * 'counted': with its counts.  Free it with graph_free().
 */
graph *graph_new(limen_documents *described, bool counted);
void graph_free(gpointer graph);

/* Returns the word for the state of a node: "pass" is "match" for identifiers and classifiers. */
const char *graph_word(const graph_node *node);

/* As the state, but "no match" of an identifier or a classifier, which refuses nothing, is "skip". */
graph_state graph_shown_state(const graph_node *node);

/* Return a node, or NULL; of an application by its number in a decision. */
graph_node *graph_find(const graph *self, graph_section section, const char *name);
graph_node *graph_find_application(const graph *self, unsigned number);

/* Returns the section of the entries of that kind. */
graph_section graph_section_of(limen_kind kind);

static inline graph_node *
graph_node_at(const graph *self, size_t index)
{
	return &g_array_index(self->nodes, graph_node, index);
}

static inline graph_edge *
graph_edge_at(const graph *self, size_t index)
{
	return &g_array_index(self->edges, graph_edge, index);
}

/*
 * Marks the entries that 'decision' ran; it must have been made with a trace, and must outlive
 * the graph.
 */
void graph_show_decision(graph *self, const limen_decision *decision);

/* Appends the graph in DOT.  Names are escaped: nothing in them is read as DOT. */
void graph_dot_append(GString *out, const graph *self);

/*
 * Returns the SVG element that Graphviz' program dot draws from 'text', to g_free(), or NULL
 * with '*why' to g_free().
 */
char *graph_render(const GString *text, char **why);

/*
 * Prints a page without external resources: the picture 'svg', and tables with the same
 * content for readers who cannot see it.  'name' is the name of the policy.
 */
void graph_html_print(const graph *self, const char *svg, const char *name);

#endif
