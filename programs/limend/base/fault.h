/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault.h - the reason why a request gets no decision: an error of its sender or of the daemon.
 */
#ifndef LIMEND_FAULT_H
#define LIMEND_FAULT_H

#include <glib.h>
#include <stdbool.h>

typedef struct fault {
	int status; /* HTTP status; 0: no fault */
	char *text; /* owned by the fault */
} fault;

/* Sets status and text of 'self'.  Returns false, which the caller can return in turn. */
bool fault_set(fault *self, int status, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* Sets the fault of a memory shortage (status 500); returns false. */
bool fault_memory(fault *self);

void fault_clear(fault *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(fault, fault_clear)

#endif
