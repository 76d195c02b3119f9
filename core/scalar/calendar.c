/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calendar.c - converts between day numbers, dates and ISO 8601 weeks, splits timestamps into
 * calendar fields, with integer arithmetic, and reads dates and times of day.
 */
#include "calendar.h"

#include "scalar.h"

/*
 * Internally years begin in March, so that the leap day is the last day of a
 * year and month lengths follow one linear pattern (153 days in five months).
 */
enum {
	EPOCH = 719468, /* days from 0000-03-01 to 1970-01-01 */
	DAYS_OF_400_YEARS = 146097,
	DAYS_OF_100_YEARS = 36524,
	DAYS_OF_YEAR = 365
};

static int64_t
divide_floor(int64_t value, int64_t divisor)
{
	int64_t quotient = value / divisor;

	return value % divisor < 0 ? quotient - 1 : quotient;
}

bool
calendar_is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int
calendar_month_days(int64_t year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	return month == 2 && calendar_is_leap(year) ? 29 : days[month - 1];
}

int64_t
calendar_day_number(int64_t year, int month, int64_t day)
{
	int64_t march_year = month < 3 ? year - 1 : year;
	int64_t march_month = month < 3 ? month + 9 : month - 3;
	int64_t leap_days = divide_floor(march_year, 4) - divide_floor(march_year, 100) +
	                    divide_floor(march_year, 400);

	return march_year * DAYS_OF_YEAR + leap_days + (153 * march_month + 2) / 5 + (day - 1) -
	       EPOCH;
}

void
calendar_date(int64_t number, int64_t *year, int *month, int *day)
{
	int64_t cycles = divide_floor(number + EPOCH, DAYS_OF_400_YEARS);
	int64_t rest = number + EPOCH - cycles * DAYS_OF_400_YEARS;
	/* Without the leap days before it every year has 365 days. */
	int64_t leap_days = rest / (4 * DAYS_OF_YEAR) - rest / DAYS_OF_100_YEARS +
	                    rest / (DAYS_OF_400_YEARS - 1);
	int64_t years = (rest - leap_days) / DAYS_OF_YEAR;
	int64_t march_month;

	rest -= years * DAYS_OF_YEAR + years / 4 - years / 100;
	march_month = (5 * rest + 2) / 153;
	*year = cycles * 400 + years + (march_month > 9 ? 1 : 0);
	*month = (int)(march_month > 9 ? march_month - 9 : march_month + 3);
	*day = (int)(rest - (153 * march_month + 2) / 5 + 1);
}

int
calendar_weekday(int64_t number)
{
	/* Day 0 was a Thursday, so day -3 was a Monday. */
	return (int)(number + 3 - divide_floor(number + 3, 7) * 7) + 1;
}

int64_t
calendar_week_one(int64_t year)
{
	/* ISO 8601: week 1 has the year's first Thursday, and so always 4 January. */
	int64_t fourth = calendar_day_number(year, 1, 4);

	return fourth - calendar_weekday(fourth) + 1;
}

int
calendar_week(int64_t number)
{
	/* The Thursday of a week is in the year that the week belongs to. */
	int64_t thursday = number - calendar_weekday(number) + 4;
	int64_t year;
	int month;
	int day;

	calendar_date(thursday, &year, &month, &day);
	return (int)((thursday - calendar_day_number(year, 1, 1)) / 7) + 1;
}

int
calendar_week_count(int64_t year)
{
	return (int)((calendar_week_one(year + 1) - calendar_week_one(year)) / 7);
}

void
calendar_split(limen_time time, int32_t offset, int64_t *number, int64_t *microseconds)
{
	int64_t seconds = divide_floor(time, LIMEN_SECOND) + offset;
	int64_t rest = time % LIMEN_SECOND;

	if (rest < 0)
		rest += LIMEN_SECOND;
	*number = divide_floor(seconds, CALENDAR_DAY_SECONDS);
	*microseconds = (seconds - *number * CALENDAR_DAY_SECONDS) * LIMEN_SECOND + rest;
}

bool
calendar_in_range(int64_t number)
{
	return number >= calendar_day_number(CALENDAR_YEAR_MIN, 1, 1) &&
	       number <= calendar_day_number(CALENDAR_YEAR_MAX, 12, 31);
}

void
limen_calendar_get(const limen_timestamp *timestamp, limen_calendar *out)
{
	int64_t number;
	int64_t microseconds;
	int second;

	if (timestamp == NULL || out == NULL)
		return;
	calendar_split(timestamp->time, timestamp->offset, &number, &microseconds);
	second = (int)(microseconds / LIMEN_SECOND);
	calendar_date(number, &out->year, &out->month, &out->day);
	out->week = calendar_week(number);
	out->weekday = calendar_weekday(number);
	out->hour = second / 3600;
	out->minute = second / 60 % 60;
	out->second = second % 60;
}

/* Reads 'count' digits; -1 if one of them is none. */
static int
read_digits(const char *text, size_t count)
{
	int number = 0;

	for (size_t i = 0; i < count; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		number = number * 10 + (text[i] - '0');
	}
	return number;
}

bool
calendar_read_time(const char *text, size_t length, limen_duration *out)
{
	bool has_seconds = length == 8 && text[5] == ':';
	int hour, minute, second;

	if ((length != 5 && !has_seconds) || text[2] != ':')
		return false;
	hour = read_digits(text, 2);
	minute = read_digits(text + 3, 2);
	second = has_seconds ? read_digits(text + 6, 2) : 0;
	if (hour < 0 || minute < 0 || minute > 59 || second < 0 || second > 59 ||
	    hour * 3600 + minute * 60 + second > CALENDAR_DAY_SECONDS)
		return false;
	*out = (hour * 3600 + minute * 60 + second) * LIMEN_SECOND;
	return true;
}

bool
calendar_read_date(const char *text, size_t length, limen_date *out)
{
	limen_date date;

	if (length != 10 || text[4] != '-' || text[7] != '-')
		return false;
	date.year = read_digits(text, 4);
	date.month = read_digits(text + 5, 2);
	date.day = read_digits(text + 8, 2);
	if (date.year < CALENDAR_YEAR_MIN || date.month < 1 || date.month > 12 || date.day < 1 ||
	    date.day > calendar_month_days(date.year, date.month))
		return false;
	*out = date;
	return true;
}
