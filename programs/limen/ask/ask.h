/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask.h - makes a request of a document and the options of "limen check", and calls an engine
 * to decide it.
 */
#ifndef LIMEN_PROGRAM_ASK_H
#define LIMEN_PROGRAM_ASK_H

#include <glib.h>
#include <limen/duration.h>
#include <limen/question.h>

/* Selects how a document is read: as a task, as an object, or by its form (subjects.h). */
typedef enum ask_subject {
	ASK_INFER = 0, /* by the form of the text: only for files an operator names */
	ASK_TASK = 1,
	ASK_OBJECT = 2,
	ASK_HTTP = 3
} ask_subject;

typedef struct ask_settings {
	ask_subject subject;
	limen_decide_options decide;
	gboolean task, object; /* as options say; 'subject' is what they mean */
	gboolean dry_run;
	gboolean as_received; /* manifests already have the API server's defaults */
	gboolean run;         /* make the task a run */
	const char *start;    /* start of the run; NULL: the decision time */
	const char *duration; /* NULL: PT10S, as in pScheduler's limit-diags */
	char duration_text[LIMEN_DURATION_TEXT_MAX]; /* that of "30s" as pScheduler writes it */
	const char *namespace; /* for objects without one; NULL: "default" */
	char *http;           /* the one request, as text (http_options.h); NULL: files */
	char **hints;         /* "NAME=VALUE", ended by NULL; may be NULL */
	const char *time_text; /* as options say */
	bool has_time;
	limen_time time;
} ask_settings;

/*
 * Returns true if 'text' is "NAME=VALUE" in UTF-8 with a name.  Other arguments are usage
 * errors.
 */
bool ask_is_hint(const char *text);

/*
 * Returns an error text, to g_free(), for lists and workloads; NULL for other documents.  A
 * decision is about the objects in or made from them: to admit the whole without checking these
 * would be wrong.
 */
char *ask_refuse_several(limen_value document);

/*
 * Makes a request of 'document': for ASK_OBJECT an AdmissionReview or object, for ASK_HTTP an HTTP
 * request, else a task.  Returns NULL with problems in 'diag', or with the reason in '*why' to g_free().
 */
limen_request *ask_read(const ask_settings *settings, limen_value document, limen_diag *diag,
                        char **why);

/*
 * Makes a request of an AdmissionReview, or of an object whose list implies 'api' and 'kind' (may
 * be NULL).  Returns NULL with problems in 'diag', or with the reason in '*why' to g_free().
 */
limen_request *ask_read_object(const ask_settings *settings, limen_value document,
                               const char *api, const char *kind, limen_diag *diag, char **why);

/* As ask_read(), for a task that was parsed into 'req'; takes 'req' over. */
limen_request *ask_finish_task(const ask_settings *settings, limen_request *req, limen_diag *diag,
                               char **why);

/* Sets the hints of the options. */
void ask_set_hints(const ask_settings *settings, limen_request *req);

/* Returns true if 'document' has the apiVersion and kind of a Kubernetes object. */
bool ask_is_object(limen_value document);

/* Returns true if 'document' has sections of a policy, and is neither a task nor an object. */
bool ask_is_policy(limen_value document);

/*
 * Sets hints, run, time and dry run on 'req', which may be NULL.  Returns it, or frees it
 * and returns NULL with '*why' to g_free().
 */
limen_request *ask_complete(const ask_settings *settings, limen_request *req, char **why);

/* Decides 'req'; of objects, records origins.  Returns NULL with '*why' to g_free(). */
limen_decision *ask_decide(const limen_decide_options *options, limen_engine *engine,
                           const limen_request *req, char **why);

/*
 * Reads a point in time: ISO 8601, or seconds since 1970.  Returns false for
 * anything else and for years outside 1 to 9999.
 */
bool ask_parse_time(const char *text, limen_time *out);

/* Reads "mutate", "validate" or "workload".  Returns false for other texts and for NULL. */
bool ask_parse_phase(const char *text, uint32_t *out);

/* Reads a boolean; anything else is LIMEN_SWITCH_AUTO. */
limen_switch ask_read_switch(limen_value value);

/* As ask_parse_time(), for a value: a text, or a number of seconds. */
bool ask_read_time(limen_value value, limen_time *out);

#endif
