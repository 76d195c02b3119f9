/* SPDX-License-Identifier: Apache-2.0 */
/*
 * localif.c - the identifier for requests that come from this very host: from an
 * address one of its interfaces has (limits.rst, "localif").
 */
#include <limen/module.h>
#include <limen/version.h>

#include "../../support/local_addresses.h"
#include "../../support/requester.h"

struct localif {
	local_addresses *addresses;
};

static int
open_localif(void *self, limen_opening *opening, limen_diag *diag)
{
	struct localif *local = self;

	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_data(opening),
	               "pScheduler 5.2 reads the addresses of this host once, at the load; limen "
	               "follows changes");
	return local_addresses_open(limen_opening_host(opening), LOCAL_ADDRESSES_ALONE,
	                            &local->addresses, diag);
}

static void
close_localif(void *self)
{
	struct localif *local = self;

	local_addresses_close(local->addresses);
}

static void
report_status(const void *self, limen_builder *build)
{
	const struct localif *local = self;

	local_addresses_status(local->addresses, build);
}

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct localif *local = self;
	limen_network requester;
	limen_verdict verdict = requester_read(req, reply, &requester);

	if (verdict != LIMEN_PASS)
		return verdict;
	return local_addresses_overlap(local->addresses, &requester) ? LIMEN_PASS : LIMEN_FAIL;
}

LIMEN_IDENTIFIER("localif",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters that have an address of this host",
	.instance_size = sizeof(struct localif),
	.open = open_localif,
	.close = close_localif,
	.status = report_status,
	.identify = identify);
