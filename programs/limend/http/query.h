/* SPDX-License-Identifier: Apache-2.0 */
/*
 * query.h - takes the target of a request apart (RFC 9112, 3.2): a path as it was
 * sent, and the arguments of its query, decoded as forms are (WHATWG URL, 5.1); and forms.
 */
#ifndef LIMEND_QUERY_H
#define LIMEND_QUERY_H

#include <glib.h>

#include "base/fault.h"
#include "http.h"

/* Takes no more of a query than this; nobody means so many. */
#define QUERY_MAX 64

/*
 * Cuts the authority off a '*target' in absolute form ("http://HOST/PATH", with TLS
 * "https://"), in place, and moves '*target' to the path.  Returns it, or NULL.
 */
char *query_take_authority(char **target, bool tls);

/*
 * Splits 'length' bytes of 'text', which a NUL follows, in place and adds the arguments, which
 * point into it, to 'out', a GArray of http_pair.  False if there are more than 'most'.  With a
 * fault it reads a form: false, too, for a "%" without two digits, which else stands for itself,
 * and a NUL in a name.
 */
bool query_read(char *text, size_t length, size_t most, GArray *out, fault *why);

/*
 * Splits 'target' in place and adds the arguments, which point into it, to 'out',
 * a GArray of http_pair.  False if there are more than QUERY_MAX.
 */
bool query_split(char *target, GArray *out);

#endif
