/* SPDX-License-Identifier: Apache-2.0 */
/*
 * asn_list.h - the numbers of autonomous systems in a TXT record of Team Cymru's:
 * "64500 64501 | 192.0.2.0/24 | US | arin | 2001-01-01".
 */
#ifndef LIMEN_IP_CYMRU_ASN_LIST_H
#define LIMEN_IP_CYMRU_ASN_LIST_H

#include <limen/option.h>

/* Sorts 'count' numbers, so that asn_list_matches() finds them. */
void asn_list_sort(int64_t *numbers, size_t count);

/*
 * Is one of the numbers in 'text', a record as it is displayed, among the 'count'
 * sorted ones?
 */
bool asn_list_matches(const char *text, const int64_t *numbers, size_t count);

/*
 * Reads 'length' bytes as Python's int() does: a sign, digits, single underscores
 * between them.  False if they are no number, or a number too large for an autonomous
 * system.
 */
bool asn_list_read(const char *text, size_t length, int64_t *out);

#endif
