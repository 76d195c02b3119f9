/* SPDX-License-Identifier: Apache-2.0 */
/*
 * request.h - a request from the inside.
 *
 * The embedder's request holds the envelope and the received document.  A
 * decision works on a shallow copy of it, the view, to which it adds what only
 * one decision knows; each thread that works for a decision has a view of its
 * own, so that attachments need no locks.
 */
#ifndef LIMEN_CORE_DECISION_REQUEST_H
#define LIMEN_CORE_DECISION_REQUEST_H

#include <limen/request.h>
#include <stdatomic.h>

#include "base/arena.h"
#include "document/document.h"
#include "subject.h"

#define FIELD_COUNT (LIMEN_FIELD_SUBRESOURCE + 1)

typedef struct names {
	const char *const *items;
	size_t count;
} names;

typedef struct attachment {
	struct attachment *next;
	const void *key;
	void *pointer;
	void (*destroy)(void *pointer);
} attachment;

/* The state of one decision; lives on the stack of the thread that made the view. */
typedef struct view {
	arena *arena; /* of the decision, or of a worker's job */
	attachment *attachments;
	revision *newest; /* NULL: the received document */
	revision *before; /* the newest before; kept because modules may still hold values of it */
	bool failed;      /* memory was too short to make the newest document */
	unsigned generation;
	names identifiers;
	names classifiers;
	const char *asking; /* the classifier of the application that asks, or NULL */
	limen_deadline deadline; /* INT64_MAX: none, or none yet */
	limen_duration timeout; /* makes 'deadline' when view_deadline() is first asked; 0: none */
	/* Read on first use, because most decisions need neither: view_now() and so on. */
	bool knows_now;
	bool knows_bucket_time;
	limen_time now;
	limen_time bucket_time; /* the same, but setting the system clock does not move it */
	bool uncharged; /* takes only peek, as in a dry run */
	struct limen_decision *decision; /* where reservations are kept */
	/* Waiting for answers of other systems: wait.c. */
	int64_t started;         /* when it began; 0: not yet */
	limen_duration share;    /* the longest wait; 0: no bound */
	limen_deadline patience; /* the earliest of limen_request_patience() in this call */
	struct sleeper *sleeper; /* NULL until a waker is taken */
	size_t entries;          /* that may wait */
	size_t asked;            /* the entry that limen_request_waker() is for, from 1; 0: none */
	bool took_waker;         /* this call has it */
} view;

/*
 * The hints, made when they are first read: few policies do.  Threads that share the request may
 * make them at the same time; one of them wins.
 */
typedef struct hint_source {
	_Atomic(document *) made; /* an object; NULL: none, or not yet */
	bool is_envelope;         /* made of the members below and of the fields */
	limen_value groups;       /* an array, or none; its document is held */
	char *requester;          /* or NULL */
	char *server;             /* or NULL */
} hint_source;

struct limen_request {
	const subject_row *subject;
	document *received;
	document *old;
	hint_source *hints; /* behind the request, for all copies */
	int requester_result; /* of limen_request_requester() */
	limen_network requester;
	uint8_t received_type; /* limen_type of the root: the document may be in no cache */
	bool has_now : 1;
	bool dry_run : 1;
	bool manifest : 1;
	bool ambiguous : 1; /* servers disagree about the path of the HTTP request */
	char *fields[FIELD_COUNT];
	char **groups;
	size_t group_count;
	limen_time now;
	limen_duration timeout; /* 0: none */
	document *id;       /* of the question it was made of, or NULL */
	const char *review; /* version of the AdmissionReview to answer, or NULL; static */
	char *room; /* for texts of the envelope, behind the request */
	size_t room_left;
	view *view; /* NULL outside a decision */
};

/* Each decision copies it: above 256 bytes gcc calls memcpy() for that, a twelfth of a task. */
_Static_assert(sizeof(void *) > 8 || sizeof(limen_request) <= 256, "a request is copied fast");

/* Copies 'text' for as long as 'req' lives; NULL when memory is short. */
char *request_keep_text(limen_request *req, const char *text);

/* Sets the document, whose reference it takes; NULL is LIMEN_ENOMEM. */
int request_receive(limen_request *req, document *doc);

/*
 * Adds the hints "user", "operation", "namespace" and "resource" of the fields that are set, and
 * "groups", "requester" and "server", which may be none or NULL.  All texts must be UTF-8, or
 * there will be no hints.
 */
int request_hint_envelope(limen_request *req, limen_value groups, const char *requester,
                          const char *server);

/*
 * Makes an object of 'count' members, of which the caller hides those that others replace; its
 * nodes and texts are one block of memory.  LIMEN_EINVAL: a text is not UTF-8, or a member has
 * neither text nor value.
 */
int request_make_object(const limen_hint *members, size_t count, document **out);

/* Makes the hints, unless they are made; LIMEN_EINVAL: a text is not UTF-8. */
int request_make_hints(limen_request *req);

/* Were hints given? */
bool request_has_hints(const limen_request *req);

/* Frees what the hints hold but the texts. */
void request_drop_hints(limen_request *req);

/* The deadline 'timeout' from now; INT64_MAX without a timeout, or if it is centuries away. */
limen_deadline deadline_after(limen_duration timeout);

/*
 * Makes 'copy' the view 'state' of 'req'.  Nothing to free but what view_finish()
 * frees.
 */
void view_start(const limen_request *req, view *state, arena *memory, limen_request *copy);

/*
 * Returns the deadline in nanoseconds; INT64_MAX: none.  The default timeout counts from the
 * first call, so that decisions that wait for nothing need not read the clock.
 */
limen_deadline view_deadline(view *state);

/* Returns 'time' after the decision began to wait, which is the first call; INT64_MAX: centuries. */
limen_deadline view_after(view *state, limen_duration time);

/* The times of a decision: read once, then constant. */
limen_time view_now(view *state);
limen_time view_bucket_time(view *state);

/* Runs the destructors of all attachments of a list, and empties it. */
void attachments_drop(attachment **list);

/* Moves what 'list' holds to the newest generation. */
void view_adopt_attachments(view *state, attachment **list);

/* Makes 'next' the newest generation; a reference is taken over.  NULL: memory is short. */
void view_set_revision(view *state, revision *next);

/* Returns the newest document, or NULL: none was received, or memory is short. */
const document *view_document(const limen_request *req);

/* Frees what the view holds. */
void view_finish(view *state);

#endif
