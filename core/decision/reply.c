/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply.c - collects the reply of a module: reasons, violations, warnings and numbers.
 * reply_trace.c has the traces, reply_changes.c the changes to documents, reserve.c the
 * tokens.
 */
#include "reply.h"

#include <string.h>

#include "base/format.h"
#include "base/utf8.h"
#include "decision_state.h"
#include "reply_changes.h"
#include "request.h"

/*
 * Cap on the violations of one call: three bytes of a request can break a dozen rules, and
 * each violation takes hundreds of bytes in an answer.
 */
#define VIOLATIONS_MAX  1000
#define VIOLATIONS_MORE "only the first 1000 violations are reported"

/*
 * Cap on their bytes: a number may have as many digits as a request has room for, and is
 * written into several texts of an answer.  Repeated violations count, too.
 */
#define VIOLATION_BYTES_MAX ((size_t)2 << 20)
#define VIOLATIONS_LONG     "only the first violations are reported, because they are too long"

/*
 * Caps on the bytes of the reasons of one call: a module may quote a request or an answer of
 * any length, and a reason is written into several texts.  Long reasons count against
 * TOLD_MAX; once that is spent, a call still gets REASON_LEAST.
 */
#define REASON_MOST  ((size_t)4 << 20)
#define REASON_LEAST ((size_t)1000)
#define REASON_CUT   "..."

void
reply_start(limen_reply *reply, arena *memory, const limen_request *req)
{
	*reply = (limen_reply){ .arena = memory, .request = req, .retry_after = -1 };
}

void
reply_mistake(limen_reply *reply, const char *format, ...)
{
	va_list arguments;

	if (reply->mistake != NULL)
		return;
	va_start(arguments, format);
	reply->mistake = reply_write_text(reply, format, arguments);
	va_end(arguments);
	reply->failed = reply->failed || reply->mistake == NULL;
}

void
reply_finish(limen_reply *reply)
{
	reply_free_changes(reply);
	attachments_drop(&reply->attachments);
}

limen_verdict
reply_verdict(const limen_reply *reply, limen_verdict returned)
{
	/* A refusal stands even if memory was too short for some of its texts. */
	if (reply->failed || reply->mistake != NULL || (reply->untold && returned != LIMEN_FAIL))
		return LIMEN_ERROR;
	switch (returned) {
	case LIMEN_PASS:
	case LIMEN_FAIL:
	case LIMEN_SKIP:
		return returned;
	default:
		return LIMEN_ERROR;
	}
}

void *
item_list_add(item_list *list, arena *memory, size_t size)
{
	void **item = arena_alloc(memory, size);

	if (item == NULL)
		return NULL;
	*item = NULL;
	if (list->end == NULL)
		list->end = &list->first;
	*list->end = item;
	list->end = item;
	list->count++;
	return item;
}

bool
text_list_add(item_list *list, arena *memory, const char *text)
{
	text_item *item = text == NULL ? NULL : item_list_add(list, memory, sizeof(*item));

	if (item != NULL)
		item->text = text;
	return item != NULL;
}

bool
annotation_list_add(item_list *list, arena *memory, const char *key, const char *text)
{
	annotation_item *item = key == NULL || text == NULL
	                                ? NULL
	                                : item_list_add(list, memory, sizeof(*item));

	if (item == NULL)
		return false;
	item->annotation = (limen_annotation){ key, text };
	item->cut = false;
	return true;
}

limen_violation *
violation_list_add(item_list *list, arena *memory, const limen_violation *violation)
{
	violation_item *item = item_list_add(list, memory, sizeof(*item));

	if (item == NULL)
		return NULL;
	item->violation = *violation;
	return &item->violation;
}

void *
item_list_array(const item_list *list, arena *memory, size_t size)
{
	char *array = arena_calloc(memory, list->count + 1, size);
	char *end = array;

	for (void *const *item = list->first; array != NULL && item != NULL; item = *item) {
		memcpy(end, item + 1, size);
		end += size;
	}
	return array;
}

void
item_list_append(item_list *to, const item_list *from)
{
	if (from->first == NULL)
		return;
	if (to->end == NULL)
		to->end = &to->first;
	*to->end = from->first;
	to->end = from->end;
	to->count += from->count;
}

static bool
has_text(const item_list *list, const char *text)
{
	const text_item *item = list->first;

	while (item != NULL && strcmp(item->text, text) != 0)
		item = item->next;
	return item != NULL;
}

/* A map of a few texts would take longer than comparing them with each other. */
bool
text_list_unique(const item_list *list, size_t offset, arena *memory, item_list *out)
{
	bool few = list->count <= TEXT_MAP_FEW;
	text_map seen = { .count = 0 };

	*out = (item_list){ .count = 0 };
	for (void *const *item = list->first; item != NULL; item = *item) {
		const char *text = *(const char *const *)((const char *)item + offset);
		void **known = NULL;

		if (!few) {
			known = text_map_put(&seen, memory, text, strlen(text));
			if (known == NULL)
				return false;
		}
		if (few ? has_text(out, text) : *known != NULL)
			continue;
		if (!few)
			*known = out;
		if (!text_list_add(out, memory, text))
			return false;
	}
	return true;
}

/* Makes UTF-8 of 'text', in place; NULL is fine. */
static char *
mend_text(char *text)
{
	size_t length = text == NULL ? 0 : strlen(text);
	size_t at = length == 0 ? 0 : utf8_valid(text, length);

	while (at < length) {
		text[at] = '?';
		at += utf8_valid(text + at, length - at);
	}
	return text;
}

char *
reply_write_text(limen_reply *reply, const char *format, va_list arguments)
{
	return mend_text(arena_vprintf(reply->arena, format, arguments));
}

char *
reply_copy_text(limen_reply *reply, const char *text)
{
	return mend_text(arena_strdup(reply->arena, text));
}

/* An arena gives nothing back, so the room doubles whenever it is too small. */
static bool
reserve_reason(limen_reply *reply, size_t size)
{
	char *room;

	if (size <= reply->reason_room)
		return true;
	room = arena_alloc(reply->arena, 2 * size);
	if (room == NULL)
		return false;
	memcpy(room, reply->reason, reply->reason_length + 1);
	reply->reason = reply->reason_text = room;
	reply->reason_room = 2 * size;
	return true;
}

static bool
add_reason(limen_reply *reply, const char *text)
{
	size_t length = strlen(text);
	char *end;

	if (reply->reason == NULL) {
		reply->reason = text;
		reply->reason_length = length;
		return true;
	}
	if (!reserve_reason(reply, reply->reason_length + strlen("; ") + length + 1))
		return false;
	end = stpcpy(reply->reason_text + reply->reason_length, "; ");
	memcpy(end, text, length + 1);
	reply->reason_length += strlen("; ") + length;
	return true;
}

/* Writes as much of a reason as there is room for; a cut one ends in REASON_CUT. */
static const char *LIMEN_PRINTF(2, 0)
write_reason(limen_reply *reply, const char *format, va_list arguments)
{
	size_t most = reply_has_room(reply) ? REASON_MOST : REASON_LEAST;
	size_t left = most > reply->reason_length ? most - reply->reason_length : 0;
	char start[256];
	va_list again;
	size_t size;
	char *text;
	int length;

	va_copy(again, arguments);
	length = format_text(start, sizeof(start), format, again);
	va_end(again);
	size = length < 0 || (size_t)length > left ? left : (size_t)length;
	text = length < 0 ? NULL : arena_alloc(reply->arena, size + sizeof(REASON_CUT));
	if (text == NULL)
		return NULL;
	/* Most reasons are short, and written once. */
	if ((size_t)length < sizeof(start))
		memcpy(text, start, size);
	else
		format_text(text, size + 1, format, arguments);
	text[size] = '\0';
	reply->reason_cut = (size_t)length > size;
	if (reply->reason_cut)
		memcpy(text + size, REASON_CUT, sizeof(REASON_CUT));
	if (reply->reason_length + size > REASON_LEAST)
		reply_take_room(reply, size);
	return mend_text(text);
}

void
limen_reply_reason(limen_reply *reply, const char *format, ...)
{
	va_list arguments;
	const char *text;

	if (reply == NULL || reply->reason_cut)
		return;
	va_start(arguments, format);
	text = write_reason(reply, format, arguments);
	va_end(arguments);
	if (text == NULL || !add_reason(reply, text))
		reply->untold = true;
}

/*
 * Is it one of the first few violations?  They are compared with directly: a map for the one
 * that most refusals have would take a tenth of their time.
 */
static bool
is_among_first(const limen_reply *reply, const limen_violation *wanted)
{
	const violation_item *item = reply->violations.first;

	for (size_t i = 0; i < TEXT_MAP_FEW && item != NULL; i++, item = item->next) {
		const limen_violation *known = &item->violation;

		if (known->violation_class == wanted->violation_class &&
		    strcmp(known->message, wanted->message) == 0 &&
		    (known->field == NULL || wanted->field == NULL
		             ? known->field == wanted->field
		             : strcmp(known->field, wanted->field) == 0))
			return true;
	}
	return false;
}

/*
 * Returns the slot of the violation with the same class, field and message: it holds NULL if
 * there is none yet.  Returns NULL when memory is short.  'bytes' is the length of both texts.
 */
static void **
find_violation(limen_reply *reply, const limen_violation *wanted, size_t bytes)
{
	const uint32_t number = wanted->violation_class;
	const char *field = wanted->field;
	size_t size = sizeof(number) + strlen(" ") + bytes + strlen("\n");
	char *identity = arena_alloc(reply->arena, size + 1);
	char *end;

	if (identity == NULL)
		return NULL;
	memcpy(identity, &number, sizeof(number));
	identity[sizeof(number)] = field == NULL ? ' ' : '\n';
	end = stpcpy(identity + sizeof(number) + 1, field == NULL ? "" : field);
	*end = '\n';
	strcpy(end + 1, wanted->message);
	return text_map_put(&reply->seen, reply->arena, identity, size);
}

/* Adds a violation unless it is there already.  Returns false when memory is short. */
static bool
add_once(limen_reply *reply, const limen_violation *violation)
{
	const char *field = violation->field;
	size_t bytes = strlen(violation->message) + (field == NULL ? 0 : strlen(field));

	reply->violation_bytes += bytes;
	if (reply->observes)
		reply_take_room(reply, bytes);
	if (is_among_first(reply, violation))
		return true;
	if (reply->violations.count >= TEXT_MAP_FEW) {
		void **known = find_violation(reply, violation, bytes);

		if (known == NULL)
			return false;
		if (*known != NULL)
			return true;
		*known = reply;
	}
	reply->latest = violation_list_add(&reply->violations, reply->arena, violation);
	return reply->latest != NULL;
}

static void
add_violation(limen_reply *reply, limen_class violation_class, const char *field, const char *text)
{
	const char *copy = field == NULL ? NULL : reply_copy_text(reply, field);

	if (text == NULL || (field != NULL && copy == NULL) ||
	    !add_once(reply, &(limen_violation){ .violation_class = violation_class,
	                                         .field = copy,
	                                         .message = text }))
		reply->untold = reply->violation_lost = true;
}

/* Is there room for one more?  The first time there is not, adds a violation that says so. */
static bool
may_add_violation(limen_reply *reply, limen_class violation_class)
{
	bool many = reply->violations.count >= VIOLATIONS_MAX;

	/* The first violation always fits; other entries never take room from a denying entry. */
	if (!reply->violations_ended && !many &&
	    (reply->violations.count == 0 || (reply->violation_bytes < VIOLATION_BYTES_MAX &&
	                                      (!reply->observes || reply_has_room(reply)))))
		return true;
	if (!reply->violations_ended)
		add_violation(reply, violation_class, NULL,
		              many ? VIOLATIONS_MORE : VIOLATIONS_LONG);
	reply->violations_ended = true;
	reply->latest = NULL;
	return false;
}

void
limen_reply_violation(limen_reply *reply, limen_class violation_class, const char *field,
                      const char *format, ...)
{
	va_list arguments;

	if (reply == NULL)
		return;
	reply->latest = NULL;
	if ((reply->may & REPLY_MAY_VIOLATE) == 0) {
		reply_mistake(reply, "%s: only an admission module reports violations; "
		                     "other modules give a reason", __func__);
		return;
	}
	if (!may_add_violation(reply, violation_class))
		return;
	va_start(arguments, format);
	add_violation(reply, violation_class, field, reply_write_text(reply, format, arguments));
	va_end(arguments);
}

void
limen_reply_detail(limen_reply *reply, const char *format, ...)
{
	va_list arguments;

	if (reply == NULL || reply->latest == NULL)
		return;
	va_start(arguments, format);
	reply->latest->detail = reply_write_text(reply, format, arguments);
	va_end(arguments);
	if (reply->latest->detail == NULL)
		reply->untold = true;
}

void
limen_reply_retry_after(limen_reply *reply, limen_duration wait)
{
	if (reply != NULL && wait > reply->retry_after)
		reply->retry_after = wait;
}

void
limen_reply_warning(limen_reply *reply, const char *format, ...)
{
	va_list arguments;

	if (reply == NULL)
		return;
	va_start(arguments, format);
	if (!text_list_add(&reply->warnings, reply->arena,
	                   reply_write_text(reply, format, arguments)))
		reply->untold = true;
	va_end(arguments);
}

void
limen_reply_audit(limen_reply *reply, const char *key, const char *format, ...)
{
	va_list arguments;

	if (reply == NULL || key == NULL)
		return;
	va_start(arguments, format);
	if (!annotation_list_add(&reply->annotations, reply->arena, reply_copy_text(reply, key),
	                         reply_write_text(reply, format, arguments)))
		reply->untold = true;
	va_end(arguments);
}

void
limen_reply_priority(limen_reply *reply, double priority)
{
	if (reply == NULL)
		return;
	if ((reply->may & REPLY_MAY_PRIORITIZE) == 0)
		reply_mistake(reply, "%s: only a prioritizer sets a priority", __func__);
	reply->has_priority = true;
	reply->priority = priority;
}

void
limen_reply_changed(limen_reply *reply, const char *message)
{
	if (reply == NULL || !reply_may_change(reply, __func__))
		return;
	reply->changed = true;
	if (message != NULL)
		limen_reply_note(reply, "%s", message);
	if (message != NULL && !text_list_add(&reply->messages, reply->arena,
	                                      reply_copy_text(reply, message)))
		reply->untold = true;
}
