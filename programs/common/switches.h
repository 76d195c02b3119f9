/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switches.h - reads how a question is to be decided, from its members "run", "rewrite",
 * "prioritize", "diagnostics", "explain" and "dryRun".
 */
#ifndef LIMEN_PROGRAM_SWITCHES_H
#define LIMEN_PROGRAM_SWITCHES_H

#include <limen/engine.h>
#include <stdbool.h>

typedef struct switches {
	limen_switch rewrite;
	limen_switch prioritize;
	bool diagnostics;
	bool explain;
	bool dry_run;
} switches;

/*
 * Reads the switches present in 'members'; the others stay unchanged.  Returns false with the
 * reason in '*why' to g_free().
 */
bool switches_read(limen_value members, switches *out, char **why);

#endif
