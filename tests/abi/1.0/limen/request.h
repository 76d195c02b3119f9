/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/request.h - the request that the engine decides.
 *
 * A request is an envelope (requester, time, hints) and a document
 * (the task or object).  The document has generations: number 0 is the received
 * document, then the output of the rewriter, then the output of admission
 * entries; each is immutable.  Modules read the newest generation unless
 * they ask for another.
 *
 * Building: an embedder creates a request, fills it and passes it to
 * limen_engine_decide(), which never changes it, so that several threads may
 * decide one request at once.  Text arguments are copied.
 *
 * Reading: modules get a const request for the duration of one call.  Values read
 * from it are borrowed and valid until that call returns.
 *
 * Functions that return an int return LIMEN_ENOMEM for a NULL request (lack of
 * memory), so that callers need to check only the last of several calls.
 */
#ifndef LIMEN_REQUEST_H
#define LIMEN_REQUEST_H

#include <limen/cidr.h>
#include <limen/diag.h>
#include <limen/duration.h>
#include <limen/value.h>

LIMEN_BEGIN_DECLS

/* Single texts of the envelope.  Kubernetes names; a task usually has none. */
typedef enum limen_field {
	LIMEN_FIELD_UID = 0,
	LIMEN_FIELD_USER = 1,
	LIMEN_FIELD_OPERATION = 2, /* CREATE, UPDATE, DELETE, CONNECT */
	LIMEN_FIELD_NAMESPACE = 3,
	LIMEN_FIELD_NAME = 4,
	LIMEN_FIELD_GENERATE_NAME = 5,
	LIMEN_FIELD_GROUP = 6, /* of the kind the document is in */
	LIMEN_FIELD_VERSION = 7,
	LIMEN_FIELD_KIND = 8,
	LIMEN_FIELD_REQUESTED_GROUP = 9, /* of the kind the client sent */
	LIMEN_FIELD_REQUESTED_VERSION = 10,
	LIMEN_FIELD_REQUESTED_KIND = 11,
	LIMEN_FIELD_RESOURCE_GROUP = 12,
	LIMEN_FIELD_RESOURCE_VERSION = 13,
	LIMEN_FIELD_RESOURCE = 14, /* plural, "pods" */
	LIMEN_FIELD_SUBRESOURCE = 15
} limen_field;

/* The parts of HTTP requests that a policy reads. */
enum {
	LIMEN_HTTP_CLIENT = 1 << 0,  /* the address of the client, as the hint "requester" */
	LIMEN_HTTP_PATH = 1 << 1,
	LIMEN_HTTP_HEADERS = 1 << 2, /* every header, because a script may read any */
	LIMEN_HTTP_ALL = LIMEN_HTTP_CLIENT | LIMEN_HTTP_PATH | LIMEN_HTTP_HEADERS,
	LIMEN_HTTP_SECRET = 1 << 3   /* no part: the header that is named with it is a secret */
};

/* How a server tells clients what is left of their rates ("headers" of "gate" in "settings"). */
typedef enum limen_http_fields {
	LIMEN_HTTP_FIELDS_DRAFT = 0,    /* RateLimit-Policy and RateLimit */
	LIMEN_HTTP_FIELDS_LEGACY = 1,   /* RateLimit-Limit, -Remaining and -Reset */
	LIMEN_HTTP_FIELDS_X_LEGACY = 2, /* the same with "X-" before them */
	LIMEN_HTTP_FIELDS_NONE = 3
} limen_http_fields;

/* The parts of HTTP requests that a policy reads: 'describe' of limen_decide_options.  Grows at its end. */
typedef struct limen_http_needs {
	unsigned parts;             /* LIMEN_HTTP_* */
	const char *const *headers; /* names in lower case, ended by NULL; each is read as one text */
	uint32_t fields;            /* limen_http_fields */
} limen_http_needs;

/* ---- building ---- */

/*
 * Makes an empty request about 'subject'.  Returns NULL when memory is short, and with errno
 * EINVAL for a subject that does not exist.  The caller frees it with limen_request_free().
 */
LIMEN_API limen_request *limen_request_new(limen_subject subject);

/* Frees 'req', which no decision may be using; decisions made about it stay good. */
LIMEN_API void limen_request_free(limen_request *req);

/*
 * Sets the document from 'length' bytes of JSON text, dropping an earlier one.  In a
 * task, members whose key begins with "#" are comments and left out, and NaN and
 * infinities are numbers, as in pScheduler.  Returns LIMEN_OK, LIMEN_EINVAL (the
 * problems are in 'diag') or LIMEN_ENOMEM.
 */
LIMEN_API int limen_request_parse(limen_request *req, const char *text, size_t length,
                                  limen_diag *diag);

/*
 * Sets the document to 'value'; comments stay.  The memory of what it is part of
 * is shared and kept as long as needed, so nothing is copied.  Returns LIMEN_OK, or
 * LIMEN_ENOMEM also for none.
 */
LIMEN_API int limen_request_set_document(limen_request *req, limen_value value);

/*
 * As limen_request_set_document(), but members whose key begins with "#" are left out, as
 * where the text of a task is parsed.
 */
LIMEN_API int limen_request_set_task(limen_request *req, limen_value value);

/* Sets the object as it was before the operation, as limen_request_parse() does. */
LIMEN_API int limen_request_parse_old(limen_request *req, const char *text, size_t length,
                                      limen_diag *diag);

/* Sets that object to 'value', as limen_request_set_document() does. */
LIMEN_API int limen_request_set_old(limen_request *req, limen_value value);

/*
 * Makes the task a run: sets its run_schedule to 'start' (ISO 8601 timestamp)
 * and 'duration' (ISO 8601), whatever their text: modules say what is wrong with
 * it.  Returns LIMEN_OK, LIMEN_ENOMEM, or LIMEN_EINVAL if the document is no object.
 */
LIMEN_API int limen_request_set_run(limen_request *req, const char *start, const char *duration);

/*
 * Sets one hint to a string, replacing an earlier one of that name.  Returns
 * LIMEN_OK, LIMEN_ENOMEM, or LIMEN_EINVAL if either is no UTF-8.
 */
LIMEN_API int limen_request_set_hint(limen_request *req, const char *name, const char *value);

/*
 * Sets hints from the members of 'object', of any type, replacing earlier ones of their
 * names.  Returns LIMEN_OK, LIMEN_ENOMEM, or LIMEN_EINVAL for what is no object.
 */
LIMEN_API int limen_request_set_hints(limen_request *req, limen_value object);

/* One hint: a text, or if that is NULL a value, which may be a node of any document. */
typedef struct limen_hint {
	const char *name;
	const char *text;
	limen_value value;
} limen_hint;

/*
 * Sets 'count' hints, replacing earlier ones of their names; of several with one name the
 * last counts.  Returns LIMEN_OK, LIMEN_ENOMEM, or LIMEN_EINVAL for a text that is no
 * UTF-8, or a value that is none.
 */
LIMEN_API int limen_request_set_hint_list(limen_request *req, const limen_hint *hints,
                                          size_t count);

/*
 * Sets a text of the envelope, replacing an earlier one.  Returns LIMEN_OK,
 * LIMEN_ENOMEM, or LIMEN_EINVAL for a field there is not.
 */
LIMEN_API int limen_request_set_field(limen_request *req, limen_field field, const char *value);

/*
 * Sets the sender's name of the request, any value, which limen_request_answer() repeats.
 * Returns LIMEN_OK, or LIMEN_ENOMEM also for none.
 */
LIMEN_API int limen_request_set_id(limen_request *req, limen_value id);

/* Adds a group of the user.  Returns LIMEN_OK or LIMEN_ENOMEM. */
LIMEN_API int limen_request_add_group(limen_request *req, const char *group);

/*
 * Sets the decision time, of runs and of buckets; without it the engine reads the
 * clock once per decision.
 */
LIMEN_API void limen_request_set_now(limen_request *req, limen_time now);

/*
 * Sets how long the decision may take, from the call of limen_engine_decide() on.
 * After that, answers that are missing count as LIMEN_ERROR.  0 or less: the "timeout" of
 * the policy's settings applies, by default 30 seconds from when a module first waits.
 */
LIMEN_API void limen_request_set_timeout(limen_request *req, limen_duration timeout);

/* Makes it a dry run: decided as usual, but no rate is charged. */
LIMEN_API void limen_request_set_dry_run(limen_request *req, bool dry_run);

/*
 * Says that the document is a manifest as its author wrote it: a Kubernetes API
 * server would still fill in its own defaults before it asked anybody.  An object
 * of an AdmissionReview is none.
 */
LIMEN_API void limen_request_set_manifest(limen_request *req, bool manifest);

/* ---- reading ---- */

/* Returns the kind of the document: a task, an object or an HTTP request. */
LIMEN_API limen_subject limen_request_subject(const limen_request *req);

/*
 * Returns the decision time; the same for every module of one decision.  Outside of
 * one, what was set, or 0.
 */
LIMEN_API limen_time limen_request_now(const limen_request *req);

/*
 * Returns when to give up; INT64_MAX if there is no deadline.  An identifier sees the end
 * of its own share: half of the time that a decision has left when its identifiers start.
 */
LIMEN_API limen_deadline limen_request_deadline(const limen_request *req);

/*
 * Returns the time until that deadline, in microseconds rounded up: 0 when it has passed,
 * INT64_MAX if there is none.  Reads the clock if there is one.
 */
LIMEN_API limen_duration limen_request_time_left(const limen_request *req);

/*
 * Waiting without a thread.  A module that needs an answer of another system starts the
 * lookup, takes a waker, and returns from 'identify_now' or 'ready' (module.h).  When the
 * lookup has ended, the waker is called and the module is asked again.
 */
typedef struct limen_waker limen_waker;

/*
 * Takes the waker of the entry that is asked, for this decision, to be given to limen_waker_wake()
 * exactly once, also after the decision has ended.  NULL if this call cannot be repeated, or when
 * memory is short: then the module does not start a lookup.  It lives until limen_waker_wake().
 */
LIMEN_API limen_waker *limen_request_waker(const limen_request *req);

/* Asks the module again, on this thread or another.  Any thread; hold no lock of the module. */
LIMEN_API void limen_waker_wake(limen_waker *waker);

/*
 * Returns until when an answer of another system is waited for: 'timeout' after the decision
 * began to wait, or the end of what is waited for, which is half of the host's timeout, if that
 * is earlier.  The module is asked again then, and gives the result that it has without an
 * answer, such as that of "fail-result".  A deadline of the request itself does not count here:
 * when half of its time is over, the core ends the wait with LIMEN_ERROR, because clients
 * could otherwise choose the result.
 */
LIMEN_API limen_deadline limen_request_patience(const limen_request *req, limen_duration timeout);

/* Is it a dry run (see limen_request_set_dry_run())?  Stores need not be told. */
LIMEN_API bool limen_request_is_dry_run(const limen_request *req);

/* Is the document a manifest (see limen_request_set_manifest())? */
LIMEN_API bool limen_request_is_manifest(const limen_request *req);

/*
 * Is the task a run?  It is if it has a "run_schedule", whatever its value.  That is a claim of
 * the sender: runs pass rates that count tasks.  limen_question_read() refuses it from senders
 * that are not trusted; a program that makes requests itself removes it from their tasks.
 */
LIMEN_API bool limen_request_is_run(const limen_request *req);

/* When a run starts and how long it takes. */
typedef struct limen_run {
	limen_timestamp start;
	limen_timestamp end; /* start plus duration */
	limen_duration duration;
} limen_run;

/*
 * Reads the run's times.  Returns LIMEN_OK, LIMEN_ENOENT if this is not a run,
 * or LIMEN_EINVAL with a static text in 'why' (may be NULL), which is that of
 * pScheduler's exception.
 */
LIMEN_API int limen_request_run(const limen_request *req, limen_run *out, const char **why);

/* Returns all hints, an object (empty if there are none). */
LIMEN_API limen_value limen_request_hints(const limen_request *req);

/*
 * Stores the address in the hint "requester", which was read when it was set: an
 * address or a network, with masks and scopes.  Returns LIMEN_OK, LIMEN_ENOENT
 * without the hint, LIMEN_EINVAL or LIMEN_ERANGE as limen_network_parse() does.
 */
LIMEN_API int limen_request_requester(const limen_request *req, limen_network *out);

/* Returns a text of the envelope, or NULL if it was not given.  Borrowed from 'req'. */
LIMEN_API const char *limen_request_field(const limen_request *req, limen_field field);

/*
 * Return names, and their number in 'count'; NULL and 0 when there are none.  The identifiers and
 * classifiers are those the request has, in the order of the policy; identifiers see none of
 * either, and objects have some only if an instance uses them (see
 * limen_opening_use_classifier()).  Borrowed from 'req'.
 */
LIMEN_API const char *const *limen_request_groups(const limen_request *req, size_t *count);
LIMEN_API const char *const *limen_request_identifiers(const limen_request *req, size_t *count);
LIMEN_API const char *const *limen_request_classifiers(const limen_request *req, size_t *count);

/* Is 'name' one of limen_request_classifiers()? */
LIMEN_API bool limen_request_has_classifier(const limen_request *req, const char *name);

/*
 * Returns the classifier of the application that asks a limit, or NULL where the application is
 * for everybody and where no application asks.  Borrowed from the policy; good for the call only.
 */
LIMEN_API const char *limen_request_asking_classifier(const limen_request *req);

/*
 * Returns the pattern that a limit of this decision has matched last (limen_reply_route()), or
 * NULL.  Borrowed; good for the call only.
 */
LIMEN_API const char *limen_request_route(const limen_request *req);

/* Return the newest document, the one received, and the object before the operation; or none. */
LIMEN_API limen_value limen_request_document(const limen_request *req);
LIMEN_API limen_value limen_request_original(const limen_request *req);
LIMEN_API limen_value limen_request_old(const limen_request *req);

/* Returns the sender's name of the request, or none. */
LIMEN_API limen_value limen_request_id(const limen_request *req);

/*
 * Returns the version of the AdmissionReview that 'req' was made of, "admission.k8s.io/v1";
 * NULL if it was made of none.  Static.
 */
LIMEN_API const char *limen_request_review_version(const limen_request *req);

/* Returns the number of the newest generation: 0 until something was rewritten. */
LIMEN_API unsigned limen_request_generation(const limen_request *req);

/* Returns limen_value_find() of 'path' in the newest document. */
LIMEN_API limen_value limen_request_find(const limen_request *req, const limen_path *path);

/*
 * Keeps 'pointer' under 'key' (any address unique to the caller) with the
 * newest generation of this request, for this thread, so that expensive views
 * of a document are made once.  'destroy' (may be NULL) is called when the
 * generation is replaced or the decision ends.  Returns LIMEN_OK or
 * LIMEN_ENOMEM, in which case 'destroy' has been called.
 */
LIMEN_API int limen_request_attach(const limen_request *req, const void *key, void *pointer,
                                   void (*destroy)(void *pointer));

/* Returns the data that this thread last attached under 'key', or NULL.  Borrowed from 'req'. */
LIMEN_API void *limen_request_attachment(const limen_request *req, const void *key);

/*
 * Returns 'size' bytes that live until the decision ends, or NULL when memory
 * is short.  Not zeroed; never freed by the caller.
 */
LIMEN_API void *limen_request_alloc(const limen_request *req, size_t size);

LIMEN_END_DECLS

#endif
