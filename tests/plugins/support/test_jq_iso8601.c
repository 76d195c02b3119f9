/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_iso8601.c - the jq module pscheduler/iso8601: tables of all its rules,
 * and random strings against the C library.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jq_call.h"
#include "plugin.h"
#include "suite.h"

#define SECONDS "import \"pscheduler/iso8601\" as iso; iso::duration_as_seconds(.)"
#define PARSED "import \"pscheduler/iso8601\" as iso; iso::timestamp_parsed(.)"
#define INVALID "import \"pscheduler/iso8601\" as iso; iso::invalid_duration(.)"

static void
test_durations(void)
{
	static const struct jq_call_case cases[] = {
		{ "\"P\"", "0" },
		{ "\"PT\"", "0" },
		{ "\"PT0S\"", "0" },
		{ "\"PT5S\"", "5" },
		{ "\"PT05S\"", "5" },
		{ "\"pt5s\"", "5" },
		{ "\"Pt5S\"", "5" },
		{ "\"pT1m5S\"", "65" },
		{ "\"PT1M\"", "60" },
		{ "\"PT1H\"", "3600" },
		{ "\"PT1H1S\"", "3601" },
		{ "\"PT1H1M1S\"", "3661" },
		{ "\"PT99H99M99S\"", "362439" },
		{ "\"PT0.5S\"", "0.5" },
		{ "\"PT1M1.25S\"", "61.25" },
		{ "\"P1D\"", "86400" },
		{ "\"P1DT\"", "86400" },
		{ "\"P1W2D\"", "777600" },
		{ "\"p1w2dt3h4m5.25s\"", "788645.25" },
		{ "\"P1W0D\"", "604800" },
		{ "\"PT1S\\n\"", "1" },
		{ "\"P\\n\"", "0" },
		{ NULL, NULL }
	};

	jq_call_check(SECONDS, cases);
}

static void
test_refused_durations(void)
{
	static const struct jq_call_case cases[] = {
		{ "\"\"", "Invalid ISO 8601 duration ''" },
		{ "\"\\n\"", "Invalid ISO 8601 duration '\n'" },
		{ "\"T\"", "Invalid ISO 8601 duration 'T'" },
		{ "\"T5S\"", "Invalid ISO 8601 duration 'T5S'" },
		{ "\"5\"", "Invalid ISO 8601 duration '5'" },
		{ "\"PTT\"", "Invalid ISO 8601 duration 'PTT'" },
		{ "\"PPT5S\"", "Invalid ISO 8601 duration 'PPT5S'" },
		{ "\"ppt5s\"", "Invalid ISO 8601 duration 'ppt5s'" },
		{ "\"pPt5s\"", "Invalid ISO 8601 duration 'pPt5s'" },
		/* Weeks without days, years and months. */
		{ "\"P1W\"", "Invalid ISO 8601 duration 'P1W'" },
		{ "\"P1WT1S\"", "Invalid ISO 8601 duration 'P1WT1S'" },
		{ "\"P1Y\"", "Invalid ISO 8601 duration 'P1Y'" },
		{ "\"P1M\"", "Invalid ISO 8601 duration 'P1M'" },
		{ "\"P1H\"", "Invalid ISO 8601 duration 'P1H'" },
		{ "\"P1D1W\"", "Invalid ISO 8601 duration 'P1D1W'" },
		{ "\"PT1D\"", "Invalid ISO 8601 duration 'PT1D'" },
		{ "\"PT1M1H\"", "Invalid ISO 8601 duration 'PT1M1H'" },
		{ "\"PT1S1M\"", "Invalid ISO 8601 duration 'PT1S1M'" },
		{ "\"PT1H1H\"", "Invalid ISO 8601 duration 'PT1H1H'" },
		{ "\"P1D1D\"", "Invalid ISO 8601 duration 'P1D1D'" },
		{ "\"P1W1W1D\"", "Invalid ISO 8601 duration 'P1W1W1D'" },
		/* Units without numbers, numbers without units. */
		{ "\"PD\"", "Invalid ISO 8601 duration 'PD'" },
		{ "\"PW1D\"", "Invalid ISO 8601 duration 'PW1D'" },
		{ "\"PTS\"", "Invalid ISO 8601 duration 'PTS'" },
		{ "\"PTHMS\"", "Invalid ISO 8601 duration 'PTHMS'" },
		{ "\"P1\"", "Invalid ISO 8601 duration 'P1'" },
		{ "\"P1T\"", "Invalid ISO 8601 duration 'P1T'" },
		{ "\"PT5\"", "Invalid ISO 8601 duration 'PT5'" },
		{ "\"PT1M5\"", "Invalid ISO 8601 duration 'PT1M5'" },
		/* Fractions belong to seconds and have digits on both sides. */
		{ "\"PT.5S\"", "Invalid ISO 8601 duration 'PT.5S'" },
		{ "\"PT5.S\"", "Invalid ISO 8601 duration 'PT5.S'" },
		{ "\"PT1.5.5S\"", "Invalid ISO 8601 duration 'PT1.5.5S'" },
		{ "\"PT1,5S\"", "Invalid ISO 8601 duration 'PT1,5S'" },
		{ "\"PT1.5M\"", "Invalid ISO 8601 duration 'PT1.5M'" },
		{ "\"PT1.5H\"", "Invalid ISO 8601 duration 'PT1.5H'" },
		{ "\"P1.5D\"", "Invalid ISO 8601 duration 'P1.5D'" },
		{ "\"P1.5W1D\"", "Invalid ISO 8601 duration 'P1.5W1D'" },
		{ "\"-PT5S\"", "Invalid ISO 8601 duration '-PT5S'" },
		{ "\"PT-5S\"", "Invalid ISO 8601 duration 'PT-5S'" },
		{ "\"PT+5S\"", "Invalid ISO 8601 duration 'PT+5S'" },
		{ "\"PT1e5S\"", "Invalid ISO 8601 duration 'PT1e5S'" },
		{ "\" PT5S\"", "Invalid ISO 8601 duration ' PT5S'" },
		{ "\"PT5S \"", "Invalid ISO 8601 duration 'PT5S '" },
		{ "\"PT 5S\"", "Invalid ISO 8601 duration 'PT 5S'" },
		{ "\"PT5S\\n\\n\"", "Invalid ISO 8601 duration 'PT5S\n\n'" },
		{ "\"PT5SX\"", "Invalid ISO 8601 duration 'PT5SX'" },
		{ "\"PT5S\\u0663\"", "Invalid ISO 8601 duration 'PT5S\xd9\xa3'" },
		{ "\"PT\\u0663S\"", "Invalid ISO 8601 duration 'PT\xd9\xa3S'" },
		{ "\"PT5\\u017f\"", "Invalid ISO 8601 duration 'PT5\xc5\xbf'" },
		{ "null", "Invalid ISO 8601 duration 'null'" },
		{ "5", "Invalid ISO 8601 duration '5'" },
		{ "[\"PT5S\"]", "Invalid ISO 8601 duration '[\"PT5S\"]'" },
		{ "{}", "Invalid ISO 8601 duration '{}'" },
		{ NULL, NULL }
	};

	jq_call_check(SECONDS, cases);
	jq_call_check(INVALID, cases);
}

#define DAY "\"year\":2024,\"month\":1,\"day\":2"
#define MINUTE DAY ",\"hour\":3,\"minute\":4"

static void
test_timestamps(void)
{
	static const struct jq_call_case cases[] = {
		{ "\"2024\"", "{\"year\":2024}" },
		{ "\"2024-12\"", "{\"year\":2024,\"month\":12}" },
		{ "\"2024-01-02\"", "{" DAY "}" },
		{ "\"20240102\"", "{" DAY "}" },
		{ "\"2024-01-02T03\"", "{" DAY ",\"hour\":3}" },
		{ "\"2024-01-02T03:04\"", "{" MINUTE "}" },
		{ "\"20240102T0304\"", "{" MINUTE "}" },
		{ "\"2024-01-02T03:04:05\"", "{" MINUTE ",\"second\":5}" },
		{ "\"2024-01-02T03:04:05Z\"",
		  "{" MINUTE ",\"second\":5,\"offset_hr\":0,\"offset_min\":0}" },
		{ "\"2024-01-02T03:04:05+05\"",
		  "{" MINUTE ",\"second\":5,\"offset_hr\":5,\"offset_min\":0}" },
		{ "\"2024-01-02T03:04:05-05:30\"",
		  "{" MINUTE ",\"second\":5,\"offset_hr\":-5,\"offset_min\":-30}" },
		/* The day that a month does not have is nobody's business here. */
		{ "\"2023-02-31T03:04:05\"",
		  "{\"year\":2023,\"month\":2,\"day\":31,\"hour\":3,\"minute\":4,\"second\":5}" },
		{ "\"0000-01-02T03:04:05\"",
		  "{\"year\":0,\"month\":1,\"day\":2,\"hour\":3,\"minute\":4,\"second\":5}" },
		{ "\"0999-01-02T03:04:05\"",
		  "{\"year\":999,\"month\":1,\"day\":2,\"hour\":3,\"minute\":4,\"second\":5}" },
		{ "\"2024-01-02T03:04:05.25\"", "{" MINUTE ",\"second\":5.25}" },
		{ "\"2024-01-02T03:04:60Z\"",
		  "{" MINUTE ",\"second\":60,\"offset_hr\":0,\"offset_min\":0}" },
		{ "\"20240102T030405.5Z\"",
		  "{" MINUTE ",\"second\":5.5,\"offset_hr\":0,\"offset_min\":0}" },
		{ "\"2024-01-02T03:04Z\"", "{" MINUTE ",\"offset_hr\":0,\"offset_min\":0}" },
		{ "\"2024-01-02T03:04+05\"", "{" MINUTE ",\"offset_hr\":5,\"offset_min\":0}" },
		{ "\"2024-01-02T03:04+0530\"", "{" MINUTE ",\"offset_hr\":5,\"offset_min\":30}" },
		{ "\"2024-01-02T03:04+05:30\"", "{" MINUTE ",\"offset_hr\":5,\"offset_min\":30}" },
		{ "\"2024-01-02T03:04-05:30\"",
		  "{" MINUTE ",\"offset_hr\":-5,\"offset_min\":-30}" },
		{ "\"2024-01-02T03:04-00:30\"", "{" MINUTE ",\"offset_hr\":0,\"offset_min\":-30}" },
		{ "\"2024-01-02T23:59:59.999-23:59\"",
		  "{" DAY ",\"hour\":23,\"minute\":59,\"second\":59.999,\"offset_hr\":-23,"
		  "\"offset_min\":-59}" },
		{ NULL, NULL }
	};

	jq_call_check(PARSED, cases);
}

static void
test_refused_timestamps(void)
{
	static const char *const texts[] = {
		"", "T", "Z", "x", "202", "20245", "202401", "-024", "2024-", "2024-1", "2024-1-2",
		"2024-00", "2024-13", "2024-01-00", "2024-01-32", "2024-01-02-03", "2024-01-02T",
		"2024-01-02Z", "2024T03", "2024-01T03", "2024-01-02T3", "2024-01-02T030",
		"2024-01-02T24", "2024-01-02T-1", "2024-01-02T03:", "2024-01-02T03:4",
		"2024-01-02T03:60", "2024-01-02T03:04:", "2024-01-02T03:04:5",
		"2024-01-02T03:04:61", "2024-01-02T03:04:61Z", "2024-13-02T03:04:05Z",
		"2024-01-32T03:04:05Z", "2024-01-02T24:04:05Z", "2024-01-02T03:60:05Z",
		"024-01-02T03:04:05", " 024-01-02T03:04:05", "2024-01-02T03:04: 5",
		"2024-01-02T03:04:05 ", "2024-01-02T03:04:05Z ", "2024-01-02T03:04:05ZZ",
		"2024-01-02T03:04:05+", "2024-01-02T03:04:05-5", "2024-01-02T03:04:05+24",
		"2024-01-02T03:04:05+05-06", "2024-01-02T03:04:05+05:30:00",
		"2024-01-02T03:04:05z",
		"2024-01-02T03:04:05.", "2024-01-02T03:04:.5", "2024-01-02T03:04:05.5.5",
		"2024-01-02T03:04:05:06", "2024-01-02T03:04:05,5", "2024-01-02T03.5",
		"2024-01-02T03:04+", "2024-01-02T03:04+5", "2024-01-02T03:04+05:",
		"2024-01-02T03:04+24", "2024-01-02T03:04+05:60", "2024-01-02T03:04+05:3",
		"2024-01-02T03:04+05:30:00", "2024-01-02T03:04+-5", "2024-01-02T03:04+05-06",
		"2024-01-02T03:04ZZ", "2024-01-02T03:04Z+05", "2024-01-02T03:04z",
		"2024-01-02t03:04",
		"2024-01-02 03:04", " 2024", "2024 ", "2024-01-02T03:04TZ", "2024-W01", "+2024"
	};
	jq_script *script = jq_call_open(PARSED);

	for (size_t i = 0; script != NULL && i < sizeof(texts) / sizeof(texts[0]); i++) {
		char wanted[96];
		jq_result result;

		snprintf(wanted, sizeof(wanted), "Invalid timestamp '%s'", texts[i]);
		jq_call_string(script, texts[i], strlen(texts[i]), &result);
		plugin_assert(result.outcome == JQ_FAILED &&
		                      strcmp(jq_result_error(&result), wanted) == 0,
		              __FILE__, __LINE__, "'%s': %s", texts[i], jq_result_error(&result));
		jq_result_clear(&result);
	}
	jq_script_close(script);
	jq_call_check(PARSED, (const struct jq_call_case[]){
		{ "null", "Invalid timestamp 'null'" },
		{ "2024", "Invalid timestamp '2024'" },
		{ "{\"a\": []}", "Invalid timestamp '{\"a\":[]}'" },
		{ "\"2024\\n\"", "Invalid timestamp '2024\n'" },
		{ NULL, NULL }
	});
}

/*
 * Takes "N" and 'unit' off the front of '*text', if they are there, and adds
 * their seconds; a number before another unit stays.
 */
static bool
take_unit(const char **text, char unit, double seconds, bool has_fraction, double *sum)
{
	size_t length = strspn(*text, "0123456789");
	size_t fraction = 0;

	if (length == 0)
		return false;
	if (has_fraction && (*text)[length] == '.')
		fraction = 1 + strspn(*text + length + 1, "0123456789");
	if (fraction == 1 || toupper((unsigned char)(*text)[length + fraction]) != unit)
		return false;
	*sum += strtod(*text, NULL) * seconds;
	*text += length + fraction + 1;
	return true;
}

/* What the rules make of 'text', one unit after another and by strtod(). */
static bool
expected_seconds(const char *text, double *out)
{
	bool has_weeks;

	*out = 0.0;
	if (toupper((unsigned char)*text++) != 'P')
		return false;
	has_weeks = take_unit(&text, 'W', 604800, false, out);
	if (!take_unit(&text, 'D', 86400, false, out) && has_weeks)
		return false;
	if (toupper((unsigned char)*text) == 'T') {
		text++;
		take_unit(&text, 'H', 3600, false, out);
		take_unit(&text, 'M', 60, false, out);
		take_unit(&text, 'S', 1, true, out);
	}
	return strcmp(text, "") == 0 || strcmp(text, "\n") == 0;
}

/* A string that is a duration more often than not, with something done to it. */
static void
make_text(char *out, unsigned seed)
{
	static const char alphabet[] = "0123456789PTWDHMSptwdhms.. -\nx";
	char *end = out;

	srand(seed);
	end += snprintf(end, 8, "%c", "Pp"[rand() % 8 == 0]);
	if (rand() % 3 == 0)
		end += snprintf(end, 8, "%dW", rand() % 60);
	if (rand() % 2 == 0)
		end += snprintf(end, 8, "%dD", rand() % 1000);
	if (rand() % 4 != 0)
		*end++ = "Tt"[rand() % 8 == 0];
	if (rand() % 2 == 0)
		end += snprintf(end, 8, "%dH", rand() % 100);
	if (rand() % 2 == 0)
		end += snprintf(end, 8, "%d%c", rand() % 100, "Mm"[rand() % 8 == 0]);
	if (rand() % 2 == 0)
		end += snprintf(end, 16, "%d%s%c", rand() % 100,
		                rand() % 2 == 0 ? "" : ".25", "Ss"[rand() % 8 == 0]);
	*end = '\0';
	if (rand() % 3 == 0)
		out[(size_t)rand() % strlen(out)] =
			alphabet[(size_t)rand() % (sizeof(alphabet) - 1)];
	if (rand() % 8 == 0)
		strcat(out, "\n");
}

static void
test_random(void)
{
	jq_script *script = jq_call_open(SECONDS);
	int durations = 0;

	for (unsigned seed = 1; script != NULL && seed <= 4000; seed++) {
		double wanted = 0.0;
		jq_result result;
		char text[64];
		bool good;

		make_text(text, seed);
		jq_call_string(script, text, strlen(text), &result);
		if (expected_seconds(text, &wanted)) {
			good = result.outcome == JQ_VALUE &&
			       jv_number_value(result.value) == wanted;
			durations++;
		} else {
			good = result.outcome == JQ_FAILED &&
			       strncmp(jq_result_error(&result), "Invalid ISO 8601", 16) == 0;
		}
		plugin_assert(good, __FILE__, __LINE__, "'%s': %s, wanted %.17g", text,
		              result.outcome == JQ_VALUE ? "another value"
		                                         : jq_result_error(&result), wanted);
		jq_result_clear(&result);
	}
	CU_ASSERT(durations > 1000 && durations < 3000);
	jq_script_close(script);
}

/* A NUL ends no string, and the time it takes grows with the length and no faster. */
static void
call_with_long_strings(const char *expression, const char *start, const char *parts)
{
	jq_script *script = jq_call_open(expression);
	size_t length = 100000;
	char *text = malloc(length);
	jq_result result;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	for (size_t i = 0; script != NULL && i <= strlen(parts); i++) {
		memset(text, parts[i], length);
		memcpy(text, start, strlen(start));
		jq_call_string(script, text, length, &result);
		CU_ASSERT_EQUAL(result.outcome, JQ_FAILED);
		CU_ASSERT_PTR_NOT_NULL(strstr(jq_result_error(&result), "Invalid "));
		jq_result_clear(&result);
	}
	free(text);
	jq_script_close(script);
}

static void
test_hostile(void)
{
	call_with_long_strings(SECONDS, "PT", "9PpTtWwDdHhMmSs.\n-");
	call_with_long_strings(SECONDS, "P", "9PpTtWwDdHhMmSs.\n-");
	call_with_long_strings(PARSED, "2024-01-02T", "9:.+-TZ");
	call_with_long_strings(PARSED, "", "9:.+-TZ");
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "durations", test_durations },
		{ "what is no duration is an error that shows it", test_refused_durations },
		{ "timestamps give the fields they have", test_timestamps },
		{ "what is no timestamp is an error that shows it", test_refused_timestamps },
		{ "random durations, against strtod()", test_random },
		{ "long strings and NULs", test_hostile },
		{ NULL, NULL }
	};

	return suite_run("jq module pscheduler/iso8601", tests);
}
