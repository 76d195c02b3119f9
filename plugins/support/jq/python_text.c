/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_text.c - Python prefers single quotes unless only those would need
 * escaping, and escapes what does not print.
 */
#include "python_text.h"

#include <string.h>

static void
add_byte(text *out, unsigned char byte, char quote)
{
	switch (byte) {
	case '\n':
		text_adds(out, "\\n");
		return;
	case '\r':
		text_adds(out, "\\r");
		return;
	case '\t':
		text_adds(out, "\\t");
		return;
	case '\\':
		text_adds(out, "\\\\");
		return;
	default:
		break;
	}
	if (byte < 0x20 || byte == 0x7f)
		text_addf(out, "\\x%02x", byte);
	else if (byte == (unsigned char)quote)
		text_addf(out, "\\%c", byte);
	else
		text_addc(out, (char)byte);
}

/* C1 controls, the space that does not break and the soft hyphen: U+0080 to U+00AD. */
static bool
is_unprintable(unsigned char lead, unsigned char next)
{
	return lead == 0xC2 && (next <= 0xA0 || next == 0xAD);
}

void
python_string(text *out, const char *string, size_t length)
{
	bool has_single = memchr(string, '\'', length) != NULL;
	bool has_double = memchr(string, '"', length) != NULL;
	char quote = has_single && !has_double ? '"' : '\'';

	text_addc(out, quote);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)string[i];

		if (i + 1 < length && is_unprintable(c, (unsigned char)string[i + 1])) {
			i++;
			text_addf(out, "\\x%02x", (unsigned char)string[i]);
			continue;
		}
		add_byte(out, c, quote);
	}
	text_addc(out, quote);
}
