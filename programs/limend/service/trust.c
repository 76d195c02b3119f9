/* SPDX-License-Identifier: Apache-2.0 */
/* trust.c - checks whether hints of a peer are trusted, by its connection or its address. */
#include "trust.h"

#include <string.h>

bool
trust_peer(const limen_cidr_set *trusted, const http_peer *peer)
{
	limen_address address;

	if (peer->unix_socket || peer->certified)
		return true;
	if (trusted == NULL || peer->address == NULL ||
	    limen_address_parse(peer->address, strlen(peer->address), &address) != LIMEN_OK)
		return false;
	return limen_cidr_set_contains(trusted, &address);
}
