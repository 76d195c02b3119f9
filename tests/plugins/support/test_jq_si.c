/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_jq_si.c - the jq module pscheduler/si: a table of all its rules, and
 * random strings against the C library.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jq_call.h"
#include "plugin.h"
#include "suite.h"

#define AS_INTEGER "import \"pscheduler/si\" as si; si::as_integer(.)"
#define MULTIPLIER "import \"pscheduler/si\" as si; si::multiplier(.)"
#define INVALID "import \"pscheduler/si\" as si; si::invalid(.)"

static void
test_numbers(void)
{
	static const struct jq_call_case cases[] = {
		{ "0", "0" }, { "5", "5" }, { "-5", "-5" }, { "1.5", "1.5" },
		{ "-0.25", "-0.25" }, { "1e15", "1000000000000000" }, { NULL, NULL }
	};

	jq_call_check(AS_INTEGER, cases);
}

static void
test_strings(void)
{
	static const struct jq_call_case cases[] = {
		{ "\"0\"", "0" },
		{ "\"10\"", "10" },
		{ "\"007\"", "7" },
		{ "\"1.9\"", "1" },
		{ "\"0.999999\"", "0" },
		{ "\"1.5k\"", "1500" },
		{ "\"1.5K\"", "1500" },
		{ "\"1.0005k\"", "1000" },
		{ "\"1.5ki\"", "1536" },
		{ "\"1.5KI\"", "1536" },
		{ "\"1.5Ki\"", "1536" },
		{ "\"1.5kI\"", "1536" },
		{ "\"500M\"", "500000000" },
		{ "\"1m\"", "1000000" },
		{ "\"1mi\"", "1048576" },
		{ "\"2G\"", "2000000000" },
		{ "\"2Gi\"", "2147483648" },
		{ "\"3T\"", "3000000000000" },
		{ "\"3Ti\"", "3298534883328" },
		{ "\"1P\"", "1000000000000000" },
		{ "\"1Pi\"", "1125899906842624" },
		{ "\"1E\"", "1000000000000000000" },
		{ "\"1Ei\"", "1152921504606846976" },
		{ "\"1Z\"", "1000000000000000000000" },
		{ "\"1Zi\"", "1180591620717411303424" },
		{ "\"2y\"", "1999999999999999966445568" },
		{ "\"1Yi\"", "1208925819614629174706176" },
		{ "\"1e\"", "1000000000000000000" },
		{ NULL, NULL }
	};

	jq_call_check(AS_INTEGER, cases);
}

static void
test_refused(void)
{
	static const struct jq_call_case cases[] = {
		{ "\"\"", "Invalid SI Number ''" },
		{ "\"k\"", "Invalid SI Number 'k'" },
		{ "\"i\"", "Invalid SI Number 'i'" },
		{ "\"ki\"", "Invalid SI Number 'ki'" },
		{ "\".\"", "Invalid SI Number '.'" },
		{ "\"1.\"", "Invalid SI Number '1.'" },
		{ "\".5\"", "Invalid SI Number '.5'" },
		{ "\"1..5\"", "Invalid SI Number '1..5'" },
		{ "\"1.5.5\"", "Invalid SI Number '1.5.5'" },
		{ "\"1.k\"", "Invalid SI Number '1.k'" },
		{ "\"-1\"", "Invalid SI Number '-1'" },
		{ "\"+1\"", "Invalid SI Number '+1'" },
		{ "\"1e5\"", "Invalid SI Number '1e5'" },
		{ "\"0x10\"", "Invalid SI Number '0x10'" },
		{ "\" 1\"", "Invalid SI Number ' 1'" },
		{ "\"1 \"", "Invalid SI Number '1 '" },
		{ "\"1 k\"", "Invalid SI Number '1 k'" },
		{ "\"1k \"", "Invalid SI Number '1k '" },
		{ "\"1\\n\"", "Invalid SI Number '1\n'" },
		{ "\"1k\\n\"", "Invalid SI Number '1k\n'" },
		{ "\"1i\"", "Invalid SI Number '1i'" },
		{ "\"1kk\"", "Invalid SI Number '1kk'" },
		{ "\"1kii\"", "Invalid SI Number '1kii'" },
		{ "\"1ik\"", "Invalid SI Number '1ik'" },
		{ "\"1b\"", "Invalid SI Number '1b'" },
		{ "\"1kb\"", "Invalid SI Number '1kb'" },
		{ "\"1,5\"", "Invalid SI Number '1,5'" },
		{ "\"1_0\"", "Invalid SI Number '1_0'" },
		{ "\"nan\"", "Invalid SI Number 'nan'" },
		{ "\"infinity\"", "Invalid SI Number 'infinity'" },
		{ "\"[1]\"", "Invalid SI Number '[1]'" },
		/* An Arabic digit, a fullwidth digit, the Kelvin sign, a dotless i. */
		{ "\"\\u0663\"", "Invalid SI Number '\xd9\xa3'" },
		{ "\"\\uff11\"", "Invalid SI Number '\xef\xbc\x91'" },
		{ "\"1\\u212a\"", "Invalid SI Number '1\xe2\x84\xaa'" },
		{ "\"1k\\u0131\"", "Invalid SI Number '1k\xc4\xb1'" },
		{ "null", "Invalid SI Number 'null'" },
		{ "true", "Invalid SI Number 'true'" },
		{ "[\"1\"]", "Invalid SI Number '[\"1\"]'" },
		{ "{\"a\": 1}", "Invalid SI Number '{\"a\":1}'" },
		{ NULL, NULL }
	};

	jq_call_check(AS_INTEGER, cases);
}

static void
test_multiplier(void)
{
	static const struct jq_call_case cases[] = {
		{ "null", "1" },
		{ "\"\"", "1" },
		{ "\"k\"", "1000" },
		{ "\"K\"", "1000" },
		{ "\"ki\"", "1024" },
		{ "\"MI\"", "1048576" },
		{ "\"y\"", "999999999999999983222784" },
		{ "\"b\"", "Invalid SI Number 'b'" },
		{ "\"i\"", "Invalid SI Number 'i'" },
		{ "\"kk\"", "Invalid SI Number 'kk'" },
		{ "\"kii\"", "Invalid SI Number 'kii'" },
		{ "5", "Invalid SI Number '5'" },
		{ NULL, NULL }
	};
	static const struct jq_call_case always[] = {
		{ "\"1k\"", "Invalid SI Number '1k'" },
		{ "5", "Invalid SI Number '5'" },
		{ NULL, NULL }
	};

	jq_call_check(MULTIPLIER, cases);
	jq_call_check(INVALID, always);
}

/* What the rules make of 'text', one character after another and by strtod(). */
static bool
expected_value(const char *text, double *out)
{
	static const char letters[] = "kmgtpezy";
	size_t digits = strspn(text, "0123456789");
	const char *rest = text + digits;
	const char *letter;
	char number[64];

	if (digits == 0)
		return false;
	if (*rest == '.') {
		digits = strspn(rest + 1, "0123456789");
		rest += 1 + digits;
	}
	if (digits == 0)
		return false;
	/* strtod() would take "1e5" as a whole. */
	snprintf(number, sizeof(number), "%.*s", (int)(rest - text), text);
	*out = strtod(number, NULL);
	letter = *rest == '\0' ? NULL : strchr(letters, tolower((unsigned char)*rest));
	if (letter != NULL) {
		bool binary = tolower((unsigned char)rest[1]) == 'i';

		*out *= pow(binary ? 1024.0 : 1000.0, (double)(letter - letters + 1));
		rest += binary ? 2 : 1;
	}
	*out = floor(*out);
	return *rest == '\0';
}

/* A string that is a number more often than not, with something done to it. */
static void
make_text(char *out, unsigned seed)
{
	static const char alphabet[] = "0123456789..kKmMgGtTpPeEzZyYiIiI -+\nx";
	size_t length = 0;

	srand(seed);
	for (int i = rand() % 12; i >= 0; i--)
		out[length++] = (char)('0' + rand() % 10);
	if (rand() % 2 == 0) {
		out[length++] = '.';
		for (int i = rand() % 6; i >= 0; i--)
			out[length++] = (char)('0' + rand() % 10);
	}
	if (rand() % 3 != 0)
		out[length++] = "kKmMgGtTpPeEzZyY"[rand() % 16];
	if (rand() % 3 == 0)
		out[length++] = "iI"[rand() % 2];
	out[length] = '\0';
	if (rand() % 3 == 0)
		out[(size_t)rand() % length] = alphabet[(size_t)rand() % (sizeof(alphabet) - 1)];
}

static void
test_random(void)
{
	jq_script *script = jq_call_open(AS_INTEGER);
	int numbers = 0;

	for (unsigned seed = 1; script != NULL && seed <= 4000; seed++) {
		double wanted = 0.0;
		jq_result result;
		char text[64];
		bool good;

		make_text(text, seed);
		jq_call_string(script, text, strlen(text), &result);
		if (expected_value(text, &wanted)) {
			good = result.outcome == JQ_VALUE &&
			       jv_number_value(result.value) == wanted;
			numbers++;
		} else {
			good = result.outcome == JQ_FAILED &&
			       strncmp(jq_result_error(&result), "Invalid SI Number '", 19) == 0;
		}
		plugin_assert(good, __FILE__, __LINE__, "'%s': %s, wanted %.17g", text,
		              result.outcome == JQ_VALUE ? "another value"
		                                         : jq_result_error(&result), wanted);
		jq_result_clear(&result);
	}
	CU_ASSERT(numbers > 1000 && numbers < 3000);
	jq_script_close(script);
}

/* A NUL ends no string, and the time it takes grows with the length and no faster. */
static void
test_hostile(void)
{
	static const char parts[] = "9.kiK-";
	jq_script *script = jq_call_open(AS_INTEGER);
	size_t length = 100000;
	char *text = malloc(length);
	jq_result result;

	CU_ASSERT_PTR_NOT_NULL_FATAL(text);
	for (size_t i = 0; script != NULL && i < sizeof(parts); i++) {
		memset(text, parts[i], length);
		jq_call_string(script, text, length, &result);
		/* So many nines are beyond all doubles, and infinity is no result. */
		CU_ASSERT_EQUAL(result.outcome, JQ_FAILED);
		CU_ASSERT_PTR_NULL(strstr(jq_result_error(&result), "stopped"));
		jq_result_clear(&result);
	}
	jq_call_string(script, "1\0k", 3, &result);
	CU_ASSERT_EQUAL(result.outcome, JQ_FAILED);
	jq_result_clear(&result);
	free(text);
	jq_script_close(script);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "numbers stay as they are", test_numbers },
		{ "strings are digits, a fraction and a suffix in any case", test_strings },
		{ "all else is an error that shows the value", test_refused },
		{ "multiplier and invalid", test_multiplier },
		{ "random strings, against strtod()", test_random },
		{ "long strings and NULs", test_hostile },
		{ NULL, NULL }
	};

	return suite_run("jq module pscheduler/si", tests);
}
