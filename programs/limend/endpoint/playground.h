/* SPDX-License-Identifier: Apache-2.0 */
/*
 * playground.h - requests as people paste them into the console, in YAML or JSON.
 */
#ifndef LIMEND_PLAYGROUND_H
#define LIMEND_PLAYGROUND_H

#include <glib.h>
#include <limen/documents.h>
#include <limen/engine.h>

/*
 * Reads each document of a text: a task, a manifest (and the pods and claims of a workload), a
 * list, an AdmissionReview or a question.  Members of 'given' (may be none), such as "hints",
 * go to each.
 *
 * Adds at most 'most' cases; none if 'diag' gets a problem.  A case is a text in JSON to g_free():
 * "about", where it stands and what it is, and "question" (limen/question.h).
 */
void playground_read(limen_engine *engine, limen_value given, const char *text, size_t length,
                     size_t most, GPtrArray *cases, limen_diag *diag);

#endif
