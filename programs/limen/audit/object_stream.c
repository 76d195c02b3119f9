/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_stream.c - cuts a stream into the texts of objects without parsing them: JSON by its
 * brackets and strings, YAML by its document marks and by the indentation of list items.
 */
#include "object_stream.h"

#include <errno.h>
#include <limen/documents.h>
#include <string.h>
#include <unistd.h>

#include "common/auto.h"
#include "cli/input.h"
#include "common/member.h"

/* Bytes that are read at once. */
#define CHUNK ((size_t)256 << 10)

object_stream
object_stream_start(int fd)
{
	return (object_stream){ .fd = fd, .size = 2 * CHUNK, .buffer = g_malloc0(2 * CHUNK + 1),
		                .line = 1, .head = g_string_new(NULL) };
}

void
object_stream_clear(object_stream *self)
{
	g_string_free(self->head, TRUE);
	g_free(self->api);
	g_free(self->kind);
	g_free(self->next);
	g_free(self->buffer);
	g_free(self->error);
}

static object_result
fail(object_stream *self, const char *why)
{
	if (self->error == NULL)
		self->error = g_strdup_printf("line %u: %s", self->line, why);
	return OBJECT_FAILED;
}

/* ---- bytes ---- */

/*
 * Reads more behind what is there, which may move to the front of the buffer: offsets are from
 * 'start'.  Returns false at the end and after a failure.
 */
static bool
read_more(object_stream *self)
{
	size_t kept = self->end - self->start;
	ssize_t got;

	if (self->ended || self->error != NULL)
		return false;
	if (kept >= INPUT_MAX) {
		fail(self, "the object is larger than 64 MiB");
		return false;
	}
	if (self->end + CHUNK > self->size) {
		memmove(self->buffer, self->buffer + self->start, kept);
		self->start = 0;
		self->end = kept;
	}
	if (self->end + CHUNK > self->size) {
		self->size *= 2;
		self->buffer = g_realloc(self->buffer, self->size + 1);
	}
	do
		got = read(self->fd, self->buffer + self->end, CHUNK);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		fail(self, g_strerror(errno));
	self->ended = got <= 0;
	self->end += self->ended ? 0 : (size_t)got;
	self->total += self->ended ? 0 : (size_t)got;
	self->buffer[self->end] = '\0';
	return !self->ended;
}

/* Is there a byte 'at' behind the start? */
static bool
has(object_stream *self, size_t at)
{
	while (self->start + at >= self->end)
		if (!read_more(self))
			return false;
	return true;
}

static char
byte(const object_stream *self, size_t at)
{
	return self->buffer[self->start + at];
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Moves the start, and counts the lines. */
static void
advance(object_stream *self, size_t count)
{
	const char *text = self->buffer + self->start;

	for (size_t i = 0; i < count; i++)
		self->line += text[i] == '\n';
	self->start += count;
}

/* Returns the offset of the first byte from 'at' on that is no blank. */
static size_t
find_text(object_stream *self, size_t at)
{
	while (has(self, at) && is_blank(byte(self, at)))
		at++;
	return at;
}

static void
skip_blanks(object_stream *self)
{
	advance(self, find_text(self, 0));
}

static object_result
yield(object_stream *self, size_t length, object_text *out)
{
	*out = (object_text){
		.text = self->buffer + self->start,
		.length = length,
		.json = self->json,
		.line = self->line,
		.api = self->in_list ? self->api : NULL,
		.kind = self->in_list ? self->kind : NULL,
	};
	advance(self, length);
	return OBJECT_FOUND;
}

/* ---- the head of a list ---- */

/* Parses 'head' with 'more' behind it.  Returns NULL with 'diag' if it is no JSON or YAML. */
static limen_documents *
parse_head(object_stream *self, const char *more, limen_diag *diag)
{
	gsize length = self->head->len;
	limen_documents *parsed = NULL;

	g_string_append(self->head, more);
	if (limen_documents_parse(self->json ? "list.json" : "list.yaml", self->head->str,
	                          self->head->len, 0, &parsed, diag) == LIMEN_ENOMEM)
		g_error("out of memory");
	g_string_truncate(self->head, length);
	return parsed;
}

/*
 * Enters the list whose text until its items is the next 'length' bytes.  Returns false for an
 * object of another kind that has "items".  "List" says nothing of its items; one whose kind
 * follows them neither.
 */
static bool
enter_list(object_stream *self, size_t length)
{
	g_autoptr(limen_documents) parsed = NULL;
	limen_value head;
	const char *kind;

	g_string_truncate(self->head, 0);
	g_string_append_len(self->head, self->buffer + self->start, (gssize)length);
	g_clear_pointer(&self->api, g_free);
	g_clear_pointer(&self->kind, g_free);
	g_clear_pointer(&self->next, g_free);
	parsed = parse_head(self, self->json ? "]}" : "", NULL);
	head = limen_documents_get(parsed, 0);
	kind = member_text(head, "kind");
	self->in_list = kind == NULL || g_str_has_suffix(kind, "List");
	self->first = true;
	if (self->in_list && kind != NULL && strcmp(kind, "List") != 0) {
		self->api = g_strdup(member_text(head, "apiVersion"));
		self->kind = g_strndup(kind, strlen(kind) - strlen("List"));
	}
	return self->in_list;
}

/* Leaves the list, of which the next 'length' bytes say more behind its items. */
static object_result
leave_list(object_stream *self, size_t length)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	g_autoptr(limen_documents) parsed = NULL;
	limen_value list;

	self->in_list = false;
	g_string_append_len(self->head, self->buffer + self->start, (gssize)length);
	parsed = parse_head(self, "", diag);
	if (parsed == NULL)
		return fail(self, limen_diag_get(diag, 0)->text);
	list = limen_documents_get(parsed, 0);
	if (limen_value_count(limen_value_get(list, "items")) > 0)
		return fail(self, "the list has 'items' twice");
	self->next = g_strdup(member_text_or(limen_value_get(list, "metadata"), "continue", ""));
	advance(self, length);
	return OBJECT_END;
}

/* ---- JSON ---- */

/* Moves '*at' to the next of 'marks'.  Returns it, or NUL at the end. */
static char
find_mark(object_stream *self, size_t *at, const char *marks)
{
	while (has(self, *at)) {
		*at += strcspn(self->buffer + self->start + *at, marks);
		if (self->start + *at == self->end)
			continue;
		if (byte(self, *at) != '\0')
			return byte(self, *at);
		++*at;
	}
	return '\0';
}

/* Moves '*at' from the first quote of a string behind its last.  False: the text ends before. */
static bool
skip_string(object_stream *self, size_t *at)
{
	++*at;
	while (find_mark(self, at, "\"\\") == '\\')
		*at += 2;
	return has(self, *at) && ++*at;
}

/* Is the string from 'begin' to '*at' the key of an array "items"?  Moves '*at' behind the '['. */
static bool
opens_items(object_stream *self, size_t begin, size_t *at)
{
	static const char key[] = "\"items\"";
	size_t next = *at;

	if (next - begin != strlen(key) ||
	    memcmp(&self->buffer[self->start + begin], key, strlen(key)) != 0)
		return false;
	for (const char *mark = ":["; *mark != '\0'; next++) {
		if (!has(self, next))
			return false;
		if (byte(self, next) == *mark)
			mark++;
		else if (!is_blank(byte(self, next)))
			return false;
	}
	*at = next;
	return true;
}

/*
 * Moves '*at' from a place in 'depth' brackets behind the bracket that closes the outermost.
 * Stops behind the bracket of a document's "items" if 'list' is given, and sets it.  Returns false
 * if the text ends before.
 */
static bool
skip_value(object_stream *self, size_t *at, unsigned depth, bool *list)
{
	for (;;) {
		char mark = find_mark(self, at, "\"[]{}");
		size_t begin = *at;

		if (mark == '\0')
			return false;
		if (mark == '"') {
			if (!skip_string(self, at))
				return false;
			if (list != NULL && depth == 1 && opens_items(self, begin, at))
				return *list = true;
			continue;
		}
		++*at;
		depth += mark == '{' || mark == '[' ? 1 : -1U;
		if (depth == 0)
			return true;
	}
}

static object_result
fail_end(object_stream *self)
{
	return fail(self, "the text ends within this object");
}

/* Returns the next item, or OBJECT_END at the end of the list, which has been left. */
static object_result
next_json_item(object_stream *self, object_text *out)
{
	size_t at = 0;
	bool comma;

	skip_blanks(self);
	comma = !self->first && has(self, 0) && byte(self, 0) == ',';
	if (comma)
		advance(self, 1);
	skip_blanks(self);
	if (!has(self, 0))
		return fail_end(self);
	if (byte(self, 0) == '{' && (comma || self->first)) {
		self->first = false;
		return skip_value(self, &at, 0, NULL) ? yield(self, at, out) : fail_end(self);
	}
	if (byte(self, 0) != ']' || comma)
		return fail(self, "an item of the list is not an object behind a comma");
	return skip_value(self, &at, 2, NULL) ? leave_list(self, at) : fail_end(self);
}

static object_result
next_json(object_stream *self, object_text *out)
{
	bool list = false;
	size_t at = 0;

	if (!skip_value(self, &at, 0, &list))
		return fail_end(self);
	if (list && enter_list(self, at)) {
		advance(self, at);
		return OBJECT_END;
	}
	/* The array of an object that is no list. */
	return list && !skip_value(self, &at, 2, NULL) ? fail_end(self) : yield(self, at, out);
}

/* ---- YAML ---- */

/* Returns the offset behind the line at 'at'. */
static size_t
find_line_end(object_stream *self, size_t at)
{
	while (has(self, at)) {
		const char *from = &self->buffer[self->start + at];
		const char *end = memchr(from, '\n', self->end - self->start - at);

		if (end != NULL)
			return at + (size_t)(end - from) + 1;
		at = self->end - self->start;
	}
	return at;
}

/* Returns the first byte of a line after blanks, and their number; ' ': a blank line. */
static char
find_first(const object_stream *self, size_t at, size_t end, size_t *indent)
{
	*indent = strspn(self->buffer + self->start + at, " \t\r");
	return at + *indent >= end || byte(self, at + *indent) == '\n' ? ' '
	                                                               : byte(self, at + *indent);
}

/* Is this line a mark between documents, "---" or "..."? */
static bool
is_mark(const object_stream *self, size_t at, size_t end)
{
	const char *line = &self->buffer[self->start + at];

	return end - at >= 3 && (memcmp(line, "---", 3) == 0 || memcmp(line, "...", 3) == 0) &&
	       (end - at == 3 || is_blank(line[3]));
}

/* Is this line the key of a list of items, which begins in one of the next lines? */
static bool
opens_yaml_items(object_stream *self, size_t at, size_t end)
{
	static const char key[] = "items:";
	size_t length = strlen(key);
	size_t indent;
	char first;

	if (end - at < length || memcmp(&self->buffer[self->start + at], key, length) != 0)
		return false;
	first = find_first(self, at + length, end, &indent);
	while (first == ' ' || first == '#') {
		at = end;
		end = find_line_end(self, at);
		if (at == end)
			return false;
		first = find_first(self, at, end, &indent);
	}
	self->indent = indent;
	return first == '-';
}

/* Is the line at 'at' more of an item, which began before it? */
static bool
goes_on(const object_stream *self, size_t at, size_t end)
{
	size_t indent;
	char first = find_first(self, at, end, &indent);

	return end > at && (first == ' ' || first == '#' || indent > self->indent);
}

/* Moves '*at' behind what a list says after its items. */
static void
skip_rest(object_stream *self, size_t *at)
{
	for (size_t end = find_line_end(self, *at); end > *at && !is_mark(self, *at, end);) {
		*at = end;
		end = find_line_end(self, *at);
	}
}

/* Returns the next item, or OBJECT_END at the end of the list, which has been left. */
static object_result
next_yaml_item(object_stream *self, object_text *out)
{
	size_t at = 0;
	size_t end, indent;
	char first;

	for (;; at = end) {
		end = find_line_end(self, at);
		first = find_first(self, at, end, &indent);
		if (end == at || (first != ' ' && first != '#'))
			break;
	}
	if (first != '-' || indent != self->indent || is_mark(self, at, end)) {
		skip_rest(self, &at);
		return self->error != NULL ? OBJECT_FAILED : leave_list(self, at);
	}
	/* The item is a document of its own if a blank stands for its dash. */
	self->buffer[self->start + at + indent] = ' ';
	do {
		at = end;
		end = find_line_end(self, at);
	} while (goes_on(self, at, end));
	return self->error != NULL ? OBJECT_FAILED : yield(self, at, out);
}

static object_result
next_yaml(object_stream *self, object_text *out)
{
	bool empty = true;
	size_t at = 0;
	size_t end, indent;

	for (;; at = end) {
		char first;

		end = find_line_end(self, at);
		if (self->error != NULL)
			return OBJECT_FAILED;
		if (at == end || is_mark(self, at, end))
			break;
		if (opens_yaml_items(self, at, end) && enter_list(self, end)) {
			advance(self, end);
			return OBJECT_END;
		}
		first = find_first(self, at, end, &indent);
		empty = empty && (first == ' ' || first == '#');
	}
	if (!empty)
		return yield(self, at, out);
	advance(self, at);
	return OBJECT_END;
}

/* ---- documents ---- */

/*
 * Finds the form of the next document and goes to its start.  Returns false at the end of the
 * stream.
 */
static bool
start_document(object_stream *self)
{
	size_t end = find_line_end(self, 0);
	size_t at, indent;

	/* Comments may stand before a directive. */
	for (; end > 0 && find_first(self, 0, end, &indent) == '#'; end = find_line_end(self, 0))
		advance(self, end);
	if (end > 0 && is_mark(self, 0, end))
		advance(self, 3);
	else if (end > 0 && byte(self, 0) == '%')
		advance(self, end);
	at = find_text(self, 0);
	if (!has(self, at))
		return false;
	self->json = byte(self, at) == '[';
	if (byte(self, at) == '{') {
		/* Keys without quotes make it YAML. */
		size_t key = find_text(self, at + 1);

		self->json = !has(self, key) || byte(self, key) == '"' || byte(self, key) == '}';
	}
	if (self->json)
		advance(self, at);
	return true;
}

object_result
object_stream_next(object_stream *self, object_text *out)
{
	object_result result = OBJECT_END;

	while (result == OBJECT_END && self->error == NULL) {
		if (self->in_list)
			result = self->json ? next_json_item(self, out) : next_yaml_item(self, out);
		else if (start_document(self))
			result = self->json ? next_json(self, out) : next_yaml(self, out);
		else
			break;
	}
	return self->error != NULL ? OBJECT_FAILED : result;
}
