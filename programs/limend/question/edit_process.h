/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edit_process.h - tries an edited policy in a process of its own, which ends after five seconds at
 * the latest.  It has no network, and no files but programs, libraries, modules and time zones.
 */
#ifndef LIMEND_EDIT_PROCESS_H
#define LIMEND_EDIT_PROCESS_H

#include <glib.h>

#include "base/fault.h"

/* How long the process may take, and the decisions in force beside it. */
#define EDIT_SECONDS 5

/* The only argument of limend in that process. */
#define EDIT_PROCESS "--edit-process"

/*
 * Has the process do 'job', an object in JSON: "policy" (a text), "cases" (an array of objects
 * with a "question"), "modules" and "namespace" (texts that may be missing).  Returns the answer in JSON, to g_free(): "problems"
 * of the policy, and "answers", a decision object or null for each question that was decided in time.
 * NULL with a fault: 503 if another edit is being tried, or this one took too long or ended the
 * process.  Any thread.
 */
char *edit_process_run(const GString *job, fault *why);

/* The main function of that process. */
int edit_process_main(void);

#endif
