/* SPDX-License-Identifier: Apache-2.0 */
#include "redact.h"

#include <stdio.h>
#include <string.h>

#include "../common/control.h"
#include "../common/cut.h"

/* So many digits of the hash tell people apart, and no more. */
#define DIGITS 16
/* So many bytes at the start of a text tell whose it is: who quotes it may cut it, a key after 48. */
#define TELLING ((size_t)32)
/* What is compared, short texts counted like long ones, and what is looked through: more could keep us busy. */
#define COMPARED_MAX ((size_t)64 << 10)
#define WORDS_MAX ((size_t)64 << 10)
/*
 * Bytes that are compared in all words of one decision, some milliseconds of them: texts may be
 * many, and blanks as many as the words have.
 */
#define STEPS_MAX ((size_t)16 << 20)

/* In place of what is left out. */
static const char nothing[] = "(hidden)";

typedef struct hidden_text {
	redaction part;
	const char *text;
	char *quoted; /* as a reason has it: in one line, without control characters */
	size_t length; /* of that */
	char shown[REDACT_SHOWN_MAX]; /* in its place; "": nobody has asked yet */
} hidden_text;

const char *
redact_show(const line_rules *rules, redaction part, const char *text,
            char buffer[REDACT_SHOWN_MAX])
{
	char *digest;

	if (text == NULL || ((rules->removed | rules->hashed) & part) == 0)
		return text;
	if ((rules->removed & part) != 0)
		return NULL;
	digest = g_compute_hmac_for_data(G_CHECKSUM_SHA256, rules->key, sizeof(rules->key),
	                                 (const guchar *)text, strlen(text));
	snprintf(buffer, REDACT_SHOWN_MAX, "hash:%.*s", DIGITS, digest);
	g_free(digest);
	return buffer;
}

static void
clear_text(gpointer text)
{
	g_free(((hidden_text *)text)->quoted);
}

void
redact_list_open(redact_list *self, const line_rules *rules)
{
	*self = (redact_list){ .rules = rules,
		.texts = g_array_new(FALSE, FALSE, sizeof(hidden_text)) };
	g_array_set_clear_func(self->texts, clear_text);
}

void
redact_list_close(redact_list *self)
{
	g_array_free(self->texts, TRUE);
}

void
redact_list_add(redact_list *self, redaction part, const char *text)
{
	hidden_text one = { .part = part, .text = text };

	if (text == NULL || text[0] == '\0' ||
	    ((self->rules->removed | self->rules->hashed) & part) == 0 ||
	    self->bytes > COMPARED_MAX)
		return;
	one.quoted = g_strdup(text);
	control_blank(one.quoted);
	one.length = strlen(one.quoted);
	self->bytes += TELLING;
	g_array_append_val(self->texts, one);
}

/* How many of 'room' bytes at 'at' are blanks and control characters. */
static size_t
measure_blanks(const char *at, size_t room)
{
	size_t length = 0;

	while (length < room && (at[length] == ' ' || control_length(at + length) > 0))
		length += at[length] == ' ' ? 1 : control_length(at + length);
	return MIN(length, room);
}

/*
 * How much of the hidden text stands at 'at', where 'room' bytes are; 0: not enough to
 * tell.  Who quotes a line end may indent what follows, so blanks are as good as more.
 */
static size_t
measure(const hidden_text *one, const char *at, size_t room, size_t *steps)
{
	size_t length = 0;
	size_t found = 0;

	while (found < one->length && length < room) {
		size_t blanks = one->quoted[found] == ' ' ? measure_blanks(at + length, room - length)
		                                          : 0;

		if (blanks == 0 && at[length] != one->quoted[found])
			break;
		length += MAX(blanks, 1);
		found += blanks == 0 ? 1 : strspn(one->quoted + found, " ");
	}
	*steps += length;
	if (found < MIN(one->length, TELLING))
		return 0;
	/* What follows is to begin with a whole character. */
	return cut_before(at, length);
}

bool
redact_list_is_spent(const redact_list *self)
{
	return self->steps > STEPS_MAX;
}

/* The longest one at 'at', lest the rest of it stays behind a shorter one. */
static hidden_text *
find_at(redact_list *self, const char *at, size_t room, size_t *length)
{
	hidden_text *best = NULL;

	*length = 0;
	self->steps += self->texts->len;
	for (guint i = 0; i < self->texts->len && !redact_list_is_spent(self); i++) {
		hidden_text *one = &g_array_index(self->texts, hidden_text, i);
		bool may = one->quoted[0] == at[0] || one->quoted[0] == ' ';
		size_t found = may ? measure(one, at, room, &self->steps) : 0;

		if (found > *length) {
			best = one;
			*length = found;
		}
	}
	return best;
}

/* Its hash takes as long as it is, and it may stand in many places. */
static const char *
show(const redact_list *self, hidden_text *one)
{
	if (one->shown[0] == '\0' &&
	    redact_show(self->rules, one->part, one->text, one->shown) == NULL)
		memcpy(one->shown, nothing, sizeof nothing);
	return one->shown;
}

const char *
redact_list_show(const redact_list *self, const char *text)
{
	for (guint i = 0; i < self->texts->len; i++) {
		hidden_text *one = &g_array_index(self->texts, hidden_text, i);

		if (strcmp(one->text, text) == 0)
			return show(self, one);
	}
	return self->bytes > COMPARED_MAX ? nothing : text;
}

char *
redact_list_apply(redact_list *self, const char *words, size_t most)
{
	GString *out = g_string_new(NULL);
	size_t rest = strnlen(words, WORDS_MAX);

	if (self->bytes > COMPARED_MAX) {
		g_string_append(out, nothing);
		rest = 0;
	}
	while (rest > 0 && out->len <= most) {
		size_t length;
		hidden_text *found = find_at(self, words, rest, &length);

		/* What stands there was not found out. */
		if (redact_list_is_spent(self)) {
			g_string_append(out, nothing);
			break;
		}
		if (found == NULL) {
			length = 1;
			g_string_append_c(out, *words);
		} else {
			g_string_append(out, show(self, found));
		}
		words += length;
		rest -= length;
	}
	return g_string_free(out, FALSE);
}
