/* SPDX-License-Identifier: Apache-2.0 */
/*
 * patch_out.h - merges the JSON Patches (RFC 6902) of all objects in one document of a file
 * into one patch of that document.
 */
#ifndef LIMEN_PROGRAM_PATCH_OUT_H
#define LIMEN_PROGRAM_PATCH_OUT_H

#include <limen/decision.h>

#include "subjects.h"

typedef struct patch_out {
	GString *operations; /* NULL: no document begun */
	size_t document;
	size_t printed; /* documents whose patch is printed */
	bool refused;
} patch_out;

/* Adds the patch of 'decision'; prints that of the previous document if a new one begins. */
void patch_out_add(patch_out *out, const subject *about, const limen_decision *decision);

/* As patch_out_add(), for a subject without a decision: the line of its document becomes null. */
void patch_out_refuse(patch_out *out, const subject *about);

/*
 * Prints the remaining lines, so that each of 'documents' has one: an array, empty if nothing
 * was decided, or null if an object was refused.
 */
void patch_out_finish(patch_out *out, size_t documents);

#endif
