/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules and error texts are those of ParseQuantity of Kubernetes 1.38
 * (docs/reference/quantities.md), except that the number of digits is bounded.
 */
#include <limen/quantity.h>

#include <string.h>

#include "base/ascii.h"
#include "base/compiler.h"
#include "quantity.h"

static const char bad_format[] = "quantities must match the regular expression "
				 "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
static const char bad_suffix[] = "unable to parse quantity's suffix";
static const char no_digits[] = "unable to parse numeric part of quantity";
static const char too_long[] = "quantities may have at most 64 significant digits";

/* The meaning of a letter as a decimal suffix, and as a binary one before an "i". */
struct unit {
	int8_t decimal; /* power of ten; 0 for none */
	uint8_t binary; /* power of two; 0 for none */
	bool allowed;   /* may stand in a suffix at all */
};

static const struct unit units[128] = {
	['n'] = { .decimal = -9, .allowed = true },
	['u'] = { .decimal = -6, .allowed = true },
	['m'] = { .decimal = -3, .allowed = true },
	['k'] = { .decimal = 3, .allowed = true },
	['K'] = { .binary = 10, .allowed = true },
	['M'] = { .decimal = 6, .binary = 20, .allowed = true },
	['G'] = { .decimal = 9, .binary = 30, .allowed = true },
	['T'] = { .decimal = 12, .binary = 40, .allowed = true },
	['P'] = { .decimal = 15, .binary = 50, .allowed = true },
	['E'] = { .decimal = 18, .binary = 60, .allowed = true },
	['e'] = { .allowed = true },
	['i'] = { .allowed = true },
};

struct suffix {
	int32_t exponent; /* power of ten */
	unsigned shift;   /* power of two */
	uint8_t family;
};

/* A number of this many decimal digits is below 2^63. */
enum {
	PLAIN_MAX = 18
};

/* The parts of a quantity's text. */
struct parts {
	const char *whole; /* without leading zeros */
	size_t whole_count;
	const char *fraction;
	size_t fraction_count;
	uint64_t value; /* of all digits, if they are at most QUANTITY_POWER_MAX */
	const char *suffix;
	size_t suffix_length;
	bool negative;
};

static const struct unit *
find_unit(char letter)
{
	return &units[(unsigned char)letter < 128 ? letter : 0];
}

static bool
is_sign(const char *text, const char *end)
{
	return text < end && (*text == '+' || *text == '-');
}

static const char *
read_digits(const char *text, const char *end, uint64_t *value)
{
	uint64_t sum = *value;

	for (; text < end && ascii_is_digit(*text); text++)
		sum = sum * 10 + (uint64_t)(*text - '0');
	*value = sum;
	return text;
}

/* Letters, a sign, digits; whether they mean anything is another question. */
static bool
read_suffix_text(const char *text, const char *end, struct parts *parts)
{
	parts->suffix = text;
	parts->suffix_length = (size_t)(end - text);
	while (text < end && find_unit(*text)->allowed)
		text++;
	if (is_sign(text, end))
		text++;
	while (text < end && ascii_is_digit(*text))
		text++;
	return text == end;
}

static bool
read_parts(const char *text, const char *end, struct parts *parts)
{
	*parts = (struct parts){ .negative = text < end && *text == '-' };
	if (text == end)
		return false;
	if (is_sign(text, end))
		text++;
	while (text < end && *text == '0')
		text++;
	parts->whole = text;
	text = read_digits(text, end, &parts->value);
	parts->whole_count = (size_t)(text - parts->whole);
	if (text < end && *text == '.') {
		parts->fraction = ++text;
		text = read_digits(text, end, &parts->value);
		parts->fraction_count = (size_t)(text - parts->fraction);
	}
	return read_suffix_text(text, end, parts);
}

/* Exponents end at 2147483647 on either side. */
static bool
read_exponent(const char *text, const char *end, int32_t *out)
{
	bool negative = text < end && *text == '-';
	int64_t value = 0;

	if (is_sign(text, end))
		text++;
	if (text == end)
		return false;
	for (; text < end; text++) {
		if (!ascii_is_digit(*text))
			return false;
		value = value * 10 + (*text - '0');
		if (value > QUANTITY_EXPONENT_MAX)
			return false;
	}
	*out = (int32_t)(negative ? -value : value);
	return true;
}

static bool
read_suffix(const char *text, size_t length, struct suffix *out)
{
	const struct unit *unit;

	*out = (struct suffix){ .family = LIMEN_QUANTITY_DECIMAL_SI };
	if (length == 0)
		return true;
	unit = find_unit(*text);
	if (length == 1) {
		/* NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c): a power, no letter */
		out->exponent = unit->decimal;
		return unit->decimal != 0;
	}
	if (length == 2 && text[1] == 'i') {
		out->family = LIMEN_QUANTITY_BINARY_SI;
		out->shift = unit->binary;
		return unit->binary != 0;
	}
	out->family = LIMEN_QUANTITY_EXPONENT;
	return (*text == 'e' || *text == 'E') &&
	       read_exponent(text + 1, text + length, &out->exponent);
}

static wide
round_wide(wide value, int64_t drop)
{
	wide unit;

	if (drop > QUANTITY_INLINE)
		return value != 0;
	unit = quantity_power((unsigned)drop);
	return value / unit + (value % unit != 0);
}

/* Up to 19 digits: with the largest binary unit they stay within 38. */
static void
set_short(const struct parts *parts, const struct suffix *suffix, limen_quantity *out)
{
	wide value = (wide)parts->value << suffix->shift;
	int64_t exponent = suffix->exponent - (int64_t)parts->fraction_count;

	if (exponent < LIMEN_QUANTITY_NANO) {
		value = round_wide(value, LIMEN_QUANTITY_NANO - exponent);
		exponent = LIMEN_QUANTITY_NANO;
	}
	quantity_set_wide(out, value, exponent);
}

/* Copies the digits from the first to the last that is not 0; false if there are too many. */
static bool
copy_digits(const struct parts *parts, decimal *out)
{
	const char *fraction = parts->fraction;
	size_t whole_count = parts->whole_count;
	size_t fraction_count = parts->fraction_count;

	while (fraction_count > 0 && fraction[fraction_count - 1] == '0')
		fraction_count--;
	out->exponent = -(int64_t)fraction_count;
	if (fraction_count == 0)
		for (; whole_count > 0 && parts->whole[whole_count - 1] == '0'; whole_count--)
			out->exponent++;
	if (whole_count == 0)
		for (; fraction_count > 0 && *fraction == '0'; fraction_count--)
			fraction++;
	out->count = whole_count + fraction_count;
	if (out->count > QUANTITY_PARSED_MAX)
		return false;
	memcpy(out->digits, parts->whole, whole_count);
	if (fraction_count > 0)
		memcpy(out->digits + whole_count, fraction, fraction_count);
	return true;
}

static int
set_long(decimal number, const struct suffix *suffix, limen_quantity *out)
{
	char power[QUANTITY_POWER_MAX];
	char product[QUANTITY_PARSED_MAX + sizeof power];
	char *end = power + sizeof power;

	if (suffix->shift > 0) {
		const char *first = quantity_write_wide(end, (wide)1 << suffix->shift);

		decimal_multiply(product, number.digits, number.count, first,
		                 (size_t)(end - first));
		number.digits = product;
		number.count += (size_t)(end - first);
	}
	number.exponent += suffix->exponent;
	decimal_strip(&number);
	decimal_round_up(&number, LIMEN_QUANTITY_NANO);
	return quantity_set_digits(out, number);
}

/* Binary suffixes end at 2^63-1, and below 1 they give way to decimal ones. */
static void
finish_binary(limen_quantity *quantity)
{
	const limen_quantity one = limen_quantity_from_int(1, LIMEN_QUANTITY_BINARY_SI);
	limen_quantity most;

	if (quantity->exponent == 0 && quantity_is_short(quantity) && quantity->low <= INT64_MAX)
		return;
	most = limen_quantity_from_int(INT64_MAX, LIMEN_QUANTITY_BINARY_SI);
	most.negative = quantity->negative;
	if (quantity_compare_magnitude(quantity, &most) > 0) {
		limen_quantity_clear(quantity);
		*quantity = most;
	} else if (quantity_compare_magnitude(quantity, &one) < 0) {
		quantity->family = LIMEN_QUANTITY_DECIMAL_SI;
	}
}

/*
 * Does Kubernetes print the text as it was written?  It takes up to 18 digits
 * (fewer before a binary unit) for canonical if a coarse test says so.
 */
static bool
is_kept(const struct parts *parts, const struct suffix *suffix)
{
	static const size_t binary_digits[] = { 0, 11, 8, 5, 2, 0, 0 };
	int64_t scale = suffix->exponent - (int64_t)parts->fraction_count;

	if (parts->whole_count == 0)
		return false;
	if (suffix->family == LIMEN_QUANTITY_BINARY_SI)
		return parts->fraction_count == 0 && parts->value % 8 != 0 &&
		       parts->whole_count <= binary_digits[suffix->shift / 10];
	return parts->whole_count + parts->fraction_count <= 18 && scale >= LIMEN_QUANTITY_NANO &&
	       scale % 3 == 0 && parts->value % 1000 != 0;
}

/*
 * Reads the usual quantities: up to PLAIN_MAX digits and an optional unit ("100m",
 * "128Mi", "1").  Returns false for all other texts, valid or not.
 */
static bool
read_plain(const char *text, const char *end, limen_quantity *out)
{
	const char *digits = text;
	const struct unit *unit;
	uint64_t value = 0;

	text = read_digits(text, end, &value);
	if (text == digits || text - digits > PLAIN_MAX)
		return false;
	unit = find_unit(text < end ? *text : '\0');
	if (text == end || (end - text == 1 && unit->decimal != 0)) {
		*out = (limen_quantity){ .family = LIMEN_QUANTITY_DECIMAL_SI };
		quantity_set_short(out, value, unit->decimal);
		return true;
	}
	if (end - text == 2 && text[1] == 'i' && unit->binary != 0 &&
	    value <= (uint64_t)INT64_MAX >> unit->binary) {
		*out = (limen_quantity){ .family = LIMEN_QUANTITY_BINARY_SI };
		quantity_set_short(out, value << unit->binary, 0);
		return true;
	}
	return false;
}

static int
refuse(const char *text, const char **why)
{
	if (why != NULL)
		*why = text;
	return LIMEN_EINVAL;
}

/*
 * Is a digit missing before the suffix?  Kubernetes reads a number without digits as 0, but the
 * slow path of ParseQuantity refuses it: before Pi, Ei and exponents below nano.
 */
static bool
lacks_digits(const char *text, const struct parts *parts, const struct suffix *suffix)
{
	return parts->whole_count + parts->fraction_count == 0 &&
	       (parts->whole == text || parts->whole[-1] != '0') &&
	       (suffix->shift > 40 || suffix->exponent < LIMEN_QUANTITY_NANO);
}

static OUTLINE int
read_any(const char *text, size_t length, unsigned flags, limen_quantity *out, const char **why)
{
	limen_quantity quantity = LIMEN_QUANTITY_INIT;
	char digits[QUANTITY_PARSED_MAX];
	decimal number = { .digits = digits };
	struct parts parts;
	struct suffix suffix;

	if (!read_parts(text, text + length, &parts))
		return refuse(bad_format, why);
	if (!read_suffix(parts.suffix, parts.suffix_length, &suffix))
		return refuse(bad_suffix, why);
	if (lacks_digits(text, &parts, &suffix))
		return refuse(no_digits, why);
	quantity.family = suffix.family;
	quantity.negative = parts.negative;
	if (parts.whole_count + parts.fraction_count <= QUANTITY_POWER_MAX)
		set_short(&parts, &suffix, &quantity);
	else if (!copy_digits(&parts, &number))
		return refuse(too_long, why);
	else if (set_long(number, &suffix, &quantity) != LIMEN_OK)
		return LIMEN_ENOMEM;
	if (suffix.family == LIMEN_QUANTITY_BINARY_SI)
		finish_binary(&quantity);
	if ((flags & LIMEN_QUANTITY_KEEP) != 0 && is_kept(&parts, &suffix)) {
		quantity.written = text;
		quantity.written_length = length;
	}
	*out = quantity;
	return LIMEN_OK;
}

int
limen_quantity_parse(const char *text, size_t length, unsigned flags, limen_quantity *out,
                     const char **why)
{
	if (text == NULL || out == NULL)
		return LIMEN_EINVAL;
	if (flags == 0 && read_plain(text, text + length, out))
		return LIMEN_OK;
	return read_any(text, length, flags, out, why);
}
