/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review.h - makes requests about Kubernetes objects from an AdmissionReview
 * (admission.k8s.io/v1) or from a bare manifest.
 */
#ifndef LIMEN_PROGRAM_REVIEW_H
#define LIMEN_PROGRAM_REVIEW_H

#include <limen/request.h>

/* Is 'document' an AdmissionReview? */
bool review_is(limen_value document);

/*
 * Makes a request of the AdmissionReview 'document'; who asks for what also
 * becomes hints.  Returns NULL with problems in 'diag' or the reason in '*why'
 * to g_free().
 */
limen_request *review_read(limen_value document, limen_diag *diag, char **why);

/*
 * Gives 'req', whose document is a manifest, the envelope that creating it would
 * have: kind, resource, name, and 'namespace' if the manifest has none.  False
 * when memory is short.
 */
bool review_describe_manifest(limen_request *req, const char *namespace);

#endif
