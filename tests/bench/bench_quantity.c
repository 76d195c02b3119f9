/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_quantity.c - what reading a quantity costs, beside strtod() on the same
 * text.  The goal is 30 ns for the texts that stand in every manifest.
 *
 *	make tests/bench/bench_quantity && tests/bench/bench_quantity
 */
#include <limen/quantity.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	CALLS = 100000,
	ROUNDS = 40
};

/* Keeps the compiler from leaving out work nobody looks at. */
static volatile double sink;

static double
read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void
call_parse(const char *text)
{
	limen_quantity quantity;

	if (limen_quantity_parse(text, strlen(text), 0, &quantity, NULL) != LIMEN_OK)
		abort();
	sink = (double)quantity.low;
	limen_quantity_clear(&quantity);
}

static void
call_strtod(const char *text)
{
	sink = strtod(text, NULL);
}

static void
call_print(const char *text)
{
	char out[LIMEN_QUANTITY_TEXT_MAX];
	limen_quantity quantity;

	limen_quantity_parse(text, strlen(text), 0, &quantity, NULL);
	sink = (double)limen_quantity_print(&quantity, out, sizeof out);
	limen_quantity_clear(&quantity);
}

/* Returns the nanoseconds of one call in the fastest round. */
static double
measure(void (*call)(const char *text), const char *text)
{
	double best = 1e300;

	for (int round = 0; round < ROUNDS; round++) {
		double start = read_clock();

		for (int i = 0; i < CALLS; i++)
			call(text);
		if (read_clock() - start < best)
			best = read_clock() - start;
	}
	return best / CALLS;
}

int
main(void)
{
	static const char *const texts[] = { "1", "100m", "128Mi", "1.5Gi", "0.25", "2Gi", "1e3",
		"123456789012", "7.9Ei", "123456789012345678901234567890" };

	printf("%-32s %10s %10s %8s %14s\n", "text", "parse ns", "strtod ns", "ratio",
	       "parse+print ns");
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		double parse = measure(call_parse, texts[i]);
		double plain = measure(call_strtod, texts[i]);

		printf("%-32s %10.1f %10.1f %8.2f %14.1f\n", texts[i], parse, plain, parse / plain,
		       measure(call_print, texts[i]));
	}
	return 0;
}
