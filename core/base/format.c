/* SPDX-License-Identifier: Apache-2.0 */
/*
 * format.c - formats %s, %.*s, %c, %%, %d and %u (with l, ll or z) without the C library.  A
 * format with any other conversion goes to vsnprintf() as a whole.
 */
#include "format.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct formatter {
	char *out;
	size_t room;
	size_t length;
} formatter;

static void
put(formatter *to, const char *text, size_t length)
{
	if (to->length < to->room) {
		size_t left = to->room - to->length;

		memcpy(to->out + to->length, text, length < left ? length : left);
	}
	to->length += length;
}

static void
put_number(formatter *to, uint64_t magnitude, bool negative)
{
	char digits[21];
	size_t first = sizeof(digits);

	do {
		digits[--first] = (char)('0' + magnitude % 10);
		magnitude /= 10;
	} while (magnitude > 0);
	if (negative)
		digits[--first] = '-';
	put(to, digits + first, sizeof(digits) - first);
}

/* The length modifier between '%' and the conversion letter. */
typedef enum width { WIDTH_INT, WIDTH_LONG, WIDTH_LONG_LONG, WIDTH_SIZE } width;

static const char *
read_width(const char *format, width *out)
{
	*out = WIDTH_INT;
	if (format[0] == 'z') {
		*out = WIDTH_SIZE;
		return format + 1;
	}
	if (format[0] != 'l')
		return format;
	*out = format[1] == 'l' ? WIDTH_LONG_LONG : WIDTH_LONG;
	return format + (*out == WIDTH_LONG_LONG ? 2 : 1);
}

/*
 * Wraps a va_list: as a parameter a va_list may decay to a pointer, so that its address has
 * another type; as a member it does not.
 */
typedef struct values {
	va_list arguments;
} values;

static uint64_t
next_unsigned(values *from, width size)
{
	switch (size) {
	case WIDTH_LONG:
		return va_arg(from->arguments, unsigned long);
	case WIDTH_LONG_LONG:
		return va_arg(from->arguments, unsigned long long);
	case WIDTH_SIZE:
		return va_arg(from->arguments, size_t);
	default:
		return va_arg(from->arguments, unsigned);
	}
}

static int64_t
next_signed(values *from, width size)
{
	switch (size) {
	case WIDTH_LONG:
		return va_arg(from->arguments, long);
	case WIDTH_LONG_LONG:
		return va_arg(from->arguments, long long);
	case WIDTH_SIZE:
		return (int64_t)va_arg(from->arguments, size_t);
	default:
		return va_arg(from->arguments, int);
	}
}

static void
put_string(formatter *to, values *from, bool bounded)
{
	int most = bounded ? va_arg(from->arguments, int) : -1;
	const char *text = va_arg(from->arguments, const char *);

	if (text == NULL)
		text = "(null)";
	put(to, text, most < 0 ? strlen(text) : strnlen(text, (size_t)most));
}

/* Writes one conversion and returns the byte behind it, or NULL for an unknown conversion. */
static const char *
convert(formatter *to, const char *format, values *from)
{
	width size;

	if (format[0] == 's') {
		put_string(to, from, false);
		return format + 1;
	}
	if (format[0] == '.' && format[1] == '*' && format[2] == 's') {
		put_string(to, from, true);
		return format + 3;
	}
	if (format[0] == '%' || format[0] == 'c') {
		char c = format[0] == '%' ? '%' : (char)va_arg(from->arguments, int);

		put(to, &c, 1);
		return format + 1;
	}
	format = read_width(format, &size);
	if (format[0] == 'd') {
		int64_t number = next_signed(from, size);

		put_number(to, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, number < 0);
	} else if (format[0] == 'u') {
		put_number(to, next_unsigned(from, size), false);
	} else {
		return NULL;
	}
	return format + 1;
}

static bool
write_all(formatter *to, const char *format, values *from)
{
	while (format != NULL && *format != '\0') {
		if (*format == '%') {
			format = convert(to, format + 1, from);
		} else {
			const char *end = strchrnul(format, '%');

			put(to, format, (size_t)(end - format));
			format = end;
		}
	}
	return format != NULL;
}

int
format_text(char *out, size_t room, const char *format, va_list arguments)
{
	formatter to = { .out = out, .room = room };
	values from;
	bool known;

	va_copy(from.arguments, arguments);
	known = write_all(&to, format, &from);
	va_end(from.arguments);
	if (!known)
		return vsnprintf(out, room, format, arguments);
	if (room > 0)
		out[to.length < room ? to.length : room - 1] = '\0';
	return to.length > INT_MAX ? -1 : (int)to.length;
}
