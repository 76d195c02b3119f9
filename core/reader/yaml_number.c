/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_number.c - reads YAML numbers, with base prefixes and underscores, and rewrites them as
 * JSON (RFC 8259 section 6).  It flags those that YAML 1.2 reads differently from Kubernetes.
 */
#include "yaml_number.h"

#include <inttypes.h>
#include <string.h>

#include "base/ascii.h"
#include "scalar/scalar.h"

static size_t
count_digits(const char *text, size_t length)
{
	size_t count = 0;

	while (count < length && ascii_is_digit(text[count]))
		count++;
	return count;
}

static size_t
sign_length(const char *text, size_t length)
{
	return length > 0 && (text[0] == '+' || text[0] == '-') ? 1 : 0;
}

/* Writes the digits before the point without zeros in front, but at least one, and returns the end. */
static char *
write_whole(char *end, const char *digits, size_t count)
{
	while (count > 0 && *digits == '0') {
		digits++;
		count--;
	}
	if (count == 0)
		*end++ = '0';
	return mempcpy(end, digits, count);
}

/*
 * Writes a decimal number as JSON spells it (RFC 8259 section 6): without a plus, zeros in front
 * and a final point, and with a digit before the point.
 */
static int
read_decimal(const char *text, size_t length, arena *memory, yaml_number *out)
{
	size_t sign = sign_length(text, length);
	const char *whole = text + sign;
	size_t digits = count_digits(whole, length - sign);
	const char *rest = whole + digits;
	bool point = digits + sign < length && *rest == '.';
	size_t places = point ? count_digits(rest + 1, (size_t)(text + length - rest) - 1) : 0;
	char *copy;
	char *end;

	if (digits + places == 0)
		return LIMEN_EINVAL;
	/* A point without digits is dropped; "1..5" has another behind it. */
	if (point && places == 0 && ++rest < text + length && *rest == '.')
		return LIMEN_EINVAL;
	copy = arena_alloc(memory, length + 1);
	if (copy == NULL)
		return LIMEN_ENOMEM;
	end = copy;
	if (*text == '-')
		*end++ = '-';
	end = write_whole(end, whole, digits);
	end = mempcpy(end, rest, (size_t)(text + length - rest));
	out->text = copy;
	out->length = (size_t)(end - copy);
	out->integer = !point && number_is_integer(copy, out->length);
	return number_scan(copy, out->length) == out->length ? LIMEN_OK : LIMEN_EINVAL;
}

/* Returns the base that a prefix of 'text' (no sign) announces, or 0. */
static unsigned
find_base(const char *text, size_t length, size_t *prefix)
{
	if (length < 2 || text[0] != '0')
		return 0;
	*prefix = 2;
	if (text[1] == 'x' || text[1] == 'X')
		return 16;
	if (text[1] == 'o' || text[1] == 'O')
		return 8;
	if (text[1] == 'b' || text[1] == 'B')
		return 2;
	*prefix = 1;
	return ascii_is_digit(text[1]) ? 8 : 0;
}

/* Returns LIMEN_EINVAL for an invalid digit, and LIMEN_ERANGE above 64 bits. */
static int
read_digits(const char *text, size_t length, unsigned base, uint64_t *out)
{
	uint64_t value = 0;
	bool fits = true;

	for (size_t i = 0; i < length; i++) {
		unsigned digit = ascii_hex_value(text[i]);

		if (digit >= base)
			return LIMEN_EINVAL;
		fits = fits && value <= (UINT64_MAX - digit) / base;
		if (fits)
			value = value * base + digit;
	}
	if (length == 0)
		return LIMEN_EINVAL;
	*out = value;
	return fits ? LIMEN_OK : LIMEN_ERANGE;
}

/* 0x10, 0o17, 0b11, and 017, of which YAML 1.2 knows 0x10 and 0o17, without a sign. */
static int
read_based(const char *text, size_t length, arena *memory, yaml_number *out)
{
	size_t sign = sign_length(text, length);
	size_t prefix = 0;
	unsigned base = find_base(text + sign, length - sign, &prefix);
	uint64_t value = 0;
	int result;

	if (base == 0)
		return LIMEN_EINVAL;
	result = read_digits(text + sign + prefix, length - sign - prefix, base, &value);
	if (result != LIMEN_OK)
		return result;
	if (prefix == 1)
		out->disputed = out->disputed || value > 7;
	else if (sign > 0 || (text[1] != 'x' && text[1] != 'o'))
		out->disputed = true;
	out->integer = true;
	out->text = arena_printf(memory, "%s%" PRIu64, text[0] == '-' ? "-" : "", value);
	if (out->text == NULL)
		return LIMEN_ENOMEM;
	out->length = strlen(out->text);
	return LIMEN_OK;
}

/* Might this be a number once its underscores are gone? */
static bool
has_underscores(const char *text, size_t length)
{
	size_t i = sign_length(text, length);

	if (i == length || !ascii_is_digit(text[i]))
		return false;
	for (; i < length; i++)
		if (ascii_hex_value(text[i]) > 15 && memchr("_.+-xXoO", text[i], 8) == NULL)
			return false;
	return memchr(text, '_', length) != NULL;
}

static const char *
drop_underscores(const char *text, size_t *length, arena *memory)
{
	char *copy = arena_alloc(memory, *length);
	size_t kept = 0;

	if (copy == NULL)
		return NULL;
	for (size_t i = 0; i < *length; i++)
		if (text[i] != '_')
			copy[kept++] = text[i];
	*length = kept;
	return copy;
}

int
yaml_number_read(const char *text, size_t length, arena *memory, yaml_number *out)
{
	yaml_number number = { .disputed = false };
	int result;

	if (has_underscores(text, length)) {
		text = drop_underscores(text, &length, memory);
		if (text == NULL)
			return LIMEN_ENOMEM;
		number.disputed = true;
	}
	result = read_based(text, length, memory, &number);
	if (result == LIMEN_EINVAL)
		result = read_decimal(text, length, memory, &number);
	if (result == LIMEN_OK)
		*out = number;
	return result;
}
