/* SPDX-License-Identifier: Apache-2.0 */
/*
 * imports.h - what scripts import: the statements, and the directories of modules.  libjq opens
 * modules and data (import "NAME" as $d) while it compiles, when the process of the script is not
 * closed yet: by a path of the script's own it would read files of the host.
 */
#ifndef LIMEN_SUPPORT_JQ_IMPORTS_H
#define LIMEN_SUPPORT_JQ_IMPORTS_H

#include "jq.h"
#include "words.h"

/* import "NAME" as ALIAS METADATA; or include "NAME" METADATA; */
typedef struct import {
	const word *first;
	const word *name;
	const word *end; /* its ";" */
} import;

/* Finds the next statement, from '*at' on (NULL: the beginning), and leaves '*at' behind it. */
bool imports_next(const words *of, const word **at, import *found);

/*
 * Returns true if every import has a name below the directories of modules; otherwise false, with
 * a problem for each other import.
 */
bool imports_check(const limen_transform *transform, const words *script, limen_diag *diag);

/*
 * Makes the modules that 'script' imports inputs of the instance, so that a reload opens it afresh
 * when one has changed.
 */
void imports_watch(limen_opening *opening, const words *script);

/* The directory of limen's own modules, or that of $LIMEN_JQ_PATH.  Static. */
const char *imports_directory(void);

/* The modules of pScheduler; limen's own are found first. */
#define IMPORTS_PSCHEDULER "/usr/lib/jq"

#endif
