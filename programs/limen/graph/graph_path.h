/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_path.h - the way that one request took through a policy.
 */
#ifndef LIMEN_PROGRAM_GRAPH_PATH_H
#define LIMEN_PROGRAM_GRAPH_PATH_H

#include "graph_model.h"

/* Marks in 'of' what 'decision', which was made with a trace, came by. */
void graph_show_decision(graph *of, const limen_decision *decision);

#endif
