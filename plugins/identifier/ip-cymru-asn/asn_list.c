/* SPDX-License-Identifier: Apache-2.0 */
/*
 * asn_list.c - parses AS numbers, and finds those of a quoted TXT record in a sorted list by
 * binary search.
 */
#include "asn_list.h"

#include <stdlib.h>
#include <string.h>

static int
compare(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a;
	int64_t right = *(const int64_t *)b;

	return left < right ? -1 : left > right;
}

void
asn_list_sort(int64_t *numbers, size_t count)
{
	qsort(numbers, count, sizeof(*numbers), compare);
}

bool
asn_list_read(const char *text, size_t length, int64_t *out)
{
	bool negative = length > 0 && text[0] == '-';
	bool after_digit = false;
	int64_t value = 0;
	size_t i = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;

	for (; i < length; i++) {
		if (text[i] == '_' && after_digit) {
			after_digit = false;
			continue;
		}
		if (text[i] < '0' || text[i] > '9' || value > (INT64_MAX - 9) / 10)
			return false;
		value = 10 * value + (text[i] - '0');
		after_digit = true;
	}
	*out = negative ? -value : value;
	return after_digit;
}

bool
asn_list_matches(const char *text, const int64_t *numbers, size_t count)
{
	size_t length = strlen(text);
	const char *end;

	if (length < 2)
		return false;
	text++;
	/* The AS numbers end at the first " | ". */
	end = memmem(text, length - 2, " | ", 3);
	if (end == NULL)
		end = text + length - 2;
	while (text < end) {
		size_t part = strcspn(text, " ");
		int64_t number;

		if (part > (size_t)(end - text))
			part = (size_t)(end - text);
		if (asn_list_read(text, part, &number) &&
		    bsearch(&number, numbers, count, sizeof(*numbers), compare) != NULL)
			return true;
		text += part + 1;
	}
	return false;
}
