/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Durations and timestamps of ISO 8601.  Durations against GMP's fractions,
 * calendar fields against the C library; what is printed is read as the same.
 */
#include <gmp.h>
#include <string.h>
#include <time.h>

#include "fuzz.h"

#include <limen/duration.h>

const fuzz_target fuzz_this = { "time", NULL, 20000 };

enum { WORD_MAX = 300 };

/* ---- durations: PnWnDTnHnMnS, each with a fraction ---- */

/* Adds the number at 'text' times 'unit' microseconds; returns what follows it. */
static const char *
add_field(const char *text, mpq_t sum, double unit)
{
	mpq_t value, factor;
	bool pointed = false;

	mpq_inits(value, factor, NULL);
	for (; *text != '\0' && strchr("0123456789.,", *text) != NULL; text++) {
		if (*text == '.' || *text == ',') {
			pointed = true;
			continue;
		}
		mpz_mul_ui(mpq_numref(value), mpq_numref(value), 10);
		mpz_add_ui(mpq_numref(value), mpq_numref(value), (unsigned long)(*text - '0'));
		if (pointed)
			mpz_mul_ui(mpq_denref(value), mpq_denref(value), 10);
	}
	mpq_canonicalize(value);
	mpq_set_d(factor, unit);
	mpq_mul(value, value, factor);
	mpq_add(sum, sum, value);
	mpq_clears(value, factor, NULL);
	return text;
}

/* Reads a text that is known to be good; without years and months. */
static void
sum_fields(const char *text, mpq_t sum)
{
	static const double date[] = { ['W'] = 604800e6, ['D'] = 86400e6 };
	static const double clock[] = { ['H'] = 3600e6, ['M'] = 60e6, ['S'] = 1e6 };
	bool timed = false;

	while (*text != '\0') {
		const char *unit = text + strspn(text, "0123456789.,");
		unsigned char letter = (unsigned char)*unit;

		if (*text == 'P' || *text == 'T') {
			timed = timed || *text == 'T';
			text++;
			continue;
		}
		FUZZ_CHECK(unit != text && letter <= (timed ? 'S' : 'W'));
		add_field(text, sum, timed ? clock[letter] : date[letter]);
		text = unit + 1;
	}
}

/* The nearest whole number, halves to the even one. */
static void
round_even(mpq_t value, mpz_t out)
{
	mpz_t rest, twice;
	int order;

	mpz_inits(rest, twice, NULL);
	mpz_fdiv_qr(out, rest, mpq_numref(value), mpq_denref(value));
	mpz_mul_ui(twice, rest, 2);
	order = mpz_cmp(twice, mpq_denref(value));
	if (order > 0 || (order == 0 && mpz_odd_p(out)))
		mpz_add_ui(out, out, 1);
	mpz_clears(rest, twice, NULL);
}

static void
check_duration_value(const char *text, int result, limen_duration found)
{
	mpq_t sum;
	mpz_t whole;

	mpq_init(sum);
	mpz_init(whole);
	sum_fields(text, sum);
	round_even(sum, whole);
	FUZZ_CHECK((result == LIMEN_OK) == (mpz_fits_slong_p(whole) != 0));
	if (result == LIMEN_OK)
		FUZZ_CHECK(mpz_cmp_si(whole, found) == 0);
	mpz_clear(whole);
	mpq_clear(sum);
}

static void
check_duration(const char *text, size_t length)
{
	char printed[LIMEN_DURATION_TEXT_MAX];
	limen_duration value = 0, run = 0, again = 0, other = 0;
	const char *why = NULL;
	int result = limen_duration_parse(text, length, 0, &value, &why);
	int run_result = limen_duration_parse(text, length, LIMEN_DURATION_RUN, &run, NULL);
	int short_result = limen_duration_parse(text, length, LIMEN_DURATION_SHORT, &other, NULL);

	FUZZ_CHECK(result == LIMEN_OK || why != NULL);
	/* A text reads in one notation alone. */
	if (length > 0 && text[0] == 'P')
		FUZZ_CHECK(short_result == result && other == value);
	else
		FUZZ_CHECK(result == LIMEN_EINVAL);
	if (result == LIMEN_EINVAL && short_result == LIMEN_OK)
		FUZZ_CHECK(other >= 0 && text[0] >= '0' && text[0] <= '9');
	if (result != LIMEN_EINVAL && strlen(text) == length)
		check_duration_value(text, result, value);
	if (result == LIMEN_OK)
		FUZZ_CHECK(run_result == LIMEN_OK && run == value);
	if (run_result == LIMEN_OK) {
		limen_duration_print(run, printed);
		FUZZ_CHECK(limen_duration_parse(printed, strlen(printed), LIMEN_DURATION_RUN,
		                                &again, NULL) == LIMEN_OK);
		FUZZ_CHECK(again == run);
	}
}

/* ---- timestamps ---- */

/* C knows the fields of UTC; what is asked for is shifted there. */
static void
check_calendar(const limen_timestamp *when)
{
	int64_t micro = when->time % LIMEN_SECOND;
	time_t seconds = (time_t)((when->time - (micro < 0 ? micro + LIMEN_SECOND : micro)) /
	                          LIMEN_SECOND + when->offset);
	limen_calendar fields;
	char week[8];
	struct tm theirs;

	FUZZ_CHECK(gmtime_r(&seconds, &theirs) != NULL);
	limen_calendar_get(when, &fields);
	strftime(week, sizeof(week), "%V", &theirs);
	FUZZ_CHECK(fields.year == theirs.tm_year + INT64_C(1900));
	FUZZ_CHECK(fields.month == theirs.tm_mon + 1 && fields.day == theirs.tm_mday);
	FUZZ_CHECK(fields.hour == theirs.tm_hour && fields.minute == theirs.tm_min);
	FUZZ_CHECK(fields.second == theirs.tm_sec);
	FUZZ_CHECK(fields.weekday == (theirs.tm_wday + 6) % 7 + 1 && fields.week == atoi(week));
}

static void
check_timestamp(const char *text, size_t length)
{
	char printed[LIMEN_TIMESTAMP_TEXT_MAX];
	limen_timestamp when, again;
	const char *why = NULL;
	int result = limen_timestamp_parse(text, length, 0, &when, &why);

	FUZZ_CHECK(result == LIMEN_OK || (result == LIMEN_EINVAL && why != NULL));
	if (result != LIMEN_OK) {
		result = limen_timestamp_parse(text, length, LIMEN_TIMESTAMP_RUN, &when, &why);
		FUZZ_CHECK(result == LIMEN_OK || result == LIMEN_EINVAL);
	}
	if (result != LIMEN_OK)
		return;
	check_calendar(&when);
	limen_timestamp_print(&when, printed);
	if (strlen(printed) < 4 || printed[0] == '-' || printed[0] == '+' ||
	    strncmp(printed, "0000", 4) == 0)
		return; /* outside of the years that are read, by the zone */
	FUZZ_CHECK(limen_timestamp_parse(printed, strlen(printed), 0, &again, &why) == LIMEN_OK);
	FUZZ_CHECK(again.time == when.time);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[WORD_MAX + 1];

	if (size > WORD_MAX)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	check_duration(text, size);
	check_timestamp(text, size);
	return 0;
}
