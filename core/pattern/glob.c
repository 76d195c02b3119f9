/* SPDX-License-Identifier: Apache-2.0 */
/*
 * glob.c - matches text against patterns in which "*" matches any text.
 */
#include <limen/string_match.h>
#include <string.h>

/*
 * Matches 'pattern', the rest of a pattern behind a "*".  The first occurrence of each
 * piece between two stars is taken, so the search never backtracks.
 */
static bool
match_after_star(const char *pattern, const char *text, size_t length)
{
	const char *star = strchr(pattern, '*');
	size_t piece;

	while (star != NULL) {
		const char *found;

		piece = (size_t)(star - pattern);
		found = memmem(text, length, pattern, piece);
		if (found == NULL)
			return false;
		length -= (size_t)(found - text) + piece;
		text = found + piece;
		pattern = star + 1;
		star = strchr(pattern, '*');
	}
	piece = strlen(pattern);
	return length >= piece && memcmp(text + length - piece, pattern, piece) == 0;
}

bool
limen_glob_match(const char *pattern, const char *text, size_t length)
{
	size_t head;

	if (pattern == NULL || (text == NULL && length > 0))
		return false;
	text = text == NULL ? "" : text;
	head = strcspn(pattern, "*");
	if (length < head || memcmp(pattern, text, head) != 0)
		return false;
	if (pattern[head] == '\0')
		return length == head;
	return match_after_star(pattern + head + 1, text + head, length - head);
}
