/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print.c - jq values as JSON and as Python's str() writes them.  Not jq's own
 * printer: it knows no infinity, gives NaN as null and is bounded by nothing.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget.h"
#include "jq.h"

typedef struct printing {
	FILE *out;
	bool is_python;
	bool failed; /* JSON has no words for it */
} printing;

/*
 * A double that is as good as whole is an integer (pyjq);
 * others get the fewest digits that tell them apart.
 */
static void
print_number(printing *to, double number)
{
	double whole = trunc(number);
	char digits[32];

	if (!isfinite(number)) {
		fputs(isnan(number) ? "nan" : number < 0 ? "-inf" : "inf", to->out);
		to->failed = to->failed || !to->is_python;
		return;
	}
	if (fabs(number - whole) < DBL_EPSILON) {
		fprintf(to->out, "%.0f", whole + 0.0); /* no -0 */
		return;
	}
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof(digits), "%.*g", precision, number);
		if (strtod(digits, NULL) == number)
			break;
	}
	fputs(digits, to->out);
}

static void
print_control(const printing *to, unsigned char c)
{
	const char *letter = c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\t' ? "\\t" : NULL;

	if (to->is_python && letter != NULL)
		fputs(letter, to->out);
	else
		fprintf(to->out, to->is_python ? "\\x%02x" : "\\u%04x", c);
}

/* C1 controls, the space that does not break and the soft hyphen: U+0080 to U+00AD. */
static bool
is_unprintable(const char *text)
{
	unsigned char next = (unsigned char)text[1];

	return text[0] == '\xC2' && (next <= 0xA0 || next == 0xAD);
}

/* Python prefers single quotes unless only those would need escaping. */
static void
print_string(const printing *to, jv string)
{
	const char *text = jv_string_value(string);
	size_t length = (size_t)jv_string_length_bytes(jv_copy(string));
	bool prefers_double = memchr(text, '\'', length) != NULL &&
	                      memchr(text, '"', length) == NULL;
	char quote = !to->is_python || prefers_double ? '"' : '\'';

	putc(quote, to->out);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < 0x20 || c == 0x7f)
			print_control(to, c);
		else if (to->is_python && is_unprintable(text + i))
			print_control(to, (unsigned char)text[++i]);
		else if (c == (unsigned char)quote || c == '\\')
			fprintf(to->out, "\\%c", c);
		else
			putc(c, to->out);
	}
	putc(quote, to->out);
}

static void print(printing *to, jv value, unsigned depth);

static void
print_members(printing *to, jv value, unsigned depth)
{
	const char *comma = to->is_python ? ", " : ",";
	const char *separator = "";

	/* Fails for JSON that is too deep to be read again; a text is cut instead. */
	if (depth == BUDGET_DEPTH) {
		fputs("...", to->out);
		to->failed = to->failed || !to->is_python;
	} else if (jv_get_kind(value) == JV_KIND_ARRAY) {
		putc('[', to->out);
		jv_array_foreach(value, i, element) {
			fputs(separator, to->out);
			print(to, element, depth + 1);
			separator = comma;
		}
		putc(']', to->out);
	} else {
		putc('{', to->out);
		jv_object_foreach(value, key, member) {
			fputs(separator, to->out);
			print(to, key, depth + 1);
			fputs(to->is_python ? ": " : ":", to->out);
			print(to, member, depth + 1);
			separator = comma;
		}
		putc('}', to->out);
	}
}

/* Prints 'value', which is consumed. */
static void
print(printing *to, jv value, unsigned depth)
{
	switch (jv_get_kind(value)) {
	case JV_KIND_ARRAY:
	case JV_KIND_OBJECT:
		print_members(to, value, depth);
		break;
	case JV_KIND_STRING:
		print_string(to, value);
		break;
	case JV_KIND_NUMBER:
		print_number(to, jv_number_value(value));
		break;
	case JV_KIND_TRUE:
		fputs(to->is_python ? "True" : "true", to->out);
		break;
	case JV_KIND_FALSE:
		fputs(to->is_python ? "False" : "false", to->out);
		break;
	default:
		fputs(to->is_python ? "None" : "null", to->out);
		break;
	}
	jv_free(value);
}

static char *
print_value(jv value, bool is_python)
{
	char *text = NULL;
	size_t length;
	printing to = { .out = open_memstream(&text, &length), .is_python = is_python };

	if (to.out == NULL) {
		jv_free(value);
		return NULL;
	}
	print(&to, value, 0);
	if (fclose(to.out) == 0 && !to.failed)
		return text;
	free(text);
	return NULL;
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
