/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diag.c - collects and prints notes, warnings and problems.  It owns the list and caps its
 * entries, texts and JSON pointers, because a policy can have a problem every few bytes.
 */
#include "diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "tree.h"
#include "base/recycle.h"
#include "base/utf8.h"

/*
 * Cap on the bytes of all pointers.  Each may be nearly as long as the text that was
 * read, so without a cap their sum could grow with its square.
 */
#define POINTERS_MAX ((size_t)1 << 20)

/*
 * Caps on entries and on the bytes of their texts: a policy from a server may have a
 * problem for every two bytes.  Problems are counted apart from warnings and notes, so
 * that warnings never displace them.
 */
#define ENTRIES_MAX 1000
#define TEXTS_MAX ((size_t)1 << 20)

struct limen_diag {
	limen_problem **entries;
	size_t count;
	size_t capacity;
	size_t counts[LIMEN_SEVERITY_PROBLEM + 1]; /* by severity, including omitted entries */
	size_t texts[2];                  /* bytes of texts, hints and files; of problems the second */
	limen_problem *last;              /* NULL: none, or it was left out */
	limen_problem rest;               /* reports omitted entries; no text: none omitted */
	char rest_text[64];
	size_t pointers;                  /* bytes of them that were offered */
	arena memory;                     /* of the entries and their strings */
	limen_value context;
	const char *muted;                /* notes with this word are discarded; may be NULL */
	bool failed;
};

/* The last entry of a list that omits entries because memory was short. */
static const limen_problem lost_entry = {
	.severity = LIMEN_SEVERITY_PROBLEM,
	.text = "out of memory while collecting problems",
};

limen_diag *
limen_diag_new(void)
{
	return recycle_zeroed(sizeof(limen_diag));
}

void
limen_diag_free(limen_diag *diag)
{
	if (diag == NULL)
		return;
	free(diag->entries);
	arena_free(&diag->memory);
	recycle_free(diag);
}

size_t
limen_diag_count(const limen_diag *diag, limen_severity severity)
{
	size_t count;

	if (diag == NULL)
		return 0;
	count = diag->failed ? 1 : 0;
	if ((int)severity <= LIMEN_SEVERITY_NOTE)
		return count + diag->count + (diag->rest.text != NULL ? 1 : 0);
	for (int i = (int)severity; i <= LIMEN_SEVERITY_PROBLEM; i++)
		count += diag->counts[i];
	return count;
}

const limen_problem *
limen_diag_get(const limen_diag *diag, size_t index)
{
	if (diag == NULL)
		return NULL;
	if (index < diag->count)
		return diag->entries[index];
	index -= diag->count;
	if (diag->rest.text != NULL && index-- == 0)
		return &diag->rest;
	return diag->failed && index == 0 ? &lost_entry : NULL;
}

bool
diag_is_incomplete(const limen_diag *diag)
{
	return diag != NULL && diag->failed;
}

bool
diag_takes_pointers(const limen_diag *diag)
{
	return diag != NULL && diag->pointers <= POINTERS_MAX;
}

void
diag_set_context(limen_diag *diag, limen_value where)
{
	if (diag != NULL)
		diag->context = where;
}

void
diag_mute(limen_diag *diag, const char *word)
{
	if (diag != NULL)
		diag->muted = word;
}

/* ---- adding ---- */

/* An unknown severity counts as a problem. */
static limen_severity
known_severity(limen_severity severity)
{
	return severity > LIMEN_SEVERITY_PROBLEM || (int)severity < LIMEN_SEVERITY_NOTE
	               ? LIMEN_SEVERITY_PROBLEM
	               : severity;
}

static size_t *
texts_of(limen_diag *diag, limen_severity severity)
{
	return &diag->texts[severity == LIMEN_SEVERITY_PROBLEM];
}

/* Omitted entries count, too: after the first of them there is no room any more. */
static bool
has_room(limen_diag *diag, limen_severity severity)
{
	const size_t *counts = diag->counts;
	size_t others = counts[LIMEN_SEVERITY_NOTE] + counts[LIMEN_SEVERITY_WARNING];

	return (severity == LIMEN_SEVERITY_PROBLEM ? counts[LIMEN_SEVERITY_PROBLEM] : others) <
	               ENTRIES_MAX &&
	       *texts_of(diag, severity) < TEXTS_MAX;
}

static void
leave_out(limen_diag *diag, limen_severity severity)
{
	const size_t *counts = diag->counts;

	diag->last = NULL;
	diag->counts[severity]++;
	if (diag->rest.text == NULL || severity > diag->rest.severity)
		diag->rest.severity = severity;
	snprintf(diag->rest_text, sizeof(diag->rest_text), "and %zu more, which are not listed",
	         counts[LIMEN_SEVERITY_NOTE] + counts[LIMEN_SEVERITY_WARNING] +
	                 counts[LIMEN_SEVERITY_PROBLEM] - diag->count);
	diag->rest.text = diag->rest_text;
}

bool
diag_leaves_out(limen_diag *diag, limen_severity severity)
{
	if (diag == NULL)
		return true;
	severity = known_severity(severity);
	if (has_room(diag, severity))
		return false;
	leave_out(diag, severity);
	return true;
}

static void
count_text(limen_diag *diag, const limen_problem *entry, const char *text)
{
	*texts_of(diag, entry->severity) += text == NULL ? 0 : strlen(text) + 1;
}

static bool
reserve(limen_diag *diag)
{
	size_t wanted = diag->capacity == 0 ? 8 : diag->capacity * 2;
	limen_problem **grown;

	if (diag->count < diag->capacity)
		return true;
	if (wanted > SIZE_MAX / sizeof(*grown))
		return false;
	grown = realloc(diag->entries, wanted * sizeof(*grown));
	if (grown == NULL)
		return false;
	diag->entries = grown;
	diag->capacity = wanted;
	return true;
}

/* Copies 'text' unless it is NULL; false when memory is short. */
static bool
copy_string(limen_diag *diag, const char *text, const char **copy)
{
	*copy = text == NULL ? NULL : arena_strdup(&diag->memory, text);
	return text == NULL || *copy != NULL;
}

/* Adds 'draft': takes over its text, which is in the list's memory, and copies the rest. */
static void
add_entry(limen_diag *diag, const limen_problem *draft)
{
	limen_problem *entry = arena_alloc(&diag->memory, sizeof(*entry));

	diag->last = NULL;
	if (draft->severity == LIMEN_SEVERITY_NOTE && diag->muted != NULL && draft->text != NULL &&
	    strstr(draft->text, diag->muted) != NULL)
		return;
	if (entry == NULL || draft->text == NULL || !reserve(diag)) {
		diag->failed = true;
		return;
	}
	*entry = *draft;
	diag->pointers += draft->pointer == NULL ? 0 : strlen(draft->pointer) + 1;
	if (!copy_string(diag, draft->file, &entry->file) ||
	    !copy_string(diag, diag_takes_pointers(diag) ? draft->pointer : NULL,
	                 &entry->pointer)) {
		diag->failed = true;
		return;
	}
	entry->severity = known_severity(entry->severity);
	count_text(diag, entry, entry->text);
	count_text(diag, entry, entry->file);
	diag->entries[diag->count++] = entry;
	diag->counts[entry->severity]++;
	diag->last = entry;
}

void
diag_add_place(limen_diag *diag, limen_severity severity, const char *file, unsigned line,
               unsigned column, const char *pointer, const char *text)
{
	limen_problem draft = { .severity = severity, .file = file, .line = line,
		.column = column, .pointer = pointer };

	if (diag_leaves_out(diag, severity))
		return;
	draft.text = arena_strdup(&diag->memory, text);
	add_entry(diag, &draft);
}

void
limen_diag_addv(limen_diag *diag, limen_severity severity, limen_value where, const char *format,
                va_list arguments)
{
	limen_problem draft = { .severity = severity };
	char *pointer = NULL;
	place location;

	if (diag_leaves_out(diag, severity))
		return;
	if (!limen_value_exists(where))
		where = diag->context;
	if (limen_value_exists(where)) {
		location = value_place(where);
		pointer = diag_takes_pointers(diag) ? value_pointer(where) : NULL;
		if (pointer == NULL && diag_takes_pointers(diag))
			diag->failed = true;
		draft.file = location.file;
		draft.line = location.line;
		draft.column = location.column;
		draft.pointer = pointer;
	}
	draft.text = arena_vprintf(&diag->memory, format, arguments);
	add_entry(diag, &draft);
	free(pointer);
}

void
limen_diag_add(limen_diag *diag, limen_severity severity, limen_value where, const char *format,
               ...)
{
	va_list arguments;

	va_start(arguments, format);
	limen_diag_addv(diag, severity, where, format, arguments);
	va_end(arguments);
}

bool
limen_diag_refuse(limen_diag *diag, limen_value where, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	limen_diag_addv(diag, LIMEN_SEVERITY_PROBLEM, where, format, arguments);
	va_end(arguments);
	return false;
}

void
limen_diag_add_at(limen_diag *diag, limen_severity severity, const char *file, unsigned line,
                  const char *format, ...)
{
	limen_problem draft = { .severity = severity, .file = file, .line = line };
	va_list arguments;

	if (diag_leaves_out(diag, severity))
		return;
	va_start(arguments, format);
	draft.text = arena_vprintf(&diag->memory, format, arguments);
	va_end(arguments);
	add_entry(diag, &draft);
}

void
limen_diag_hint(limen_diag *diag, const char *format, ...)
{
	va_list arguments;
	char *hint;

	if (diag == NULL || diag->last == NULL)
		return;
	va_start(arguments, format);
	hint = arena_vprintf(&diag->memory, format, arguments);
	va_end(arguments);
	if (hint == NULL)
		diag->failed = true;
	else
		diag->last->hint = hint;
	count_text(diag, diag->last, hint);
}

/* ---- printing ---- */

/* Keys and texts are untrusted: control characters in them must not reach a terminal. */
static void
print_safely(const char *text, FILE *stream)
{
	while (*text != '\0') {
		size_t control = utf8_control(text);

		if (control == 0)
			putc(*text++, stream);
		for (; control > 0; control--)
			fprintf(stream, "\\x%02x", (unsigned char)*text++);
	}
}

static void
print_place(const limen_problem *entry, FILE *stream)
{
	if (entry->file != NULL) {
		print_safely(entry->file, stream);
		putc(':', stream);
	}
	if (entry->line > 0)
		fprintf(stream, "%u:", entry->line);
	if (entry->line > 0 && entry->column > 0)
		fprintf(stream, "%u:", entry->column);
	if (entry->file != NULL || entry->line > 0)
		putc(' ', stream);
}

static void
print_entry(const limen_problem *entry, FILE *stream)
{
	static const char *const words[] = {
		[LIMEN_SEVERITY_NOTE] = "note",
		[LIMEN_SEVERITY_WARNING] = "warning",
		[LIMEN_SEVERITY_PROBLEM] = "error",
	};

	print_place(entry, stream);
	fprintf(stream, "%s: ", words[entry->severity]);
	if (entry->pointer != NULL) {
		/* pScheduler's validator calls the whole document "/". */
		fputs("At ", stream);
		print_safely(entry->pointer[0] == '\0' ? "/" : entry->pointer, stream);
		fputs(": ", stream);
	}
	print_safely(entry->text, stream);
	putc('\n', stream);
	if (entry->hint != NULL) {
		fputs("  hint: ", stream);
		print_safely(entry->hint, stream);
		putc('\n', stream);
	}
}

void
limen_diag_write(const limen_diag *diag, FILE *stream)
{
	const limen_problem *entry = limen_diag_get(diag, 0);

	for (size_t i = 1; entry != NULL && stream != NULL; i++) {
		print_entry(entry, stream);
		entry = limen_diag_get(diag, i);
	}
}
