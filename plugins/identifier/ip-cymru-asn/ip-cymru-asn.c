/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip-cymru-asn.c - the identifier for requesters in one of some autonomous
 * systems, or peered with them, as Team Cymru knows them (pscheduler-limits,
 * "ip-cymru-asn").
 */
#include <stdlib.h>
#include <string.h>

#include <limen/module.h>
#include <limen/version.h>

#include "../../support/cymru.h"
#include "asn_list.h"

struct asn {
	cymru cymru;
	limen_ints asns;
	int64_t *sorted;
	bool peers;
};

static const limen_option options[] = {
	LIMEN_OPT_INTS(struct asn, asns, .key = "asns", .required = true, .minimum = 1,
	               .help = "The numbers of the autonomous systems"),
	LIMEN_OPT_BOOL(struct asn, peers, .key = "peers",
	               .help = "Whether to look at the peers of the requester's system, too"),
	CYMRU_TIMEOUT(struct asn, cymru),
	CYMRU_FAIL_RESULT(struct asn, cymru, .fallback = "false"),
	CYMRU_SERVER(struct asn, cymru),
	LIMEN_OPT_END
};

static const char *const origins[2] = { "origin.asn.cymru.com", "origin6.asn.cymru.com" };
static const char *const peers[2] = { "peer.asn.cymru.com", "peer.asn.cymru.com" };

static void
remark(limen_opening *opening, bool look_at_peers, limen_diag *diag)
{
	limen_value data = limen_opening_data(opening);

	if (!limen_value_exists(limen_value_get(data, "fail-result")))
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, data,
		               "pScheduler 5.2 refuses the file without 'fail-result'; limen takes "
		               "it as false");
	if (limen_value_count(limen_value_get(data, "asns")) == 0)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, limen_value_get(data, "asns"),
		               "is empty: it identifies no requester");
	if (look_at_peers)
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_value_get(data, "peers"),
		               "pScheduler 5.2 compares the peers only; limen identifies "
		               "requesters in one of the systems, too");
}

static int
open_asn(void *self, limen_opening *opening, limen_diag *diag)
{
	struct asn *asn = self;
	int result;

	remark(opening, asn->peers, diag);
	asn->sorted = calloc(asn->asns.count + 1, sizeof(*asn->sorted));
	if (asn->sorted == NULL)
		return LIMEN_ENOMEM;
	if (asn->asns.count > 0)
		memcpy(asn->sorted, asn->asns.items, asn->asns.count * sizeof(*asn->sorted));
	asn_list_sort(asn->sorted, asn->asns.count);
	result = cymru_open(&asn->cymru, opening, diag);
	if (result != LIMEN_OK)
		free(asn->sorted);
	return result;
}

static void
close_asn(void *self)
{
	cymru_close(self);
	free(((struct asn *)self)->sorted);
}

/* Compares the systems that 'zones' lists for the requester; returns as judge() does. */
static bool
look_up(const struct asn *asn, const char *const zones[2], const limen_request *req,
        limen_reply *reply, bool blocks, limen_verdict *verdict)
{
	limen_address requester;
	cymru_finding found;
	bool matches;

	*verdict = dns_requester(req, reply, &requester);
	if (*verdict != LIMEN_PASS)
		return true;
	if (!cymru_find(&asn->cymru, &requester, req, reply, DNS_TXT, zones, blocks, &found))
		return false;
	*verdict = found.verdict;
	if (found.answer == NULL)
		return true;
	matches = asn_list_matches(found.answer->text, asn->sorted, asn->asns.count);
	dns_release(found.answer);
	*verdict = matches ? LIMEN_PASS : LIMEN_FAIL;
	return true;
}

/* "Identify if in one of the systems or peered with one"; the peers may be known first. */
static bool
judge(const void *self, const limen_request *req, limen_reply *reply, bool blocks,
      limen_verdict *verdict)
{
	const struct asn *asn = self;
	bool known = look_up(asn, origins, req, reply, blocks, verdict);

	if (!asn->peers || (known && *verdict != LIMEN_FAIL))
		return known;
	return look_up(asn, peers, req, reply, blocks, verdict) &&
	       (known || *verdict == LIMEN_PASS);
}

DNS_IDENTIFY(judge)

LIMEN_IDENTIFIER("ip-cymru-asn",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters by autonomous system (Team Cymru)",
	.flags = LIMEN_MODULE_WHOLE_REASONS,
	.options = options,
	.instance_size = sizeof(struct asn),
	.open = open_asn,
	.close = close_asn,
	.status = cymru_status,
	.identify = identify,
	.identify_now = identify_now);
