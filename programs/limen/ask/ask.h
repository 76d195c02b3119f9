/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask.h - turns a document and the options of "limen check" into a request, and asks
 * an engine about it.
 */
#ifndef LIMEN_PROGRAM_ASK_H
#define LIMEN_PROGRAM_ASK_H

#include <limen/engine.h>

#include "common/switches.h"

/* Who decides whether a request is a task or an object (subjects.h). */
typedef enum ask_subject {
	ASK_INFER = 0, /* what the text looks like: only for files an operator names */
	ASK_TASK = 1,
	ASK_OBJECT = 2
} ask_subject;

typedef struct ask_settings {
	ask_subject subject;
	switches how;
	limen_phase phase;
	bool as_received;     /* manifests are what an API server has already completed */
	bool run;             /* make the task a run */
	const char *start;    /* of that run; NULL: the decision time */
	const char *duration; /* NULL: PT10S, as pScheduler's limit-diags has it */
	const char *namespace; /* of objects that name none; NULL: "default" */
	char **hints;         /* "NAME=VALUE", ended by NULL; may be NULL */
	limen_value hint_object; /* or an object; used if it exists */
	limen_value claims;   /* what a line says of an object's operation (claims.h) */
	bool has_time;
	limen_time time;
} ask_settings;

/*
 * Makes a request of 'document': for ASK_OBJECT an AdmissionReview or object, else a
 * task.  Returns NULL with problems in 'diag', or with the reason in '*why' to g_free().
 */
limen_request *ask_read(const ask_settings *settings, limen_value document, limen_diag *diag,
                        char **why);

/* The same of a task that was parsed into 'req', which is taken over. */
limen_request *ask_finish_task(const ask_settings *settings, limen_request *req, limen_diag *diag,
                               char **why);

/* Does 'document' say what it is, as every object of Kubernetes does? */
bool ask_is_object(limen_value document);

/* Gives 'req' the hints, time and so on of 'settings'; false with '*why' to g_free(). */
bool ask_complete(const ask_settings *settings, limen_request *req, char **why);

/* Decides 'req'.  Returns NULL with '*why' to g_free(). */
limen_decision *ask_decide(const ask_settings *settings, limen_engine *engine,
                           const limen_request *req, char **why);

/*
 * Reads a point in time: ISO 8601, or seconds since 1970.  Returns false for
 * anything else and for years outside 1 to 9999.
 */
bool ask_parse_time(const char *text, limen_time *out);

/* The same of a value: a text, or a number of seconds. */
bool ask_read_time(limen_value value, limen_time *out);

#endif
