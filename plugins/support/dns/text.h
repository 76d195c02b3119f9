/* SPDX-License-Identifier: Apache-2.0 */
/* text.h - the texts of names and of TXT records. */
#ifndef LIMEN_DNS_TEXT_H
#define LIMEN_DNS_TEXT_H

#include "dns.h"

/* Are the names equal?  The case of ASCII letters does not matter (RFC 4343). */
bool text_same_name(const char *a, const char *b);

/*
 * Stores the data of a TXT record as tools display it (dns.h), which the caller
 * frees; NULL when memory is short.  False if it makes no sense: empty, or with
 * a string that ends outside.
 */
bool text_display(const uint8_t *data, size_t size, char **out);

#endif
