/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fault.h - why a request gets no decision: what its sender did wrong, or what
 * went wrong here.
 */
#ifndef LIMEND_FAULT_H
#define LIMEND_FAULT_H

#include <glib.h>
#include <stdbool.h>

typedef struct fault {
	int status; /* of HTTP; 0: there is none */
	char *text;
} fault;

/* Makes 'of' this fault, and returns false for the caller to return. */
bool fault_set(fault *of, int status, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* What memory that runs short is. */
bool fault_memory(fault *of);

void fault_clear(fault *of);

#endif
