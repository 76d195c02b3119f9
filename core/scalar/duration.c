/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ISO 8601 durations.  Two dialects are read: that of pScheduler's
 * configuration (the regular expression of its JSON schema) and that of a run,
 * which no schema checks, so that everything Python's isodate takes is allowed.
 */
#include <limen/duration.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fraction.h"

#define MINUTE (60 * LIMEN_SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define WEEK (7 * DAY)

/* These complete "'X' is ..."; messages about runs use them alone. */
static const char malformed[] = "not a valid ISO 8601 duration";
static const char too_long[] = "out of range";

/* The fields in the order ISO 8601 wants them; years and months have no fixed length. */
static const struct field {
	char letter;
	bool clock; /* stands behind the "T" */
	limen_duration unit;
} fields[] = {
	{ .letter = 'Y' },
	{ .letter = 'M' },
	{ .letter = 'W', .unit = WEEK },
	{ .letter = 'D', .unit = DAY },
	{ .letter = 'H', .unit = HOUR, .clock = true },
	{ .letter = 'M', .unit = MINUTE, .clock = true },
	{ .letter = 'S', .unit = LIMEN_SECOND, .clock = true },
};

#define FIELD_COUNT (sizeof fields / sizeof fields[0])

struct number {
	const char *whole;
	size_t whole_count;
	const char *fraction;
	size_t fraction_count;
};

struct reader {
	const char *next;
	const char *end;
	bool run;
	bool units;    /* are numbers with units read, too? */
	size_t field;  /* the first field that may still come */
	bool clock;    /* was the "T" seen? */
	bool calendar; /* was a year or month other than zero seen? */
	bool overflow;
	limen_duration total;
	fraction_term fractions[FIELD_COUNT];
	size_t fraction_count;
};

/* Takes the sign that only a run's duration may have; returns whether it was a minus. */
static bool
take_sign(struct reader *reader)
{
	char c = reader->next < reader->end ? *reader->next : '\0';

	if (reader->run && (c == '-' || c == '+'))
		reader->next++;
	return reader->run && c == '-';
}

static size_t
take_digits(struct reader *reader)
{
	const char *start = reader->next;

	while (reader->next < reader->end && *reader->next >= '0' && *reader->next <= '9')
		reader->next++;
	return (size_t)(reader->next - start);
}

static bool
take_mark(struct reader *reader)
{
	char c = reader->next < reader->end ? *reader->next : '\0';

	if (c != '.' && (c != ',' || !reader->run))
		return false;
	reader->next++;
	return true;
}

static bool
take_number(struct reader *reader, struct number *number)
{
	*number = (struct number){ .whole = reader->next };
	number->whole_count = take_digits(reader);
	if (number->whole_count == 0)
		return false;
	if (!take_mark(reader))
		return true;
	number->fraction = reader->next;
	number->fraction_count = take_digits(reader);
	return number->fraction_count > 0;
}

static const struct field *
take_letter(struct reader *reader)
{
	if (reader->next == reader->end)
		return NULL;
	for (size_t i = reader->field; i < FIELD_COUNT; i++) {
		if (fields[i].clock != reader->clock || fields[i].letter != *reader->next)
			continue;
		reader->field = i + 1;
		reader->next++;
		return &fields[i];
	}
	return NULL;
}

static bool
is_zero(const char *digits, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (digits[i] != '0')
			return false;
	return true;
}

static bool
add_whole(const struct number *number, limen_duration unit, limen_duration *total)
{
	int64_t value = 0;

	for (size_t i = 0; i < number->whole_count; i++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, number->whole[i] - '0', &value))
			return false;
	return !__builtin_mul_overflow(value, unit, &value) &&
	       !__builtin_add_overflow(*total, value, total);
}

static void
add_field(struct reader *reader, const struct field *field, const struct number *number)
{
	if (field->unit == 0) {
		/* isodate finds fault only with years and months that are not zero. */
		if (!is_zero(number->whole, number->whole_count) ||
		    !is_zero(number->fraction, number->fraction_count))
			reader->calendar = true;
		return;
	}
	if (!add_whole(number, field->unit, &reader->total))
		reader->overflow = true;
	reader->fractions[reader->fraction_count++] = (fraction_term){
		.digits = number->fraction,
		.count = number->fraction_count,
		.unit = (wide)field->unit,
	};
}

static bool
read_field(struct reader *reader)
{
	struct number number;
	const struct field *field;

	if (*reader->next == 'T' && !reader->clock) {
		reader->clock = true;
		reader->next++;
		return true;
	}
	if (!take_number(reader, &number))
		return false;
	field = take_letter(reader);
	if (field == NULL || (field->unit == 0 && !reader->run))
		return false;
	add_field(reader, field, &number);
	return true;
}

/* Reads numbers with units, such as "1h30m", as many as there is room for. */
static bool
read_short(struct reader *reader)
{
	static const struct {
		const char *name;
		limen_duration unit;
	} units[] = {
		{ "w", WEEK }, { "d", DAY }, { "h", HOUR }, { "m", MINUTE },
		{ "s", LIMEN_SECOND }, { "ms", LIMEN_SECOND / 1000 }, { "us", 1 },
	};

	do {
		struct number number;
		size_t length = 0, i = 0;

		if (!take_number(reader, &number))
			return false;
		while (reader->next + length < reader->end && reader->next[length] >= 'a')
			length++;
		while (i < sizeof units / sizeof units[0] &&
		       (strlen(units[i].name) != length ||
		        memcmp(units[i].name, reader->next, length) != 0))
			i++;
		if (i == sizeof units / sizeof units[0])
			return false;
		add_field(reader, &(struct field){ .unit = units[i].unit }, &number);
		reader->next += length;
	} while (reader->next < reader->end && reader->fraction_count < FIELD_COUNT);
	return reader->next == reader->end;
}

/* Reads the duration behind the sign.  "P" alone is invalid; "PT" is valid, as in isodate. */
static bool
read_fields(struct reader *reader)
{
	if (reader->next == reader->end)
		return false;
	if (*reader->next != 'P')
		return reader->units && read_short(reader);
	reader->next++;
	if (reader->next == reader->end)
		return false;
	while (reader->next < reader->end)
		if (!read_field(reader))
			return false;
	return true;
}

static bool
add_fractions(struct reader *reader)
{
	fraction_sum sum = fraction_total(reader->fractions, reader->fraction_count);

	/* A fraction of every field together is less than nine days, so the sum fits. */
	return !__builtin_add_overflow(reader->total, (limen_duration)fraction_round(sum),
	                               &reader->total);
}

static int
fail(int result, const char *text, const char **why)
{
	if (why != NULL)
		*why = text;
	return result;
}

int
limen_duration_parse(const char *text, size_t length, unsigned flags, limen_duration *out,
                     const char **why)
{
	struct reader reader = { .next = text };
	bool negative;

	if (text == NULL || out == NULL)
		return LIMEN_EINVAL;
	reader.end = text + length;
	reader.run = (flags & LIMEN_DURATION_RUN) != 0;
	reader.units = (flags & LIMEN_DURATION_SHORT) != 0;
	negative = take_sign(&reader);
	if (!read_fields(&reader))
		return fail(LIMEN_EINVAL, reader.run ? "Invalid ISO duration" : malformed, why);
	if (reader.calendar)
		return fail(LIMEN_EINVAL, "Cannot support months or years", why);
	if (reader.overflow || !add_fractions(&reader))
		return fail(LIMEN_ERANGE, reader.run ? "date value out of range" : too_long, why);
	*out = negative ? -reader.total : reader.total;
	return LIMEN_OK;
}

/* Appends "3H" and the like to a text of 'length' bytes, unless the count is zero. */
static size_t
print_field(char out[LIMEN_DURATION_TEXT_MAX], size_t length, uint64_t count, char letter)
{
	if (count == 0)
		return length;
	return length + (size_t)snprintf(out + length, LIMEN_DURATION_TEXT_MAX - length,
	                                 "%" PRIu64 "%c", count, letter);
}

static size_t
print_seconds(char out[LIMEN_DURATION_TEXT_MAX], size_t length, uint64_t microseconds)
{
	uint64_t rest = microseconds % (uint64_t)LIMEN_SECOND;
	size_t size = LIMEN_DURATION_TEXT_MAX - length;

	if (rest == 0)
		return print_field(out, length, microseconds / (uint64_t)LIMEN_SECOND, 'S');
	length += (size_t)snprintf(out + length, size, "%" PRIu64 ".%06" PRIu64,
	                           microseconds / (uint64_t)LIMEN_SECOND, rest);
	while (out[length - 1] == '0')
		length--;
	out[length++] = 'S';
	return length;
}

void
limen_duration_print(limen_duration duration, char out[LIMEN_DURATION_TEXT_MAX])
{
	uint64_t rest = duration < 0 ? 0 - (uint64_t)duration : (uint64_t)duration;
	size_t length = 0;

	if (out == NULL)
		return;
	if (duration < 0)
		out[length++] = '-';
	out[length++] = 'P';
	length = print_field(out, length, rest / (uint64_t)DAY, 'D');
	rest %= (uint64_t)DAY;
	if (rest != 0 || duration == 0) {
		out[length++] = 'T';
		length = print_field(out, length, rest / (uint64_t)HOUR, 'H');
		length = print_field(out, length, rest % (uint64_t)HOUR / (uint64_t)MINUTE, 'M');
		length = print_seconds(out, length, rest % (uint64_t)MINUTE);
		if (duration == 0) {
			out[length++] = '0';
			out[length++] = 'S';
		}
	}
	out[length] = '\0';
}
