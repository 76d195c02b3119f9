/* SPDX-License-Identifier: Apache-2.0 */
/* windows.c - reads rates and their windows, and opens their tables. */
#include "windows.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "spell.h"

#define DAY (86400 * LIMEN_SECOND)

const char *const window_names[] = { "token", "fixed", "sliding", "calendar", NULL };

static const char *const units[] = { "", "day", "week", "month", "year" };

/* Chooses the window of a rate that was read; false with a problem if it cannot be. */
static bool
choose_window(const windows *self, window *item, limen_opening *opening, limen_diag *diag)
{
	limen_value where = limen_opening_option(opening, "window");
	limen_table_spec *spec = &item->spec;
	bool dated = spec->unit != LIMEN_UNIT_NONE;

	spec->kind = limen_value_exists(where) ? (limen_meter_kind)self->kind
	             : dated                   ? LIMEN_METER_CALENDAR
	                                       : LIMEN_METER_TOKEN;
	if (dated && spec->kind != LIMEN_METER_CALENDAR)
		return limen_diag_refuse(diag, where,
		                         "no %s is as long as another: '%s' needs the window "
		                         "'calendar'", units[spec->unit], spec->rate);
	if (spec->kind != LIMEN_METER_CALENDAR)
		return true;
	if (!dated)
		spec->unit = spec->period == DAY       ? LIMEN_UNIT_DAY
		             : spec->period == 7 * DAY ? LIMEN_UNIT_WEEK
		                                       : LIMEN_UNIT_NONE;
	spec->period = 0;
	if (spec->unit != LIMEN_UNIT_NONE)
		return true;
	return limen_diag_refuse(diag, where,
	                         "the window 'calendar' counts days, weeks, months or years, "
	                         "not '%s'", spec->rate);
}

static bool
read_window(windows *self, const char *text, limen_value where, limen_opening *opening,
            limen_diag *diag)
{
	window *item = &self->items[self->count];
	limen_table_spec *spec = &item->spec;

	*spec = (limen_table_spec){ .size = sizeof(*spec), .rate = text,
		                    .eviction = LIMEN_EVICT_FULLEST };
	if (!spell_read_rate(text, &spec->tokens, &spec->period, &spec->unit))
		return limen_diag_refuse(diag, where,
		                         "invalid rate '%s': use N/UNIT, such as 10/min, 10/day "
		                         "or 10/month, or N/DURATION, such as 10/PT1H", text);
	if (!choose_window(self, item, opening, diag))
		return false;
	spec->burst = self->burst == 0 ? spec->tokens : self->burst;
	if (spec->kind == LIMEN_METER_CALENDAR) {
		item->calendar = (calendar){ self->zone, spec->unit };
		spec->find_period = calendar_find;
		spec->calendar = &item->calendar;
		strcpy(item->period, units[spec->unit]);
	} else {
		limen_duration_print(spec->period, item->period);
	}
	for (size_t i = 0; i < self->count; i++) {
		if (strcmp(self->items[i].period, item->period) != 0)
			continue;
		return limen_diag_refuse(diag, where,
		                         "'%s' has the period of '%s': use one of them", text,
		                         self->items[i].spec.rate);
	}
	self->count++;
	return true;
}

/* Opens the zone, whose file is an input: new data opens the instance anew. */
static bool
open_zone(windows *self, limen_opening *opening, limen_diag *diag)
{
	limen_value where = limen_opening_option(opening, "timezone");
	size_t length;
	const char *text;
	char *path;
	int result;

	if (self->timezone == NULL)
		return true;
	if (strcmp(self->timezone, "local") == 0) {
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, where, "'local' is not a time zone");
		limen_diag_hint(diag, "use an IANA name such as 'Europe/Berlin'");
		return false;
	}
	self->zone = zone_open(self->timezone, where, diag);
	if (self->zone == NULL || strcmp(self->timezone, "UTC") == 0)
		return self->zone != NULL;
	path = zone_file(self->timezone);
	result = limen_opening_file(opening, path, where, &text, &length, diag);
	g_free(path);
	return result == LIMEN_OK;
}

/* Checks the options that only some windows have. */
static bool
check_options(const windows *self, limen_opening *opening, limen_diag *diag)
{
	bool dated = false;
	bool tokens = self->count == 1;

	for (size_t i = 0; i < self->count; i++) {
		dated = dated || self->items[i].spec.kind == LIMEN_METER_CALENDAR;
		tokens = tokens && self->items[i].spec.kind == LIMEN_METER_TOKEN;
	}
	if (self->burst != 0 && !tokens)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, limen_opening_option(opening, "burst"),
		               "only a single rate in the window 'token' has a burst");
	if (self->timezone != NULL && !dated)
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM,
		               limen_opening_option(opening, "timezone"),
		               "only the window 'calendar' has a time zone");
	return (self->burst == 0 || tokens) && (self->timezone == NULL || dated);
}

static bool
read_all(windows *self, limen_opening *opening, limen_diag *diag)
{
	limen_value list = limen_opening_option(opening, "rates");
	bool good = true;

	if ((self->text == NULL) == (self->texts.count == 0))
		return limen_diag_refuse(diag, limen_opening_data(opening), "%s",
		                         self->text == NULL ? "'rate' is a required property"
		                                            : "use 'rate' or 'rates', not both");
	if (self->texts.count > WINDOWS_MAX)
		return limen_diag_refuse(diag, list, "more than %d rates", WINDOWS_MAX);
	if (self->text != NULL)
		good = read_window(self, self->text, limen_opening_option(opening, "rate"), opening,
		                   diag);
	for (size_t i = 0; i < self->texts.count; i++)
		good = read_window(self, self->texts.items[i], limen_value_at(list, i), opening,
		                   diag) &&
		       good;
	return good && check_options(self, opening, diag);
}

int
windows_open(windows *self, limen_opening *opening, limen_diag *diag)
{
	if (open_zone(self, opening, diag) && read_all(self, opening, diag))
		return LIMEN_OK;
	windows_close(self);
	return LIMEN_EINVAL;
}

void
windows_close(windows *self)
{
	zone_close(self->zone);
	self->zone = NULL;
}

static int
open_table(windows *self, window *item, limen_table **out, const char *name, const char *keys,
           limen_store *store, limen_opening *opening, limen_diag *diag)
{
	bool dated = item->spec.kind == LIMEN_METER_CALENDAR;
	limen_table_spec spec = item->spec;
	char *long_name = g_strdup_printf("%s%s%s", name, self->text == NULL ? "-" : "",
	                                  self->text == NULL ? item->period : "");
	char *long_keys = g_strdup_printf("%s%s%s", keys, dated ? " " : "",
	                                  !dated                    ? ""
	                                  : self->timezone == NULL ? "UTC"
	                                                           : self->timezone);
	int result;

	spec.name = long_name;
	spec.keys = long_keys;
	result = limen_opening_table(opening, store, &spec, out, diag);
	g_free(long_name);
	g_free(long_keys);
	return result;
}

int
windows_open_tables(windows *self, size_t index, const char *name, const char *keys,
                    uint64_t capacity, limen_store *store, limen_opening *opening, limen_diag *diag)
{
	int result = LIMEN_OK;

	for (size_t i = 0; i < self->count && result == LIMEN_OK; i++) {
		self->items[i].spec.capacity = capacity;
		result = open_table(self, &self->items[i], &self->items[i].tables[index], name, keys,
		                    store, opening, diag);
	}
	return result;
}

int64_t
windows_least(const windows *self)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < self->count; i++)
		if (self->items[i].spec.burst < least)
			least = self->items[i].spec.burst;
	return least;
}
