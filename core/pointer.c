/* SPDX-License-Identifier: Apache-2.0 */
#include "pointer.h"

/* Digits of the largest size_t, and the slash. */
#define STEP_MAX 24

size_t
pointer_enter_member(strbuf *pointer, const char *key, size_t length)
{
	size_t before = pointer->length;

	strbuf_addc(pointer, '/');
	while (length > 0) {
		size_t plain = 0;

		while (plain < length && key[plain] != '~' && key[plain] != '/')
			plain++;
		strbuf_add(pointer, key, plain);
		if (plain == length)
			break;
		strbuf_adds(pointer, key[plain] == '~' ? "~0" : "~1");
		key += plain + 1;
		length -= plain + 1;
	}
	return before;
}

size_t
pointer_enter_element(strbuf *pointer, size_t index)
{
	size_t before = pointer->length;
	char step[STEP_MAX];
	size_t first = sizeof(step);

	do {
		step[--first] = (char)('0' + index % 10);
		index /= 10;
	} while (index > 0);
	step[--first] = '/';
	strbuf_add(pointer, step + first, sizeof(step) - first);
	return before;
}

void
pointer_leave(strbuf *pointer, size_t length)
{
	if (pointer->text == NULL)
		return;
	pointer->length = length;
	pointer->text[length] = '\0';
}
