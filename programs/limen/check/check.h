/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - the settings of "limen check" for its two modes: a few files (check_files.c) or a
 * stream of lines (batch.c).
 */
#ifndef LIMEN_PROGRAM_CHECK_H
#define LIMEN_PROGRAM_CHECK_H

#include "ask/http_options.h"
#include "ask/question_options.h"
#include "cli/options.h"

/* The options, and below what they mean. */
typedef struct check {
	char **policies;    /* of --policy, or NULL: the default */
	char *batch;        /* the file of lines, or NULL */
	char **files;       /* the requests, or NULL */
	char *phase;
	http_options http;
	gboolean rewrite, no_rewrite;
	gboolean prioritize, no_prioritize;
	gboolean explain;
	gboolean quiet;     /* print only what is refused or not judged, and the counts */
	gboolean strict;    /* fail for what is not judged and for warnings, too */
	gboolean live_stores;
	const common_options *common;
	unsigned engine_flags; /* LIMEN_ENGINE_* */
	ask_settings ask;
} check;

/* Decides the requests in 'settings->files' and returns the worst exit status. */
int check_files(const check *settings);

/* Answers the lines of 'settings->batch'. */
int check_batch(const check *settings);

#endif
