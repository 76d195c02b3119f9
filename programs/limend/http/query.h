/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query.h - splits the target of a request (RFC 9112, 3.2) into its path, as it was sent, and the
 * arguments of its query, decoded like form fields (WHATWG URL, 5.1).  Also reads forms.
 */
#ifndef LIMEND_QUERY_H
#define LIMEND_QUERY_H

#include <glib.h>

#include "base/fault.h"
#include "http.h"

/* Most arguments of a query; far more than any endpoint has. */
#define QUERY_MAX 64

/*
 * Cuts the authority off a '*target' in absolute form ("http://HOST/PATH", or "https://" with
 * TLS) in place and moves '*target' to the path.  Returns the authority, or NULL if there is none.
 */
char *query_take_authority(char **target, bool tls);

/*
 * Splits 'length' bytes of 'text', which a NUL follows, in place.  Adds the arguments, which point
 * into it, to 'out', a GArray of http_pair.  Returns false if there are more than 'most'.  With
 * 'why' it reads a form: a "%" without two digits, which a query keeps as it is, or a NUL in a
 * name is a fault, too.
 */
bool query_read(char *text, size_t length, size_t most, GArray *out, fault *why);

/*
 * Splits 'target' in place and adds the arguments, which point into it, to 'out', a GArray of
 * http_pair.  Returns false if there are more than QUERY_MAX.
 */
bool query_split(char *target, GArray *out);

#endif
