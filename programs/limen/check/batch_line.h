/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch_line.h - parses one line of a batch.
 */
#ifndef LIMEN_PROGRAM_BATCH_LINE_H
#define LIMEN_PROGRAM_BATCH_LINE_H

#include "ask/ask.h"

typedef struct batch_line {
	char *id;              /* JSON, or NULL if the line has none */
	limen_value policy;    /* a string, an object, or none */
	limen_request *request;
	limen_decide_options options;
} batch_line;

/*
 * Reads the line 'document', which must outlive 'line'; missing members get the values of
 * 'defaults'.  Returns true, or false with '*why' to g_free().  Call batch_line_finish() in any
 * case.
 */
bool batch_line_read(batch_line *line, const ask_settings *defaults, limen_value document,
                     char **why);

void batch_line_finish(batch_line *line);

#endif
