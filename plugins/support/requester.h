/* SPDX-License-Identifier: Apache-2.0 */
/*
 * requester.h - reads the requester's address for identifiers, with pScheduler's
 * messages for an invalid one.
 *
 * Used by ip-cidr-list, localif and local-subnet.  Owns nothing.
 */
#ifndef LIMEN_PLUGINS_REQUESTER_H
#define LIMEN_PLUGINS_REQUESTER_H

#include <limen/reply.h>
#include <limen/request.h>

/*
 * Reads the hint "requester".  Returns LIMEN_PASS and stores the network (one
 * address, as a rule), LIMEN_SKIP if there is no such hint, or LIMEN_ERROR with
 * a reason in 'reply' if it is no network.
 */
limen_verdict requester_read(const limen_request *req, limen_reply *reply, limen_network *out);

#endif
