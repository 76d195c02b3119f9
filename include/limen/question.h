/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen/question.h - questions in JSON and AdmissionReviews: read, decided, answered.
 *
 * A question is an object with "task", "object" or "http", who asks, the hints and the options of
 * the decision (docs/decision-service.md).  An AdmissionReview is what a Kubernetes API server
 * sends to a webhook (admission.k8s.io/v1 or v1beta1; docs/webhook.md).
 *
 * limen_engine_answer_question() and limen_engine_answer_review() do all of it in one call.
 * A program that counts or logs decisions reads a request, calls limen_engine_decide(), and
 * prints with limen_request_answer().  limend and limen use exactly these functions.
 *
 * The size of texts is not limited below 64 MiB: the caller limits what it accepts.
 *
 * Any number of threads may call these functions at once, for one engine; a request is used by one
 * thread at a time until it is decided.
 */
#ifndef LIMEN_QUESTION_H
#define LIMEN_QUESTION_H

#include <limen/engine.h>

LIMEN_BEGIN_DECLS

/*
 * How questions and reviews are read; all but 'size' may be 0.  Texts are copied.  The struct
 * may grow at its end.  Without a size, or with a byte behind it that is not 0, they are
 * LIMEN_EINVAL, and 'diag' has no reason.
 */
typedef struct limen_question_options {
	size_t size;             /* sizeof(limen_question_options) */
	const char *requester;   /* the client's address, for this hint; NULL: not known */
	const char *server;      /* the address the client reached; NULL: not known */
	/*
	 * The sender may say who asks, under which hints, and what is rewritten.  Else "hints",
	 * "user", "groups", "operation", "namespace", "oldObject", "rewrite", "run" and a task
	 * with "run_schedule" are refused.  A review needs no trust: its sender is the API server.
	 */
	bool trusted;
	bool dry_run;            /* of a review always, of a question unless it says "dryRun" */
	bool incomplete;         /* read reviews that cannot be answered: no version, no uid */
	uint32_t subject;        /* limen_subject of the member "request" without "subject" */
	limen_duration timeout;  /* limen_request_set_timeout(); 0: not set */
	const char *default_namespace; /* of objects that name none; NULL: "default" */
	/* Further members, ended by NULL, that the caller reads from the question; or NULL. */
	const char *const *more_members;
} limen_question_options;

/* Returns true if 'value' is an AdmissionReview of any version. */
LIMEN_API bool limen_review_is(limen_value value);

/*
 * Makes a request of the question 'members'.  What it says about the decision replaces that
 * in 'options', whose size must be set.  'settings' may be NULL.  Members that are null are
 * absent; unknown ones are refused.  Of a trusted sender, "object" may be a whole
 * AdmissionReview.
 *
 * Returns LIMEN_OK; LIMEN_EINVAL or, for members that need a trusted sender, LIMEN_EACCES,
 * with the reason in 'diag'; or LIMEN_ENOMEM.  Names in a manifest that are no texts are left
 * out, as admission entries refuse them, and are problems in 'diag' also with LIMEN_OK.
 */
LIMEN_API int limen_question_read(limen_value members, const limen_question_options *settings,
                                  limen_decide_options *options, limen_request **out,
                                  limen_diag *diag);

/*
 * Makes a request of an AdmissionReview; user, groups, namespace, resource and operation also
 * become hints.  'settings' may be NULL.  Members of a wrong type are refused, as in Kubernetes;
 * those that are null are absent; unknown ones are ignored.  Returns LIMEN_OK, LIMEN_EINVAL
 * with the reasons in 'diag', or LIMEN_ENOMEM.
 */
LIMEN_API int limen_review_read(limen_value review, const limen_question_options *settings,
                                limen_request **out, limen_diag *diag);

/*
 * Makes a request of 'http', an object that describes an HTTP request:
 *
 *	method   "GET", as it was sent
 *	path     "/a/b", without the query.  Rules see it with unreserved characters decoded, dot
 *	         segments removed and "//" merged.  A path that servers read in different ways (an
 *	         escaped slash or control character, dots above the root) stays as it is, and is
 *	         decided as 400 "ambiguous path" if the policy reads paths, unless
 *	         "ambiguous-paths" in the "gate" of its settings is "raw"
 *	query, scheme, host   strings; may be absent
 *	headers  an object of lower-case names: a string, or an array of strings for a header that
 *	         came several times; may be absent
 *	client   the address of the client, which becomes the hint "requester".  Only a trusted
 *	         sender may say it; without it 'requester' of 'options' is the client
 *
 * limen_engine_decide() gives a decision whose limen_decision_code() is
 *
 *	200  admitted
 *	403  refused
 *	429  only rates refused: limen_decision_retry_after() says when to come again
 *	400  the request is malformed: an ambiguous path, no client, a header twice that a rule reads
 *	     as one text; each only where the policy reads it
 *	500  cannot tell
 *
 * limen_decision_quota() lists the rates, also of an admitted request.
 *
 * Returns LIMEN_OK, LIMEN_EINVAL or, for "client" of a sender that is not trusted, LIMEN_EACCES
 * with the reason in 'diag'; or LIMEN_ENOMEM.
 */
LIMEN_API int limen_http_read(limen_value http, const limen_question_options *options,
                              limen_request **out, limen_diag *diag);

/* As limen_http_read(), into 'req', which is empty: of limen_request_new(LIMEN_SUBJECT_HTTP). */
LIMEN_API int limen_http_fill(limen_request *req, limen_value http,
                              const limen_question_options *options, limen_diag *diag);

/*
 * An HTTP request as a server has it.  Of texts that are not UTF-8, bytes beyond ASCII are written
 * as in a URI ("%FF").  All but 'size', 'method' and 'uri' may be 0: the request has no such part.
 * The struct may grow at its end.
 */
typedef struct limen_http_parts {
	size_t size;         /* sizeof(limen_http_parts) */
	const char *method;
	const char *uri;     /* path, and behind a '?' the query; "*", or begins with '/' */
	const char *scheme;
	const char *host;
	const char *client;  /* becomes the hint "requester", instead of 'requester' of the options */
	limen_value headers; /* as in limen_http_read(), unchecked */
} limen_http_parts;

/*
 * As limen_http_fill(), but faster, for a server that stands in front of an API: it calls this in
 * 'describe' of limen_decide_options, with only what the policy reads.  The caller is trusted to
 * say who the client is.  Texts are copied, 'headers' are shared; the caller may free all of them
 * after the call.  'options' may be NULL.  Any thread may call it, one at a time for each request.
 * Returns LIMEN_OK, LIMEN_ENOMEM, or LIMEN_EINVAL: 'req' is no HTTP request, 'parts' is NULL or
 * lacks a size, a method or such a URI, or a text of 'options' is not UTF-8.
 */
LIMEN_API int limen_http_fill_parts(limen_request *req, const limen_http_parts *parts,
                                    const limen_question_options *options);

/*
 * Fills the envelope of creating the object in 'req', or the old object if that is all there
 * is: kind, resource (the plural, guessed as Kubernetes does), name, namespace and the
 * operation CREATE, with their hints.  'api_version' and 'kind' (may be NULL) are for objects
 * without them; 'default_namespace' NULL is "default".  Returns LIMEN_OK, LIMEN_ENOMEM, or
 * LIMEN_EINVAL with problems in 'diag' for names that are no texts, which are left out.
 */
LIMEN_API int limen_request_describe(limen_request *req, const char *api_version,
                                     const char *kind, const char *default_namespace,
                                     limen_diag *diag);

/*
 * Sets who does what to an object, as the members "operation", "user" and "groups" of a
 * question, with their hints; what is none or null stays.  Returns
 * LIMEN_OK, LIMEN_ENOMEM, or LIMEN_EINVAL with the reason in 'diag': then some of it may be
 * set, and the request is to be freed.
 */
LIMEN_API int limen_request_claim(limen_request *req, limen_value operation, limen_value user,
                                  limen_value groups, limen_diag *diag);

/*
 * Returns the answer as JSON text that the caller frees with free(): the AdmissionReview with
 * the response, if 'req' was made of one, else the decision object with
 * the "id" of the question as its first member.  'flags' is a set of LIMEN_JSON_*, of which a
 * review takes only LIMEN_JSON_BRIEF; 'length' (may be NULL) receives the bytes.  NULL when
 * memory is short.
 */
LIMEN_API char *limen_request_answer(const limen_request *req, const limen_decision *decision,
                                     unsigned flags, size_t *length);

/*
 * Reads, decides and answers the question in 'length' bytes of JSON; stores the answer, which
 * the caller frees with free(), and its length (may be NULL).  Returns LIMEN_OK, whatever was
 * decided, or what limen_documents_parse(), limen_question_read() and limen_engine_decide()
 * return.
 */
LIMEN_API int limen_engine_answer_question(limen_engine *engine, const char *text, size_t length,
                                           const limen_question_options *settings, char **out,
                                           size_t *out_length, limen_diag *diag);

/*
 * The same for an AdmissionReview and limen_review_read(), of one webhook or of both.  Returns as
 * limen_engine_answer_question() does.
 */
LIMEN_API int limen_engine_answer_review(limen_engine *engine, const char *text, size_t length,
                                         limen_phase phase, const limen_question_options *settings,
                                         char **out, size_t *out_length, limen_diag *diag);

LIMEN_END_DECLS

#endif
