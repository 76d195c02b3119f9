/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diag.h - internal functions of the list of problems, for readers and the compiler of a
 * policy.
 */
#ifndef LIMEN_CORE_DOCUMENT_DIAG_H
#define LIMEN_CORE_DOCUMENT_DIAG_H

#include <limen/diag.h>

/*
 * Sets the place of the entries that are added with a 'where' of none; a
 * 'where' of none ends that.  The value must live until then.
 */
void diag_set_context(limen_diag *diag, limen_value where);

/* Discards notes that are added and contain 'word', which must live until then; NULL ends that. */
void diag_mute(limen_diag *diag, const char *word);

/* Returns true if an entry was lost because memory was short. */
bool diag_is_incomplete(const limen_diag *diag);

/*
 * Returns true if there is no room for an entry of 'severity', and counts it as omitted:
 * the caller need not make it.
 */
bool diag_leaves_out(limen_diag *diag, limen_severity severity);

/* Returns true if there is room for the pointer of another entry. */
bool diag_takes_pointers(const limen_diag *diag);

/*
 * Adds an entry about a place that has no node.  'file' and 'pointer'
 * may be NULL, 'line' and 'column' 0; everything is copied.
 */
void diag_add_place(limen_diag *diag, limen_severity severity, const char *file, unsigned line,
                    unsigned column, const char *pointer, const char *text);

#endif
