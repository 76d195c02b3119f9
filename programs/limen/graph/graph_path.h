/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_path.h - marks the path of one request through a policy.
 */
#ifndef LIMEN_PROGRAM_GRAPH_PATH_H
#define LIMEN_PROGRAM_GRAPH_PATH_H

#include "graph_model.h"

/* Marks the entries that 'decision' ran; it must have been made with a trace. */
void graph_show_decision(graph *of, const limen_decision *decision);

#endif
