/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dns_case.h - cases for the identifiers that ask name servers: data with single
 * quotes and the name server left out, requesters, verdicts.
 */
#ifndef LIMEN_TESTS_DNS_CASE_H
#define LIMEN_TESTS_DNS_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "suite.h"

struct dns_case {
	const char *requester; /* NULL ends a table */
	limen_verdict verdict;
	const char *reason; /* "": none */
};

/* Returns 'text' with double quotes for single ones; the caller frees it. */
static inline char *
dns_case_quote(const char *text)
{
	char *quoted = strdup(text);

	for (char *at = quoted; *at != '\0'; at++) {
		if (*at == '\'')
			*at = '"';
	}
	return quoted;
}

/* Opens 'type' with the members 'data' and the name servers at 'address'. */
static inline limen_kit *
dns_case_open(const char *type, const char *address, const char *data)
{
	char *text, *quoted;
	limen_kit *kit;

	CU_ASSERT_FATAL(asprintf(&text, "{%s,'server':'%s'}", data, address) > 0);
	quoted = dns_case_quote(text);
	kit = plugin_open(LIMEN_KIND_IDENTIFIER, type, quoted);
	CU_ASSERT_PTR_NOT_NULL_FATAL(kit);
	free(quoted);
	free(text);
	return kit;
}

static inline void
dns_case_ask(limen_kit *kit, const struct dns_case *one)
{
	char hints[128];
	struct plugin_case question = { one->requester, NULL, hints, one->verdict,
		                        one->reason[0] == '\0' ? NULL : one->reason };

	snprintf(hints, sizeof(hints), "{\"requester\":\"%s\"}", one->requester);
	plugin_ask(kit, &question);
}

/* Asks about all of 'cases' twice: the second time all is remembered. */
static inline void
dns_case_check(const char *type, const char *address, const char *data,
               const struct dns_case *cases)
{
	limen_kit *kit = dns_case_open(type, address, data);

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; cases[i].requester != NULL; i++)
			dns_case_ask(kit, &cases[i]);
	}
	limen_kit_free(kit);
}

/* The data is refused with 'text'. */
static inline void
dns_case_refuse(const char *type, const char *data, const char *text)
{
	char *quoted = dns_case_quote(data);

	plugin_refuse(LIMEN_KIND_IDENTIFIER, type, quoted, text);
	free(quoted);
}

/* The data is accepted with the remark 'text'. */
static inline void
dns_case_remark(const char *type, const char *data, const char *text)
{
	char *quoted = dns_case_quote(data);

	plugin_remark(LIMEN_KIND_IDENTIFIER, type, quoted, text);
	free(quoted);
}

/* What every identifier does with requesters that are none. */
static inline void
dns_case_check_requesters(const char *type, const char *data)
{
	static const struct plugin_case cases[] = {
		{ "no requester", NULL, "{\"server\":\"192.0.2.1\"}", LIMEN_SKIP, NULL },
		{ "no hints", NULL, NULL, LIMEN_SKIP, NULL },
		{ "a name", NULL, "{\"requester\":\"localhost\"}", LIMEN_ERROR,
		  "Text input is malformed." },
		{ "a network", NULL, "{\"requester\":\"192.0.2.0/31\"}", LIMEN_ERROR,
		  "Text input is malformed." },
		{ "a network", NULL, "{\"requester\":\"2001:db8::/127\"}", LIMEN_ERROR,
		  "Text input is malformed." },
		{ "host bits", NULL, "{\"requester\":\"192.0.2.1/24\"}", LIMEN_ERROR,
		  "Text input is malformed." },
		{ "a number", NULL, "{\"requester\":5}", LIMEN_ERROR,
		  "Text input is malformed." },
		{ NULL, NULL, NULL, LIMEN_ERROR, NULL }
	};
	limen_kit *kit = dns_case_open(type, "127.0.0.1:1", data);

	for (size_t i = 0; cases[i].about != NULL; i++) {
		struct plugin_case one = cases[i];
		char address[100] = "";

		/* pScheduler looks at the text itself before it asks for the name of an address. */
		if (strcmp(type, "ip-reverse-dns") == 0 && one.hints != NULL &&
		    sscanf(one.hints, "{\"requester\":\"%60[^\"]", address) == 1) {
			char reason[200];

			snprintf(reason, sizeof(reason),
			         "'%s' does not appear to be an IPv4 or IPv6 address", address);
			one.reason = reason;
			plugin_ask(kit, &one);
			continue;
		}
		plugin_ask(kit, &one);
	}
	limen_kit_free(kit);
}

#endif
