/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip-cidr-list.c - the identifier that looks for the requester in a list of
 * networks (limits.rst, "ip-cidr-list").
 */
#include <limen/module.h>
#include <limen/version.h>

#include "../../support/requester.h"

struct ip_cidr_list {
	const limen_cidr_set *networks;
};

static const limen_option options[] = {
	LIMEN_OPT_CIDRS(struct ip_cidr_list, networks, .key = "cidrs", .required = true,
	                .help = "The addresses and networks, IPv4 and IPv6, to identify"),
	LIMEN_OPT_END
};

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct ip_cidr_list *list = self;
	limen_network requester;
	limen_verdict verdict = requester_read(req, reply, &requester);

	if (verdict != LIMEN_PASS)
		return verdict;
	return limen_cidr_set_overlaps(list->networks, &requester) ? LIMEN_PASS : LIMEN_FAIL;
}

LIMEN_IDENTIFIER("ip-cidr-list",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters whose address is in a list of networks",
	.options = options,
	.instance_size = sizeof(struct ip_cidr_list),
	.identify = identify);
