/* SPDX-License-Identifier: Apache-2.0 */
/*
 * journal.h - the log lines of late, for the console: what was loaded, and what went
 * wrong.  Bounded, and the oldest goes first.  A line that is said again is kept once,
 * with when it was said last and how often.
 */
#ifndef LIMEND_JOURNAL_H
#define LIMEND_JOURNAL_H

#include <glib.h>
#include <limen/host.h>

/* So many lines, and so many bytes of each. */
#define JOURNAL_LINES 50
#define JOURNAL_TEXT_MAX 500

/* Keeps a line, from any thread; those for debugging are not kept. */
void journal_add(limen_log_level level, const char *source, const char *text);

/*
 * Appends a JSON array of {time, level, source, text}, the newest first; what was said
 * again has "times", too.
 */
void journal_append(GString *out);

#endif
