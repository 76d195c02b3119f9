/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_path.c - copies the verdicts of a decision to the nodes of a graph, derives the state of
 * each edge, and sets the title.  A node that was asked twice shows the worse verdict.
 */
#include "graph.h"

static graph_state
state_of(limen_verdict verdict, bool inverted)
{
	static const graph_state states[] = { [LIMEN_PASS] = GRAPH_PASS, [LIMEN_FAIL] = GRAPH_FAIL,
		                              [LIMEN_SKIP] = GRAPH_SKIP, [LIMEN_ERROR] = GRAPH_ERROR };

	if (inverted && (verdict == LIMEN_PASS || verdict == LIMEN_FAIL))
		return verdict == LIMEN_PASS ? GRAPH_FAIL : GRAPH_PASS;
	return (size_t)verdict < G_N_ELEMENTS(states) ? states[verdict] : GRAPH_ERROR;
}

graph_section
graph_section_of(limen_kind kind)
{
	static const struct {
		limen_kind kind;
		graph_section section;
	} sections[] = {
		{ LIMEN_KIND_IDENTIFIER, GRAPH_IDENTIFIERS }, { LIMEN_KIND_REWRITER, GRAPH_REWRITE },
		{ LIMEN_KIND_ADMISSION, GRAPH_ADMISSION },    { LIMEN_KIND_PRIORITIZER, GRAPH_PRIORITY },
	};
	size_t i = 0;

	while (i < G_N_ELEMENTS(sections) && sections[i].kind != kind)
		i++;
	return i < G_N_ELEMENTS(sections) ? sections[i].section : GRAPH_LIMITS;
}

/* Sets a state unless a worse one is set already: an entry may run twice. */
static void
mark(graph_node *node, graph_state state, const char *reason)
{
	if (node == NULL || state < node->state)
		return;
	node->state = state;
	if (reason != NULL)
		node->reason = reason;
}

static void
mark_steps(graph *self, const limen_decision *decision)
{
	const limen_step *step = limen_decision_step(decision, 0);

	for (size_t i = 0; step != NULL; step = limen_decision_step(decision, ++i))
		if (step->kind == LIMEN_STEP_CLASSIFIER)
			mark(graph_find(self, GRAPH_CLASSIFIERS, step->name),
			     state_of(step->verdict, false), NULL);
		else if (step->kind == LIMEN_STEP_APPLICATION)
			mark(graph_find_application(self, step->application),
			     state_of(step->verdict, false), NULL);
		else if (step->kind == LIMEN_STEP_ADMISSION)
			mark(graph_find(self, GRAPH_ADMISSION, step->name), GRAPH_SKIP, step->reason);
}

/*
 * Returns the state of an edge: the verdict of the limit for edges of applications, else that
 * of the source.
 */
static graph_state
edge_state(const graph_node *from, const graph_node *to)
{
	if (from->state <= GRAPH_SKIP || to->state <= GRAPH_SKIP)
		return GRAPH_UNASKED;
	if (from->section == GRAPH_APPLICATIONS)
		return to->state;
	if (from->section == GRAPH_ADMISSION)
		return from->state;
	return from->state == GRAPH_FAIL ? GRAPH_UNASKED : from->state;
}

void
graph_show_decision(graph *self, const limen_decision *decision)
{
	const limen_trace *trace = limen_decision_trace(decision, 0);
	bool admitted = limen_decision_admitted(decision);
	bool told = limen_decision_code(decision) != 500;

	for (guint i = 0; i < self->nodes->len; i++) {
		graph_node *node = graph_node_at(self, i);

		/* Stores decide nothing, so all are shown as skipped. */
		node->state = node->section == GRAPH_STORES ? GRAPH_SKIP : GRAPH_UNASKED;
	}
	for (size_t i = 0; trace != NULL; trace = limen_decision_trace(decision, ++i))
		mark(graph_find(self, graph_section_of(trace->kind), trace->name),
		     state_of(trace->verdict, trace->inverted), trace->reason);
	mark_steps(self, decision);
	for (guint i = 0; i < self->edges->len; i++) {
		graph_edge *edge = graph_edge_at(self, i);
		const graph_node *from = graph_node_at(self, edge->from);

		edge->state = edge->storing ? from->state
		                            : edge_state(from, graph_node_at(self, edge->to));
	}
	self->state = admitted ? GRAPH_PASS : told ? GRAPH_FAIL : GRAPH_ERROR;
	self->title = g_strdup_printf("%s: %s", admitted ? "admitted" : told ? "refused" : "error",
	                            limen_decision_reason(decision));
}
