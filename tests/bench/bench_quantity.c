/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_quantity.c - what reading a quantity costs, beside strtod() on the same text,
 * which says less about it, and what printing it costs on top.
 */
#include <limen/quantity.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static void
parse(void *data, size_t calls)
{
	const char *text = data;
	size_t length = strlen(text);

	for (size_t i = 0; i < calls; i++) {
		limen_quantity quantity;

		if (limen_quantity_parse(text, length, 0, &quantity, NULL) != LIMEN_OK)
			bench_die("%s is no quantity", text);
		bench_use(quantity.low);
		limen_quantity_clear(&quantity);
	}
}

static void
call_strtod(void *data, size_t calls)
{
	for (size_t i = 0; i < calls; i++) {
		double value = strtod(data, NULL);

		__asm__ volatile("" : : "m"(value) : "memory");
	}
}

static void
parse_and_print(void *data, size_t calls)
{
	const char *text = data;
	size_t length = strlen(text);

	for (size_t i = 0; i < calls; i++) {
		char out[LIMEN_QUANTITY_TEXT_MAX];
		limen_quantity quantity;

		limen_quantity_parse(text, length, 0, &quantity, NULL);
		bench_use(limen_quantity_print(&quantity, out, sizeof(out)));
		limen_quantity_clear(&quantity);
	}
}

static void
measure(char *text, double goal)
{
	char names[3][96];

	snprintf(names[0], sizeof(names[0]), "quantity: strtod %s", text);
	snprintf(names[1], sizeof(names[1]), "quantity: parse %s", text);
	snprintf(names[2], sizeof(names[2]), "quantity: parse and print %s", text);
	bench_rows((bench_row[]){
		{ .name = names[0], .run = call_strtod, .data = text },
		{ .name = names[1], .run = parse, .data = text, .goal = goal,
		  .peer = names[0] },
		{ .name = names[2], .run = parse_and_print, .data = text },
	}, 3);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *text;
		double goal;
	} rows[] = { { "1", 0 }, { "100m", 15 }, { "128Mi", 20 }, { "1.5Gi", 30 }, { "0.25", 0 },
		     { "1e3", 0 }, { "123456789012345678901234567890", 0 } };

	bench_start("bench_quantity", argc, argv);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s", rows[i].text);
		measure(text, rows[i].goal);
	}
	return bench_finish();
}
