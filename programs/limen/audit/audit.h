/* SPDX-License-Identifier: Apache-2.0 */
/*
 * audit.h - "limen audit": its options, and what its files share.
 */
#ifndef LIMEN_PROGRAM_AUDIT_H
#define LIMEN_PROGRAM_AUDIT_H

#include <limen/engine.h>

#include "ask/ask.h"
#include "cli/options.h"
#include "object_stream.h"
#include "tally.h"

typedef struct audit {
	common_options *common;
	ask_settings ask;
	char **policies;
	char **against; /* the policies of the other side, or NULL */
	char *fail_on;
	char *baseline;
	char *namespace; /* of objects without one, or NULL */
	char *kubeconfig;
	char *context;
	gboolean cluster;
	gboolean all; /* print every finding */
	char **files;
	int spool;    /* a copy of standard input, or -1 */
	int status;   /* STATUS_ERROR after something that could not be read */
} audit;

/* A policy, and what it would do; or without an engine, what a baseline says. */
typedef struct audit_side {
	limen_engine *engine;
	tally found;
} audit_side;

/* An object, as far as the audit needs to know it. */
typedef struct audit_object {
	limen_value value;
	const char *api; /* never NULL, nor is 'kind' */
	const char *kind;
	const char *name;
	const char *namespace; /* "default" if it names none */
	unsigned line;
} audit_object;

/* ---- the input, for every command that reads it (audit_input.c) ---- */

#define AUDIT_INPUT_OPTIONS(run) \
	OPTION_TEXT("namespace", 'n', &(run)->namespace, "NAME", \
	            "Namespace of what names none (default)"), \
	OPTION_FLAG("cluster", 0, &(run)->cluster, "Read the objects of a cluster, with kubectl"), \
	OPTION_TEXT("kubeconfig", 0, &(run)->kubeconfig, "FILE", "For kubectl"), \
	OPTION_TEXT("context", 0, &(run)->context, "NAME", "For kubectl"), \
	OPTION_REST(&(run)->files)

/* Returns an audit without any option; end it with audit_end(). */
audit audit_new(common_options *common);
void audit_end(audit *run);

/* Returns the error in the options of the input, or NULL; completes 'run' for reading. */
const char *audit_find_input_error(audit *run);

/* ---- audit_object.c: judges one object ---- */

/* Returns why an object is left out, or TALLY_LEFTS. */
tally_left audit_left_out(const audit_object *object);

/*
 * Judges 'object' under the policy of 'side' and adds what it finds.  Returns false with '*why' to
 * g_free() if it cannot be judged.
 */
bool audit_judge(const audit *run, audit_side *side, const audit_object *object, char **why);

/* ---- audit_input.c: the objects of files, of standard input and of a cluster ---- */

/* Called with each object, in its order; 'name' is that of its file. */
typedef void (*audit_take)(audit *run, void *data, const char *name, const audit_object *object);

/* Reads all objects; problems are printed, and counted in 'status'. */
void audit_read(audit *run, audit_take take, void *data);

/* Loads the LimitRanges that the input itself has.  Returns false after a message. */
bool audit_load_met(audit *run, limen_engine *engine);

/* ---- audit_lint.c ---- */

/* Adds warnings about namespaces whose LimitRanges leave a gap; none without an engine. */
void audit_lint(audit_side *side);

/* ---- audit_print.c ---- */

/* Would this finding make the command fail? */
bool audit_fails(const audit *run, const tally_finding *finding);

/* Prints 'found'; 'before' is the other side of a comparison, or NULL. */
void audit_print_text(const audit *run, const tally *found, const tally *before);
void audit_print_json(const tally *found, const tally *before);

/* ---- audit_report.c ---- */

void audit_print_junit(const audit *run, const tally *found);
void audit_print_policy_reports(const tally *found);
void audit_print_html(const tally *found);

#endif
