/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "scalar/scalar.h"
#include "suite.h"
#include "reader/yaml_number.h"

typedef struct number_case {
	const char *text;
	const char *json; /* NULL: no number */
	bool integer;
	bool disputed;
} number_case;

static const number_case cases[] = {
	/* as JSON has them: kept as written */
	{ "0", "0", true, false },
	{ "-0", "-0", true, false },
	{ "123456789012345678901234567890", "123456789012345678901234567890", true, false },
	{ "0.5", "0.5", false, false },
	{ "1e3", "1e3", false, false },
	{ "1.50E+07", "1.50E+07", false, false },
	/* YAML 1.2, rewritten */
	{ "+1", "1", true, false },
	{ "1.", "1", false, false },
	{ ".5", "0.5", false, false },
	{ "-.5e-3", "-0.5e-3", false, false },
	{ "+1.e3", "1e3", false, false },
	{ "0x10", "16", true, false },
	{ "0xfF", "255", true, false },
	{ "0o17", "15", true, false },
	{ "00", "0", true, false },
	{ "007", "7", true, false },
	{ "089", "89", true, false },
	{ "-08.50", "-8.50", false, false },
	{ "0xFFFFFFFFFFFFFFFF", "18446744073709551615", true, false },
	/* as Kubernetes reads them */
	{ "010", "8", true, true },
	{ "-010", "-8", true, true },
	{ "0777", "511", true, true },
	{ "0b11", "3", true, true },
	{ "0B11", "3", true, true },
	{ "0X1f", "31", true, true },
	{ "0O17", "15", true, true },
	{ "+0x10", "16", true, true },
	{ "-0o10", "-8", true, true },
	{ "1_000", "1000", true, true },
	{ "1_0.2_5", "10.25", false, true },
	{ "0x_ff", "255", true, true },
	{ "1_", "1", true, true },
	{ "0_8", "8", true, true },
	/* no numbers */
	{ "", NULL, false, false },
	{ "+", NULL, false, false },
	{ "-", NULL, false, false },
	{ ".", NULL, false, false },
	{ "+.", NULL, false, false },
	{ "e3", NULL, false, false },
	{ ".e3", NULL, false, false },
	{ "1e", NULL, false, false },
	{ "1e+", NULL, false, false },
	{ "1e5.", NULL, false, false },
	{ "1.2.3", NULL, false, false },
	{ "0x", NULL, false, false },
	{ "0xg", NULL, false, false },
	{ "0o8", NULL, false, false },
	{ "0b2", NULL, false, false },
	{ "_1", NULL, false, false },
	{ "._5", NULL, false, false },
	{ "1_a", NULL, false, false },
	{ "--1", NULL, false, false },
	{ "1 ", NULL, false, false },
	{ "2001-01-01", NULL, false, false },
	{ "12:30:00", NULL, false, false },
	{ "1Gi", NULL, false, false },
	{ "100m", NULL, false, false },
	{ ".inf", NULL, false, false },
};

static void
test_table(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const number_case *test = &cases[i];
		arena memory = ARENA_INIT;
		yaml_number found = { .text = "" };
		int result = yaml_number_read(test->text, strlen(test->text), &memory, &found);

		CU_ASSERT_EQUAL(result, test->json == NULL ? LIMEN_EINVAL : LIMEN_OK);
		if (test->json != NULL) {
			CU_ASSERT_EQUAL_FATAL(found.length, strlen(test->json));
			CU_ASSERT_EQUAL(memcmp(found.text, test->json, found.length), 0);
			CU_ASSERT_EQUAL(found.integer, test->integer);
			CU_ASSERT_EQUAL(found.disputed, test->disputed);
		}
		arena_free(&memory);
	}
}

static void
test_too_large(void)
{
	static const char *const texts[] = { "0x10000000000000000", "0o2000000000000000000000",
		"02000000000000000000000", "-0x1FFFFFFFFFFFFFFFF" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		arena memory = ARENA_INIT;
		yaml_number found;

		CU_ASSERT_EQUAL(yaml_number_read(texts[i], strlen(texts[i]), &memory, &found),
		                LIMEN_ERANGE);
		arena_free(&memory);
	}
}

/* Whatever is taken for a number must be one in JSON; strtoull() knows the bases of C. */
static void
test_random(void)
{
	static const char letters[] = "0011789_.+-xobeEfF";
	unsigned seed = 11;

	for (int i = 0; i < 200000; i++) {
		char text[12];
		size_t length = 1 + (size_t)rand_r(&seed) % 10;
		arena memory = ARENA_INIT;
		yaml_number found;

		for (size_t j = 0; j < length; j++)
			text[j] = letters[(size_t)rand_r(&seed) % (sizeof(letters) - 1)];
		text[length] = '\0';
		if (yaml_number_read(text, length, &memory, &found) == LIMEN_OK) {
			char *end = text;
			unsigned long long value = strtoull(text, &end, 0);
			char printed[32];

			CU_ASSERT_EQUAL(number_scan(found.text, found.length), found.length);
			snprintf(printed, sizeof(printed), "%llu", value);
			if (*end == '\0' && text[0] != '-' && text[0] != '+')
				CU_ASSERT_EQUAL(memcmp(printed, found.text, found.length), 0);
		}
		arena_free(&memory);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "the ways to write a number", test_table },
		{ "more than 64 bits", test_too_large },
		{ "random texts against strtoull()", test_random },
		{ NULL, NULL },
	};

	return suite_run("core/yaml_number", tests);
}
