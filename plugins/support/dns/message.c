/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.c - finds in the records of a response what was asked for: follows aliases,
 * and says how long the answer may be kept.
 */
#include "message.h"

#include <string.h>

#include "text.h"

enum {
	RCODE_OK = 0,
	RCODE_NO_NAME = 3,
	/* The longest chain of aliases that is followed; dnspython's bound too. */
	ALIASES_MAX = 16
};

const char message_malformed[] = "the answer of the name server is malformed";

/* A lifetime with the highest bit set counts as zero (RFC 2181 section 8). */
static int64_t
lower_lifetime(int64_t lifetime, uint32_t seconds)
{
	int64_t bound = seconds > INT32_MAX ? 0 : (int64_t)seconds;

	return bound < lifetime ? bound : lifetime;
}

/* The answer about 'name' of 'type' from 'index' on; NULL if there is none. */
static const record *
find(const records *got, const char *name, unsigned type, size_t *index)
{
	for (; *index < got->answers; (*index)++) {
		const record *item = &got->items[*index];

		if (item->type == type && text_same_name(item->owner, name)) {
			(*index)++;
			return item;
		}
	}
	return NULL;
}

/*
 * Makes a negative answer.  The SOA record of the name server gives its TTL (RFC 2308
 * section 5).
 */
static answer *
make_negative(const records *got, dns_outcome outcome)
{
	answer *result = answer_new(outcome, 0);

	for (size_t i = got->answers; result != NULL && i < got->count; i++) {
		const record *item = &got->items[i];

		if (item->type != TYPE_SOA)
			continue;
		result->lifetime = lower_lifetime(lower_lifetime(INT32_MAX, item->minimum),
		                                  item->lifetime);
		break;
	}
	return result;
}

static answer *
make_addresses(const records *got, dns_type type, const char *name, size_t count, int64_t lifetime)
{
	answer *result = answer_new(DNS_FOUND, count * sizeof(limen_address));
	limen_address *addresses = result == NULL ? NULL : answer_room(result);
	size_t at = 0;

	if (result == NULL)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		addresses[i].family = type == DNS_A ? 4 : 6;
		memcpy(addresses[i].bytes, find(got, name, type, &at)->data,
		       type == DNS_A ? 4 : 16);
	}
	result->shown.addresses = addresses;
	result->shown.count = count;
	result->lifetime = lifetime;
	return result;
}

/* Only the first name or text counts, in pScheduler too. */
static answer *
make_text(const record *first, int64_t lifetime)
{
	size_t size = first->type == DNS_PTR ? strlen(first->name) + 1 : text_size(first);
	answer *result = answer_new(DNS_FOUND, size);

	if (result == NULL)
		return NULL;
	if (first->type == DNS_PTR)
		memcpy(answer_room(result), first->name, size);
	else
		text_display(first, answer_room(result));
	result->shown.text = answer_room(result);
	result->lifetime = lifetime;
	return result;
}

static const char *
rcode_text(unsigned rcode)
{
	switch (rcode) {
	case 1:
		return "the name server does not understand the question (FORMERR)";
	case 2:
		return "the name server failed (SERVFAIL)";
	case 4:
		return "the name server does not answer such questions (NOTIMP)";
	case 5:
		return "the name server refuses to answer (REFUSED)";
	default:
		return "the name server reported an error";
	}
}

answer *
message_answer(dns_type type, const records *got)
{
	const char *name = got->question;
	int64_t lifetime = INT32_MAX;
	const record *item, *first = NULL;
	unsigned aliases = 0;
	size_t count = 0;
	size_t at = 0;

	if (got->rcode == RCODE_NO_NAME)
		return make_negative(got, DNS_NO_NAME);
	if (got->rcode != RCODE_OK)
		return answer_failed(rcode_text(got->rcode));
	while ((item = find(got, name, TYPE_CNAME, &at)) != NULL) {
		if (++aliases > ALIASES_MAX)
			return answer_failed("too many aliases lead to the name");
		name = item->name;
		lifetime = lower_lifetime(lifetime, item->lifetime);
		at = 0;
	}
	for (at = 0; (item = find(got, name, type, &at)) != NULL; count++) {
		first = count == 0 ? item : first;
		lifetime = lower_lifetime(lifetime, item->lifetime);
	}
	if (first == NULL)
		return make_negative(got, DNS_NO_DATA);
	return type == DNS_A || type == DNS_AAAA
	               ? make_addresses(got, type, name, count, lifetime)
	               : make_text(first, lifetime);
}
