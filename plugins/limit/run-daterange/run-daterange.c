/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run-daterange.c - the limit that wants a run to happen between two points in
 * time (limits.rst, "run-daterange").  Times are compared as instants, whatever
 * zone they are written in.
 */
#include <limen/module.h>
#include <limen/version.h>
#include <string.h>

struct run_daterange {
	limen_timestamp start;
	limen_timestamp end; /* the first moment after the range */
	bool overlap;
};

static const limen_option options[] = {
	LIMEN_OPT_TIMESTAMP(struct run_daterange, start, .key = "start", .required = true,
	                    .help = "The first moment of the range"),
	LIMEN_OPT_TIMESTAMP(struct run_daterange, end, .key = "end", .required = true,
	                    .help = "The first moment after the range"),
	LIMEN_OPT_BOOL(struct run_daterange, overlap, .key = "overlap", .fallback = "false",
	               .help = "Whether a run may begin before the range or end after it"),
	LIMEN_OPT_END
};

/* Python compares no time without zone with one that has a zone, as those of runs do. */
static void
note_zones(const struct run_daterange *range, limen_opening *opening, limen_diag *diag)
{
	const char *key = range->start.zoned ? "end" : "start";

	if (range->start.zoned && range->end.zoned)
		return;
	limen_diag_add(
		diag, LIMEN_SEVERITY_NOTE, limen_opening_option(opening, key),
		range->start.zoned == range->end.zoned
			? "pScheduler 5.2 never passes a range without time zones; limen takes "
			  "local time"
			: "pScheduler 5.2 refuses a range with a time zone at one end only; "
			  "limen uses local time at the other");
}

/* Python has no hour 24. */
static bool
check_hour(const char *key, limen_opening *opening, limen_diag *diag)
{
	limen_value end = limen_opening_option(opening, key);
	const char *text = limen_value_string(end, NULL);

	if (text == NULL || strstr(text, "T24") == NULL)
		return true;
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, end, "hour must be in 0..23");
	limen_diag_hint(diag, "write the first moment of the next day, T00:00:00");
	return false;
}

static int
open_run_daterange(void *self, limen_opening *opening, limen_diag *diag)
{
	const struct run_daterange *range = self;
	bool start = check_hour("start", opening, diag);

	if (!check_hour("end", opening, diag) || !start)
		return LIMEN_ECONFIG;
	if (range->end.time >= range->start.time) {
		note_zones(range, opening, diag);
		return LIMEN_OK;
	}
	limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, "end"),
	               "End must be after start.");
	return LIMEN_ECONFIG;
}
/* Is 'time' one of the moments of the run, whose end is not one of them? */
static bool
is_during(limen_time time, const limen_run *run)
{
	return run->start.time <= time && time < run->end.time;
}

/*
 * pScheduler's rule: a run overlaps the range if it is going on at one of the
 * range's ends.  So a run that starts within the range and stops at the very
 * end of it does not.
 */
static bool
matches(const struct run_daterange *range, const limen_run *run)
{
	if (run->start.time >= range->start.time && run->end.time < range->end.time)
		return true;
	return range->overlap &&
	       (is_during(range->start.time, run) || is_during(range->end.time, run));
}

/* Reports the missed bound, unless overlapping is enough: then no single bound was missed. */
static void
tell_missed(const struct run_daterange *range, const limen_run *run, limen_reply *reply)
{
	char have[LIMEN_TIMESTAMP_TEXT_MAX];
	char bound[LIMEN_TIMESTAMP_TEXT_MAX];

	if (range->overlap || !limen_reply_wants_bounds(reply))
		return;
	if (run->start.time < range->start.time) {
		limen_timestamp_print(&run->start, have);
		limen_timestamp_print(&range->start, bound);
		limen_reply_bound(reply, "start of the run", have, LIMEN_RELATION_AT_LEAST, bound);
	}
	if (run->end.time >= range->end.time) {
		limen_timestamp_print(&run->end, have);
		limen_timestamp_print(&range->end, bound);
		limen_reply_bound(reply, "end of the run", have, LIMEN_RELATION_BELOW, bound);
	}
}

static limen_verdict
check(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct run_daterange *range = self;
	const char *why = "";
	limen_run run;
	int result = limen_request_run(req, &run, &why);

	if (result == LIMEN_ENOENT)
		return LIMEN_SKIP;
	if (result != LIMEN_OK) {
		limen_reply_reason(reply, "%s", why);
		return LIMEN_ERROR;
	}
	if (run.duration < 0) {
		limen_reply_reason(reply, "Run ends before it starts");
		return LIMEN_ERROR;
	}
	if (matches(range, &run))
		return LIMEN_PASS;
	tell_missed(range, &run, reply);
	limen_reply_reason(reply, "Ranges do not match");
	return LIMEN_FAIL;
}

LIMEN_LIMIT("run-daterange",
	.flags = LIMEN_MODULE_RUNS_ONLY,
	.version = LIMEN_VERSION,
	.summary = "Passes runs that happen within a range of time",
	.options = options,
	.instance_size = sizeof(struct run_daterange),
	.open = open_run_daterange,
	.check = check);
