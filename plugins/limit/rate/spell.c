/* SPDX-License-Identifier: Apache-2.0 */
/*
 * spell.c - parses rates such as "10/PT1H" or "10/d", and prints waits in units from days to
 * seconds.
 */
#include "spell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct named_time {
	const char *name;
	uint64_t seconds;
} named_time;

/* The units of waits. */
static const named_time units[] = {
	{ "d", 86400 },
	{ "h", 3600 },
	{ "min", 60 },
	{ "s", 1 },
};

#define UNIT_COUNT (sizeof(units) / sizeof(units[0]))

/* The units of rates; all but single letters have a plural. */
static const named_time words[] = {
	{ "s", 1 },       { "sec", 1 },      { "second", 1 }, { "m", 60 },      { "min", 60 },
	{ "minute", 60 }, { "h", 3600 },     { "hour", 3600 }, { "d", 86400 },  { "day", 86400 },
	{ "w", 604800 },  { "week", 604800 }, { "month", 0 },  { "year", 0 },
};

static bool
read_period(const char *text, limen_duration *out, limen_unit *unit)
{
	*unit = LIMEN_UNIT_NONE;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i].name);

		/* The word or its plural. */
		if (strncmp(text, words[i].name, length) != 0 ||
		    (text[length] != '\0' && (length == 1 || strcmp(text + length, "s") != 0)))
			continue;
		*out = (limen_duration)words[i].seconds * LIMEN_SECOND;
		if (*out == 0)
			*unit = text[0] == 'm' ? LIMEN_UNIT_MONTH : LIMEN_UNIT_YEAR;
		return true;
	}
	return limen_duration_parse(text, strlen(text), LIMEN_DURATION_SHORT, out, NULL) ==
	               LIMEN_OK &&
	       *out > 0;
}

bool
spell_read_rate(const char *text, int64_t *tokens, limen_duration *period, limen_unit *unit)
{
	size_t digits = strspn(text, "0123456789");
	int64_t number = 0;

	if (digits == 0 || text[digits] != '/')
		return false;
	for (size_t i = 0; i < digits; i++)
		if (__builtin_mul_overflow(number, 10, &number) ||
		    __builtin_add_overflow(number, text[i] - '0', &number))
			return false;
	if (number < 1)
		return false;
	*tokens = number;
	return read_period(text + digits + 1, period, unit);
}

void
spell_wait(limen_duration wait, char out[SPELL_WAIT_MAX])
{
	uint64_t seconds = wait <= LIMEN_SECOND ? 1 : ((uint64_t)wait - 1) / LIMEN_SECOND + 1;
	size_t i = UNIT_COUNT - 1;
	uint64_t rest;
	int used;

	/* Rounding can bring the next unit within reach. */
	while (i > 0 && seconds >= units[i - 1].seconds) {
		i--;
		if (i + 1 < UNIT_COUNT)
			seconds = (seconds + units[i + 1].seconds - 1) / units[i + 1].seconds *
			          units[i + 1].seconds;
	}
	used = snprintf(out, SPELL_WAIT_MAX, "%" PRIu64 " %s", seconds / units[i].seconds,
	                units[i].name);
	rest = seconds % units[i].seconds;
	if (rest > 0 && used > 0)
		snprintf(out + used, SPELL_WAIT_MAX - (size_t)used, " %" PRIu64 " %s",
		         rest / units[i + 1].seconds, units[i + 1].name);
}
