/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads JSON as RFC 8259 has it.  What is refused, where, and in which words
 * follows Python's json module, whose messages pScheduler passes on to
 * operators.  Containers are kept on a stack of our own, so depth costs nothing.
 */
#include "diag_private.h"
#include "document.h"
#include "json_string.h"
#include "number.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(READ_DEPTH_MAX == 1000 && READ_SIZE_MAX >> 20 == 64, "messages name the limits");

typedef struct reader {
	json_cursor cursor;
	unsigned flags;
	builder *build;
	uint16_t origin;
	strbuf scratch; /* the string being unescaped */
	size_t depth;
	bool objects[READ_DEPTH_MAX]; /* is the container at that depth an object? */
} reader;

/* What the reader is to do next. */
typedef enum step {
	STEP_FAILED,
	STEP_VALUE, /* a value must begin here */
	STEP_AFTER  /* a value ended here */
} step;

static step
stop(reader *in, size_t at, const char *error)
{
	json_fail(&in->cursor, at, error);
	return STEP_FAILED;
}

static void
skip_space(reader *in)
{
	const char *text = in->cursor.text;
	size_t at = in->cursor.at;

	while (at < in->cursor.length && (text[at] == ' ' || text[at] == '\n' ||
	                                  text[at] == '\r' || text[at] == '\t'))
		at++;
	in->cursor.at = at;
}

/* Reads the string that begins here and adds it to the document. */
static bool
read_string(reader *in)
{
	size_t begin = in->cursor.at;
	const char *text;
	size_t length;

	if (!json_string_read(&in->cursor, &in->scratch, &text, &length))
		return false;
	builder_string(in->build, in->origin, (uint32_t)begin, text, length);
	return true;
}

/* Reads '"key":' and the space before the value. */
static step
read_key(reader *in)
{
	if (!json_is_next(&in->cursor, '"'))
		return stop(in, in->cursor.at, "Expecting property name enclosed in double quotes");
	if (!read_string(in))
		return STEP_FAILED;
	skip_space(in);
	if (!json_is_next(&in->cursor, ':'))
		return stop(in, in->cursor.at, "Expecting ':' delimiter");
	in->cursor.at++;
	skip_space(in);
	return STEP_VALUE;
}

static step
end_container(reader *in)
{
	builder_end(in->build);
	in->depth--;
	in->cursor.at++;
	return STEP_AFTER;
}

static step
begin_container(reader *in, bool object)
{
	if (in->depth == READ_DEPTH_MAX)
		return stop(in, in->cursor.at, "Nested more than 1000 levels deep");
	if (object)
		builder_begin_object(in->build, in->origin, (uint32_t)in->cursor.at);
	else
		builder_begin_array(in->build, in->origin, (uint32_t)in->cursor.at);
	in->objects[in->depth++] = object;
	in->cursor.at++;
	skip_space(in);
	if (json_is_next(&in->cursor, object ? '}' : ']'))
		return end_container(in);
	return object ? read_key(in) : STEP_VALUE;
}

/* Is 'word' next?  Steps over it if so. */
static bool
skip_word(reader *in, const char *word)
{
	size_t length = strlen(word);

	if (in->cursor.length - in->cursor.at < length ||
	    memcmp(in->cursor.text + in->cursor.at, word, length) != 0)
		return false;
	in->cursor.at += length;
	return true;
}

static step
read_word(reader *in)
{
	uint32_t begin = (uint32_t)in->cursor.at;

	if (skip_word(in, "null")) {
		builder_null(in->build, in->origin, begin);
		return STEP_AFTER;
	}
	if (skip_word(in, "true")) {
		builder_bool(in->build, in->origin, begin, true);
		return STEP_AFTER;
	}
	if (skip_word(in, "false")) {
		builder_bool(in->build, in->origin, begin, false);
		return STEP_AFTER;
	}
	return stop(in, in->cursor.at, "Expecting value");
}

static step
read_number(reader *in)
{
	size_t begin = in->cursor.at;
	size_t length = number_scan(in->cursor.text + begin, in->cursor.length - begin);

	in->cursor.at += length;
	if (length == 0) {
		bool special = (in->flags & READ_NAN) != 0 &&
		               (skip_word(in, "NaN") || skip_word(in, "Infinity") ||
		                skip_word(in, "-Infinity"));

		if (!special)
			return stop(in, begin, "Expecting value");
	}
	builder_number(in->build, in->origin, (uint32_t)begin, in->cursor.text + begin,
	               in->cursor.at - begin);
	return STEP_AFTER;
}

static step
read_value(reader *in)
{
	switch (in->cursor.at < in->cursor.length ? in->cursor.text[in->cursor.at] : '\0') {
	case '{':
		return begin_container(in, true);
	case '[':
		return begin_container(in, false);
	case '"':
		return read_string(in) ? STEP_AFTER : STEP_FAILED;
	case 'n':
	case 't':
	case 'f':
		return read_word(in);
	default:
		return read_number(in);
	}
}

/* Reads what follows a member of the innermost container. */
static step
read_after(reader *in)
{
	bool object = in->objects[in->depth - 1];

	skip_space(in);
	if (json_is_next(&in->cursor, object ? '}' : ']'))
		return end_container(in);
	if (!json_is_next(&in->cursor, ','))
		return stop(in, in->cursor.at, "Expecting ',' delimiter");
	in->cursor.at++;
	skip_space(in);
	return object ? read_key(in) : STEP_VALUE;
}

static bool
read_document(reader *in)
{
	step next = STEP_VALUE;

	skip_space(in);
	while (next == STEP_VALUE || (next == STEP_AFTER && in->depth > 0))
		next = next == STEP_VALUE ? read_value(in) : read_after(in);
	if (next == STEP_FAILED)
		return false;
	skip_space(in);
	if (in->cursor.at < in->cursor.length)
		return json_fail(&in->cursor, in->cursor.at, "Extra data");
	return true;
}

/* Checks what concerns the text as a whole. */
static bool
check_text(reader *in)
{
	size_t valid;

	if (in->cursor.length > READ_SIZE_MAX)
		return json_fail(&in->cursor, 0, "Text is longer than 64 MiB");
	valid = utf8_valid(in->cursor.text, in->cursor.length);
	if (valid < in->cursor.length)
		return json_fail(&in->cursor, valid, "Invalid UTF-8");
	if (in->cursor.length >= 3 && memcmp(in->cursor.text, "\xEF\xBB\xBF", 3) == 0)
		return json_fail(&in->cursor, 0, "Unexpected UTF-8 BOM (decode using utf-8-sig)");
	return true;
}

static void
report_error(const reader *in, const char *name, limen_diag *diag)
{
	utf8_position at = utf8_locate(in->cursor.text, in->cursor.error_at);
	char text[256];

	snprintf(text, sizeof(text), "Invalid JSON: %s: line %u column %u (char %zu)",
	         in->cursor.error, at.line, at.column, at.character);
	diag_add_place(diag, LIMEN_PROBLEM, name, at.line, at.column, NULL, text);
}

/* Fills the builder; false with 'in->cursor.error' set, or NULL there when memory is short. */
static bool
fill_builder(reader *in, const char *name)
{
	source *from = source_new(name, in->cursor.text, in->cursor.length);

	if (from == NULL)
		return false;
	in->origin = builder_source(in->build, from);
	source_unref(from);
	if ((in->flags & READ_COMMENTS) != 0)
		builder_drop_comments(in->build);
	return read_document(in) && !in->scratch.failed;
}

int
json_read_result(const char *name, const char *text, size_t length, unsigned flags,
                 document **out, limen_diag *diag)
{
	reader in = {
		.cursor = { .text = length == 0 ? "" : text, .length = length },
		.flags = flags,
	};
	document *doc = NULL;

	if (check_text(&in)) {
		in.build = builder_new();
		if (in.build != NULL && fill_builder(&in, name))
			doc = builder_finish(in.build);
		else
			builder_free(in.build);
		strbuf_free(&in.scratch);
	}
	if (doc != NULL && (flags & READ_NOTE_DUPLICATES) != 0)
		document_note_duplicates(doc, diag);
	else if (in.cursor.error != NULL)
		report_error(&in, name, diag);
	else if (doc == NULL)
		diag_add_place(diag, LIMEN_PROBLEM, name, 0, 0, NULL, "out of memory");
	*out = doc;
	if (doc != NULL)
		return LIMEN_OK;
	return in.cursor.error != NULL ? LIMEN_EINVAL : LIMEN_ENOMEM;
}

document *
json_read(const char *name, const char *text, size_t length, unsigned flags, limen_diag *diag)
{
	document *doc;

	json_read_result(name, text, length, flags, &doc, diag);
	return doc;
}
