/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reply.h - what one call of one module said.  All lists are in the
 * order in which they were added.
 */
#ifndef LIMEN_CORE_DECISION_REPLY_H
#define LIMEN_CORE_DECISION_REPLY_H

#include <limen/decision.h>
#include <limen/reply.h>

#include "base/arena.h"
#include "document/document.h"
#include "base/text_map.h"

typedef struct text_item {
	struct text_item *next;
	const char *key; /* annotations: the key; violations: the field */
	const char *text;
	int number; /* violations: the class; annotations: 1 if the text is cut */
	const char *detail; /* violations: the explanation; bounds: the value; may be NULL */
} text_item;

typedef struct text_list {
	text_item *first;
	text_item **end;
	size_t count;
	size_t more; /* left out, of notes and bounds */
} text_list;

/*
 * So many bytes of one decision are notes, bounds and long reasons of modules, and violations
 * of entries that only observe: twice what one call may need for its bounds, as no policy of
 * many entries is to make a larger answer than a few have use for.  What begins within it is
 * told to its end.
 */
#define TOLD_MAX ((size_t)8 << 20)

typedef struct change_item {
	struct change_item *next;
	change change;
} change_item;

struct limen_reply {
	arena *arena;
	const limen_request *request;
	bool failed;        /* memory ran short, or a change made no sense */
	bool untold;        /* memory ran short for words; never what makes a refusal none */
	bool violation_lost; /* for those of a violation, whose class decides the code */
	const char *reason; /* NULL: none */
	size_t reason_length; /* of what the module gave */
	char *reason_text; /* the same as 'reason' once there are several */
	size_t reason_room; /* of 'reason_text' */
	bool reason_cut; /* there was no room for all of it */
	text_list violations;
	text_map seen; /* violations */
	size_t violation_bytes; /* of all that were to be added */
	bool observes;          /* no violation is why the decision is as it is */
	bool violations_ended;  /* no more of them are told */
	text_item *latest; /* the violation added last; NULL if it was there already */
	text_list notes;
	text_list warnings;
	text_list annotations;
	bool wants_origins;
	text_list origins; /* keys: pointers */
	bool wants_bounds;
	text_list bounds; /* keys: fields; numbers: relations; of TRACE_LISTED_MAX at most */
	size_t told; /* on a thread of its own; else the decision's counts */
	limen_duration retry_after; /* -1: none */
	bool has_priority;
	double priority;
	change_item *changes; /* newest first */
	size_t change_count;
	size_t change_bytes;
	document *document; /* a whole new one; owned */
	bool changed;
	text_list messages; /* of limen_reply_changed() */
	value_document *values; /* what changes point into */
	struct attachment *attachments; /* for the document that the changes make */
};

void reply_start(limen_reply *reply, arena *memory, const limen_request *req);
void reply_finish(limen_reply *reply);

/* What a method returned, as the core takes it: LIMEN_ERROR for anything odd. */
limen_verdict reply_verdict(const limen_reply *reply, limen_verdict returned);

/*
 * A text in the reply's memory, or NULL when that is short.  Modules quote what others have
 * sent, and may cut it: what is no UTF-8 must not make an answer that is no JSON.
 */
char *reply_write_text(limen_reply *reply, const char *format, va_list arguments)
	LIMEN_PRINTF(2, 0);

/* The same of a text, a field or a key as it is. */
char *reply_copy_text(limen_reply *reply, const char *text);

/* Adds such a text under 'key', which is copied and may be NULL, to one of the reply's lists. */
void reply_add_text(limen_reply *reply, text_list *list, const char *key, const char *format,
                    va_list arguments) LIMEN_PRINTF(4, 0);

/* Is there room for more in what the decision tells, of TOLD_MAX bytes? */
bool reply_has_room(limen_reply *reply);

/* Takes it for one thing with so many bytes of words, if need be more than there is. */
void reply_take_room(limen_reply *reply, size_t bytes);

/* Adds what a call on another thread noted; false when memory is short. */
bool reply_copy_notes(limen_reply *reply, const text_list *notes);

/*
 * What results from the reply's changes, with one reference, or NULL: when there are
 * none ('*failed' false) or when memory is short.  The reply has no changes then.
 */
revision *reply_take_revision(limen_reply *reply, bool *failed);

/* Appends to a list; returns what was added, or NULL when memory is short. */
text_item *text_list_add(text_list *list, arena *memory, const char *key, const char *text, int number);

/* Moves what 'from' holds to the end of 'to'; 'from' is not to be used any more. */
void text_list_append(text_list *to, const text_list *from);

/* The texts of 'list', each once, in their order; false when memory is short. */
bool text_list_unique(const text_list *list, arena *memory, text_list *out);

#endif
