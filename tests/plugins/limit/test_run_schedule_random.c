/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_run_schedule_random.c - random runs under "run-schedule", against what
 * the C library (gmtime, strftime) says of their moments one after another.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugin.h"
#include "suite.h"

enum { YEAR, MONTH, WEEK, WEEKDAY, DAY, HOUR, MINUTE, SECOND, FIELDS };

enum { DAY_SECONDS = 86400, VALUES = 2200 };

/* Which values of which field the run touches. */
struct touched {
	bool values[FIELDS][VALUES];
};

static const struct {
	const char *name;
	int lowest;
	int highest;
} fields[FIELDS] = {
	[YEAR] = { "year", 1900, VALUES - 1 },
	[MONTH] = { "month", 1, 12 },
	[WEEK] = { "week", 1, 53 },
	[WEEKDAY] = { "weekday", 1, 7 },
	[DAY] = { "day", 1, 31 },
	[HOUR] = { "hour", 0, 23 },
	[MINUTE] = { "minute", 0, 59 },
	[SECOND] = { "second", 0, 59 }
};

/* A run as it is made up: seconds of UTC, and a zone. */
struct run {
	time_t start;
	time_t end;
	int offset;
};

static void
touch_moment(struct touched *touched, time_t moment)
{
	struct tm parts;
	char week[8];

	gmtime_r(&moment, &parts);
	strftime(week, sizeof week, "%V", &parts);
	touched->values[YEAR][parts.tm_year + 1900] = true;
	touched->values[MONTH][parts.tm_mon + 1] = true;
	touched->values[WEEK][atoi(week)] = true;
	touched->values[WEEKDAY][parts.tm_wday == 0 ? 7 : parts.tm_wday] = true;
	touched->values[DAY][parts.tm_mday] = true;
	touched->values[HOUR][parts.tm_hour] = true;
	touched->values[MINUTE][parts.tm_min] = true;
	touched->values[SECOND][parts.tm_sec] = true;
}

/*
 * Visits every second of the first and last day or so, and one moment of every
 * day between, which have all seconds, minutes and hours anyway.
 */
static void
touch_run(struct touched *touched, const struct run *run)
{
	time_t moment = run->start + run->offset;
	time_t end = run->end + run->offset;

	memset(touched, 0, sizeof *touched);
	for (int i = 0; i <= DAY_SECONDS && moment <= end; i++)
		touch_moment(touched, moment++);
	for (; moment < end - DAY_SECONDS; moment += DAY_SECONDS)
		touch_moment(touched, moment);
	for (; moment <= end; moment += 3600)
		touch_moment(touched, moment);
	touch_moment(touched, end);
}

static void
write_run(char *out, size_t size, const struct run *run)
{
	time_t local = run->start + run->offset;
	struct tm parts;
	char start[64];

	gmtime_r(&local, &parts);
	strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%S", &parts);
	snprintf(out, size,
	         "{\"run_schedule\":{\"start\":\"%s%c%02d:%02d\",\"duration\":\"PT%lldS\"}}",
	         start, run->offset < 0 ? '-' : '+', abs(run->offset) / 3600,
	         abs(run->offset) / 60 % 60, (long long)(run->end - run->start));
}

/* Writes a schedule that lists what the run touches, without 'without' in 'field'. */
static char *
write_all(const struct touched *touched, int field, int without)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	for (int i = 0; i < FIELDS; i++) {
		const char *comma = "";

		fprintf(out, "%s\"%s\":[", i == 0 ? "{" : "],", fields[i].name);
		for (int value = fields[i].lowest; value <= fields[i].highest; value++) {
			if (!touched->values[i][value] || (i == field && value == without))
				continue;
			fprintf(out, "%s%d", comma, value);
			comma = ",";
		}
	}
	fputs("]}", out);
	fclose(out);
	return text;
}

/* Returns value number 'index' of a field, counted from the year before the run. */
static int
nth_value(int field, int index, int first_year)
{
	return field == YEAR ? first_year - 1 + index : fields[field].lowest + index;
}

/*
 * Writes a schedule that wants value number 'index' of every field to be
 * touched, and into 'reason' which fields do not have it.
 */
static char *
write_one_each(const struct touched *touched, int index, int first_year, char *reason)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	fputs("{\"overlap\":true", out);
	reason[0] = '\0';
	for (int i = 0; i < FIELDS; i++) {
		int value = nth_value(i, index, first_year);

		if (value > fields[i].highest)
			continue;
		fprintf(out, ",\"%s\":[%d]", fields[i].name, value);
		if (!touched->values[i][value])
			sprintf(reason + strlen(reason), "%sMismatch on %s",
			        reason[0] == '\0' ? "" : "; ", fields[i].name);
	}
	fputc('}', out);
	fclose(out);
	return text;
}

static void
expect(const char *document, char *schedule, const char *reason)
{
	limen_kit *kit = plugin_open(LIMEN_KIND_LIMIT, "run-schedule", schedule);
	limen_verdict want = reason[0] == '\0' ? LIMEN_PASS : LIMEN_FAIL;

	if (kit != NULL) {
		limen_kit_run(kit, document, NULL);
		plugin_assert(strcmp(limen_kit_reason(kit), reason) == 0 &&
		              limen_kit_verdict(kit) == want, __FILE__, __LINE__,
		              "%s: '%s', want '%s', under %s", document,
		              limen_kit_reason(kit), reason, schedule);
	}
	limen_kit_free(kit);
	free(schedule);
}

/* Returns a random value of 'field' that the run touches. */
static int
pick_touched(const struct touched *touched, int field, unsigned *seed)
{
	int span = fields[field].highest - fields[field].lowest + 1;
	int value = rand_r(seed) % span;

	while (!touched->values[field][fields[field].lowest + value])
		value = (value + 1) % span;
	return fields[field].lowest + value;
}

/*
 * The set of values a run covers is what it is asked for one by one; that all
 * of them together are enough, and one less is not, is about the limit.
 */
static void
try_run(const struct run *run, unsigned *seed)
{
	static struct touched touched;
	char document[256];
	char reason[256];
	int field = rand_r(seed) % FIELDS;
	int first_year = fields[YEAR].lowest;

	touch_run(&touched, run);
	write_run(document, sizeof document, run);
	while (!touched.values[YEAR][first_year])
		first_year++;
	for (int i = 0; i < 60; i++) {
		char *schedule = write_one_each(&touched, i, first_year, reason);

		expect(document, schedule, reason);
	}
	expect(document, write_all(&touched, -1, -1), "");
	snprintf(reason, sizeof reason, "Mismatch on %s", fields[field].name);
	expect(document, write_all(&touched, field, pick_touched(&touched, field, seed)), reason);
}

static void
try_runs(int count, time_t longest, unsigned seed)
{
	for (int i = 0; i < count; i++) {
		/* From 1901 to 2099. */
		time_t start = (time_t)((rand_r(&seed) * 3LL) % 6248188800LL) - 2176934400LL;
		time_t length = (time_t)((rand_r(&seed) * 7LL) % longest);
		struct run run = {
			.start = start,
			.end = start + length,
			.offset = (rand_r(&seed) % 111 - 55) * 900
		};

		try_run(&run, &seed);
	}
}

static void
test_minutes(void)
{
	try_runs(15, 7200, 1);
}

static void
test_days(void)
{
	try_runs(15, 5 * DAY_SECONDS, 2);
}

static void
test_months(void)
{
	try_runs(15, 120 * DAY_SECONDS, 3);
}

static void
test_years(void)
{
	try_runs(15, 9 * 366 * DAY_SECONDS, 4);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "up to two hours", test_minutes },
		{ "up to five days", test_days },
		{ "up to four months", test_months },
		{ "up to nine years", test_years },
		{ NULL, NULL }
	};

	return suite_run("limit/run-schedule/random", tests);
}
