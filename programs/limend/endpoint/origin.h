/* SPDX-License-Identifier: Apache-2.0 */
/*
 * origin.h - by which names limend may be called, and by pages of which origin, where a
 * browser could be used against it.  A page whose name is made to lead here (DNS
 * rebinding) has the address of its reader, and all that this address is trusted with;
 * but it still says its own name in Host.
 */
#ifndef LIMEND_ORIGIN_H
#define LIMEND_ORIGIN_H

#include "endpoint.h"

/*
 * Returns false with a fault of 403 if a page of another origin had its reader's browser
 * ask for a decision, which would be charged: a form or the address of an image are all
 * that it takes.  Browsers say in Sec-Fetch-Site (W3C, Fetch Metadata) and Origin (RFC
 * 6454, 7) where a request comes from; whoever is none sends neither.
 *
 * Returns false with a fault of 421 (RFC 9110, 15.5.20) if 'request' comes by a name
 * that is not one of this daemon, and 'target' or the trust in the peer's address wants
 * one.  Names are not looked at where no page from elsewhere can ask: on a unix socket,
 * and over TLS, where the certificate has to fit.
 */
bool origin_check(const service *shared, const endpoint *target, const http_request *request,
                  fault *why);

/* Is 'text' a name or an address for --allow-host, without a port? */
bool origin_is_name(const char *text);

#endif
