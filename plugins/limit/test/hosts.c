/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hosts.c - looks up the A and AAAA records of host names, or one of the two.  A lookup fails
 * if the name is invalid, a query fails, there is no address, or the check has used up its
 * number of names.
 */
#include "parameter.h"

static const char *
find_one(hosts *all, const char *name, dns_type type, const dns_answer **out)
{
	*out = dns_find(all->resolver, type, name, all->deadline);
	return (*out)->why;
}

/* Fails if any address is unknown: it could be the one that the limit is about. */
static const char *
find_all(hosts *all, const char *name, int version, host_addresses *out)
{
	const char *why = NULL;

	if (version != 6)
		why = find_one(all, name, DNS_A, &out->answers[0]);
	if (why == NULL && version != 4)
		why = find_one(all, name, DNS_AAAA, &out->answers[1]);
	if (why != NULL)
		return why;
	for (size_t i = 0; i < 2; i++)
		if (out->answers[i] != NULL && out->answers[i]->count > 0)
			return NULL;
	return "it has no address";
}

const char *
hosts_find(hosts *all, const char *name, size_t length, int version, host_addresses *out)
{
	const char *why;

	*out = (host_addresses){ .answers = { NULL } };
	if (!dns_is_host_name(name, length))
		return "no host can have that name";
	if (all->left == 0)
		return "the test names too many hosts";
	all->left--;
	why = find_all(all, name, version, out);
	if (why != NULL)
		host_release(out);
	return why;
}

void
host_release(host_addresses *addresses)
{
	dns_release(addresses->answers[0]);
	dns_release(addresses->answers[1]);
}
