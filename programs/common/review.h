/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review.h - makes requests about Kubernetes objects from an AdmissionReview
 * (admission.k8s.io/v1; v1beta1 has the same members) or from a bare manifest.
 */
#ifndef LIMEN_PROGRAM_REVIEW_H
#define LIMEN_PROGRAM_REVIEW_H

#include <limen/diag.h>
#include <limen/request.h>

/* Is 'document' an AdmissionReview? */
bool review_is(limen_value document);

/* Between whom a review came, for the hints of these names; NULL: not known. */
typedef struct review_peer {
	const char *requester;
	const char *server;
} review_peer;

/*
 * Makes a request of the AdmissionReview 'document'; who asks for what also
 * becomes hints.  'peer' may be NULL.  Returns NULL with problems in 'diag' or
 * the reason in '*why' to g_free().
 */
limen_request *review_read(limen_value document, const review_peer *peer, limen_diag *diag,
                           char **why);

/*
 * Makes a request of the JSON text of an AdmissionReview that somebody waits for an
 * answer to: it must be of a known version, which goes to '*api' (static text),
 * and have a uid.  Returns LIMEN_OK, LIMEN_EINVAL with problems in 'diag', or
 * LIMEN_ENOMEM.
 */
int review_parse(const char *text, size_t length, const review_peer *peer, const char **api,
                 limen_diag *diag, limen_request **out);

/* What an object is called; texts that are not known are NULL. */
typedef struct review_identity {
	const char *api; /* "apps/v1" */
	const char *kind;
	const char *namespace; /* NULL: "default" */
	const char *name;
	const char *prefix; /* generateName */
} review_identity;

/*
 * Stores the text of 'value' in '*out', NULL if it is absent or null.  What is no text, or
 * holds a NUL, is not the same as absent: false, with a problem in 'diag' about 'field'.
 */
bool review_text(limen_value value, const char *field, limen_diag *diag, const char **out);

/* Reads what 'object' calls itself, as review_text() does. */
bool review_identify(limen_value object, limen_diag *diag, review_identity *out);

/* Gives 'req' the envelope of the creation of such an object.  False: memory is short. */
bool review_describe(limen_request *req, const review_identity *identity);

/*
 * Gives 'req', whose document is a manifest, the envelope that creating it would
 * have: kind, resource, name, and 'namespace' if the manifest has none.  False
 * with problems in 'diag', or without any when memory is short.
 */
bool review_describe_manifest(limen_request *req, const char *namespace, limen_diag *diag);

#endif
