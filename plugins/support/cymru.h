/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cymru.h - shared by the identifiers that look up the requester in Team Cymru's
 * zones: their options, the DNS query, and the verdict if it has no answer.
 */
#ifndef LIMEN_PLUGINS_CYMRU_H
#define LIMEN_PLUGINS_CYMRU_H

#include <limen/module.h>

#include "dns/dns.h"

typedef struct cymru {
	limen_duration timeout;
	bool fail_result;
	const char *server; /* NULL: those of the system */
	dns_resolver *resolver;
} cymru;

#define CYMRU_TIMEOUT(object, field)                                                    \
	LIMEN_OPT_DURATION(object, field.timeout, .key = "timeout", .fallback = "PT2S", \
	                   .help = "How long to wait for an answer")
#define CYMRU_FAIL_RESULT(object, field, ...)                                           \
	LIMEN_OPT_BOOL(object, field.fail_result, .key = "fail-result",                 \
	               .help = "Whether to identify requesters if the query fails", __VA_ARGS__)
#define CYMRU_SERVER(object, field)                                                     \
	LIMEN_OPT_STRING(object, field.server, .key = "server",                         \
	                 .help = "The name servers to ask, with or without ports, separated " \
	                         "by commas; by default those of the system",           \
	                 .note = "not in pScheduler")

/* Opens the resolver. */
int cymru_open(cymru *self, limen_opening *opening, limen_diag *diag);

/* The methods of an instance that begins with a cymru. */
void cymru_close(void *self);
void cymru_status(const void *self, limen_builder *build);

/* The result of one lookup of the requester. */
typedef struct cymru_finding {
	const dns_answer *answer; /* DNS_FOUND, to be released; else NULL */
	limen_verdict verdict;    /* without an answer: what the identifier says */
} cymru_finding;

/*
 * Asks the zone for the family of the address of 'requester', from dns_requester().  False if a
 * query was started.
 */
bool cymru_find(const cymru *self, const limen_address *requester, const limen_request *req,
                limen_reply *reply, dns_type type, const char *const zones[2], bool blocks,
                cymru_finding *out);

#endif
