/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_pattern.c - translates regular expressions of Python's re module to PCRE2 in one pass,
 * and maps an offset in the translation back to the source.
 */
#include "python_pattern.h"

#include "python_scan.h"
#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char
python_scan_peek(const python_scan *scan, size_t ahead)
{
	return ahead < scan->length - scan->at ? scan->text[scan->at + ahead] : '\0';
}

void
python_scan_copy(python_scan *scan, size_t length)
{
	size_t left = scan->length - scan->at;

	if (length > left)
		length = left;
	strbuf_add(&scan->out, scan->text + scan->at, length);
	scan->at += length;
}

void
python_scan_copy_through(python_scan *scan, const char *end)
{
	const char *start = scan->text + scan->at;
	const char *found = memmem(start, scan->length - scan->at, end, strlen(end));

	if (found == NULL)
		python_scan_copy(scan, scan->length - scan->at);
	else
		python_scan_copy(scan, (size_t)(found - start) + strlen(end));
}

void
python_scan_note(python_scan *scan, const char *before, size_t length, const char *after)
{
	if (scan->note[0] == '\0')
		snprintf(scan->note, sizeof(scan->note), "%s%.*s at position %zu%s", before,
		         (int)length, scan->text + scan->at,
		         utf8_locate(scan->text, scan->at).character, after);
}

void
python_scan_note_refused(python_scan *scan, size_t length)
{
	python_scan_note(scan, "Python refuses ", length, ", which PCRE2 understands");
}

static void
note_single(python_scan *scan)
{
	python_scan_note(scan, "", 2,
	                 " is not a character class but single characters, as in Python");
}

/* Is this opening bracket that of [:alpha:], [.a.] or [=a=], which PCRE2 refuses out of a class? */
static bool
is_posix_class(const python_scan *scan)
{
	char mark = python_scan_peek(scan, 1);
	size_t end = 2;

	if (mark != ':' && mark != '.' && mark != '=')
		return false;
	while (python_scan_peek(scan, end) != '\0' && python_scan_peek(scan, end) != ']')
		end++;
	return end > 2 && python_scan_peek(scan, end) == ']' &&
	       python_scan_peek(scan, end - 1) == mark;
}

static void
open_class(python_scan *scan)
{
	bool posix = is_posix_class(scan);

	if (posix)
		note_single(scan);
	scan->in_class = true;
	python_scan_copy(scan, python_scan_peek(scan, 1) == '^' ? 2 : 1);
	if (posix)
		strbuf_addc(&scan->out, '\\');
	if (posix || python_scan_peek(scan, 0) == ']')
		python_scan_copy(scan, 1);
}

/* Python has no classes within classes: [[:alpha:]] is a set of single characters and a "]". */
static void
step_in_class(python_scan *scan)
{
	char c = python_scan_peek(scan, 0);

	if (c == '\\') {
		python_scan_escape(scan);
		return;
	}
	if (c == ']')
		scan->in_class = false;
	if (c == '[') {
		if (python_scan_peek(scan, 1) == ':')
			note_single(scan);
		strbuf_addc(&scan->out, '\\');
	}
	python_scan_copy(scan, 1);
}

static void
close_group(python_scan *scan)
{
	if (scan->outer.length > 0) {
		scan->closed[(unsigned char)scan->outer.text[--scan->outer.length]] = true;
		scan->verbose = scan->outer.text[--scan->outer.length] == 'x';
	}
	python_scan_copy(scan, 1);
}

static size_t
count_digits(const python_scan *scan, size_t ahead)
{
	size_t count = 0;

	while (python_scan_peek(scan, ahead + count) >= '0' &&
	       python_scan_peek(scan, ahead + count) <= '9')
		count++;
	return count;
}

/* The length of {3}, {3,}, {,3}, {3,4} or {,} at the scan; 0 if the brace is a character. */
static size_t
measure_braces(const python_scan *scan)
{
	size_t length = 1 + count_digits(scan, 1);
	bool comma = python_scan_peek(scan, length) == ',';

	if (comma)
		length += 1 + count_digits(scan, length + 1);
	return python_scan_peek(scan, length) != '}' || (length == 1 && !comma) ? 0 : length + 1;
}

static void
copy_suffix(python_scan *scan)
{
	char c = python_scan_peek(scan, 0);

	if (c == '+')
		python_scan_note(scan, "Python understands the possessive ", 1,
		                 " from version 3.11 on");
	if (c == '+' || c == '?')
		python_scan_copy(scan, 1);
}

/* Up to release 10.42 PCRE2 takes {,3} for four characters. */
static void
copy_braces(python_scan *scan)
{
	size_t length = measure_braces(scan);

	if (length == 0) {
		python_scan_copy(scan, 1);
		return;
	}
	if (python_scan_peek(scan, 1) == ',') {
		strbuf_adds(&scan->out, "{0");
		scan->at++;
		length--;
	}
	python_scan_copy(scan, length);
	copy_suffix(scan);
}

static void
step(python_scan *scan)
{
	switch (python_scan_peek(scan, 0)) {
	case '\\':
		python_scan_escape(scan);
		break;
	case '[':
		open_class(scan);
		break;
	case '(':
		python_scan_open_group(scan);
		return; /* leaves 'beginning' to flags */
	case ')':
		close_group(scan);
		break;
	case '{':
		copy_braces(scan);
		break;
	case '*':
	case '+':
	case '?':
		python_scan_copy(scan, 1);
		copy_suffix(scan);
		break;
	case '#':
		if (scan->verbose)
			python_scan_copy_through(scan, "\n");
		else
			python_scan_copy(scan, 1);
		break;
	default:
		python_scan_copy(scan, 1);
		break;
	}
	scan->beginning = false;
}

/* Walks the pattern until its respelling is longer than 'limit'; returns where that began. */
static size_t
run(python_scan *scan, size_t limit)
{
	size_t start = 0;

	while (scan->at < scan->length) {
		start = scan->at;
		if (scan->in_class)
			step_in_class(scan);
		else
			step(scan);
		if (scan->out.length > limit)
			return start;
	}
	return scan->length;
}

int
python_pattern_translate(const char *source, size_t length, python_pattern *out)
{
	python_scan scan = { .text = source, .length = length, .beginning = true };
	bool failed;

	run(&scan, SIZE_MAX);
	failed = scan.out.failed || scan.outer.failed;
	strbuf_free(&scan.outer);
	if (failed) {
		strbuf_free(&scan.out);
		return LIMEN_ENOMEM;
	}
	out->ascii = scan.ascii;
	memcpy(out->note, scan.note, sizeof(out->note));
	out->text = strbuf_steal(&scan.out, &out->length);
	return out->text != NULL ? LIMEN_OK : LIMEN_ENOMEM;
}

void
python_pattern_free(python_pattern *pattern)
{
	free(pattern->text);
	pattern->text = NULL;
}

size_t
python_pattern_origin(const char *source, size_t length, size_t offset)
{
	python_scan scan = { .text = source, .length = length, .beginning = true };
	size_t origin = run(&scan, offset);

	strbuf_free(&scan.outer);
	strbuf_free(&scan.out);
	return origin;
}
