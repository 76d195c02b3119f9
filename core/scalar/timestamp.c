/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timestamps as values: the local time zone, arithmetic, printing.  Reading
 * them is timestamp_parse.c.
 */
#include "timestamp.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "calendar.h"

/* Returns local time's offset at an instant; 0 should the C library not know. */
static int32_t
get_local_offset(int64_t seconds)
{
	time_t instant = (time_t)seconds;
	struct tm fields;

	if (localtime_r(&instant, &fields) == NULL)
		return 0;
	return (int32_t)fields.tm_gmtoff;
}

/*
 * The rule for times that a change of the clocks makes unreal or ambiguous is
 * that of RFC 5545 section 3.3.5, which Python's datetime shares (fold = 0):
 * of two instants the earlier one is meant, and a time that is skipped is read
 * with the offset in force before the change.  mktime(3) leaves both open.
 */
int64_t
timestamp_from_local(int64_t seconds, int32_t *offset)
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

	*out = (limen_timestamp){ .time = time, .offset = get_local_offset(seconds) };
}

int
limen_timestamp_add(const limen_timestamp *timestamp, limen_duration duration, limen_timestamp *out)
{
	limen_timestamp sum = *timestamp;
	int64_t number;
	int64_t microseconds;

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
	int minutes = timestamp->offset / 60;
	int distance = minutes < 0 ? -minutes : minutes;
	int64_t number;
	int64_t microseconds;
	size_t length;

	calendar_split(timestamp->time, minutes * 60, &number, &microseconds);
	length = print_date(out, number);
	length = print_clock(out, length, microseconds);
	if (minutes == 0)
		snprintf(out + length, LIMEN_TIMESTAMP_TEXT_MAX - length, "Z");
	else
		snprintf(out + length, LIMEN_TIMESTAMP_TEXT_MAX - length, "%c%02d:%02d",
		         minutes < 0 ? '-' : '+', distance / 60, distance % 60);
}
