/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip-cidr-list.c - the identifier that looks for the requester in a list of
 * networks (limits.rst, "ip-cidr-list").
 */
#include <limen/module.h>
#include <limen/version.h>
#include <stdio.h>
#include <string.h>

#include "../../support/requester.h"

struct ip_cidr_list {
	const limen_cidr_set *networks;
	limen_value texts; /* as the policy writes them */
};

static const limen_option options[] = {
	LIMEN_OPT_CIDRS(struct ip_cidr_list, networks, .key = "cidrs", .required = true,
	                .help = "The addresses and networks, IPv4 and IPv6, to identify"),
	LIMEN_OPT_END
};

static int
open_list(void *self, limen_opening *opening, limen_diag *diag)
{
	struct ip_cidr_list *list = self;
	limen_value item;
	int result = LIMEN_OK;

	list->texts = limen_opening_option(opening, "cidrs");
	for (limen_iter iter = limen_iter_start(list->texts);
	     limen_iter_next(&iter, NULL, &item);) {
		const char *text = limen_value_string(item, NULL);

		/*
		 * An IPv6 network with a dotted quad in it; pScheduler takes such an address
		 * alone.
		 */
		if (text == NULL || strchr(text, ':') == NULL || strchr(text, '.') == NULL ||
		    strchr(text, '/') == NULL)
			continue;
		limen_diag_add(diag, LIMEN_SEVERITY_PROBLEM, item,
		               "'%s' is not valid under any of the given schemas", text);
		limen_diag_hint(diag, "write an IPv4 network, or groups of hexadecimal digits");
		result = LIMEN_ECONFIG;
	}
	return result;
}

/* Cap on networks named in a trace, and on the bytes of their text. */
#define SHOWN 8
#define SHOWN_MAX 512

static void
tell_missed(const struct ip_cidr_list *list, const limen_request *req, limen_reply *reply)
{
	limen_value have = limen_value_get(limen_request_hints(req), "requester");
	limen_iter iter = limen_iter_start(list->texts);
	char bound[SHOWN_MAX] = "";
	limen_value item;
	size_t used = 0;

	if (!limen_reply_wants_bounds(reply))
		return;
	for (size_t i = 0; i < SHOWN && limen_iter_next(&iter, NULL, &item); i++)
		used += (size_t)snprintf(bound + used, sizeof(bound) - used, "%s%.50s",
		                         i == 0 ? "" : ", ", limen_value_string(item, NULL));
	if (limen_value_count(list->texts) > SHOWN)
		snprintf(bound + used, sizeof(bound) - used, " and %zu more",
		         limen_value_count(list->texts) - SHOWN);
	limen_reply_bound(reply, "requester", limen_value_string(have, NULL), LIMEN_RELATION_ONE_OF,
	                  bound);
}

static limen_verdict
identify(const void *self, const limen_request *req, limen_reply *reply)
{
	const struct ip_cidr_list *list = self;
	limen_network requester;
	limen_verdict verdict = requester_read(req, reply, &requester);

	if (verdict != LIMEN_PASS)
		return verdict;
	if (limen_cidr_set_overlaps(list->networks, &requester))
		return LIMEN_PASS;
	tell_missed(list, req, reply);
	return LIMEN_FAIL;
}

LIMEN_IDENTIFIER("ip-cidr-list",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters whose address is in a list of networks",
	.options = options,
	.instance_size = sizeof(struct ip_cidr_list),
	.open = open_list,
	.identify = identify);
