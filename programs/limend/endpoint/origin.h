/* SPDX-License-Identifier: Apache-2.0 */
/*
 * origin.h - protects against web pages that use a browser to send requests to limend.  A page
 * whose name resolves to this daemon (DNS rebinding) has the address of its reader and the trust
 * in that address, but the browser still sends the page's name in Host.
 */
#ifndef LIMEND_ORIGIN_H
#define LIMEND_ORIGIN_H

#include "endpoint.h"

/*
 * Returns false with a fault of 403 if a page of another origin makes a browser request a
 * decision, which would be charged: a form or the URL of an image is enough for that.  Browsers
 * send the origin in Sec-Fetch-Site (W3C, Fetch Metadata) and Origin (RFC 6454, 7); other clients
 * send neither.
 *
 * Returns false with a fault of 421 (RFC 9110, 15.5.20) if the host name of 'request' is not one
 * of this daemon's own names, and 'target' or the trust in the peer's address requires one.  Host
 * names are not checked on a unix socket, which no page can reach, nor over TLS, where the
 * certificate has to match the name.  'hosts' are the names of --allow-host; NULL: none.
 *
 * At --ui-listen, whose clients are trusted, both hold for every path, without the names of
 * --allow-host.
 */
bool origin_check(char *const *hosts, const endpoint *target, const http_request *request,
                  fault *why);

/* Is 'text' a name or an address for --allow-host, without a port? */
bool origin_is_name(const char *text);

#endif
