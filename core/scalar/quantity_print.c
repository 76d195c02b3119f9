/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quantity_print.c - prints quantities: the remembered text, or the canonical form.  Decimal
 * exponents are multiples of three; binary suffixes are used only for whole numbers of at least
 * 1024.
 */
#include <limen/quantity.h>

#include <stdlib.h>
#include <string.h>

#include "quantity.h"

enum {
	EXPONENT_DIGITS = 20
};

/* The largest exponent that is a multiple of three and can be read again. */
static const int64_t largest_exponent = QUANTITY_EXPONENT_MAX - QUANTITY_EXPONENT_MAX % 3;

/* A text of which 'size' bytes, the NUL included, are kept. */
struct output {
	char *text;
	size_t size;
	size_t length; /* had there been room */
};

static size_t
get_room(const struct output *output)
{
	return output->length + 1 < output->size ? output->size - 1 - output->length : 0;
}

static inline void
add_text(struct output *output, const char *text, size_t length)
{
	size_t room = get_room(output);

	if (room > 0)
		/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): room is of a text */
		memcpy(output->text + output->length, text, length < room ? length : room);
	output->length += length;
}

static void
add_zeros(struct output *output, size_t count)
{
	size_t room = get_room(output);

	if (room > 0)
		/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): room is of a text */
		memset(output->text + output->length, '0', count < room ? count : room);
	output->length += count;
}

static size_t
finish(const struct output *output)
{
	size_t last = output->size - 1;

	if (output->size > 0)
		output->text[output->length < last ? output->length : last] = '\0';
	return output->length;
}

static void
add_exponent(struct output *output, bool letters, int64_t exponent)
{
	static const char units[] = "num\0kMGTPE";
	char text[EXPONENT_DIGITS];
	char *end = text + sizeof text;
	char *start;

	if (exponent == 0)
		return;
	if (letters && exponent >= LIMEN_QUANTITY_NANO && exponent <= 18) {
		add_text(output, units + (exponent - LIMEN_QUANTITY_NANO) / 3, 1);
		return;
	}
	start = quantity_write_wide(end, (uint64_t)(exponent < 0 ? -exponent : exponent));
	add_text(output, exponent < 0 ? "e-" : "e", exponent < 0 ? 2 : 1);
	add_text(output, start, (size_t)(end - start));
}

/* The exponent becomes a multiple of three that parsing takes back. */
static void
add_decimal(struct output *output, const limen_quantity *quantity, bool letters)
{
	quantity_view view;
	int64_t exponent;

	quantity_view_open(&view, quantity);
	exponent = view.exponent - (view.exponent % 3 + 3) % 3;
	if (exponent > largest_exponent)
		exponent = largest_exponent;
	add_text(output, view.digits, view.count);
	add_zeros(output, (size_t)(view.exponent - exponent));
	add_exponent(output, letters, exponent);
}

/*
 * Only whole numbers of at least 1024 are printed with binary units, and only
 * as far as 128 bits go; others have the decimal form.
 */
static bool
get_binary(const limen_quantity *quantity, wide *out)
{
	quantity_view view;

	quantity_view_open(&view, quantity);
	if (quantity->digits != NULL || view.exponent < 0 || view.top > QUANTITY_INLINE)
		return false;
	*out = quantity_magnitude(quantity) * quantity_power((unsigned)view.exponent);
	return *out >= 1024;
}

static void
add_binary(struct output *output, wide value)
{
	static const char units[] = "KMGTPE";
	char text[QUANTITY_INLINE];
	char *end = text + sizeof text;
	char *start;
	size_t unit = 0;

	for (; value % 1024 == 0 && unit < sizeof units - 1; unit++)
		value /= 1024;
	start = quantity_write_wide(end, value);
	add_text(output, start, (size_t)(end - start));
	if (unit == 0)
		return;
	add_text(output, units + unit - 1, 1);
	add_text(output, "i", 1);
}

size_t
limen_quantity_print(const limen_quantity *quantity, char *out, size_t size)
{
	struct output output = { .text = out, .size = out == NULL ? 0 : size };
	wide value;

	if (quantity == NULL)
		return finish(&output);
	if (quantity->written != NULL) {
		add_text(&output, quantity->written, quantity->written_length);
		return finish(&output);
	}
	if (quantity_is_zero(quantity)) {
		add_text(&output, "0", 1);
		return finish(&output);
	}
	if (quantity->negative)
		add_text(&output, "-", 1);
	if (quantity->family != LIMEN_QUANTITY_BINARY_SI)
		add_decimal(&output, quantity, quantity->family == LIMEN_QUANTITY_DECIMAL_SI);
	else if (get_binary(quantity, &value))
		add_binary(&output, value);
	else
		add_decimal(&output, quantity, true);
	return finish(&output);
}

char *
limen_quantity_to_text(const limen_quantity *quantity)
{
	size_t size = limen_quantity_print(quantity, NULL, 0) + 1;
	char *text = quantity == NULL ? NULL : malloc(size);

	if (text != NULL)
		limen_quantity_print(quantity, text, size);
	return text;
}
