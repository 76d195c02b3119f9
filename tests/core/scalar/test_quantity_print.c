/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/quantity.h>

#include "quantity_case.h"
#include "suite.h"

/* Sums have forms that no single text is read as. */
static void
test_sums(void)
{
	static const struct {
		const char *a;
		const char *b;
		const char *text;
	} cases[] = {
		{ "1Ki", "-1", "1023" },
		{ "1Ki", "-23", "1001" },
		{ "1Ki", "-24", "1k" },
		{ "2Ki", "-1Ki", "1Ki" },
		{ "1Ki", "1n", "1024000000001n" },
		{ "-1Ki", "1m", "-1023999m" },
		{ "1Ki", "1023Ki", "1Mi" },
		{ "1Ki", "976", "2000" },
		{ "4Ei", "4Ei", "8Ei" },
		{ "0Ki", "1100E", "1100E" },
		/* 128 bits are as far as binary units go. */
		{ "1Ki", "99999999999999999999999999999999998976", "100e36" },
		{ "1Ki", "99999999999999999999999999999999998975",
		  "99999999999999999999999999999999999999" },
		{ "1Ki", "99999999999999999999999999999997951999",
		  "99999999999999999999999999999997953023" },
		{ "1Ki", "79228162514264337593543949312", "68719476736Ei" },
		{ "1Ki", "340282366920938463463374607431768210432",
		  "340282366920938463463374607431768211456" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		limen_quantity a = read_quantity(cases[i].a);
		limen_quantity b = read_quantity(cases[i].b);

		CU_ASSERT_EQUAL(limen_quantity_add(&a, &b), LIMEN_OK);
		CU_ASSERT(quantity_prints(&a, cases[i].text));
		limen_quantity_clear(&a);
		limen_quantity_clear(&b);
	}
}

/* Whatever the size, the text is cut there and its whole length is told. */
static void
test_cut(void)
{
	static const char *const texts[] = { "0", "-1536Mi", "1500m", "100e36", "12e-3" };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		limen_quantity quantity = read_quantity(texts[i]);
		size_t length = strlen(texts[i]);

		CU_ASSERT_EQUAL(limen_quantity_print(&quantity, NULL, 0), length);
		for (size_t size = 1; size < 12; size++) {
			char *out = malloc(size);
			size_t kept = length < size ? length : size - 1;

			CU_ASSERT_PTR_NOT_NULL_FATAL(out);
			CU_ASSERT_EQUAL(limen_quantity_print(&quantity, out, size), length);
			CU_ASSERT_EQUAL(strlen(out), kept);
			CU_ASSERT_EQUAL(memcmp(out, texts[i], kept), 0);
			free(out);
		}
	}
}

static void
test_cut_kept(void)
{
	limen_quantity quantity;
	char out[4];

	CU_ASSERT_EQUAL(limen_quantity_parse("007Mi!", 5, LIMEN_QUANTITY_KEEP, &quantity, NULL),
	                LIMEN_OK);
	CU_ASSERT_EQUAL(limen_quantity_print(&quantity, out, sizeof out), 5);
	CU_ASSERT_STRING_EQUAL(out, "007");
}

/* The longest texts without memory of their own stay within the size that is promised. */
static void
test_size(void)
{
	static const char *const texts[] = {
		"-99999999999999999999999999999999999999e2147483645",
		"-99999999999999999999999999999999999999e2147483646",
		"-99999999999999999999999999999999999999n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		limen_quantity quantity = read_quantity(texts[i]);

		CU_ASSERT_PTR_NULL(quantity.digits);
		CU_ASSERT(limen_quantity_print(&quantity, NULL, 0) < LIMEN_QUANTITY_TEXT_MAX);
	}
}

static size_t
count_trailing_zeros(const char *text, size_t length)
{
	size_t count = 0;

	while (count < length && text[length - 1 - count] == '0')
		count++;
	return count;
}

/* Is a text what the canonical form of its family has to look like? */
static bool
is_canonical(const char *text, int family)
{
	size_t sign = *text == '-';
	size_t digits = strspn(text + sign, "0123456789");
	const char *suffix = text + sign + digits;
	bool binary = strlen(suffix) == 2 && suffix[1] == 'i';

	if (strcmp(text, "0") == 0)
		return true;
	if (digits == 0 || text[sign] == '0')
		return false;
	if (binary)
		return family == LIMEN_QUANTITY_BINARY_SI;
	/* A binary quantity without a unit is a plain integer or decimal. */
	if (family != LIMEN_QUANTITY_BINARY_SI && count_trailing_zeros(text + sign, digits) >= 3)
		return false;
	if (*suffix == 'e')
		return atoi(suffix + 1) % 3 == 0 && atoi(suffix + 1) != 0 &&
		       (family == LIMEN_QUANTITY_EXPONENT || atoi(suffix + 1) > 18);
	return *suffix == '\0' || family != LIMEN_QUANTITY_EXPONENT;
}

/* What is printed is canonical, is read as the same value, and is printed the same again. */
static void
test_again(void)
{
	int wrong = 0;

	for (int i = 0; i < 20000; i++) {
		char text[CASE_TEXT];
		limen_quantity quantity;
		limen_quantity again;
		char *printed;

		draw_text(text, i % 2 == 0 ? 6 : 32);
		quantity = read_quantity(text);
		printed = limen_quantity_to_text(&quantity);
		CU_ASSERT_PTR_NOT_NULL_FATAL(printed);
		again = read_quantity(printed);
		if (!is_canonical(printed, (int)limen_quantity_get_family(&quantity)) ||
		    limen_quantity_compare(&quantity, &again) != 0 ||
		    !quantity_prints(&again, printed)) {
			printf("# %s: %s\n", text, printed);
			wrong++;
		}
		free(printed);
		limen_quantity_clear(&quantity);
		limen_quantity_clear(&again);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "sums in the binary family", test_sums },
		{ "texts are cut to the size", test_cut },
		{ "so are remembered ones", test_cut_kept },
		{ "the promised size", test_size },
		{ "printed and read again", test_again },
		{ NULL, NULL },
	};

	return suite_run("core/quantity_print", tests);
}
