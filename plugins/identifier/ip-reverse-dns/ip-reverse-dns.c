/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ip-reverse-dns.c - the identifier for requesters by the name of their address,
 * which counts only if the name leads back to the address (pscheduler-limits,
 * "ip-reverse-dns").
 */
#include <string.h>

#include <limen/module.h>
#include <limen/version.h>

#include "../../support/dns/dns.h"

struct reverse {
	const limen_string_match *match;
	bool inverts; /* 'match' does */
	limen_duration timeout;
	const char *server;
	dns_resolver *resolver;
};

static const limen_option options[] = {
	LIMEN_OPT_MATCH(struct reverse, match, .key = "match", .required = true,
	                .help = "The pattern for the name of the requester's address"),
	LIMEN_OPT_DURATION(struct reverse, timeout, .key = "timeout", .required = true,
	                   .help = "How long to wait for the name and its addresses together"),
	LIMEN_OPT_STRING(struct reverse, server, .key = "server",
	                 .help = "The name servers to ask, with or without ports, separated by "
	                         "commas; by default those of the system",
	                 .note = "not in pScheduler"),
	LIMEN_OPT_END
};

/* One evaluation. */
typedef struct search {
	const struct reverse *self;
	const limen_request *req;
	limen_reply *reply;
	bool blocks;      /* the thread may wait */
	limen_address requester;
	bool waits;       /* for a query that was started */
	limen_verdict verdict;
} search;

static int
open_reverse(void *self, limen_opening *opening, limen_diag *diag)
{
	struct reverse *reverse = self;
	limen_value match = limen_opening_option(opening, "match");

	limen_diag_add(diag, LIMEN_SEVERITY_NOTE, limen_opening_data(opening),
	               "if no name server answers, pScheduler 5.2 treats the requester as one "
	               "without a name; limen reports an error, which is never inverted");
	if (limen_value_bool(limen_value_get(match, "invert"), &reverse->inverts) &&
	    reverse->inverts)
		limen_diag_add(
			diag, LIMEN_SEVERITY_NOTE, match,
			"pScheduler 5.2 inverts the match of the name with its final dot and "
			"without it one by one, so that hardly any name fails; limen inverts "
			"the result of both");
	if (dns_check_timeout(opening, reverse->timeout, diag) != LIMEN_OK)
		return LIMEN_ENOMEM;
	return dns_open(reverse->server, limen_opening_option(opening, "server"), diag,
	                &reverse->resolver);
}

static void
close_reverse(void *self)
{
	dns_close(((struct reverse *)self)->resolver);
}

static void
report_status(const void *self, limen_builder *build)
{
	dns_report(((const struct reverse *)self)->resolver, build);
}

/* Returns the answer if there is one; else the verdict is in place, or it waits. */
static const dns_answer *
ask(search *lookup, dns_type type, const char *name)
{
	const dns_answer *answer = dns_look(lookup->self->resolver, type, name, lookup->req,
	                                    lookup->self->timeout, lookup->blocks);

	if (answer != NULL && answer->outcome == DNS_FOUND)
		return answer;
	lookup->waits = answer == NULL;
	lookup->verdict = LIMEN_FAIL;
	if (answer != NULL && (answer->outcome == DNS_FAILED || answer->outcome == DNS_SHORT)) {
		lookup->verdict = LIMEN_ERROR;
		limen_reply_reason(lookup->reply, "%s", answer->why);
	}
	dns_release(answer);
	return NULL;
}

static bool
has_address(const dns_answer *answer, const limen_address *address)
{
	size_t size = address->family == 4 ? 4 : 16;

	for (size_t i = 0; i < answer->count; i++)
		if (memcmp(answer->addresses[i].bytes, address->bytes, size) == 0)
			return true;
	return false;
}

/* Looks the name up: a reverse zone can claim any name, only the name's own zone confirms it. */
static bool
is_confirmed(search *lookup, const char *name)
{
	const dns_answer *answer;
	bool confirmed;

	if (!dns_is_host_name(name, strlen(name))) {
		limen_reply_reason(lookup->reply,
		                   "the name of the requester's address is not a valid host name");
		lookup->verdict = LIMEN_FAIL;
		return false;
	}
	answer = ask(lookup, lookup->requester.family == 4 ? DNS_A : DNS_AAAA, name);
	if (answer == NULL)
		return false;
	confirmed = has_address(answer, &lookup->requester);
	dns_release(answer);
	if (!confirmed)
		limen_reply_reason(lookup->reply, "%s does not lead back to the requester", name);
	lookup->verdict = LIMEN_FAIL;
	return confirmed;
}

/* Does 'name' match, with its final dot or without it?  Then inverted, if it is to be. */
static limen_verdict
match_name(const search *lookup, const char *name)
{
	limen_verdict wanted = lookup->self->inverts ? LIMEN_FAIL : LIMEN_PASS;
	char dotted[DNS_NAME_MAX + 1];
	size_t length = strlen(name);
	limen_verdict with_dot, without_dot;

	memcpy(dotted, name, length);
	dotted[length] = '.';
	with_dot = limen_string_match_test(lookup->self->match, dotted, length + 1);
	without_dot = limen_string_match_test(lookup->self->match, name, length);
	if (with_dot == LIMEN_ERROR || without_dot == LIMEN_ERROR) {
		limen_reply_reason(lookup->reply,
		                   "the name could not be compared with the pattern");
		return LIMEN_ERROR;
	}
	if (with_dot == wanted || without_dot == wanted)
		return wanted;
	return without_dot;
}

/* Only the first name counts, in pScheduler too. */
static void
look(search *lookup)
{
	char name[DNS_NAME_MAX];
	const dns_answer *answer;

	dns_reverse_name(&lookup->requester,
	                 lookup->requester.family == 4 ? "in-addr.arpa" : "ip6.arpa", name);
	answer = ask(lookup, DNS_PTR, name);
	if (answer == NULL)
		return;
	if (is_confirmed(lookup, answer->text))
		lookup->verdict = match_name(lookup, answer->text);
	dns_release(answer);
}

/* The words of Python's ipaddress, which pScheduler has here and not in the others of DNS. */
static limen_verdict
read_requester(const limen_request *req, limen_reply *reply, limen_address *out)
{
	limen_value hint = limen_value_get(limen_request_hints(req), "requester");
	const char *text = limen_value_string(hint, NULL);
	limen_network network;
	int result = limen_request_requester(req, &network);

	if (text == NULL || result == LIMEN_ENOENT ||
	    (result == LIMEN_OK && network.prefix == (network.address.family == 4 ? 32 : 128)))
		return dns_requester(req, reply, out);
	limen_reply_reason(reply, "'%s' does not appear to be an IPv4 or IPv6 address", text);
	return LIMEN_ERROR;
}

/* False if a query was started. */
static bool
judge(const void *self, const limen_request *req, limen_reply *reply, bool blocks,
      limen_verdict *verdict)
{
	const struct reverse *reverse = self;
	search lookup = {
		.self = reverse,
		.req = req,
		.reply = reply,
		.blocks = blocks,
	};

	*verdict = read_requester(req, reply, &lookup.requester);
	if (*verdict != LIMEN_PASS)
		return true;
	look(&lookup);
	*verdict = lookup.verdict;
	return !lookup.waits;
}

DNS_IDENTIFY(judge)

LIMEN_IDENTIFIER("ip-reverse-dns",
	.version = LIMEN_VERSION,
	.summary = "Identifies requesters by the name of their address",
	.flags = LIMEN_MODULE_WHOLE_REASONS,
	.options = options,
	.instance_size = sizeof(struct reverse),
	.open = open_reverse,
	.close = close_reverse,
	.status = report_status,
	.identify = identify,
	.identify_now = identify_now);
