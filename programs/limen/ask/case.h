/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case.h - a request to decide, and its sources: one document, a question, or the documents of a
 * file (tasks, AdmissionReviews, objects, lists of them, and the pods and claims of workloads; in
 * JSON, or in YAML with several documents).
 */
#ifndef LIMEN_PROGRAM_CASE_H
#define LIMEN_PROGRAM_CASE_H

#include <glib.h>

#include "ask.h"

typedef struct ask_case {
	limen_request *request;
	limen_decide_options options;
	size_t document; /* index in the file, from 0 */
	bool object;
	bool review;     /* it came as an AdmissionReview */
	bool derived;    /* made from a template of the workload before it */
	bool workload;   /* has such templates, which follow */
	bool limited;    /* a pod or a claim */
	bool names_namespace;
	limen_value source; /* the object or template where it stands in the file; or none */
	char *label;     /* Deployment "web", pods of spec.template; NULL: a task */
	char *pointer;   /* JSON pointer of it, or of its template; "" for the document */
	char *field;     /* prefix of its field names, "spec.template." */
} ask_case;

/* A request as a log describes it; unknown texts are NULL. */
typedef struct case_envelope {
	const char *fields[LIMEN_FIELD_SUBRESOURCE + 1]; /* by limen_field, without the kind */
	const char *requester;
	limen_value groups;
	limen_value hints;
	limen_value document; /* or none */
	limen_value old;
	bool manifest; /* API server defaults are not set yet */
	bool dry_run;
} case_envelope;

/* The subjects, by ask_subject. */
typedef struct case_subject {
	const char *word;
	limen_subject subject;
	int (*set)(limen_request *req, const case_envelope *envelope); /* NULL: limen_http_read() */
} case_subject;

extern const case_subject case_subjects[];

/* Returns the subject that 'word' names, or ASK_INFER. */
ask_subject case_find_subject(limen_value word);

/* Stores a text, or NULL for other types.  Returns false if it holds a NUL. */
bool case_text(limen_value value, const char **out);

/* Makes the request of a log.  Returns NULL if it is invalid. */
limen_request *case_make(ask_subject subject, const case_envelope *envelope);

/* Returns the case of a request that came alone; without label, pointer and field. */
ask_case case_of(limen_request *req, const limen_decide_options *options);

/*
 * Reads a question to limend (docs/decision-service.md) that may also have "policy" and "time",
 * which the caller reads.  Missing members get the values of 'settings'.  Returns false with
 * '*why' to g_free(); the caller frees the request.
 */
bool case_read_question(const ask_settings *settings, limen_value question, ask_case *out,
                        char **why);

/*
 * Reads the file 'path', or standard input.  The policy in 'engine' names kinds of workloads.
 * Returns an array of ask_case for g_ptr_array_unref(), or NULL with problems in 'diag' or the reason in '*why' to g_free().
 * Warnings and notes go to 'diag' in any case.  '*documents' receives the number of documents
 * in the file, including those without a case.
 */
GPtrArray *cases_read(const ask_settings *settings, limen_engine *engine, const char *path,
                      size_t *documents, limen_diag *diag, char **why);

/* As cases_read(), of one object; 'api' and 'kind' are what its list says, or NULL. */
GPtrArray *cases_of_object(const ask_settings *settings, limen_engine *engine, limen_value object,
                           const char *api, const char *kind, limen_diag *diag, char **why);

#endif
