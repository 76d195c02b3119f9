/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_lines.h - writes the report of a decision line by line, in pScheduler's form.
 * Lines are joined by newlines; the last one has none.
 */
#ifndef LIMEN_CORE_POLICY_REPORT_LINES_H
#define LIMEN_CORE_POLICY_REPORT_LINES_H

#include "base/strbuf.h"

/* Adds a line; 'indent' goes before each line that its text has. */
void account_line(strbuf *out, const char *indent, const char *format, ...) LIMEN_PRINTF(3, 4);

/*
 * The same for a text in pieces: call account_begin(), add to 'out', and pass the
 * returned offset to account_end().
 */
size_t account_begin(strbuf *out, const char *indent);
void account_end(strbuf *out, const char *indent, size_t start);

/* Adds a text of several lines that account_line() has made earlier. */
void account_lines(strbuf *out, const char *text, size_t length);

#endif
