/* SPDX-License-Identifier: Apache-2.0 */
/*
 * endpoint.h - the endpoints of limend; the table of endpoints.c lists all of them.
 */
#ifndef LIMEND_ENDPOINT_H
#define LIMEND_ENDPOINT_H

#include "base/fault.h"
#include "http/http.h"
#include "service/service.h"

/* Host names that requests for a path may use (origin.h). */
typedef enum endpoint_names {
	NAMES_ANY = 0, /* any name, such as service names of a cluster or names set by a proxy */
	NAMES_TRUSTED, /* the daemon's own names, if the client's address makes it trusted */
	NAMES_OWN      /* the daemon's own names */
} endpoint_names;

typedef struct endpoint {
	const char *path;
	unsigned methods; /* HTTP_GET, HTTP_POST */
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
	/* The path is also served on --health-listen. */
	bool health;
	/* The path belongs to the console and is 404 without --ui. */
	bool console;
	/* Fills the response, or returns false with a fault.  Called from many threads at once. */
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
 * Answers any 'request' with the endpoint's answer or an error such as 404 or 405, and counts the
 * response.  Called by the transport.
 */
void endpoint_answer(service *shared, const http_request *request, http_response *response);

/* Subtracts the response from the bytes of answers in memory. */
void endpoint_done(service *shared, const http_response *response);

#endif
