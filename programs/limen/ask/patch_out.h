/* SPDX-License-Identifier: Apache-2.0 */
/*
 * patch_out.h - the JSON Patches (RFC 6902) of all that one document of a file
 * stands for, as one patch of that document.
 */
#ifndef LIMEN_PROGRAM_PATCH_OUT_H
#define LIMEN_PROGRAM_PATCH_OUT_H

#include <limen/decision.h>

#include "subjects.h"

typedef struct patch_out {
	GString *operations; /* NULL: nothing begun */
	size_t document;
	size_t printed; /* documents whose patch is printed */
	bool refused;
} patch_out;

/* Adds the patch of 'decision', printing that of the document before if this is another. */
void patch_out_add(patch_out *out, const subject *about, const limen_decision *decision);

/* As patch_out_add(), for a subject about which there is no decision. */
void patch_out_refuse(patch_out *out, const subject *about);

/*
 * Prints what is left, so that each of all 'documents' has a line: an array, empty
 * if there is nothing to decide about, or null if something was refused.
 */
void patch_out_finish(patch_out *out, size_t documents);

#endif
