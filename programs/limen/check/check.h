/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - the settings of "limen check" for its two modes: a few files (check_files.c) or a
 * stream of lines (batch.c).
 */
#ifndef LIMEN_PROGRAM_CHECK_H
#define LIMEN_PROGRAM_CHECK_H

#include "ask/ask.h"
#include "cli/options.h"

typedef struct check {
	const common_options *common;
	char **policies;    /* of --policy, or NULL: the default */
	const char *batch;  /* the file of lines, or NULL */
	char **files;       /* the requests, or NULL */
	output_format format;
	bool quiet;         /* print only what is refused or not judged, and the counts */
	bool strict;        /* fail for what is not judged and for warnings, too */
	unsigned engine_flags; /* LIMEN_ENGINE_* */
	ask_settings ask;
} check;

/* Decides the requests in 'how->files' and returns the worst exit status. */
int check_files(const check *how);

/* Answers the lines of 'how->batch'. */
int check_batch(const check *how);

#endif
