/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch_line.h - one line of a batch, taken apart.
 */
#ifndef LIMEN_PROGRAM_BATCH_LINE_H
#define LIMEN_PROGRAM_BATCH_LINE_H

#include "ask/ask.h"

typedef struct batch_line {
	limen_request *holder; /* keeps the document of the line */
	unsigned long number;  /* from 1 */
	char *id;              /* JSON, or NULL if the line has none */
	limen_value policy;    /* a string, an object, or none */
	limen_value request;
	bool gone;             /* 'request' is what was, and nothing takes its place */
	ask_settings ask;
} batch_line;

/*
 * Reads line 'number', 'length' bytes of 'text'; what the line does not say is as in 'defaults'.
 * Returns true, or false with '*why' to g_free().  Finish it in any case.
 */
bool batch_line_read(batch_line *line, unsigned long number, const ask_settings *defaults,
                     const char *text, size_t length, char **why);
void batch_line_finish(batch_line *line);

#endif
