/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_run_schedule_notes.c - which schedules mean something else to pScheduler,
 * and that no others are noted.
 */
#include "plugin.h"
#include "suite.h"

/* How pScheduler sees a run that wraps around shows in these. */
static void
test_wrapping_notes(void)
{
	static const char *const noted[] = {
		"{\"month\":[1,12]}", "{\"weekday\":[1,7]}", "{\"day\":[1,31]}", "{\"hour\":[0,23]}",
		"{\"minute\":[0,59]}", "{\"second\":[0,59]}", "{\"hour\":[1.0]}",
		"{\"hour\":[{\"lower\":0,\"upper\":22}]}", "{\"month\":[1],\"overlap\":true}",
		"{\"hour\":[],\"second\":[30]}", "{\"month\":[{\"lower\":1,\"upper\":12}]}",
		"{\"weekday\":[{\"lower\":1,\"upper\":7}]}", "{\"day\":[{\"lower\":1,\"upper\":31}]}"
	};

	for (size_t i = 0; i < sizeof noted / sizeof noted[0]; i++)
		plugin_remark(LIMEN_KIND_LIMIT, "run-schedule", noted[i],
		              "note: At /limits/0/data: pScheduler 5.2 checks only part of a run");
}

#define ZONED "{\"timezone\":\"local\","

static void
test_no_notes(void)
{
	static const char *const fine[] = {
		"{}", "{\"overlap\":true}", "{\"year\":[1,294276]}", ZONED "\"week\":[]}", ZONED "\"hour\":[]}",
		ZONED "\"hour\":[{\"lower\":0,\"upper\":23}]}",
		ZONED "\"minute\":[{\"lower\":0,\"upper\":59}]}",
		"{\"second\":[{\"lower\":0,\"upper\":59}]}",
		ZONED "\"month\":[{\"lower\":1,\"upper\":12}],\"overlap\":true}",
		ZONED "\"weekday\":[{\"lower\":1,\"upper\":7}],\"overlap\":true}",
		ZONED "\"day\":[{\"lower\":1,\"upper\":31}],\"overlap\":true}"
	};

	for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++)
		plugin_remark(LIMEN_KIND_LIMIT, "run-schedule", fine[i], "");
}

/* The zone is that of whoever writes the run, which is rarely what is meant. */
static void
test_zone_note(void)
{
	static const char *const noted[] = { "{\"hour\":[22]}", "{\"minute\":[30]}",
		                             "{\"weekday\":[{\"lower\":1,\"upper\":7}]}" };

	for (size_t i = 0; i < sizeof noted / sizeof noted[0]; i++)
		plugin_remark(LIMEN_KIND_LIMIT, "run-schedule", noted[i],
		              "note: At /limits/0/data: without 'timezone' a run is judged in the zone");
}

static void
test_refusal_notes(void)
{
	plugin_remark(LIMEN_KIND_LIMIT, "run-schedule", "{\"week\":[1,53]}",
	              "note: At /limits/0/data/week: pScheduler 5.2 refuses a file with 'week'");
	plugin_remark(LIMEN_KIND_LIMIT, "run-schedule", "{\"invert\":false}",
	              "note: At /limits/0/data/invert: pScheduler 5.2 refuses 'invert' inside");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what pScheduler makes of runs that wrap around is noted", test_wrapping_notes },
		{ "what pScheduler refuses is noted", test_refusal_notes },
		{ "what it decides in the same way is not", test_no_notes },
		{ "a schedule without a zone is noted", test_zone_note },
		{ NULL, NULL }
	};

	return suite_run("limit/run-schedule-notes", tests);
}
