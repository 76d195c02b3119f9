/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote.h - asks a running limend, at a URL or a unix socket.
 */
#ifndef LIMEN_PROGRAM_REMOTE_H
#define LIMEN_PROGRAM_REMOTE_H

#include <glib.h>
#include <limen/documents.h>

#include "cli/options.h"

typedef struct remote {
	const char *url;       /* of limend, without a path; NULL: see unix_path */
	const char *unix_path; /* the unix socket of limend */
	const char *ca_path;   /* CA certificates (PEM); NULL: those of the system */
	const char *certificate_path; /* client certificate and key (PEM); both or neither */
	const char *key_path;
	limen_duration timeout;
} remote;

/* The options of the certificates of a remote, and all of its options. */
#define REMOTE_CERTIFICATE_ROWS(at) \
	OPTION_TEXT("ca-file", 0, &(at)->ca_path, "FILE", \
	            "Authorities of the certificate of --url (PEM)"), \
	OPTION_TEXT("client-certificate", 0, &(at)->certificate_path, "FILE", \
	            "Certificate to show to --url (PEM)"), \
	OPTION_TEXT("client-key", 0, &(at)->key_path, "FILE", "Its key (PEM)")
#define REMOTE_ROWS(at) \
	OPTION_TEXT("url", 0, &(at)->url, "URL", "Ask the limend at this URL"), \
	OPTION_TEXT("unix", 0, &(at)->unix_path, "PATH", "Ask the limend at this unix socket"), \
	REMOTE_CERTIFICATE_ROWS(at)

/* Returns how its options contradict each other, or NULL; 'url': --url was given. */
const char *remote_misuse(const remote *self, bool url);

/* Returns the URL without its password, or the path of the socket, to g_free(). */
char *remote_shown(const remote *self);

/*
 * Gets 'path', which may have a query, or posts the JSON text 'body' (NULL: get).  Returns the HTTP
 * status and stores the answer of status 200, an object, in '*out'; for another, and for 0 if there was
 * no such answer, '*why' says why, with the place, to g_free().
 */
long remote_ask(const remote *self, const char *path, const char *body, limen_documents **out,
                char **why);

#endif
