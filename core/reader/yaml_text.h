/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_text.h - looks into a YAML text for what libyaml does not tell: where
 * lines end, and how tags are written.
 *
 * Tags are compared as they are written, and escapes in them (%41) are not to
 * be decoded (YAML 1.2, 5.6).  libyaml decodes them, also to NUL and to what is
 * no UTF-8.
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
