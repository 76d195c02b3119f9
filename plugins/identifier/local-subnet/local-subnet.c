/* SPDX-License-Identifier: Apache-2.0 */
/*
 * local-subnet.c - the identifier for requests from the networks the interfaces
 * of this host are in (pScheduler's "local-subnet", which limits.rst lacks).
 */
#include <limen/module.h>
#include <limen/version.h>

#include "../../support/local_addresses.h"
#include "../../support/requester.h"

struct local_subnet {
	local_addresses *networks;
};

static int
open_local_subnet(void *self, limen_opening *opening, limen_diag *diag)
{
	struct local_subnet *local = self;

	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_data(opening),
	               "pScheduler 5.2 reads the networks of this host once, at the load; limen "
	               "follows changes");
	return local_addresses_open(limen_opening_host(opening), LOCAL_ADDRESSES_NETWORKS,
	                            &local->networks, diag);
}

static void
close_local_subnet(void *self)
{
	struct local_subnet *local = self;

	local_addresses_close(local->networks);
}

static void
report_status(const void *self, limen_builder *build)
{
	const struct local_subnet *local = self;

	local_addresses_status(local->networks, build);
}

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct local_subnet *local = self;
	limen_network requester;
	limen_verdict verdict = requester_read(req, reply, &requester);

	if (verdict != LIMEN_PASS)
		return verdict;
	return local_addresses_overlap(local->networks, &requester) ? LIMEN_PASS : LIMEN_FAIL;
}

LIMEN_IDENTIFIER("local-subnet",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters in the networks this host is directly connected to",
	.instance_size = sizeof(struct local_subnet),
	.open = open_local_subnet,
	.close = close_local_subnet,
	.status = report_status,
	.identify = identify);
