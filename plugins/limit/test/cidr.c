/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cidr.c - IPCIDRList: {"cidr": ["192.0.2.0/24"]}, for "source", "dest" and
 * the like, and for "endpoint", which means source and dest: one of them must
 * be in the range or, inverted, outside of it.  An absent address is an error,
 * so that leaving it out gets around no limit.
 *
 * A host name stands for all of its addresses, as if each of them were given: a
 * test may use any.  A limit that meets a name whose addresses are not known
 * cannot tell.
 */
#include <stdlib.h>
#include <string.h>

#include "../../support/network.h"
#include "parameter.h"

struct cidr {
	limen_cidr_set *set;
	bool endpoint;
};

/* How a host relates to a range. */
typedef enum standing { INSIDE, OUTSIDE, NAME, MALFORMED, STANDINGS } standing;

/* The first host of each standing; NULL if there is none. */
typedef struct survey {
	const char *first[STANDINGS];
	const char *why; /* the addresses of the first of standing NAME are not known */
} survey;

/* Input of a survey: the range, and how to look up addresses. */
typedef struct surveyor {
	const struct cidr *cidr;
	hosts *hosts;
	int version; /* the test's IP version; 0: either */
} surveyor;

static int
read_network(limen_value value, limen_network *out, limen_diag *diag)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);
	int result;

	if (text == NULL)
		return parameter_reject(diag, value, "must be an IPv4 or IPv6 network");
	result = limen_network_parse(text, length, 0, out);
	if (result == LIMEN_ERANGE) {
		limen_diag_refuse(diag, value, "%s has host bits set", text);
		limen_diag_hint(diag, "clear the bits after the prefix, or drop the prefix");
		return LIMEN_ECONFIG;
	}
	if (result != LIMEN_OK)
		return parameter_reject(diag, value,
		                        "'%s' does not appear to be an IPv4 or IPv6 network", text);
	network_unmap(out);
	return LIMEN_OK;
}

static int
make_set(limen_value list, limen_cidr_set **out, limen_diag *diag)
{
	size_t count = limen_value_count(list);
	limen_iter iter = limen_iter_start(list);
	limen_value element;
	limen_network *networks;
	int result = LIMEN_OK;

	if (limen_value_type(list) != LIMEN_TYPE_ARRAY)
		return parameter_reject(diag, list, "must be a list of IPv4 and IPv6 networks");
	if (count == 0)
		limen_diag_add(diag, LIMEN_SEVERITY_WARNING, list,
		               "is empty, so no address is in it");
	networks = calloc(count + 1, sizeof *networks);
	if (networks == NULL)
		return LIMEN_ENOMEM;
	for (size_t i = 0; limen_iter_next(&iter, NULL, &element); i++)
		result = parameter_first(result, read_network(element, &networks[i], diag));
	if (result == LIMEN_OK) {
		*out = limen_cidr_set_new(networks, count, NULL, 0);
		if (*out == NULL)
			result = LIMEN_ENOMEM;
	}
	free(networks);
	return result;
}

static int
open_cidr(parameter *param, limen_value limit, limen_diag *diag)
{
	limen_cidr_set *set = NULL;
	struct cidr *cidr;
	int result = make_set(limen_value_get(limit, "cidr"), &set, diag);

	if (result != LIMEN_OK)
		return result;
	cidr = calloc(1, sizeof *cidr);
	if (cidr == NULL) {
		limen_cidr_set_free(set);
		return LIMEN_ENOMEM;
	}
	cidr->set = set;
	cidr->endpoint = param->key_length == strlen("endpoint") &&
	                 strcmp(param->key, "endpoint") == 0;
	param->state = cidr;
	return LIMEN_OK;
}

static void
close_cidr(parameter *param)
{
	struct cidr *cidr = param->state;

	limen_cidr_set_free(cidr->set);
	free(cidr);
}

/* Could it be a host name or an address in a spelling that only a resolver reads? */
static bool
is_name(const char *text, size_t length)
{
	static const char others[] = "-._";

	if (length == 0 || length > 255)
		return false;
	for (size_t i = 0; i < length; i++) {
		char c = text[i];
		bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		            (c >= '0' && c <= '9') || memchr(others, c, sizeof others - 1) != NULL;

		if (!good)
			return false;
	}
	return true;
}

static standing
place_address(const struct cidr *cidr, const limen_address *address)
{
	limen_address plain = dns_unmap(address);

	return limen_cidr_set_contains(cidr->set, &plain) ? INSIDE : OUTSIDE;
}

static standing
place_host(const struct cidr *cidr, const char *text, size_t length)
{
	limen_network network;

	if (memchr(text, '/', length) != NULL)
		return MALFORMED;
	if (limen_network_parse(text, length, LIMEN_NETWORK_SCOPE, &network) != LIMEN_OK)
		return is_name(text, length) ? NAME : MALFORMED;
	return place_address(cidr, &network.address);
}

static void
note(survey *found, standing place, const char *text)
{
	if (found->first[place] == NULL)
		found->first[place] = text;
}

/* Notes each address of 'name', so that a name can be both inside and outside. */
static void
survey_name(const surveyor *how, const char *name, size_t length, survey *found)
{
	host_addresses addresses;
	const char *why = hosts_find(how->hosts, name, length, how->version, &addresses);

	if (why != NULL) {
		if (found->first[NAME] == NULL)
			found->why = why;
		note(found, NAME, name);
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		const dns_answer *answer = addresses.answers[i];

		for (size_t j = 0; answer != NULL && j < answer->count; j++)
			note(found, place_address(how->cidr, &answer->addresses[j]), name);
	}
	host_release(&addresses);
}

static void
survey_host(const surveyor *how, limen_value value, survey *found)
{
	size_t length = 0;
	const char *text = limen_value_string(value, &length);
	standing place = text == NULL ? MALFORMED : place_host(how->cidr, text, length);

	if (place == NAME)
		survey_name(how, text, length, found);
	else
		note(found, place, text == NULL ? "" : text);
}

/* Surveys a host or a list of hosts; an empty list is malformed, an absent host nothing. */
static survey
survey_hosts(const surveyor *how, limen_value value)
{
	survey found = { .first = { NULL } };
	limen_value element;

	if (!limen_value_exists(value))
		return found;
	if (limen_value_type(value) != LIMEN_TYPE_ARRAY || limen_value_count(value) == 0) {
		survey_host(how, value, &found);
		return found;
	}
	for (limen_iter iter = limen_iter_start(value); limen_iter_next(&iter, NULL, &element);)
		survey_host(how, element, &found);
	return found;
}

/* Returns a bit for each standing that a host has. */
static unsigned
standings_of(const survey *found)
{
	unsigned set = 0;

	for (standing i = INSIDE; i < STANDINGS; i++)
		set |= found->first[i] != NULL ? 1U << i : 0;
	return set;
}

/* Says that hosts cannot be compared, and returns whether that is so. */
static bool
is_undecided(const parameter *param, const survey *found, limen_reply *reply,
             limen_verdict *verdict)
{
	if (found->first[MALFORMED] != NULL) {
		*verdict = parameter_unusable(param, "is not an address or a host name", reply);
		return true;
	}
	if (found->first[NAME] != NULL) {
		limen_reply_reason(reply, "the addresses of %s '%s' are not known: %s",
		                   param->name, found->first[NAME], found->why);
		*verdict = LIMEN_ERROR;
		return true;
	}
	return false;
}

static limen_verdict
refuse(const parameter *param, const char *host, limen_reply *reply)
{
	if (param->fail_message != NULL)
		limen_reply_reason(reply, "%s", param->fail_message);
	else
		limen_reply_reason(reply, "%s is not in the allowed address range", host);
	return LIMEN_FAIL;
}
static survey
join(const survey *a, const survey *b)
{
	survey joined = *a;

	if (joined.first[NAME] == NULL)
		joined.why = b->why;
	for (standing i = INSIDE; i < STANDINGS; i++)
		if (joined.first[i] == NULL)
			joined.first[i] = b->first[i];
	return joined;
}

static limen_verdict
check_endpoint(const parameter *param, const surveyor *how, limen_value spec, limen_reply *reply)
{
	standing good = param->invert ? OUTSIDE : INSIDE;
	standing bad = param->invert ? INSIDE : OUTSIDE;
	survey source = survey_hosts(how, limen_value_get(spec, "source"));
	survey dest = survey_hosts(how, limen_value_get(spec, "dest"));
	survey both = join(&source, &dest);
	limen_verdict verdict;

	if (standings_of(&both) == 0) {
		limen_reply_reason(reply, "This test has a limit on the endpoint field but neither "
		                          "source nor dest was specified");
		return LIMEN_ERROR;
	}
	if (both.first[MALFORMED] == NULL &&
	    (standings_of(&source) == 1U << good || standings_of(&dest) == 1U << good))
		return LIMEN_PASS;
	if (is_undecided(param, &both, reply, &verdict))
		return verdict;
	if (source.first[bad] == NULL || dest.first[bad] == NULL || param->fail_message != NULL)
		return refuse(param, both.first[bad], reply);
	limen_reply_reason(reply, "Neither %s nor %s matches the IP range set by endpoint limit",
	                   source.first[bad], dest.first[bad]);
	return LIMEN_FAIL;
}

static limen_verdict
check_cidr(const parameter *param, limen_value spec, limen_value value, hosts *all,
           limen_reply *reply)
{
	const struct cidr *cidr = param->state;
	surveyor how = { .cidr = cidr, .hosts = all };
	const char *offender;
	limen_verdict verdict;
	int64_t version;
	survey found;

	/* A test of one IP version uses the addresses of that version only. */
	if (limen_value_int(limen_value_get(spec, "ip-version"), &version) &&
	    (version == 4 || version == 6))
		how.version = (int)version;
	if (cidr->endpoint)
		return check_endpoint(param, &how, spec, reply);
	found = survey_hosts(&how, value);
	if (standings_of(&found) == 0) {
		limen_reply_reason(reply, "This test has a limit on the %s field but the %s was not "
		                          "specified", param->key, param->key);
		return LIMEN_ERROR;
	}
	if (is_undecided(param, &found, reply, &verdict))
		return verdict;
	offender = found.first[param->invert ? INSIDE : OUTSIDE];
	return offender == NULL ? LIMEN_PASS : refuse(param, offender, reply);
}

const shape cidr_shape = {
	.kind = KIND_CIDR,
	.invertible = true,
	.takes_absent = true,
	.open = open_cidr,
	.check_hosts = check_cidr,
	.close = close_cidr,
};
