/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forwarded.h - the address of a client in the header fields of proxies.
 */
#ifndef LIMEND_FORWARDED_H
#define LIMEND_FORWARDED_H

#include "http/http.h"

typedef enum forwarded {
	FORWARDED_NONE, /* there is no such field */
	FORWARDED_FOUND,
	FORWARDED_WRONG /* an element that counts is not an address */
} forwarded;

/*
 * Reads 'length' bytes: ADDRESS, IPV4-ADDRESS:PORT, [IPV6-ADDRESS] or [IPV6-ADDRESS]:PORT, with
 * blanks around it.  An IPv4-mapped address becomes IPv4.  Returns false for anything else.
 */
bool forwarded_parse(const char *text, size_t length, limen_address *out);

/*
 * Finds the client in all fields 'name', which are one list (X-Forwarded-For): the rightmost
 * address that is not in 'proxies' (may be NULL), or the leftmost if all are.  Elements to the left
 * of the result are not looked at, because the client may have sent them.
 */
forwarded forwarded_client(const arguments *fields, const char *name,
                           const limen_cidr_set *proxies, limen_address *out);

#endif
