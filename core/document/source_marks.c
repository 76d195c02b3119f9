/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds lines and columns in a source.  The line and column are kept at fixed intervals
 * of bytes, so that a place costs counting one interval, on short lines and in one line
 * of megabytes alike.
 */
#include <stdlib.h>

#include "document_layout.h"

/* Small enough to count through in an instant, large enough to need little memory. */
#define MARK_STEP ((size_t)512)

/* The line and column of the first byte of a step. */
typedef struct source_mark {
	unsigned line;
	unsigned column;
} source_mark;

/* A mark for every whole step, the first for byte 0; NULL when memory is short. */
static void *
make_marks(const void *data)
{
	const source *from = data;
	size_t steps = from->length / MARK_STEP;
	source_mark *marks = calloc(steps + 1, sizeof(*marks));
	utf8_position position = { .line = 1, .column = 1 };

	if (marks == NULL)
		return NULL;
	for (size_t i = 0; i <= steps; i++) {
		marks[i] = (source_mark){ .line = position.line, .column = position.column };
		if (i < steps)
			utf8_advance(&position, from->text + i * MARK_STEP, MARK_STEP);
	}
	return marks;
}

utf8_position
source_locate(source *from, size_t offset)
{
	utf8_position position = { .line = 1, .column = 1 };
	const source_mark *marks = NULL;
	size_t step;

	if (offset > from->length)
		offset = from->length;
	step = offset / MARK_STEP;
	if (step > 0)
		marks = table_once(&from->marks, make_marks, from);
	/* Without marks, memory being short, all of it is counted. */
	if (marks == NULL)
		step = 0;
	else
		position =
			(utf8_position){ .line = marks[step].line, .column = marks[step].column };
	utf8_advance(&position, from->text + step * MARK_STEP, offset - step * MARK_STEP);
	return position;
}
