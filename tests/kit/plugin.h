/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plugin.h - tables of cases for one module: what it is opened with, what it is
 * asked, what it answers.  Modules run in the real engine, through
 * <limen/testkit.h>, and come from $LIMEN_MODULE_PATH.
 */
#ifndef LIMEN_TESTS_KIT_PLUGIN_H
#define LIMEN_TESTS_KIT_PLUGIN_H

#include <limen/testkit.h>

/* One question and its answer. */
struct plugin_case {
	const char *about;    /* what the case is; NULL ends a table */
	const char *document; /* JSON; NULL: an empty task */
	const char *hints;    /* JSON; NULL: none */
	limen_verdict verdict;
	const char *reason; /* exact; NULL: there is none */
};

/*
 * Opens an instance and returns its kit.  Fails the running test and returns
 * NULL if it does not open; the caller frees it.
 */
limen_kit *plugin_open(limen_kind kind, const char *type, const char *data);

/* Asks 'kit' about one case. */
void plugin_ask(limen_kit *kit, const struct plugin_case *question);

/* Opens an instance and asks it about all of 'cases'. */
void plugin_check(limen_kind kind, const char *type, const char *data,
                  const struct plugin_case *cases);

/* The data is refused, and one of the problems holds 'text'. */
void plugin_refuse(limen_kind kind, const char *type, const char *data, const char *text);

/* The data is accepted, and the problems, warnings and notes hold 'text' ("": are none). */
void plugin_remark(limen_kind kind, const char *type, const char *data, const char *text);

/* The example.json of the module, found under $LIMEN_SRCDIR, loads; notes are no fault. */
void plugin_load_example(limen_kind kind, const char *type);

/* Fails the running test at 'line' of 'file' unless 'passed', saying why. */
void plugin_assert(bool passed, const char *file, unsigned line, const char *format, ...)
	LIMEN_PRINTF(4, 5);

#endif
