/* SPDX-License-Identifier: Apache-2.0 */
/* timestamp.c - ISO 8601 timestamps: the local time zone, arithmetic, printing, reading. */
#include <limen/duration.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "calendar.h"
#include "fraction.h"

/* ---- the local time zone ---- */

/* Returns local time's offset at an instant; 0 should the C library not know. */
static int32_t
get_local_offset(int64_t seconds)
{
	time_t instant = (time_t)seconds;
	struct tm fields;

	return localtime_r(&instant, &fields) == NULL ? 0 : (int32_t)fields.tm_gmtoff;
}

/*
 * The rule for times that a change of the clocks makes unreal or ambiguous is
 * that of RFC 5545 section 3.3.5, which Python's datetime shares (fold = 0):
 * of two instants the earlier one is meant, and a time that is skipped is read
 * with the offset in force before the change.  mktime(3) leaves both open.
 */
static int64_t
from_local(int64_t seconds, int32_t *offset)
{
	/* No zone is a whole day from UTC, so these two enclose the instant. */
	int32_t before = get_local_offset(seconds - CALENDAR_DAY_SECONDS);
	int32_t after = get_local_offset(seconds + CALENDAR_DAY_SECONDS);
	int64_t instant = seconds - before;

	*offset = get_local_offset(instant);
	if (*offset != before && get_local_offset(seconds - after) == after) {
		instant = seconds - after;
		*offset = after;
	}
	return instant;
}

void
limen_timestamp_local(limen_time time, limen_timestamp *out)
{
	int64_t seconds = time / LIMEN_SECOND - (time % LIMEN_SECOND < 0 ? 1 : 0);

	if (out == NULL)
		return;
	*out = (limen_timestamp){ .time = time, .offset = get_local_offset(seconds) };
}

/* ---- arithmetic, printing ---- */

int
limen_timestamp_add(const limen_timestamp *timestamp, limen_duration duration, limen_timestamp *out)
{
	limen_timestamp sum;
	int64_t number;
	int64_t microseconds;

	if (timestamp == NULL || out == NULL)
		return LIMEN_EINVAL;
	sum = *timestamp;
	if (__builtin_add_overflow(timestamp->time, duration, &sum.time))
		return LIMEN_ERANGE;
	calendar_split(sum.time, sum.offset, &number, &microseconds);
	if (!calendar_in_range(number))
		return LIMEN_ERANGE;
	*out = sum;
	return LIMEN_OK;
}

/* Appends to 'out'; returns the new length. */
static size_t
print_date(char out[LIMEN_TIMESTAMP_TEXT_MAX], int64_t number)
{
	int64_t year;
	int month;
	int day;
	const char *sign = "";

	calendar_date(number, &year, &month, &day);
	/* ISO 8601's expanded form, for years that Python could not hold. */
	if (year < 0 || year > CALENDAR_YEAR_MAX)
		sign = year < 0 ? "-" : "+";
	return (size_t)snprintf(out, LIMEN_TIMESTAMP_TEXT_MAX, "%s%04" PRId64 "-%02d-%02dT", sign,
	                        year < 0 ? -year : year, month, day);
}

static size_t
print_clock(char out[LIMEN_TIMESTAMP_TEXT_MAX], size_t length, int64_t microseconds)
{
	int second = (int)(microseconds / LIMEN_SECOND);
	int rest = (int)(microseconds % LIMEN_SECOND);
	size_t size = LIMEN_TIMESTAMP_TEXT_MAX - length;

	length += (size_t)snprintf(out + length, size, "%02d:%02d:%02d", second / 3600,
	                           second / 60 % 60, second % 60);
	if (rest == 0)
		return length;
	length += (size_t)snprintf(out + length, LIMEN_TIMESTAMP_TEXT_MAX - length, ".%06d", rest);
	while (out[length - 1] == '0')
		length--;
	return length;
}

void
limen_timestamp_print(const limen_timestamp *timestamp, char out[LIMEN_TIMESTAMP_TEXT_MAX])
{
	/* Local offsets of before 1900 have seconds, which ISO 8601 cannot say. */
	int minutes = timestamp == NULL ? 0 : timestamp->offset / 60;
	int distance = minutes < 0 ? -minutes : minutes;
	int64_t number;
	int64_t microseconds;
	size_t length;

	if (out == NULL)
		return;
	out[0] = '\0';
	if (timestamp == NULL)
		return;
	calendar_split(timestamp->time, minutes * 60, &number, &microseconds);
	length = print_date(out, number);
	length = print_clock(out, length, microseconds);
	if (minutes == 0)
		snprintf(out + length, LIMEN_TIMESTAMP_TEXT_MAX - length, "Z");
	else
		snprintf(out + length, LIMEN_TIMESTAMP_TEXT_MAX - length, "%c%02d:%02d",
		         minutes < 0 ? '-' : '+', distance / 60, distance % 60);
}

/*
 * ---- reading ----
 *
 * The grammar is the one that pScheduler's schema and Python's isodate have in common; texts of
 * failures are those operators know from pScheduler's diagnostics.  Where isodate would silently
 * misread a text that is not ISO 8601 (week 0, "2024-W051"), it is
 * refused.
 */

static const char malformed[] = "Invalid ISO8601 date";

struct scanner {
	const char *next;
	const char *end;
	const char *why; /* the error message of a field, or NULL */
};

struct clock {
	int hour;
	int minute;
	int second;
	fraction_sum rest; /* of the last field written, in microseconds */
};

static bool
refuse(struct scanner *scanner, const char *why)
{
	scanner->why = why;
	return false;
}

static bool
take(struct scanner *scanner, char c)
{
	if (scanner->next == scanner->end || *scanner->next != c)
		return false;
	scanner->next++;
	return true;
}

static size_t
count_digits(const struct scanner *scanner)
{
	size_t count = 0;

	while (scanner->next + count < scanner->end && scanner->next[count] >= '0' &&
	       scanner->next[count] <= '9')
		count++;
	return count;
}

/* Takes a number of exactly 'count' digits, of which there are at most four. */
static bool
take_number(struct scanner *scanner, size_t count, int *out)
{
	int value = 0;

	if ((size_t)(scanner->end - scanner->next) < count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (scanner->next[i] < '0' || scanner->next[i] > '9')
			return false;
		value = value * 10 + (scanner->next[i] - '0');
	}
	scanner->next += count;
	*out = value;
	return true;
}

/* Consumes 'mark' (NUL: no mark) and two digits, or nothing. */
static bool
take_pair(struct scanner *scanner, char mark, int *out)
{
	const char *start = scanner->next;

	if ((mark == '\0' || take(scanner, mark)) && take_number(scanner, 2, out))
		return true;
	scanner->next = start;
	return false;
}

/* A date without its day means the first of that month or week. */
static bool
read_week_date(struct scanner *scanner, int year, char mark, int64_t *number)
{
	int week;
	int day = 1;

	if (!take_number(scanner, 2, &week))
		return false;
	if (scanner->next < scanner->end)
		if ((mark != '\0' && !take(scanner, mark)) || !take_number(scanner, 1, &day))
			return false;
	if (week < 1 || week > calendar_week_count(year) || day < 1 || day > 7)
		return false;
	*number = calendar_week_one(year) + (week - 1) * 7 + day - 1;
	return true;
}

static bool
read_ordinal_date(struct scanner *scanner, int year, int64_t *number)
{
	int day;

	if (!take_number(scanner, 3, &day))
		return false;
	/* Day 366 of a common year is the first day of the next one, as in pScheduler. */
	if (day < 1 || day > 366)
		return false;
	*number = calendar_day_number(year, 1, day);
	return true;
}

static bool
read_month_date(struct scanner *scanner, int year, char mark, int64_t *number)
{
	int month;
	int day = 1;

	if (!take_number(scanner, 2, &month))
		return false;
	if (scanner->next < scanner->end && !take_pair(scanner, mark, &day))
		return false;
	if (month < 1 || month > 12)
		return refuse(scanner, "month must be in 1..12");
	if (day < 1 || day > calendar_month_days(year, month))
		return refuse(scanner, "day is out of range for month");
	*number = calendar_day_number(year, month, day);
	return true;
}

/* Reads the whole of a scanner that ends before the "T". */
static bool
read_date(struct scanner *scanner, int64_t *number)
{
	int year;
	char mark;
	bool good;

	if (!take_number(scanner, 4, &year))
		return false;
	mark = take(scanner, '-') ? '-' : '\0';
	if (take(scanner, 'W'))
		good = read_week_date(scanner, year, mark, number);
	else if (count_digits(scanner) == 3)
		good = read_ordinal_date(scanner, year, number);
	else
		good = read_month_date(scanner, year, mark, number);
	if (!good || scanner->next != scanner->end)
		return false;
	return year >= CALENDAR_YEAR_MIN || refuse(scanner, "year 0 is out of range");
}

/* Takes the digits behind a "." or ",", which count in the last field read. */
static void
take_fraction(struct scanner *scanner, int64_t unit, fraction_sum *sum)
{
	fraction_term term = { .unit = (wide)unit };
	const char *start = scanner->next;

	if (take(scanner, '.') || take(scanner, ',')) {
		term.digits = scanner->next;
		term.count = count_digits(scanner);
		scanner->next = term.count > 0 ? scanner->next + term.count : start;
	}
	*sum = fraction_total(&term, 1);
}

/* Takes the fields as they stand; those not written are zero. */
static bool
take_clock(struct scanner *scanner, struct clock *clock)
{
	int64_t unit = LIMEN_SECOND * 3600;
	char mark;

	*clock = (struct clock){ .hour = 0 };
	if (!take_number(scanner, 2, &clock->hour))
		return false;
	mark = scanner->next < scanner->end && *scanner->next == ':' ? ':' : '\0';
	if (take_pair(scanner, mark, &clock->minute)) {
		unit = LIMEN_SECOND * 60;
		if (take_pair(scanner, mark, &clock->second))
			unit = LIMEN_SECOND;
	}
	take_fraction(scanner, unit, &clock->rest);
	return true;
}

/*
 * Reads the time of day.  24:00 is the end of the day (ISO 8601), and seconds
 * that round up may carry into the next day too.
 */
static bool
read_clock(struct scanner *scanner, int64_t *microseconds)
{
	struct clock clock;
	int seconds;

	if (!take_clock(scanner, &clock))
		return false;
	if (clock.hour > 24 ||
	    (clock.hour == 24 && (clock.minute != 0 || clock.second != 0 || clock.rest.whole != 0 ||
	                          clock.rest.tenths != 0 || clock.rest.more)))
		return refuse(scanner, "hour must be in 0..23");
	if (clock.minute > 59)
		return refuse(scanner, "minute must be in 0..59");
	if (clock.second > 59)
		return refuse(scanner, "second must be in 0..59");
	seconds = clock.hour * 3600 + clock.minute * 60 + clock.second;
	*microseconds = seconds * LIMEN_SECOND + (int64_t)fraction_round(clock.rest);
	return true;
}

/* Reads a zone if there is one; what does not begin like one is left in the scanner. */
static bool
read_zone(struct scanner *scanner, limen_timestamp *out)
{
	const char *start = scanner->next;
	bool west = take(scanner, '-');
	int hour;
	int minute = 0;

	if (!west && !take(scanner, '+')) {
		out->zoned = take(scanner, 'Z');
		return true;
	}
	if (!take_pair(scanner, '\0', &hour)) {
		scanner->next = start;
		return true;
	}
	if (!take_pair(scanner, ':', &minute))
		take_pair(scanner, '\0', &minute);
	out->zoned = true;
	out->offset = (hour * 60 + minute) * (west ? -60 : 60);
	return hour < 24 && minute < 60;
}

static bool
read_time(struct scanner *scanner, bool run, int64_t *microseconds, limen_timestamp *out)
{
	if (!read_clock(scanner, microseconds) || !read_zone(scanner, out))
		return false;
	/* isodate looks past a lower-case "z": the time then has no zone. */
	if (!out->zoned)
		take(scanner, 'z');
	return run || scanner->next == scanner->end;
}

static bool
combine(int64_t number, int64_t microseconds, limen_timestamp *out)
{
	int64_t day_length = CALENDAR_DAY_SECONDS * LIMEN_SECOND;
	int64_t seconds;

	number += microseconds / day_length;
	if (!calendar_in_range(number))
		return false;
	microseconds %= day_length;
	seconds = number * CALENDAR_DAY_SECONDS + microseconds / LIMEN_SECOND;
	seconds = out->zoned ? seconds - out->offset : from_local(seconds, &out->offset);
	out->time = seconds * LIMEN_SECOND + microseconds % LIMEN_SECOND;
	return true;
}

/* Cuts the text at its "T", of which there must be exactly one (isodate splits there). */
static const char *
find_separator(const char *text, const char *end)
{
	const char *separator = memchr(text, 'T', (size_t)(end - text));

	if (separator == NULL || memchr(separator + 1, 'T', (size_t)(end - separator - 1)) != NULL)
		return NULL;
	return separator;
}

static const char *
parse(const char *text, const char *end, bool run, limen_timestamp *out)
{
	const char *separator = find_separator(text, end);
	struct scanner date = { .next = text, .end = separator };
	struct scanner clock = { .next = end, .end = end };
	int64_t number = 0;
	int64_t microseconds = 0;

	if (separator == NULL)
		return malformed;
	if (!read_date(&date, &number))
		return date.why != NULL ? date.why : malformed;
	clock.next = separator + 1;
	if (!read_time(&clock, run, &microseconds, out))
		return clock.why != NULL ? clock.why : malformed;
	return combine(number, microseconds, out) ? NULL : "date value out of range";
}

int
limen_timestamp_parse(const char *text, size_t length, unsigned flags, limen_timestamp *out,
                      const char **why)
{
	limen_timestamp result = { .time = 0 };
	const char *problem;

	if (text == NULL || out == NULL)
		return LIMEN_EINVAL;
	problem = parse(text, text + length, (flags & LIMEN_TIMESTAMP_RUN) != 0, &result);
	if (problem != NULL) {
		if (why != NULL)
			*why = problem;
		return LIMEN_EINVAL;
	}
	*out = result;
	return LIMEN_OK;
}
