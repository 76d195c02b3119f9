/* SPDX-License-Identifier: Apache-2.0 */
/* member.h - reads members of objects that may be missing or of another type. */
#ifndef LIMEN_PROGRAM_MEMBER_H
#define LIMEN_PROGRAM_MEMBER_H

#include <limen/value.h>

/* Returns the text of a member, or NULL. */
static inline const char *
member_text(limen_value object, const char *key)
{
	return limen_value_string(limen_value_get(object, key), NULL);
}

/* Returns the text of a member, or 'otherwise' if it is missing or empty. */
static inline const char *
member_text_or(limen_value object, const char *key, const char *otherwise)
{
	const char *text = member_text(object, key);

	return text == NULL || text[0] == '\0' ? otherwise : text;
}

/* Is the member true? */
static inline bool
member_is_true(limen_value object, const char *key)
{
	bool value = false;

	return limen_value_bool(limen_value_get(object, key), &value) && value;
}

#endif
