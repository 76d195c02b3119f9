/* SPDX-License-Identifier: Apache-2.0 */
/*
 * journal.h - keeps the latest log lines for the console, such as loads and failures.  When it is
 * full, the oldest line is dropped.  A repeated line is kept once, with its latest time and a
 * count.
 */
#ifndef LIMEND_JOURNAL_H
#define LIMEND_JOURNAL_H

#include <glib.h>
#include <limen/host.h>

/* Limits: lines in the journal, and bytes of a line with its NUL; longer lines are cut. */
#define JOURNAL_LINES 50
#define JOURNAL_TEXT_MAX 500

/* Adds a line, from any thread; debug lines are ignored. */
void journal_add(limen_log_level level, const char *source, const char *text);

/*
 * Appends a JSON array of {time, level, source, text}, newest first; a repeated line also has
 * the count "times".
 */
void journal_append(GString *out);

#endif
