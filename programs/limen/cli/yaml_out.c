/* SPDX-License-Identifier: Apache-2.0 */
/*
 * yaml_out.c - writes values as YAML: block style down to an indentation of 32 steps, flow style
 * on one line below.  Quotes each string that is not a safe plain scalar (YAML 1.1).  Prints JSON
 * with indentation, too.
 */
#include "yaml_out.h"

#include <limen/documents.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/auto.h"
#include "common/json_out.h"

#define PLAIN_FIRST "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz/_"
#define PLAIN PLAIN_FIRST "0123456789.-"
/* Deepest indentation: deeper, the output would grow with the square of the input. */
#define DEPTH_MAX 32
/* Longest key in bytes that is written without "? "; the limit of YAML 1.1 is 1024 characters. */
#define KEY_MAX 1000

/* Words with another meaning (bool, null) in YAML 1.1 and its readers. */
static const char *const reserved[] = { "true", "false", "yes", "no", "on", "off", "y", "n",
	                                "null" };

static void append_value(GString *out, limen_value value, unsigned depth, bool inside);

static bool
is_plain(const char *text, size_t length)
{
	if (length == 0 || strlen(text) != length || strchr(PLAIN_FIRST, text[0]) == NULL ||
	    strspn(text, PLAIN) != length)
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(reserved); i++)
		if (g_ascii_strcasecmp(text, reserved[i]) == 0)
			return false;
	return true;
}

/* Returns true for characters that YAML forbids, or reads as line ends (YAML 1.1, 5.1 and 5.4). */
static bool
needs_escape(gunichar character)
{
	return (character >= 0x7F && character < 0xA0) || character == 0x2028 ||
	       character == 0x2029 || character == 0xFEFF || character == 0xFFFE ||
	       character == 0xFFFF;
}

void
yaml_append_json(GString *out, const char *json)
{
	for (const char *at = json; *at != '\0'; at = g_utf8_next_char(at)) {
		gunichar character = g_utf8_get_char(at);

		if (needs_escape(character))
			g_string_append_printf(out, "\\u%04x", (unsigned)character);
		else
			g_string_append_unichar(out, character);
	}
}

static void
append_quoted(GString *out, limen_value value)
{
	g_autoptr(GString) quoted = g_string_new(NULL);

	json_value(quoted, value);
	yaml_append_json(out, quoted->str);
}

static void
append_scalar(GString *out, limen_value value)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);

	if (text != NULL && is_plain(text, length))
		g_string_append(out, text);
	else
		append_quoted(out, value);
}

/* Long keys begin with "? ", as in append_key(). */
static void
append_flow_key(GString *out, limen_value key)
{
	g_autoptr(GString) text = g_string_new(NULL);

	append_quoted(text, key);
	g_string_append_printf(out, text->len > KEY_MAX ? "? %s :" : "%s:", text->str);
}

/* Writes a value in flow style, like JSON on one line. */
static void
append_flow(GString *out, limen_value value)
{
	bool object = limen_value_type(value) == LIMEN_TYPE_OBJECT;
	limen_iter iter = limen_iter_start(value);
	const char *comma = "";
	limen_value key, member;

	if (!object && limen_value_type(value) != LIMEN_TYPE_ARRAY) {
		append_quoted(out, value);
		return;
	}
	g_string_append_c(out, object ? '{' : '[');
	while (limen_iter_next(&iter, object ? &key : NULL, &member)) {
		g_string_append(out, comma);
		comma = ",";
		if (object)
			append_flow_key(out, key);
		append_flow(out, member);
	}
	g_string_append_c(out, object ? '}' : ']');
}

static void
indent(GString *out, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		g_string_append(out, "  ");
}

/* Returns true if the value is written in block style; deeper values go on one line, like JSON. */
static bool
is_block(limen_value value, unsigned depth)
{
	limen_type type = limen_value_type(value);

	return (type == LIMEN_TYPE_OBJECT || type == LIMEN_TYPE_ARRAY) &&
	       limen_value_count(value) > 0 && depth < DEPTH_MAX;
}

/* Long keys begin with "? " (YAML 1.1, 9.2: 1024 characters). */
static void
append_key(GString *out, limen_value key, unsigned depth)
{
	g_autoptr(GString) text = g_string_new(NULL);

	append_scalar(text, key);
	if (text->len > KEY_MAX) {
		g_string_append_printf(out, "? %s\n", text->str);
		indent(out, depth);
	} else {
		g_string_append(out, text->str);
	}
	g_string_append_c(out, ':');
}

static void
append_members(GString *out, limen_value object, unsigned depth, bool inside)
{
	limen_value key, member;
	unsigned below;

	for (limen_iter iter = limen_iter_start(object); limen_iter_next(&iter, &key, &member);) {
		if (!inside)
			indent(out, depth);
		inside = false;
		/* Lists are not indented below their key, as in kubectl. */
		below = limen_value_type(member) == LIMEN_TYPE_ARRAY ? depth : depth + 1;
		append_key(out, key, depth);
		g_string_append_c(out, is_block(member, below) ? '\n' : ' ');
		append_value(out, member, below, false);
	}
}

/* The first member of an element follows the dash. */
static void
append_elements(GString *out, limen_value array, unsigned depth)
{
	limen_value element;

	for (limen_iter iter = limen_iter_start(array); limen_iter_next(&iter, NULL, &element);) {
		bool nested = is_block(element, depth + 1) &&
		              limen_value_type(element) == LIMEN_TYPE_ARRAY;

		indent(out, depth);
		g_string_append(out, nested ? "-\n" : "- ");
		append_value(out, element, depth + 1, !nested);
	}
}

static void
append_value(GString *out, limen_value value, unsigned depth, bool inside)
{
	if (is_block(value, depth) && limen_value_type(value) == LIMEN_TYPE_OBJECT) {
		append_members(out, value, depth, inside);
	} else if (is_block(value, depth)) {
		append_elements(out, value, depth);
	} else {
		if (limen_value_type(value) == LIMEN_TYPE_STRING)
			append_scalar(out, value);
		else
			append_flow(out, value);
		g_string_append_c(out, '\n');
	}
}

void
yaml_append(GString *out, limen_value value)
{
	append_value(out, value, 0, false);
}

bool
yaml_print(const GString *json, const char *before)
{
	g_autoptr(limen_documents) parsed = NULL;
	g_autoptr(GString) out = g_string_new(before);

	if (limen_documents_parse("own.json", json->str, json->len, 0, &parsed, NULL) != LIMEN_OK)
		return false;
	yaml_append(out, limen_documents_get(parsed, 0));
	fwrite(out->str, 1, out->len, stdout);
	return true;
}

void
json_print_pretty(const GString *json)
{
	g_autoptr(limen_documents) parsed = NULL;
	g_auto(heap_text) text = NULL;

	if (limen_documents_parse("own.json", json->str, json->len, 0, &parsed, NULL) == LIMEN_OK)
		text = limen_value_to_json(limen_documents_get(parsed, 0), LIMEN_JSON_PRETTY, NULL);
	puts(text == NULL ? json->str : text);
}
