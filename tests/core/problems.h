/* SPDX-License-Identifier: Apache-2.0 */
/*
 * problems.h - a list of problems as one text, to be compared as a whole: an
 * entry a line, as
 *
 *	SEVERITY [FILE ]POINTER LINE:COLUMN TEXT (HINT)
 *
 * where FILE is the last part of the file's name, and "-" stands for nothing.
 */
#ifndef LIMEN_TESTS_CORE_PROBLEMS_H
#define LIMEN_TESTS_CORE_PROBLEMS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limen/diag.h>

static inline const char *
problems_base_name(const char *file)
{
	const char *slash = file == NULL ? NULL : strrchr(file, '/');

	if (file == NULL)
		return "-";
	return slash == NULL ? file : slash + 1;
}

/* Returns the text, which the caller frees. */
static inline char *
problems_print(const limen_diag *diag, bool files)
{
	static const char *const words[] = { "note", "warning", "problem" };
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	for (size_t i = 0; limen_diag_get(diag, i) != NULL; i++) {
		const limen_problem *one = limen_diag_get(diag, i);

		fprintf(out, "%s%s ", i == 0 ? "" : "\n", words[one->severity]);
		if (files)
			fprintf(out, "%s ", problems_base_name(one->file));
		fprintf(out, "%s %u:%u %s", one->pointer == NULL ? "-" : one->pointer, one->line,
		        one->column, one->text);
		if (one->hint != NULL)
			fprintf(out, " (%s)", one->hint);
	}
	fclose(out);
	return text;
}

#endif
