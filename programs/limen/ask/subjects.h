/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subjects.h - makes the requests of one file of "limen check": a task, an AdmissionReview,
 * objects, lists of them, and the pods and claims of workloads; in JSON, or in YAML with
 * several documents.
 */
#ifndef LIMEN_PROGRAM_SUBJECTS_H
#define LIMEN_PROGRAM_SUBJECTS_H

#include <glib.h>

#include "ask.h"

typedef struct subject {
	limen_request *request;
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
} subject;

/* Returns the subject of a request that came alone; without label, pointer and field. */
subject subject_of(limen_request *req);

/*
 * Reads the file 'path', or standard input.  Returns an array of subjects for
 * g_ptr_array_unref(), or NULL with problems in 'diag' or the reason in '*why' to g_free().
 * Warnings and notes go to 'diag' in any case.  '*documents' receives the number of documents
 * in the file, including those without a subject.
 */
GPtrArray *subjects_read(const ask_settings *settings, const char *path, size_t *documents,
                         limen_diag *diag, char **why);

#endif
