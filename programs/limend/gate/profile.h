/* SPDX-License-Identifier: Apache-2.0 */
/*
 * profile.h - what a proxy asks about: method, URI, host and client of the request of its own
 * client, from the fields that the profile of the proxy names.
 */
#ifndef LIMEND_PROFILE_H
#define LIMEND_PROFILE_H

#include "http/http.h"

typedef struct profile {
	const char *path;      /* of the endpoint */
	const char *method;    /* field of the method; NULL: the method of the request itself */
	const char *uri;       /* likewise: what is behind the path of the endpoint */
	const char *host;      /* field that goes before Host; NULL: none */
	const char *client;    /* field of the client's address */
	bool list;             /* that is a list, to which each proxy appends (forwarded.h) */
	bool only_403;         /* the proxy passes on no other status of a refusal */
} profile;

/* The request that the proxy asks about; all but 'client' is borrowed from the one it sent. */
typedef struct client_request {
	const char *method;
	const char *uri;       /* path and query; begins with "/", or is "*" */
	const char *host;      /* NULL: none was given */
	char client[LIMEN_NETWORK_TEXT_MAX]; /* "": none was given */
} client_request;

/* Returns the profile of the endpoint at 'path', or NULL. */
const profile *profile_of(const char *path);

/*
 * Reads what 'request' asks about.  'proxies' (may be NULL) are skipped in lists of addresses.
 * Returns false with a fault of 400 if a field is missing, doubled or malformed; only host and
 * client may be missing.
 */
bool profile_read(const profile *from, const http_request *request,
                  const limen_cidr_set *proxies, client_request *out, fault *why);

#endif
