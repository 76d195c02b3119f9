/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_text.h - finds facts in a YAML text that libyaml does not report: where lines end,
 * and how tags are written.
 *
 * Tags are compared as written, without decoding escapes (%41; YAML 1.2, 5.6).  libyaml
 * decodes them, even to NUL and to invalid UTF-8.
 */
#ifndef LIMEN_CORE_READER_YAML_TEXT_H
#define LIMEN_CORE_READER_YAML_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Part of a text. */
typedef struct yaml_span {
	const char *text;
	size_t length;
} yaml_span;

/* Returns how long the line end (YAML 1.1, 5.4) at 'text' is; 0: it is none. */
size_t yaml_line_end(const char *text, size_t left);

/* The tag, as it is written, of a node that has one and begins at 'text'. */
yaml_span yaml_tag_written(const char *text, size_t length);

/* Has the tag an escape? */
bool yaml_tag_has_escape(yaml_span tag);

/* Has a directive an escape?  The text begins with the first and ends with "---". */
bool yaml_directives_have_escape(const char *text, size_t length);

#endif
