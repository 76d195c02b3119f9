/* SPDX-License-Identifier: Apache-2.0 */
/*
 * value_repr.c - writes JSON values as Python's repr() and str() do: its quotes and escapes, and
 * the shortest digits that read back as the same double.
 */
#include "value_repr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scalar/scalar.h"
#include "base/utf8.h"

/* Enough digits for every double to be read back as itself. */
#define DIGITS_MAX 17

/* Assigned code points from U+0080 on that str.isprintable() denies (Unicode 14). */
static const struct {
	uint32_t first, last;
} unprintable[] = {
	{ 0x80, 0xA0 },       { 0xAD, 0xAD },       { 0x600, 0x605 },     { 0x61C, 0x61C },
	{ 0x6DD, 0x6DD },     { 0x70F, 0x70F },     { 0x890, 0x891 },     { 0x8E2, 0x8E2 },
	{ 0x1680, 0x1680 },   { 0x180E, 0x180E },   { 0x2000, 0x200F },   { 0x2028, 0x202F },
	{ 0x205F, 0x2064 },   { 0x2066, 0x206F },   { 0x3000, 0x3000 },   { 0xD800, 0xF8FF },
	{ 0xFEFF, 0xFEFF },   { 0xFFF9, 0xFFFB },   { 0x110BD, 0x110BD }, { 0x110CD, 0x110CD },
	{ 0x13430, 0x13438 }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0001, 0xE0001 },
	{ 0xE0020, 0xE007F }, { 0xF0000, 0xFFFFD }, { 0x100000, 0x10FFFD },
};

static bool
is_printable(uint32_t code)
{
	if (code < 0x80)
		return code >= 0x20 && code != 0x7F;
	for (size_t i = 0; i < sizeof(unprintable) / sizeof(unprintable[0]); i++)
		if (code >= unprintable[i].first && code <= unprintable[i].last)
			return false;
	return true;
}

/* Adds a character other than a quote or a backslash. */
static void
repr_character(strbuf *out, const char *text, size_t size, uint32_t code)
{
	if (is_printable(code))
		strbuf_add(out, text, size);
	else if (code == '\n')
		strbuf_adds(out, "\\n");
	else if (code == '\r')
		strbuf_adds(out, "\\r");
	else if (code == '\t')
		strbuf_adds(out, "\\t");
	else if (code < 0x100)
		strbuf_addf(out, "\\x%02x", code);
	else if (code < 0x10000)
		strbuf_addf(out, "\\u%04x", code);
	else
		strbuf_addf(out, "\\U%08x", code);
}

void
value_repr_string(strbuf *out, const char *text, size_t length)
{
	bool single = memchr(text, '\'', length) != NULL;
	bool twofold = memchr(text, '"', length) != NULL;
	char quote = single && !twofold ? '"' : '\'';
	size_t offset = 0;

	strbuf_addc(out, quote);
	while (offset < length) {
		uint32_t code = (unsigned char)text[offset];
		size_t size = utf8_decode(text + offset, length - offset, &code);

		if (size == 0) {
			strbuf_addf(out, "\\x%02x", code);
			size = 1;
		} else if (code == (unsigned char)quote || code == '\\') {
			strbuf_addf(out, "\\%c", (int)code);
		} else {
			repr_character(out, text + offset, size, code);
		}
		offset += size;
	}
	strbuf_addc(out, quote);
}

/* A positive number as 0.d1d2d3... times a power of ten. */
typedef struct shortest {
	char digits[DIGITS_MAX + 1];
	int count;
	int point; /* where the decimal point is, in digits from the left */
} shortest;

/* Writes 'number' with that many digits; the locale's decimal point is stepped over. */
static void
write_digits(double number, int count, shortest *out)
{
	char text[64];
	const char *next = text;

	snprintf(text, sizeof(text), "%.*e", count - 1, number);
	out->count = 0;
	for (; *next != 'e'; next++)
		if (*next >= '0' && *next <= '9')
			out->digits[out->count++] = *next;
	out->digits[out->count] = '\0';
	out->point = (int)strtol(next + 1, NULL, 10) + 1;
}

static bool
reads_back(const shortest *digits, double number)
{
	char text[64];
	double again;

	snprintf(text, sizeof(text), "%se%d", digits->digits, digits->point - digits->count);
	return number_real(text, &again) && again == number;
}

static void
find_shortest(double number, shortest *out)
{
	for (int count = 1; count <= DIGITS_MAX; count++) {
		char *last = &out->digits[count - 1];

		write_digits(number, count, out);
		if (reads_back(out, number))
			return;
		/* Doubles lie further apart above a power of two than below it. */
		if (*last < '9') {
			++*last;
			if (reads_back(out, number))
				return;
			--*last;
		}
	}
}

/* Adds digits 'from' to 'until' of the number, zeros where it has none. */
static void
add_digits(strbuf *out, const shortest *number, int from, int until)
{
	for (int i = from; i < until; i++)
		strbuf_addc(out, i >= 0 && i < number->count ? number->digits[i] : '0');
}

static void
add_exponential(strbuf *out, const shortest *number)
{
	int exponent = number->point - 1;

	add_digits(out, number, 0, 1);
	if (number->count > 1)
		strbuf_addc(out, '.');
	add_digits(out, number, 1, number->count);
	strbuf_addf(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
}

static void
add_plain(strbuf *out, const shortest *number)
{
	int end = number->count > number->point ? number->count : number->point + 1;

	if (number->point > 0)
		add_digits(out, number, 0, number->point);
	else
		strbuf_addc(out, '0');
	strbuf_addc(out, '.');
	add_digits(out, number, number->point, end);
}

void
value_repr_real(strbuf *out, double number)
{
	shortest digits = { .count = 0 };

	if (isnan(number)) {
		strbuf_adds(out, "nan");
		return;
	}
	if (signbit(number))
		strbuf_addc(out, '-');
	if (isinf(number)) {
		strbuf_adds(out, "inf");
		return;
	}
	find_shortest(fabs(number), &digits);
	/* Python's bounds for the plain form: 0.0001 and just below 1e16. */
	if (digits.point < -3 || digits.point > 16)
		add_exponential(out, &digits);
	else
		add_plain(out, &digits);
}

static void
repr_number(strbuf *out, limen_value value)
{
	size_t length;
	const char *text = limen_value_number(value, &length);
	double real = 0;

	if (limen_value_type(value) == LIMEN_TYPE_REAL) {
		if (!limen_value_real(value, &real))
			out->failed = true;
		value_repr_real(out, real);
	} else if (length == 2 && memcmp(text, "-0", 2) == 0) {
		strbuf_addc(out, '0');
	} else {
		strbuf_add(out, text, length);
	}
}

static void
repr_members(strbuf *out, limen_value container)
{
	bool object = limen_value_type(container) == LIMEN_TYPE_OBJECT;
	limen_iter iter = limen_iter_start(container);
	limen_value key, member;
	bool first = true;

	strbuf_addc(out, object ? '{' : '[');
	while (limen_iter_next(&iter, &key, &member)) {
		if (!first)
			strbuf_adds(out, ", ");
		first = false;
		if (object) {
			value_repr(out, key);
			strbuf_adds(out, ": ");
		}
		value_repr(out, member);
	}
	strbuf_addc(out, object ? '}' : ']');
}

void
value_repr(strbuf *out, limen_value value)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);
	bool truth = false;

	switch (limen_value_type(value)) {
	case LIMEN_TYPE_NONE:
		break;
	case LIMEN_TYPE_NULL:
		strbuf_adds(out, "None");
		break;
	case LIMEN_TYPE_BOOL:
		limen_value_bool(value, &truth);
		strbuf_adds(out, truth ? "True" : "False");
		break;
	case LIMEN_TYPE_INTEGER:
	case LIMEN_TYPE_REAL:
		repr_number(out, value);
		break;
	case LIMEN_TYPE_STRING:
		value_repr_string(out, text, length);
		break;
	case LIMEN_TYPE_ARRAY:
	case LIMEN_TYPE_OBJECT:
		repr_members(out, value);
		break;
	}
}

void
value_str(strbuf *out, limen_value value)
{
	size_t length;
	const char *text = limen_value_string(value, &length);

	if (text != NULL)
		strbuf_add(out, text, length);
	else
		value_repr(out, value);
}
