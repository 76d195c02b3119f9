/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review.h - makes requests about Kubernetes objects from an AdmissionReview
 * (admission.k8s.io/v1; v1beta1 has the same members) or from a bare manifest.
 */
#ifndef LIMEN_PROGRAM_REVIEW_H
#define LIMEN_PROGRAM_REVIEW_H

#include <limen/diag.h>
#include <limen/request.h>

/* Returns true if 'document' is an AdmissionReview. */
bool review_is(limen_value document);

/* The client and the server of a review, for the hints of these names; NULL: not known. */
typedef struct review_peer {
	const char *requester;
	const char *server;
} review_peer;

/*
 * Makes a request of the AdmissionReview 'document'; user, groups and operation also become
 * hints.  'peer' may be NULL.  Returns NULL with problems in 'diag' or the reason in '*why' to
 * g_free().
 */
limen_request *review_read(limen_value document, const review_peer *peer, limen_diag *diag,
                           char **why);

/*
 * Makes a request of the JSON text of an AdmissionReview that must be answered: it needs a
 * known version, stored in '*api' (static text), and a uid.  Returns LIMEN_OK, LIMEN_EINVAL
 * with problems in 'diag', or LIMEN_ENOMEM.
 */
int review_parse(const char *text, size_t length, const review_peer *peer, const char **api,
                 limen_diag *diag, limen_request **out);

/* The names of an object; unknown texts are NULL. */
typedef struct review_identity {
	const char *api; /* "apps/v1" */
	const char *kind;
	const char *namespace; /* NULL: "default" */
	const char *name;
	const char *prefix; /* generateName */
} review_identity;

/*
 * Stores the text of 'value' in '*out', NULL if it is absent or null.  Other types and texts
 * with a NUL are not treated as absent: returns false with a problem in 'diag' that names
 * 'field'.
 */
bool review_text(limen_value value, const char *field, limen_diag *diag, const char **out);

/*
 * Reads the version, kind and names of 'object' with review_text(); texts that are refused are NULL.
 * 'diag' may be NULL.
 */
bool review_identify(limen_value object, limen_diag *diag, review_identity *out);

/* Sets the envelope of creating such an object.  Returns false if memory is short. */
bool review_describe(limen_request *req, const review_identity *identity);

/*
 * Sets the envelope of creating 'req', whose document is a manifest: kind, resource, name, and
 * 'namespace' if the manifest has none.  Returns false with problems in 'diag', or without any
 * when memory is short.
 */
bool review_describe_manifest(limen_request *req, const char *namespace, limen_diag *diag);

#endif
