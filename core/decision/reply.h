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

/* A list of items that begin with a pointer to the next one, before what decisions give away. */
typedef struct item_list {
	void *first;
	void **end;
	size_t count;
	size_t more; /* left out, of notes and bounds */
} item_list;

typedef struct text_item {
	struct text_item *next;
	const char *text;
} text_item;

typedef struct violation_item {
	struct violation_item *next;
	limen_violation violation;
} violation_item;

typedef struct annotation_item {
	struct annotation_item *next;
	limen_annotation annotation;
	bool cut;
} annotation_item;

typedef struct origin_item {
	struct origin_item *next;
	limen_origin origin;
} origin_item;

typedef struct observed_item {
	struct observed_item *next;
	limen_observed observed;
	limen_violation violations[LIMEN_OBSERVED_VIOLATIONS];
} observed_item;

typedef struct bound_item {
	struct bound_item *next;
	limen_bound bound;
} bound_item;

/*
 * Cap on the bytes of notes, bounds and long reasons of modules in one decision, and of the
 * violations of entries that only observe: twice the size of the bounds of one call, so that
 * a policy of many entries does not make huge answers.  An item that begins below the cap is
 * kept whole.
 */
#define TOLD_MAX ((size_t)8 << 20)

/* The calls that only some kinds of modules may make; a new reply allows none. */
enum {
	REPLY_MAY_CHANGE = 1 << 0,
	REPLY_MAY_PRIORITIZE = 1 << 1,
	REPLY_MAY_VIOLATE = 1 << 2
};

struct limen_reply {
	arena *arena;
	bool failed;        /* memory was short for more than a text */
	const char *mistake; /* the first that the module made, for the reason; NULL: none */
	unsigned may; /* REPLY_MAY_*: what fits the kind of the module */
	bool untold;        /* memory was short for a text; a refusal stands all the same */
	bool violation_lost; /* memory was short for a violation, whose class decides the code */
	const char *reason; /* NULL: none */
	size_t reason_length; /* of what the module gave */
	char *reason_text; /* the same as 'reason' once there are several */
	size_t reason_room; /* of 'reason_text' */
	bool reason_cut; /* it was too long and is cut */
	item_list violations;
	text_map seen; /* violations but the first few */
	size_t violation_bytes; /* of all that were to be added */
	bool observes;          /* the entry does not enforce: its violations refuse nothing */
	bool violations_ended;  /* no more violations are added */
	limen_violation *latest; /* the violation added last; NULL if it was there already */
	item_list notes;    /* of text_item, as warnings and messages */
	item_list warnings;
	item_list annotations;
	bool wants_origins;
	item_list origins;
	bool wants_bounds;
	item_list bounds; /* TRACE_LISTED_MAX at most */
	/*
	 * Apart from 'arena': beside it, both were copied at once from two words that had just
	 * been written, for which a processor waits 5 ns.
	 */
	const limen_request *request;
	size_t told; /* against TOLD_MAX, on a worker; else the decision's count is used */
	limen_duration retry_after; /* -1: none */
	bool has_priority;
	double priority;
	change *changes; /* oldest first */
	size_t change_count;
	size_t change_bytes;
	document *document; /* a whole new one; owned */
	bool changed;
	item_list messages; /* of limen_reply_changed() */
	value_document *values; /* what changes point into */
	struct attachment *attachments; /* for the document that the changes make */
	size_t change_room; /* how many 'changes' has room for */
};

void reply_start(limen_reply *reply, arena *memory, const limen_request *req);
void reply_finish(limen_reply *reply);

/* Returns the verdict that counts: LIMEN_ERROR for invalid values and failed replies. */
limen_verdict reply_verdict(const limen_reply *reply, limen_verdict returned);

/*
 * Records that the module used a function of the reply wrongly: the verdict becomes
 * LIMEN_ERROR for that reason.  The first mistake counts.
 */
void reply_mistake(limen_reply *reply, const char *format, ...) LIMEN_PRINTF(2, 3);

/*
 * Formats a text in the reply's memory; returns NULL when memory is short.  Modules quote and
 * cut texts of others, so invalid UTF-8 is replaced: the answer must be valid JSON.
 */
char *reply_write_text(limen_reply *reply, const char *format, va_list arguments)
	LIMEN_PRINTF(2, 0);

/* The same for a text, a field or a key that needs no formatting. */
char *reply_copy_text(limen_reply *reply, const char *text);

/* Is the decision still below TOLD_MAX? */
bool reply_has_room(limen_reply *reply);

/* Counts an item with 'bytes' of text against TOLD_MAX, even if they do not fit. */
void reply_take_room(limen_reply *reply, size_t bytes);

/* Adds the notes of a call on another thread; false when memory is short. */
bool reply_copy_notes(limen_reply *reply, const item_list *notes);

/*
 * Returns the result of the reply's changes, with one reference, and removes them from the
 * reply.  Returns NULL if there are none ('*failed' false) or when memory is short.
 */
revision *reply_take_revision(limen_reply *reply, bool *failed);

/*
 * Appends an item of 'size' bytes to a list and returns it, for the caller to fill, or NULL when
 * memory is short.
 */
void *item_list_add(item_list *list, arena *memory, size_t size);

/* The same for lists of one type; a text may be NULL: memory was short for it. */
bool text_list_add(item_list *list, arena *memory, const char *text);
bool annotation_list_add(item_list *list, arena *memory, const char *key, const char *text);
limen_violation *violation_list_add(item_list *list, arena *memory,
                                    const limen_violation *violation);

/* Moves the items of 'from' to the end of 'to'; the caller must not use 'from' any more. */
void item_list_append(item_list *to, const item_list *from);

/*
 * Returns an array of what 'list' holds, 'size' bytes of each item behind its pointer, with zeroes
 * at its end; NULL when memory is short.
 */
void *item_list_array(const item_list *list, arena *memory, size_t size);

/*
 * The texts of 'list', each once, in their order; 'offset' is that of the text in an item.  False
 * when memory is short.
 */
bool text_list_unique(const item_list *list, size_t offset, arena *memory, item_list *out);

#define MESSAGE_OFFSET offsetof(violation_item, violation.message)

#endif
