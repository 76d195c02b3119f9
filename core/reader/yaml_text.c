/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_text.c - scans YAML source text for line ends, for the written form of a tag, and for
 * escapes (%XX) in tags and tag directives.
 */
#include "yaml_text.h"

#include <string.h>

size_t
yaml_line_end(const char *at, size_t left)
{
	if (*at == '\n' || *at == '\r')
		return 1;
	if (left >= 2 && memcmp(at, "\xC2\x85", 2) == 0)
		return 2;
	if (left >= 3 && (memcmp(at, "\xE2\x80\xA8", 3) == 0 || memcmp(at, "\xE2\x80\xA9", 3) == 0))
		return 3;
	return 0;
}

/* Returns where the comment that begins at 'at' ends. */
static size_t
skip_comment(const char *text, size_t length, size_t at)
{
	while (at < length && yaml_line_end(text + at, length - at) == 0)
		at++;
	return at;
}

/* Before the tag there is nothing but an anchor, blanks, line ends and comments. */
static size_t
find_tag(const char *text, size_t length)
{
	size_t at = 0;

	while (at < length && text[at] != '!')
		at = text[at] == '#' ? skip_comment(text, length, at) : at + 1;
	return at;
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
	size_t at = 0;

	while (at < length) {
		size_t end = yaml_line_end(text + at, length - at);

		if (text[at] == '#') {
			at = skip_comment(text, length, at);
			continue;
		}
		if (text[at] == '%' && !begins)
			return true;
		begins = end > 0;
		at += end > 0 ? end : 1;
	}
	return false;
}
