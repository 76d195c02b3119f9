/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trust.h - which peers may give hints about a requester.
 */
#ifndef LIMEND_TRUST_H
#define LIMEND_TRUST_H

#include <limen/cidr.h>

#include "http/http.h"

/*
 * Do the hints of 'peer' count?  They do on the unix socket, with a verified client
 * certificate, and from an address in 'trusted' (may be NULL).
 */
bool trust_peer(const limen_cidr_set *trusted, const http_peer *peer);

#endif
