/* SPDX-License-Identifier: Apache-2.0 */
/* text.h - the texts of names and of TXT records. */
#ifndef LIMEN_DNS_TEXT_H
#define LIMEN_DNS_TEXT_H

#include "cares.h"

/* Are the names equal?  The case of ASCII letters does not matter (RFC 4343). */
bool text_same_name(const char *a, const char *b);

/* How many bytes text_display() writes at most, with the final NUL. */
size_t text_size(const record *item);

/* Writes a TXT record as tools display it (dns.h). */
void text_display(const record *item, char *out);

#endif
