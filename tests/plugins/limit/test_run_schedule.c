/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_run_schedule.c - the limit "run-schedule" through the real engine.
 * Random runs are compared with what the C library says of every single moment
 * of them (test_run_schedule_random.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "plugin.h"
#include "suite.h"

#define RUN(start, duration) \
	"{\"run_schedule\":{\"start\":\"" start "\",\"duration\":\"" duration "\"}}"
#define OFF(field) "Mismatch on " field
#define LAST       { NULL, NULL, NULL, LIMEN_ERROR, NULL }

static void
check_schedule(const char *data, const struct plugin_case *cases)
{
	plugin_check(LIMEN_KIND_LIMIT, "run-schedule", data, cases);
}

static void
test_no_fields(void)
{
	static const struct plugin_case cases[] = {
		{ "any run", RUN("2020-02-29T12:00:00Z", "PT1S"), NULL, LIMEN_PASS, NULL },
		{ "a long one", RUN("2020-02-29T12:00:00Z", "P3000D"), NULL, LIMEN_PASS, NULL },
		LAST
	};

	check_schedule("{}", cases);
	check_schedule("{\"overlap\":true}", cases);
}

static void
test_hour(void)
{
	static const struct plugin_case all[] = {
		{ "a second before", RUN("2020-01-01T03:59:59Z", "PT10S"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		{ "a microsecond before", RUN("2020-01-01T03:59:59.999999Z", "PT10S"), NULL,
		  LIMEN_FAIL, OFF("hour") },
		{ "at the start", RUN("2020-01-01T04:00:00Z", "PT10S"), NULL, LIMEN_PASS, NULL },
		{ "all of it", RUN("2020-01-01T04:00:00Z", "PT3H59M59S"), NULL, LIMEN_PASS, NULL },
		{ "to the last microsecond", RUN("2020-01-01T04:00:00Z", "PT3H59M59.999999S"),
		  NULL, LIMEN_PASS, NULL },
		{ "the end counts", RUN("2020-01-01T04:00:00Z", "PT4H"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		{ "after it", RUN("2020-01-01T08:00:00Z", "PT0S"), NULL, LIMEN_FAIL, OFF("hour") },
		{ "around the clock", RUN("2020-01-01T04:00:00Z", "P1D"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		{ "the hour of the run's zone", RUN("2020-01-01T04:00:00+09:00", "PT1H"), NULL,
		  LIMEN_PASS, NULL },
		{ "not that of UTC", RUN("2020-01-01T13:00:00+09:00", "PT1H"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		LAST
	};
	static const struct plugin_case overlap[] = {
		{ "before", RUN("2020-01-01T03:00:00Z", "PT59M59S"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		{ "up to the start", RUN("2020-01-01T03:00:00Z", "PT1H"), NULL, LIMEN_PASS, NULL },
		{ "from the last second on", RUN("2020-01-01T07:59:59Z", "PT1H"), NULL, LIMEN_PASS,
		  NULL },
		{ "after", RUN("2020-01-01T08:00:00Z", "PT19H59M59S"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		{ "after, to the next", RUN("2020-01-01T08:00:00Z", "PT20H"), NULL, LIMEN_PASS,
		  NULL },
		LAST
	};

	check_schedule("{\"hour\":[{\"lower\":4,\"upper\":7}]}", all);
	check_schedule("{\"hour\":[4,5,7,6]}", all);
	check_schedule("{\"hour\":[{\"lower\":4,\"upper\":7}],\"overlap\":true}", overlap);
}

/* pScheduler 5.2 takes 23:59 and three hours for the hours 23 and 0. */
static void
test_wrap_around(void)
{
	static const struct plugin_case cases[] = {
		{ "three hours", RUN("2020-01-01T23:59:00Z", "PT3H"), NULL, LIMEN_PASS, NULL },
		{ "an hour more", RUN("2020-01-01T23:59:00Z", "PT3H1M"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		LAST
	};
	static const struct plugin_case too_few[] = {
		{ "three hours", RUN("2020-01-01T23:59:00Z", "PT3H"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		{ "one minute", RUN("2020-01-01T23:59:00Z", "PT1M"), NULL, LIMEN_PASS, NULL },
		LAST
	};

	check_schedule("{\"hour\":[23,0,1,2]}", cases);
	check_schedule("{\"hour\":[23,0]}", too_few);
}

static void
test_minute_and_second(void)
{
	static const struct plugin_case minute[] = {
		{ "before", RUN("2020-01-01T00:29:59Z", "PT0S"), NULL, LIMEN_FAIL,
		  OFF("minute") },
		{ "first", RUN("2020-01-01T00:30:00Z", "PT59.9S"), NULL, LIMEN_PASS, NULL },
		{ "after", RUN("2020-01-01T00:31:00Z", "PT0S"), NULL, LIMEN_FAIL, OFF("minute") },
		{ "in a zone of half an hour", RUN("2020-01-01T00:30:00+05:30", "PT1S"), NULL,
		  LIMEN_PASS, NULL },
		{ "an hour later", RUN("2020-01-01T00:30:00Z", "PT1H"), NULL, LIMEN_FAIL,
		  OFF("minute") },
		LAST
	};
	static const struct plugin_case second[] = {
		{ "the last", RUN("2020-01-01T00:00:59Z", "PT0.999999S"), NULL, LIMEN_PASS, NULL },
		{ "and the next", RUN("2020-01-01T00:00:59Z", "PT1S"), NULL, LIMEN_FAIL,
		  OFF("second") },
		{ "the one before", RUN("2020-01-01T00:00:58.999999Z", "PT0S"), NULL, LIMEN_FAIL,
		  OFF("second") },
		LAST
	};

	check_schedule("{\"minute\":[30]}", minute);
	check_schedule("{\"second\":[59]}", second);
}

static void
test_dates(void)
{
	static const struct plugin_case leap_day[] = {
		{ "before", RUN("2020-02-28T23:59:59Z", "PT0S"), NULL, LIMEN_FAIL, OFF("day") },
		{ "first second", RUN("2020-02-29T00:00:00Z", "PT0S"), NULL, LIMEN_PASS, NULL },
		{ "the day", RUN("2020-02-29T00:00:00Z", "PT23H59M59S"), NULL, LIMEN_PASS, NULL },
		{ "and the end", RUN("2020-02-29T00:00:00Z", "P1D"), NULL, LIMEN_FAIL,
		  OFF("month; Mismatch on day") },
		{ "no leap year", RUN("2019-02-28T12:00:00Z", "P1D"), NULL, LIMEN_FAIL,
		  OFF("month; Mismatch on day") },
		{ "no leap century", RUN("1900-02-28T12:00:00Z", "P1D"), NULL, LIMEN_FAIL,
		  OFF("month; Mismatch on day") },
		{ "a leap century", RUN("2000-02-29T12:00:00Z", "PT1H"), NULL, LIMEN_PASS, NULL },
		LAST
	};
	/* No days in a row wait longer for a 31st than those from the first of April on. */
	static const struct plugin_case the_31st[] = {
		{ "just not", RUN("2019-04-01T00:00:00Z", "P59D"), NULL, LIMEN_FAIL, OFF("day") },
		{ "just so", RUN("2019-04-01T00:00:00Z", "P60D"), NULL, LIMEN_PASS, NULL },
		{ "long since", RUN("2019-04-01T00:00:00Z", "P75D"), NULL, LIMEN_PASS, NULL },
		LAST
	};
	static const struct plugin_case year_end[] = {
		{ "across", RUN("2019-12-31T23:00:00Z", "PT2H"), NULL, LIMEN_PASS, NULL },
		{ "two days across", RUN("2019-12-30T23:00:00Z", "P1DT2H"), NULL, LIMEN_FAIL,
		  OFF("day") },
		{ "a year later", RUN("2020-12-31T23:00:00Z", "PT2H"), NULL, LIMEN_FAIL,
		  OFF("year") },
		LAST
	};

	check_schedule("{\"month\":[2],\"day\":[29]}", leap_day);
	check_schedule("{\"day\":[31],\"overlap\":true}", the_31st);
	check_schedule("{\"year\":[2020,2019],\"month\":[12,1],\"day\":[31,1]}", year_end);
}

/* From ISO 8601: 2020 has 53 weeks, 2021 begins in the last of them. */
static void
test_week(void)
{
	static const struct plugin_case last[] = {
		{ "Sunday before", RUN("2020-12-27T23:59:59Z", "PT0S"), NULL, LIMEN_FAIL,
		  OFF("week") },
		{ "Monday", RUN("2020-12-28T00:00:00Z", "PT0S"), NULL, LIMEN_PASS, NULL },
		{ "new year", RUN("2021-01-01T00:00:00Z", "P1D"), NULL, LIMEN_PASS, NULL },
		{ "Sunday", RUN("2021-01-03T23:59:59Z", "PT0S"), NULL, LIMEN_PASS, NULL },
		{ "Monday after", RUN("2021-01-04T00:00:00Z", "PT0S"), NULL, LIMEN_FAIL,
		  OFF("week") },
		{ "a year without it", RUN("2021-12-31T00:00:00Z", "PT0S"), NULL, LIMEN_FAIL,
		  OFF("week") },
		LAST
	};
	static const struct plugin_case first[] = {
		{ "at the end of the year before", RUN("2019-12-30T00:00:00Z", "PT0S"), NULL,
		  LIMEN_PASS, NULL },
		{ "the day before that", RUN("2019-12-29T00:00:00Z", "PT0S"), NULL, LIMEN_FAIL,
		  OFF("week") },
		{ "the last day", RUN("2020-01-05T23:59:59Z", "PT0S"), NULL, LIMEN_PASS, NULL },
		{ "across the year", RUN("2020-12-28T00:00:00Z", "P7D"), NULL, LIMEN_FAIL,
		  OFF("week") },
		LAST
	};
	static const struct plugin_case rare[] = {
		{ "long without week 53", RUN("1897-01-04T00:00:00Z", "P2547D"), NULL, LIMEN_FAIL,
		  OFF("week") },
		{ "up to it", RUN("1897-01-04T00:00:00Z", "P2549D"), NULL, LIMEN_PASS, NULL },
		{ "a thousand years", RUN("1897-01-04T00:00:00Z", "P365000D"), NULL, LIMEN_PASS,
		  NULL },
		LAST
	};

	check_schedule("{\"week\":[53]}", last);
	check_schedule("{\"week\":[1]}", first);
	check_schedule("{\"week\":[53],\"overlap\":true}", rare);
}

static void
test_weekday(void)
{
	static const struct plugin_case weekend[] = {
		{ "Friday's last second", RUN("2020-01-03T23:59:59Z", "PT0S"), NULL, LIMEN_FAIL,
		  OFF("weekday") },
		{ "Saturday's first", RUN("2020-01-04T00:00:00Z", "PT0S"), NULL, LIMEN_PASS,
		  NULL },
		{ "both days", RUN("2020-01-04T00:00:00Z", "PT47H59M59S"), NULL, LIMEN_PASS,
		  NULL },
		{ "Monday's first", RUN("2020-01-06T00:00:00Z", "PT0S"), NULL, LIMEN_FAIL,
		  OFF("weekday") },
		{ "a week", RUN("2020-01-04T00:00:00Z", "P7D"), NULL, LIMEN_FAIL,
		  OFF("weekday") },
		LAST
	};
	static const struct plugin_case wrap[] = {
		{ "Saturday to Monday", RUN("2020-01-04T12:00:00Z", "P2D"), NULL, LIMEN_PASS,
		  NULL },
		{ "Saturday to Tuesday", RUN("2020-01-04T12:00:00Z", "P3D"), NULL, LIMEN_FAIL,
		  OFF("weekday") },
		LAST
	};
	static const struct plugin_case zero[] = {
		{ "Sunday", RUN("2020-01-05T00:00:00Z", "PT0S"), NULL, LIMEN_FAIL,
		  OFF("weekday") },
		{ "a week", RUN("2020-01-05T00:00:00Z", "P7D"), NULL, LIMEN_FAIL,
		  OFF("weekday") },
		LAST
	};

	check_schedule("{\"weekday\":[6,7]}", weekend);
	check_schedule("{\"weekday\":[6,7,1]}", wrap);
	check_schedule("{\"weekday\":[0],\"overlap\":true}", zero);
}

static void
test_year(void)
{
	static const struct plugin_case all[] = {
		{ "before", RUN("2016-12-31T23:59:59Z", "PT1S"), NULL, LIMEN_FAIL, OFF("year") },
		{ "all years", RUN("2017-01-01T00:00:00Z", "P1825DT23H59M59S"), NULL, LIMEN_PASS,
		  NULL },
		{ "one second too long", RUN("2017-01-01T00:00:00Z", "P1826D"), NULL, LIMEN_FAIL,
		  OFF("year") },
		LAST
	};
	static const struct plugin_case gap[] = {
		{ "before the gap", RUN("2018-12-31T23:59:59Z", "PT0S"), NULL, LIMEN_PASS, NULL },
		{ "across the gap", RUN("2018-06-01T00:00:00Z", "P700D"), NULL, LIMEN_FAIL,
		  OFF("year") },
		LAST
	};
	static const struct plugin_case overlap[] = {
		{ "in the gap", RUN("2019-06-01T00:00:00Z", "P1D"), NULL, LIMEN_FAIL,
		  OFF("year") },
		{ "out of the gap", RUN("2019-12-31T23:59:59Z", "PT1S"), NULL, LIMEN_PASS, NULL },
		{ "everything", RUN("0001-01-01T00:00:00Z", "P3652058D"), NULL, LIMEN_PASS, NULL },
		LAST
	};

	check_schedule("{\"year\":[2021,{\"lower\":2019,\"upper\":2020},"
	               "{\"lower\":2017,\"upper\":2019}]}", all);
	check_schedule("{\"year\":[2017,2018,2020]}", gap);
	check_schedule("{\"year\":[2018,2020],\"overlap\":true}", overlap);
	check_schedule("{\"year\":[2020,{\"lower\":294276,\"upper\":294276}],\"overlap\":true}",
	               overlap);
}

static void
test_order_of_reasons(void)
{
	static const struct plugin_case cases[] = {
		{ "all", RUN("2020-03-04T05:06:07Z", "PT0S"), NULL, LIMEN_FAIL,
		  "Mismatch on year; Mismatch on month; Mismatch on week; Mismatch on weekday; "
		  "Mismatch on day; Mismatch on hour; Mismatch on minute; Mismatch on second" },
		LAST
	};

	check_schedule("{\"second\":[],\"minute\":[0],\"hour\":[0],\"day\":[1],\"weekday\":[1],"
	               "\"week\":[1],\"month\":[1],\"year\":[1]}", cases);
}

static void
test_empty_sets(void)
{
	static const struct plugin_case cases[] = {
		{ "any run", RUN("2020-03-04T05:06:07Z", "P1D"), NULL, LIMEN_FAIL, OFF("hour") },
		LAST
	};
	static const struct plugin_case years[] = {
		{ "any run", RUN("2020-03-04T05:06:07Z", "P1D"), NULL, LIMEN_FAIL, OFF("year") },
		LAST
	};

	check_schedule("{\"hour\":[]}", cases);
	check_schedule("{\"hour\":[],\"overlap\":true}", cases);
	check_schedule("{\"hour\":[{\"lower\":22,\"upper\":2}],\"overlap\":true}", cases);
	check_schedule("{\"year\":[]}", years);
	check_schedule("{\"year\":[{\"lower\":2021,\"upper\":2019}],\"overlap\":true}", years);
}

static void
test_invert_inside(void)
{
	static const struct plugin_case cases[] = {
		{ "in the window", RUN("2020-01-01T04:30:00Z", "PT1S"), NULL, LIMEN_FAIL,
		  "Passed but inverted" },
		{ "touching it", RUN("2020-01-01T03:30:00Z", "PT30M"), NULL, LIMEN_FAIL,
		  "Passed but inverted" },
		{ "on another day", RUN("2020-01-02T04:30:00Z", "PT1S"), NULL, LIMEN_PASS, NULL },
		{ "at another hour", RUN("2020-01-01T03:30:00Z", "PT29M59S"), NULL, LIMEN_PASS,
		  NULL },
		{ "an error", RUN("2020-01-01", "PT1S"), NULL, LIMEN_ERROR,
		  "Invalid ISO8601 date" },
		LAST
	};

	check_schedule("{\"weekday\":[3,7],\"hour\":[2,{\"lower\":4,\"upper\":7}],"
	               "\"overlap\":true,\"invert\":true}", cases);
}

static void
test_unreadable_runs(void)
{
	static const struct plugin_case cases[] = {
		{ "null", "{\"run_schedule\":null}", NULL, LIMEN_ERROR, "'start'" },
		{ "no duration", "{\"run_schedule\":{\"start\":\"2017-06-21T00:00:00Z\"}}", NULL,
		  LIMEN_ERROR, "'duration'" },
		{ "a year", RUN("2017-06-21T00:00:00Z", "P1Y"), NULL, LIMEN_ERROR,
		  "Cannot support months or years" },
		{ "the end of time", RUN("9999-12-31T23:59:59Z", "PT1S"), NULL, LIMEN_ERROR,
		  "date value out of range" },
		{ "backwards", RUN("2018-06-21T00:00:00Z", "-PT1S"), NULL, LIMEN_ERROR,
		  "Run ends before it starts" },
		LAST
	};

	check_schedule("{}", cases);
	check_schedule("{\"invert\":true}", cases);
}

static void
test_task(void)
{
	limen_kit *kit = plugin_open(LIMEN_KIND_LIMIT, "run-schedule",
	                             "{\"hour\":[],\"invert\":false}");

	if (kit == NULL)
		return;
	limen_kit_run(kit, "{\"test\":{}}", NULL);
	CU_ASSERT_TRUE(limen_decision_admitted(limen_kit_decision(kit)));
	limen_kit_free(kit);
}

static void
test_data(void)
{
	static const char *const wrong[] = {
		"[]", "{\"hours\":[1]}", "{\"hour\":1}", "{\"hour\":[\"1\"]}", "{\"hour\":[1.5]}",
		"{\"hour\":[true]}", "{\"hour\":[null]}", "{\"hour\":[{\"lower\":1}]}",
		"{\"hour\":[{\"upper\":1}]}", "{\"hour\":[{\"lower\":1,\"upper\":2,\"x\":3}]}",
		"{\"year\":[0]}", "{\"year\":[294277]}", "{\"month\":[0]}", "{\"month\":[13]}",
		"{\"week\":[0]}", "{\"week\":[54]}", "{\"weekday\":[-1]}", "{\"weekday\":[8]}",
		"{\"day\":[0]}", "{\"day\":[32]}", "{\"hour\":[-1]}", "{\"hour\":[24]}",
		"{\"minute\":[-1]}", "{\"minute\":[60]}", "{\"second\":[-1]}", "{\"second\":[60]}",
		"{\"second\":[{\"lower\":0,\"upper\":60}]}", "{\"overlap\":1}", "{\"invert\":null}"
	};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		plugin_refuse(LIMEN_KIND_LIMIT, "run-schedule", wrong[i], "/limits/0/data");
}

static void
test_warnings(void)
{
	plugin_remark(LIMEN_KIND_LIMIT, "run-schedule", "{\"weekday\":[1,0]}",
	              "warning: At /limits/0/data/weekday/1: weekday 0 never matches");
	plugin_remark(LIMEN_KIND_LIMIT, "run-schedule",
	              "{\"weekday\":[{\"lower\":0,\"upper\":6}]}", "weekday 0 never matches");
	plugin_remark(LIMEN_KIND_LIMIT, "run-schedule", "{\"hour\":[{\"lower\":22,\"upper\":2}]}",
	              "warning: At /limits/0/data/hour/0: the range holds nothing");
}

static void
test_example(void)
{
	plugin_load_example(LIMEN_KIND_LIMIT, "run-schedule");
}

/* Whatever zone a run is written in, and whenever clocks change. */
static void
test_zones(void)
{
	static const struct plugin_case night[] = {
		{ "the same time, written elsewhere", RUN("2026-01-15T22:30:00+10:30", "PT1H"), NULL,
		  LIMEN_FAIL, OFF("hour") },
		{ "night in winter", RUN("2026-01-15T21:00:00Z", "PT7H59M"), NULL, LIMEN_PASS, NULL },
		{ "an hour before", RUN("2026-01-15T20:59:59Z", "PT1M"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		{ "night in summer", RUN("2026-07-15T20:00:00Z", "PT7H59M"), NULL, LIMEN_PASS, NULL },
		{ "an hour too long in summer", RUN("2026-07-15T20:00:00Z", "PT8H"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		/* Clocks go from 2 to 3 and from 3 to 2. */
		{ "the night that is shorter", RUN("2026-03-28T21:00:00Z", "PT6H59M59S"), NULL,
		  LIMEN_PASS, NULL },
		{ "no longer", RUN("2026-03-28T21:00:00Z", "PT7H"), NULL, LIMEN_FAIL, OFF("hour") },
		{ "the night that is longer", RUN("2026-10-24T20:00:00Z", "PT8H59M59S"), NULL,
		  LIMEN_PASS, NULL },
		{ "after the last change a file lists", RUN("2045-07-15T20:00:00Z", "PT7H59M"), NULL,
		  LIMEN_PASS, NULL },
		LAST
	};
	/* The hour that clocks skip is touched by no run. */
	static const struct plugin_case skipped[] = {
		{ "across", RUN("2026-03-29T00:00:00Z", "PT1H30M"), NULL, LIMEN_FAIL, OFF("hour") },
		{ "the same the day before", RUN("2026-03-28T00:00:00Z", "PT1H30M"), NULL, LIMEN_PASS,
		  NULL },
		{ "a week later", RUN("2026-03-29T00:00:00Z", "P6D"), NULL, LIMEN_PASS, NULL },
		{ "ten years", RUN("2026-03-29T00:00:00Z", "P3650D"), NULL, LIMEN_PASS, NULL },
		LAST
	};
	static const struct plugin_case year[] = {
		{ "the new year there", RUN("2026-12-31T23:30:00Z", "PT10M"), NULL, LIMEN_PASS, NULL },
		{ "not yet", RUN("2026-12-31T22:30:00Z", "PT10M"), NULL, LIMEN_FAIL,
		  OFF("year") "; " OFF("month") },
		LAST
	};

	check_schedule("{\"timezone\":\"Europe/Berlin\",\"hour\":[22,23,{\"lower\":0,\"upper\":5}]}",
	               night);
	check_schedule("{\"timezone\":\"Europe/Berlin\",\"hour\":[2],\"overlap\":true}", skipped);
	check_schedule("{\"timezone\":\"Europe/Berlin\",\"year\":[2027],\"month\":[1]}", year);
}

/* What clocks of this process show. */
static void
test_local_zone(void)
{
	static const struct plugin_case noon[] = {
		{ "noon, written elsewhere", RUN("2026-01-15T06:30:00Z", "PT10M"), NULL, LIMEN_PASS,
		  NULL },
		{ "noon elsewhere", RUN("2026-01-15T12:00:00Z", "PT10M"), NULL, LIMEN_FAIL,
		  OFF("hour") },
		LAST
	};

	setenv("TZ", "XXX-05:30", 1);
	tzset();
	check_schedule("{\"timezone\":\"local\",\"hour\":[12]}", noon);
	unsetenv("TZ");
	tzset();
}

static void
test_bad_zones(void)
{
	static const char *const bad[] = { "Mars/Olympus", "", "../etc/passwd", "+05:30", "CET-1CEST",
		                           "/usr/share/zoneinfo/UTC", "Europe" };
	char data[100];

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(data, sizeof data, "{\"timezone\":\"%s\",\"hour\":[1]}", bad[i]);
		plugin_refuse(LIMEN_KIND_LIMIT, "run-schedule", data, "is not a time zone");
	}
	setenv("TZ", "Mars/Olympus", 1);
	plugin_refuse(LIMEN_KIND_LIMIT, "run-schedule", "{\"timezone\":\"local\"}",
	              "'Mars/Olympus' is not a time zone");
	unsetenv("TZ");
	setenv("TZDIR", "/no/such/directory", 1);
	plugin_refuse(LIMEN_KIND_LIMIT, "run-schedule", "{\"timezone\":\"Europe/Berlin\"}",
	              "no time zone database in /no/such/directory");
	limen_kit_free(plugin_open(LIMEN_KIND_LIMIT, "run-schedule",
	                           "{\"timezone\":\"UTC\",\"hour\":[1]}"));
	unsetenv("TZDIR");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "without fields every run passes", test_no_fields },
		{ "hours, around both ends", test_hour },
		{ "a run past midnight", test_wrap_around },
		{ "minutes and seconds, around both ends", test_minute_and_second },
		{ "leap days and year ends", test_dates },
		{ "ISO weeks, the 53rd too", test_week },
		{ "weekdays", test_weekday },
		{ "years are numbers, not a cycle", test_year },
		{ "reasons come in the documented order", test_order_of_reasons },
		{ "sets that hold nothing", test_empty_sets },
		{ "invert inside the data", test_invert_inside },
		{ "runs that cannot be read", test_unreadable_runs },
		{ "a task passes", test_task },
		{ "what the data has to be", test_data },
		{ "values that never match are pointed out", test_warnings },
		{ "the example loads", test_example },
		{ "schedules with a zone", test_zones },
		{ "the zone of the process", test_local_zone },
		{ "zones that cannot be had", test_bad_zones },
		{ NULL, NULL }
	};

	return suite_run("limit/run-schedule", tests);
}
