/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/reply.h - output of a module beside its verdict.
 *
 * A reply belongs to one call of one module, on the thread of that call, and ends
 * with it.  All text is copied; what is no UTF-8 in it is shown as "?".  When
 * memory runs short the core turns the verdict into LIMEN_ERROR, but never LIMEN_FAIL
 * because of words that were lost: it stands without them.  The functions
 * themselves cannot fail as far as a module is concerned, and what it fails to find
 * out for an explanation is no reason for it to return anything else either.
 *
 * A call that does not fit the kind of the module makes the verdict LIMEN_ERROR, for a reason
 * that says so: violations from another than an admission module, a priority from
 * another than a prioritizer, a change from another than a rewriter or 'mutate'.
 */
#ifndef LIMEN_REPLY_H
#define LIMEN_REPLY_H

#include <limen/request.h>
#include <limen/store.h>
#include <limen/value.h>

LIMEN_BEGIN_DECLS

/*
 * Adds a reason for the verdict: one line, no final stop.  Several reasons are
 * joined by "; ".  For LIMEN_ERROR, what went wrong.
 */
LIMEN_API void limen_reply_reason(limen_reply *reply, const char *format, ...)
	LIMEN_PRINTF(2, 3);

/*
 * Why an object may not pass; decides the code of the answer.  The names are the
 * reasons of a Kubernetes Status.
 */
typedef enum limen_class {
	LIMEN_CLASS_FORBIDDEN = 0, /* 403 */
	LIMEN_CLASS_TOO_MANY = 1,  /* 429 */
	LIMEN_CLASS_INVALID = 2    /* 422 */
} limen_class;

/*
 * Adds one violation, for LIMEN_FAIL (LIMEN_PASS or LIMEN_SKIP become LIMEN_ERROR): its
 * class, the field it is about ("spec.containers[0]", may be NULL) and its exact message.
 * A violation that is equal to another in all three is reported once.  A call reports the
 * first 1000, or 2 MiB of them, and that there are more.  An entry that only observes may
 * report fewer, but always the first, because all that modules report for one decision
 * beside its refusal, notes and bounds included, is limited to 8 MiB.
 */
LIMEN_API void limen_reply_violation(limen_reply *reply, limen_class violation_class,
                                     const char *field, const char *format, ...)
	LIMEN_PRINTF(4, 5);

/*
 * Adds an explanation to the last violation, beside its exact message: one line,
 * shown with the cause.  No effect if that violation was a duplicate.
 */
LIMEN_API void limen_reply_detail(limen_reply *reply, const char *format, ...)
	LIMEN_PRINTF(2, 3);

/* Says when a repetition could succeed; the longest wait of a decision counts. */
LIMEN_API void limen_reply_retry_after(limen_reply *reply, limen_duration wait);

/* How a value would have to stand to a bound that it misses. */
typedef enum limen_relation {
	LIMEN_RELATION_AT_LEAST = 0,
	LIMEN_RELATION_AT_MOST = 1,
	LIMEN_RELATION_ONE_OF = 2,   /* of "A, B": one of them, or in one of them */
	LIMEN_RELATION_NONE_OF = 3,  /* of "A, B": no one of them, and in none of them */
	LIMEN_RELATION_OUTSIDE = 4,  /* of "A..B" */
	LIMEN_RELATION_MATCHING = 5, /* a pattern */
	LIMEN_RELATION_NOT_MATCHING = 6,
	LIMEN_RELATION_BELOW = 7
} limen_relation;

/* A bound that a request missed; for an operator. */
typedef struct limen_bound {
	const char *field; /* as the request spells it: "test.spec.duration" */
	const char *have;  /* NULL: there is no value */
	uint32_t relation; /* limen_relation */
	const char *bound;
	const void *reserved[2]; /* NULL: bounds stand in arrays, which cannot grow otherwise */
} limen_bound;

/*
 * Says that the verdict is LIMEN_FAIL because 'field' has the value 'have' (NULL:
 * none) and does not stand to 'bound' as it would have to.  If all bounds that one
 * call names were met it would return LIMEN_PASS, as far as it has looked; so a
 * module that cannot name all of them names none.  Kept only if a
 * trace was requested: if limen_reply_wants_bounds() is false, compute nothing.
 */
LIMEN_API bool limen_reply_wants_bounds(const limen_reply *reply);
LIMEN_API void limen_reply_bound(limen_reply *reply, const char *field, const char *have,
                                 limen_relation relation, const char *bound);

/* Adds a line to the trace, which has 1000, and for a prioritizer to the diagnostics. */
LIMEN_API void limen_reply_note(limen_reply *reply, const char *format, ...)
	LIMEN_PRINTF(2, 3);

/* Adds a warning for the client (kept to 120 characters in an AdmissionReview). */
LIMEN_API void limen_reply_warning(limen_reply *reply, const char *format, ...)
	LIMEN_PRINTF(2, 3);

/* Adds an audit annotation.  Several texts under one key are joined by "; ". */
LIMEN_API void limen_reply_audit(limen_reply *reply, const char *key, const char *format, ...)
	LIMEN_PRINTF(3, 4);

/* Sets the priority (prioritizers); of several calls the last counts. */
LIMEN_API void limen_reply_priority(limen_reply *reply, double priority);

/*
 * Says which pattern the path of an HTTP request has matched, for limen_request_route().  'pattern'
 * belongs to the instance.
 */
LIMEN_API void limen_reply_route(limen_reply *reply, const char *pattern);

/*
 * Changes to the document (rewriters, and admission's mutate).  They take
 * effect together when the call returns LIMEN_PASS; targets are nodes of the
 * newest document.  'json' is the new node as JSON text.  Text that is not
 * JSON, a key that is no UTF-8, a target of the wrong type, or more than 64 MiB of
 * keys, texts and values makes the verdict LIMEN_ERROR, for a reason that names the
 * function, the JSON pointer and what is wrong.
 */

/* Sets member 'key' of 'object', adding it if need be. */
LIMEN_API void limen_reply_set(limen_reply *reply, limen_value object, const char *key,
                               const char *json);

/* As limen_reply_set(), a copy of 'value', which may be a node of any document. */
LIMEN_API void limen_reply_set_value(limen_reply *reply, limen_value object, const char *key,
                                     limen_value value);

/*
 * As limen_reply_set(), the string of 'length' bytes at 'text' as they are, without
 * quotes and escapes; it must be UTF-8.
 */
LIMEN_API void limen_reply_set_string(limen_reply *reply, limen_value object, const char *key,
                                      const char *text, size_t length);

/* As limen_reply_set(), a number or a boolean. */
LIMEN_API void limen_reply_set_int(limen_reply *reply, limen_value object, const char *key,
                                   int64_t value);
LIMEN_API void limen_reply_set_bool(limen_reply *reply, limen_value object, const char *key,
                                    bool value);

/*
 * Sets the node that the RFC 6901 pointer 'pointer' names, such as
 * "/metadata/annotations/example.com~1pulled", to a copy of 'value', a node of any
 * document.  Objects that are missing on the way, or null, are made, and an array where
 * "-" follows.  Unlike the other functions these see earlier changes of the same call, so
 * that several of them fill one new object.  Elements of an array are counted as in the
 * newest document, and "-" appends one.  The work grows with the changes so far and with the new object that is
 * filled; many members are faster built with limen/builder.h.
 */
LIMEN_API void limen_reply_set_at(limen_reply *reply, const char *pointer, limen_value value);

/* As limen_reply_set_at(), the string of 'length' bytes at 'text'. */
LIMEN_API void limen_reply_set_string_at(limen_reply *reply, const char *pointer, const char *text,
                                         size_t length);

/* Inserts an element before element 'index' of 'array'; its count appends. */
LIMEN_API void limen_reply_insert(limen_reply *reply, limen_value array, size_t index,
                                  const char *json);

/* Removes the node 'target' from its container. */
LIMEN_API void limen_reply_remove(limen_reply *reply, limen_value target);

/* Returns true if the caller of the decision wants origins; if not, compute none. */
LIMEN_API bool limen_reply_wants_origins(const limen_reply *reply);

/*
 * Says where a value that this call sets comes from: 'pointer' is the value's
 * RFC 6901 pointer in the changed document, the text a few words ("default of
 * LimitRange limits").  It counts if the changes do, and if origins are wanted.
 */
LIMEN_API void limen_reply_origin(limen_reply *reply, const char *pointer, const char *format, ...)
	LIMEN_PRINTF(3, 4);

/*
 * Replaces the whole document by 'length' bytes of JSON text.  Other changes of the
 * same call are forgotten.
 */
LIMEN_API void limen_reply_replace(limen_reply *reply, const char *json, size_t length);

/*
 * As limen_request_attach(), with the document as it will be once this call's changes are
 * in it: the module that changes a document knows its contents, and need not read it again
 * to check it.  Nodes of the newest document that this call has found stay valid as long
 * as the attachment.  If the call does not return LIMEN_PASS, its changes do not count, or
 * another module changes the document, 'destroy' is called soon.
 */
LIMEN_API void limen_reply_attach(limen_reply *reply, const void *key, void *pointer,
                                  void (*destroy)(void *pointer));

/*
 * Says that the document was changed and why, for the diagnostics and the trace.
 * 'message' NULL says only that it was.
 */
LIMEN_API void limen_reply_changed(limen_reply *reply, const char *message);

/*
 * Takes tokens (see store.h) for this request, all from tables of one store;
 * of several the answer is LIMEN_ERROR.  All 'takes' are answered in place, also
 * when the verdict is LIMEN_FAIL.  Returns LIMEN_PASS if all were granted,
 * LIMEN_FAIL if not, LIMEN_ERROR if the store could not tell: the reply then has the
 * reason, and the module adds none.  Without
 * LIMEN_TAKE_RESERVE the tokens are gone whatever becomes of the request,
 * except on a dry run, which only looks.  With it they are given back unless
 * the request is admitted and, if a limit reserved them, by the application
 * that asked it; an identifier cannot reserve.
 */
LIMEN_API limen_verdict limen_reply_take(limen_reply *reply, limen_take *takes, size_t count,
                                         unsigned flags);

LIMEN_END_DECLS

#endif
