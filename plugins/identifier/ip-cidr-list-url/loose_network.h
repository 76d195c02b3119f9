/* SPDX-License-Identifier: Apache-2.0 */
/*
 * loose_network.h - reads networks as pScheduler's downloaded lists may spell them, and
 * requesters' addresses.
 *
 * pScheduler hands each line to getaddrinfo() with AI_NUMERICHOST, and what
 * follows a slash to strtol().  That takes "10.1" (10.0.0.1), "0x0a.1", octal
 * "010.0.0.1" (8.0.0.1), "/08", "/+8" and "/ 8"; bits below the prefix are
 * cleared.  Names are never looked up.
 */
#ifndef LIMEN_IP_CIDR_LIST_URL_LOOSE_NETWORK_H
#define LIMEN_IP_CIDR_LIST_URL_LOOSE_NETWORK_H

#include <limen/cidr.h>

/* Reads 'length' bytes at 'text'; returns whether they are a network. */
bool loose_network_parse(const char *text, size_t length, limen_network *out);

#endif
