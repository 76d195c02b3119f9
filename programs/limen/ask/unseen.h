/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unseen.h - warns of objects of uncovered kinds, which a policy admits because no entry looks
 * at them: a custom resource may create pods that bypass LimitRanges, or a kind may be
 * misspelt.
 */
#ifndef LIMEN_PROGRAM_UNSEEN_H
#define LIMEN_PROGRAM_UNSEEN_H

#include "ask.h"
#include "subjects.h"

/*
 * Warns if the admitted 'about', of the file 'name', is of a kind that Kubernetes does not have,
 * and no entry had an opinion.  Repeats the decision as a dry run.
 */
void unseen_warn(const ask_settings *settings, limen_engine *engine, const subject *about,
                 const char *name);

#endif
