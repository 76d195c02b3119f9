/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trust.h - whose word about a requester counts.
 */
#ifndef LIMEND_TRUST_H
#define LIMEND_TRUST_H

#include "http.h"
#include "service.h"

/*
 * May the peer say who asks, and under which circumstances?  Whoever may open the
 * unix socket, shows a client certificate, or has an address the operator named.
 */
bool trust_peer(const service *shared, const http_peer *peer);

#endif
