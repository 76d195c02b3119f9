/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_text.c - scans YAML source text for line ends, for the written form of a tag, and for
 * escapes (%XX) in tags and tag directives.
 */
#include "yaml_text.h"

#include <string.h>

size_t
yaml_line_end(const char *text, size_t left)
{
	if (*text == '\n' || *text == '\r')
		return 1;
	if (left >= 2 && memcmp(text, "\xC2\x85", 2) == 0)
		return 2;
	if (left >= 3 &&
	    (memcmp(text, "\xE2\x80\xA8", 3) == 0 || memcmp(text, "\xE2\x80\xA9", 3) == 0))
		return 3;
	return 0;
}

/* Returns where the comment that begins at 'offset' ends. */
static size_t
skip_comment(const char *text, size_t length, size_t offset)
{
	while (offset < length && yaml_line_end(text + offset, length - offset) == 0)
		offset++;
	return offset;
}

/* Before the tag there is nothing but an anchor, blanks, line ends and comments. */
static size_t
find_tag(const char *text, size_t length)
{
	size_t offset = 0;

	while (offset < length && text[offset] != '!')
		offset = text[offset] == '#' ? skip_comment(text, length, offset) : offset + 1;
	return offset;
}

/* A tag is of ASCII; only one in "<" and ">" has commas. */
yaml_span
yaml_tag_written(const char *text, size_t length)
{
	size_t begin = find_tag(text, length);
	bool verbatim = length - begin > 1 && text[begin + 1] == '<';
	size_t end = begin;

	while (end < length && text[end] > ' ' && text[end] <= '~' && (verbatim || text[end] != ','))
		end++;
	return (yaml_span){ .text = text + begin, .length = end - begin };
}

bool
yaml_tag_has_escape(yaml_span tag)
{
	return memchr(tag.text, '%', tag.length) != NULL;
}

/* Each directive begins its line with a "%"; any other one is an escape. */
bool
yaml_directives_have_escape(const char *text, size_t length)
{
	bool begins = true;
	size_t offset = 0;

	while (offset < length) {
		size_t end = yaml_line_end(text + offset, length - offset);

		if (text[offset] == '#') {
			offset = skip_comment(text, length, offset);
			continue;
		}
		if (text[offset] == '%' && !begins)
			return true;
		begins = end > 0;
		offset += end > 0 ? end : 1;
	}
	return false;
}
