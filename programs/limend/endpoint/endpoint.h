/* SPDX-License-Identifier: Apache-2.0 */
/*
 * endpoint.h - the paths limend answers; each stands in a file of its own, and
 * all of them in the table of endpoints.c.
 */
#ifndef LIMEND_ENDPOINT_H
#define LIMEND_ENDPOINT_H

#include "base/fault.h"
#include "http/http.h"
#include "service/service.h"

/* By which names of this daemon a path may be asked (origin.h). */
typedef enum endpoint_names {
	NAMES_ANY = 0, /* service names of a cluster, and whatever a proxy says */
	NAMES_TRUSTED, /* its own, if the address is all that the client is trusted for */
	NAMES_OWN
} endpoint_names;

typedef struct endpoint {
	const char *path;
	unsigned methods; /* HTTP_GET, HTTP_POST */
	/*
	 * Runs decisions: it goes to a worker when the policy has modules that may
	 * wait, and is refused at once (503) when there is too much to do.
	 */
	bool decides;
	/*
	 * May take long whatever the policy is: it always goes to a worker, and such
	 * requests have half of the workers and of the places to wait at most.
	 */
	bool lengthy;
	endpoint_names names;
	/* Answered on --health-listen, too. */
	bool health;
	/* Of the console: without --ui there is nothing at its path. */
	bool console;
	/* False with a fault.  May be called from any number of threads at once. */
	bool (*answer)(service *shared, const http_request *request, http_response *response,
	               fault *why);
} endpoint;

extern const endpoint mutate_endpoint;   /* POST /admission/mutate   */
extern const endpoint validate_endpoint; /* POST /admission/validate */
extern const endpoint decide_endpoint;   /* POST /v1/decide          */
extern const endpoint batch_endpoint;    /* POST /v1/decide/batch    */
extern const endpoint passed_endpoint;   /* GET, POST /v1/passed     */
extern const endpoint buckets_endpoint;  /* GET /v1/buckets          */
extern const endpoint policy_endpoint;   /* GET /v1/policy           */
extern const endpoint metrics_endpoint;  /* GET /metrics             */
extern const endpoint ui_endpoint;       /* GET /ui                  */
extern const endpoint ui_app_endpoint;   /* GET /ui/app.js           */
extern const endpoint ui_graph_endpoint; /* GET /ui/graph.js         */
extern const endpoint ui_icon_endpoint;  /* GET /ui/icon.svg         */
extern const endpoint ui_style_endpoint; /* GET /ui/style.css        */
extern const endpoint ui_state_endpoint; /* GET /ui/state            */
extern const endpoint ui_try_endpoint;   /* POST /ui/try             */
extern const endpoint livez_endpoint;    /* GET /livez               */
extern const endpoint healthz_endpoint;  /* GET /healthz             */
extern const endpoint readyz_endpoint;   /* GET /readyz              */
extern const endpoint version_endpoint;  /* GET /version             */

/* Returns the endpoint of 'path', or NULL. */
const endpoint *endpoint_find(const char *path);

/*
 * Answers 'request' whatever it is: the endpoint's answer, or 404, or 405; and
 * counts it.  What the transport calls.
 */
void endpoint_answer(service *shared, const http_request *request, http_response *response);

/* Tells that the response is in memory no longer. */
void endpoint_done(service *shared, const http_response *response);

#endif
