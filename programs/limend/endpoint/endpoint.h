/* SPDX-License-Identifier: Apache-2.0 */
/*
 * endpoint.h - the endpoints of limend; the table of endpoints.c lists all of them.
 */
#ifndef LIMEND_ENDPOINT_H
#define LIMEND_ENDPOINT_H

#include "question/deciding.h"
#include "service/service.h"

/* Host names that requests for a path may use (origin.h). */
typedef enum endpoint_names {
	NAMES_ANY = 0, /* any name, such as service names of a cluster or names set by a proxy */
	NAMES_TRUSTED, /* the daemon's own names, if the client's address makes it trusted */
	NAMES_OWN      /* the daemon's own names */
} endpoint_names;

/* Fills the response, or returns false with a fault.  Called from many threads at once. */
typedef bool endpoint_answerer(service *shared, const http_request *request,
                               http_response *response, fault *why);

typedef struct endpoint {
	const char *path;
	unsigned methods; /* HTTP_GET and so on */
	endpoint_answerer *answer;
	unsigned takes;   /* HTTP_JSON and so on: bodies that a POST may have; 0: any */
	limen_phase phase; /* of an AdmissionReview */
	/*
	 * Runs decisions.  Requests go to a worker if the policy has modules that may block, and
	 * are refused at once (503) if the queue is full.
	 */
	bool decides;
	/*
	 * May take long with any policy.  Requests always go to a worker, and such requests use
	 * at most half of the workers and of the queue.
	 */
	bool lengthy;
	endpoint_names names;
	bool health;  /* the path is also served on --health-listen */
	/* The path is 404 without --ui, but for --ui-listen; metrics count it as "other". */
	bool console;
	bool page;    /* the console asks for the path: it is also served on --ui-listen */
	/*
	 * Proxies ask about requests of their own clients (gate.h), whose fields are not about
	 * limend: the query is not read, bodies are refused, and hosts and origins not checked.
	 */
	bool gate;
	bool prefix;  /* paths below this one are its, too */
} endpoint;

/*
 * All endpoints (endpoints.c); a row without a path ends the table.  Metrics count by the number
 * of the row.
 */
extern const endpoint endpoints[];

/* The answers of the table in endpoints.c; each is in the file of its name, or as noted. */
endpoint_answerer answer_buckets, answer_decide, answer_gate, answer_passed, answer_recent;
endpoint_answerer answer_batch;                                 /* decide.c */
endpoint_answerer answer_reset;                                 /* buckets.c */
endpoint_answerer answer_review;                                /* admission.c */
endpoint_answerer answer_policy_review;                         /* policy_review.c */
endpoint_answerer answer_probe;                                 /* probes.c */
endpoint_answerer answer_ui_start, answer_ui_file, answer_ui_state; /* ui.c */
endpoint_answerer answer_ui_try, answer_ui_edit;                  /* try.c */
endpoint_answerer answer_metrics, answer_policy, answer_version;  /* views.c */

/* Returns the row of the path of 'target', which may have a query, or HTTP_NO_ROW. */
size_t endpoint_row(const char *target);

/* Returns the endpoint of the request, or NULL. */
const endpoint *endpoint_of(const http_request *request);

/* Returns the functions of the console that the client of the request may use. */
ui_mode endpoint_ui(const service *shared, const http_request *request);

/* Makes metrics for the paths of the table; the numbers are those of metrics_new(). */
metrics *endpoint_metrics(size_t wanted, size_t namespaces);

/* Answers with the endpoint of the request, or with an error such as 404, 405 or 415. */
void endpoint_answer(service *shared, const http_request *request, http_response *response);

/*
 * May another answer follow those in 'out'?  Returns false with a fault beyond 64 MiB: a question of a
 * few kilobytes may have an answer of megabytes, and all answers stay in memory until they are sent.
 */
bool endpoint_has_room(const GString *out, fault *why);

/* Appends the member "error" of one of several answers: an object as http_fail() makes it. */
void endpoint_append_error(GString *out, const fault *why);

/* Makes the response an error of 'status', in the form that the endpoint of the request has. */
void endpoint_fail(const http_request *request, http_response *response, int status,
                   const char *text);

#endif
