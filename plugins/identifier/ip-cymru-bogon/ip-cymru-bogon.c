/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip-cymru-bogon.c - the identifier for requesters on Team Cymru's list of
 * unallocated addresses (pscheduler-limits, "ip-cymru-bogon").
 */
#include <string.h>

#include <limen/module.h>
#include <limen/version.h>

#include "../../support/cymru.h"

struct bogon {
	cymru cymru;
	const limen_cidr_set *exclude;
};

static const limen_option options[] = {
	LIMEN_OPT_CIDRS(struct bogon, exclude, .key = "exclude",
	                .help = "Addresses and networks that never count as bogons"),
	CYMRU_TIMEOUT(struct bogon, cymru),
	CYMRU_FAIL_RESULT(struct bogon, cymru, .required = true),
	CYMRU_SERVER(struct bogon, cymru),
	LIMEN_OPT_END
};

static const char *const zones[2] = { "v4.fullbogons.cymru.com", "v6.fullbogons.cymru.com" };

static void
note_bare_addresses(limen_value exclude, limen_diag *diag)
{
	limen_value item;

	for (limen_iter iter = limen_iter_start(exclude); limen_iter_next(&iter, NULL, &item);) {
		const char *text = limen_value_string(item, NULL);

		if (text == NULL || strchr(text, '/') != NULL)
			continue;
		limen_diag_add(
			diag, LIMEN_SEVERITY_NOTE, item,
			"pScheduler 5.2 takes networks only here, and refuses the file; limen "
			"takes addresses too, as documented");
		return;
	}
}

static int
open_bogon(void *self, limen_opening *opening, limen_diag *diag)
{
	struct bogon *bogon = self;
	limen_value exclude = limen_value_get(limen_opening_data(opening), "exclude");

	if (limen_value_exists(exclude))
		note_bare_addresses(exclude, diag);
	else
		limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_data(opening),
		               "pScheduler 5.2 refuses the file without 'exclude'; limen excludes "
		               "nothing");
	return cymru_open(&bogon->cymru, opening, diag);
}

/*
 * An IPv4-mapped address stands for the IPv4 address in it, which is asked for;
 * either way of writing it may be excluded.
 */
static bool
is_excluded(const struct bogon *bogon, const limen_request *req, const limen_address *address)
{
	limen_network written;

	if (bogon->exclude == NULL)
		return false;
	if (limen_cidr_set_contains(bogon->exclude, address))
		return true;
	return limen_request_requester(req, &written) == LIMEN_OK &&
	       limen_cidr_set_overlaps(bogon->exclude, &written);
}

static bool
judge(const void *self, const limen_request *req, limen_reply *reply, bool blocks,
      limen_verdict *verdict)
{
	static const uint8_t listed[4] = { 127, 0, 0, 2 };
	const struct bogon *bogon = self;
	limen_address requester;
	cymru_finding found;

	*verdict = dns_requester(req, reply, &requester);
	if (*verdict != LIMEN_PASS)
		return true;
	/* Looked at first: the answer is certain, whatever the zone says. */
	*verdict = LIMEN_FAIL;
	if (is_excluded(bogon, req, &requester))
		return true;
	if (!cymru_find(&bogon->cymru, &requester, req, reply, DNS_A, zones, blocks, &found))
		return false;
	*verdict = found.verdict;
	if (found.answer == NULL)
		return true;
	/* The address that says "on the list"; only the first record counts. */
	*verdict = memcmp(found.answer->addresses[0].bytes, listed, sizeof(listed)) == 0
	                   ? LIMEN_PASS
	                   : LIMEN_FAIL;
	dns_release(found.answer);
	return true;
}

DNS_IDENTIFY(judge)

LIMEN_IDENTIFIER("ip-cymru-bogon",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters with an unassigned address (Team Cymru's bogons)",
	.flags = LIMEN_MODULE_WHOLE_REASONS,
	.options = options,
	.instance_size = sizeof(struct bogon),
	.open = open_bogon,
	.close = cymru_close,
	.status = cymru_status,
	.identify = identify,
	.identify_now = identify_now);
