/* SPDX-License-Identifier: Apache-2.0 */
/*
 * servers.h - the addresses of name servers, as policies write them.
 */
#ifndef LIMEN_DNS_SERVERS_H
#define LIMEN_DNS_SERVERS_H

#include "dns.h"

#define SERVERS_MAX 8
#define SERVERS_PORT 53

/* Two lists are the same if their texts are. */
typedef struct servers {
	size_t count;                /* 0: those of the system */
	char text[SERVERS_MAX * 56]; /* as c-ares reads them: "192.0.2.1:53,[2001:db8::53]:53" */
} servers;

/* Reads addresses separated by commas.  Returns NULL, or what is wrong with them. */
const char *servers_read(const char *text, servers *out);

#endif
