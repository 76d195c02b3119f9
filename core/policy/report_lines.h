/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report_lines.h - the account of a decision, line by line, as pScheduler gives it.
 * Lines are joined by newlines; the last one has none.
 */
#ifndef LIMEN_CORE_POLICY_REPORT_LINES_H
#define LIMEN_CORE_POLICY_REPORT_LINES_H

#include "base/strbuf.h"

/* Adds a line; 'indent' goes before each line that its text has. */
void account_line(strbuf *out, const char *indent, const char *format, ...) LIMEN_PRINTF(3, 4);

/*
 * The same for a text that is put together: begin, add to 'out', end with what
 * begin returned.
 */
size_t account_begin(strbuf *out, const char *indent);
void account_end(strbuf *out, const char *indent, size_t start);

/* Adds lines that stand in one text, made with account_line() before. */
void account_lines(strbuf *out, const char *text, size_t length);

#endif
