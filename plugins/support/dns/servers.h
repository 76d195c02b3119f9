/* SPDX-License-Identifier: Apache-2.0 */
/*
 * servers.h - the addresses of name servers, as policies write them.
 */
#ifndef LIMEN_DNS_SERVERS_H
#define LIMEN_DNS_SERVERS_H

#include "dns.h"

#define SERVERS_MAX 8
#define SERVERS_PORT 53

typedef struct name_server {
	limen_address address;
	uint16_t port;
} name_server;

typedef struct servers {
	name_server items[SERVERS_MAX];
	size_t count; /* 0: those of the system */
} servers;

/* Reads addresses separated by commas.  Returns NULL, or what is wrong with them. */
const char *servers_read(const char *text, servers *out);

bool servers_equal(const servers *a, const servers *b);

#endif
