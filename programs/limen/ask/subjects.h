/* SPDX-License-Identifier: Apache-2.0 */
/*
 * subjects.h - the requests that one file of "limen check" stands for: a task, an
 * AdmissionReview, objects, lists of them, the pods and claims of workloads; in
 * JSON, or in YAML with several documents.
 */
#ifndef LIMEN_PROGRAM_SUBJECTS_H
#define LIMEN_PROGRAM_SUBJECTS_H

#include <glib.h>

#include "ask.h"

typedef struct subject {
	limen_request *request;
	size_t document; /* of the file, from 0 */
	bool object;
	bool review;     /* it came as an AdmissionReview */
	bool derived;    /* would be made from a template of the subject before */
	bool workload;   /* has such templates, which follow */
	char *label;     /* Deployment "web", pods of spec.template; NULL: a task */
	char *pointer;   /* where it, or its template, is in the document; "" for all of it */
	char *field;     /* what stands before the names of its fields, "spec.template." */
	char *api;       /* apiVersion of a review, for its answer; else NULL */
} subject;

/*
 * Reads 'length' bytes of the file 'name' (NULL: unknown).  Returns an array of
 * subjects for g_ptr_array_unref(), or NULL with problems in 'diag' or the
 * reason in '*why' to g_free().  Warnings and notes go to 'diag' in any case.
 * '*documents' is how many the file holds, also such that hold no subject.
 */
GPtrArray *subjects_read(const ask_settings *settings, const char *name, const char *text,
                         size_t length, size_t *documents, limen_diag *diag, char **why);

#endif
