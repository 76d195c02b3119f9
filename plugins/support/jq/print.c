/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print.c - jq values as JSON and as Python's str() writes them.  Not jq's own
 * printer: it knows no infinity, gives NaN as null and is bounded by nothing.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "jq.h"
#include "python_text.h"
#include "text.h"

typedef struct printing {
	text out;
	bool is_python;
} printing;

static void print(printing *to, jv value, unsigned depth);

/* Most numbers are small integers, for which printf() takes its time. */
static void
print_integer(text *out, int64_t number)
{
	char digits[24];
	char *start = digits + sizeof(digits);
	uint64_t rest = number < 0 ? (uint64_t)-number : (uint64_t)number;

	do {
		*--start = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (number < 0)
		*--start = '-';
	text_add(out, start, (size_t)(digits + sizeof(digits) - start));
}

/*
 * A double that is as good as whole is an integer (pyjq);
 * others get the fewest digits that tell them apart.
 */
static void
print_number(printing *to, double number)
{
	double whole;
	char digits[32];

	if (isnan(number) || isinf(number)) {
		if (to->is_python)
			text_adds(&to->out, isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
		else
			to->out.failed = true;
		return;
	}
	whole = trunc(number);
	if (fabs(number - whole) < 2.2204460492503131e-16) {
		if (fabs(whole) < 1e15)
			print_integer(&to->out, (int64_t)whole);
		else
			text_addf(&to->out, "%.0f", whole);
		return;
	}
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, number);
		if (strtod(digits, NULL) == number)
			break;
	}
	text_adds(&to->out, digits);
}

static bool
is_plain(unsigned char c)
{
	return c >= 0x20 && c != 0x7f && c != '"' && c != '\\';
}

static void
print_json_string(text *out, const char *string, size_t length)
{
	size_t at = 0;

	text_addc(out, '"');
	while (at < length) {
		size_t start = at;

		while (at < length && is_plain((unsigned char)string[at]))
			at++;
		text_add(out, string + start, at - start);
		if (at == length)
			break;
		if (string[at] == '"' || string[at] == '\\')
			text_addf(out, "\\%c", string[at]);
		else
			text_addf(out, "\\u%04x", (unsigned char)string[at]);
		at++;
	}
	text_addc(out, '"');
}

static void
print_string(printing *to, jv string)
{
	size_t length = (size_t)jv_string_length_bytes(jv_copy(string));

	if (to->is_python)
		python_string(&to->out, jv_string_value(string), length);
	else
		print_json_string(&to->out, jv_string_value(string), length);
	jv_free(string);
}

static void
print_array(printing *to, jv array, unsigned depth)
{
	int length = jv_array_length(jv_copy(array));

	text_addc(&to->out, '[');
	for (int i = 0; i < length && !to->out.failed; i++) {
		if (i > 0)
			text_adds(&to->out, to->is_python ? ", " : ",");
		print(to, jv_array_get(jv_copy(array), i), depth + 1);
	}
	text_addc(&to->out, ']');
	jv_free(array);
}

static void
print_object(printing *to, jv object, unsigned depth)
{
	int at = jv_object_iter(object);
	bool first = true;

	text_addc(&to->out, '{');
	for (; jv_object_iter_valid(object, at) && !to->out.failed;
	     at = jv_object_iter_next(object, at)) {
		if (!first)
			text_adds(&to->out, to->is_python ? ", " : ",");
		first = false;
		print_string(to, jv_object_iter_key(object, at));
		text_adds(&to->out, to->is_python ? ": " : ":");
		print(to, jv_object_iter_value(object, at), depth + 1);
	}
	text_addc(&to->out, '}');
	jv_free(object);
}

/* true, false and null. */
static void
print_word(printing *to, jv_kind kind)
{
	if (kind == JV_KIND_TRUE)
		text_adds(&to->out, to->is_python ? "True" : "true");
	else if (kind == JV_KIND_FALSE)
		text_adds(&to->out, to->is_python ? "False" : "false");
	else
		text_adds(&to->out, to->is_python ? "None" : "null");
}

/* JSON that nobody could read again is none; a message is one all the same. */
static void
print_deep(printing *to)
{
	text_adds(&to->out, "...");
	to->out.failed = to->out.failed || !to->is_python;
}

static void
print(printing *to, jv value, unsigned depth)
{
	jv_kind kind = jv_get_kind(value);
	bool is_container = kind == JV_KIND_ARRAY || kind == JV_KIND_OBJECT;

	if (kind == JV_KIND_STRING) {
		print_string(to, value);
		return;
	}
	if (is_container && depth < BUDGET_DEPTH) {
		if (kind == JV_KIND_ARRAY)
			print_array(to, value, depth);
		else
			print_object(to, value, depth);
		return;
	}
	if (is_container)
		print_deep(to);
	else if (kind == JV_KIND_NUMBER)
		print_number(to, jv_number_value(value));
	else
		print_word(to, kind);
	jv_free(value);
}

static char *
print_value(jv value, bool is_python)
{
	printing to = { .is_python = is_python };

	print(&to, value, 0);
	return text_steal(&to.out);
}

char *
jq_to_json(jv value)
{
	return print_value(value, false);
}

char *
jq_to_text(jv value)
{
	char *plain;

	if (jv_get_kind(value) != JV_KIND_STRING)
		return print_value(value, true);
	plain = strdup(jv_string_value(value));
	jv_free(value);
	return plain;
}
