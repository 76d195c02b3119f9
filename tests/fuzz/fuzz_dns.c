/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What name servers send: a byte that says what was asked for, then a message.
 */
#include <string.h>

#include "../../plugins/support/dns/cares.h"
#include "fuzz.h"

const fuzz_target fuzz_this = { "dns", NULL, 20000 };

static void
check_answer(dns_type type, const answer *found)
{
	const dns_answer *shown = &found->shown;
	uint8_t family = type == DNS_A ? 4 : 6;

	FUZZ_CHECK(shown->outcome == DNS_FAILED || shown->outcome == DNS_FOUND ||
	           shown->outcome == DNS_NO_NAME || shown->outcome == DNS_NO_DATA);
	FUZZ_CHECK(shown->outcome != DNS_FAILED || shown->why != NULL);
	FUZZ_CHECK(shown->text != NULL);
	/* RFC 2181 section 8; who remembers it has bounds of its own. */
	FUZZ_CHECK(found->lifetime >= 0 && found->lifetime <= INT32_MAX);
	for (size_t i = 0; i < shown->count; i++)
		FUZZ_CHECK(shown->addresses[i].family == family);
	for (const char *c = shown->text; *c != '\0'; c++)
		FUZZ_CHECK(*c > 0x1F && *c < 0x7F);
	if (shown->outcome == DNS_FOUND && (type == DNS_A || type == DNS_AAAA))
		FUZZ_CHECK(shown->count > 0);
	/* Odd bytes take four characters each; no host has them in its name. */
	if (shown->outcome == DNS_FOUND && type == DNS_PTR)
		FUZZ_CHECK(strlen(shown->text) < 4 * DNS_NAME_MAX);
	if (dns_is_host_name(shown->text, strlen(shown->text)))
		FUZZ_CHECK(strlen(shown->text) < DNS_NAME_MAX);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const dns_type types[] = { DNS_A, DNS_PTR, DNS_TXT, DNS_AAAA };
	answer *found;

	if (size == 0)
		return 0;
	found = cares_read(types[data[0] % 4], data + 1, size - 1);
	FUZZ_CHECK(found != NULL);
	check_answer(types[data[0] % 4], found);
	answer_unref(found);
	return 0;
}
