/* SPDX-License-Identifier: Apache-2.0 */
/*
 * name.h - names in messages of the domain name system (RFC 1035 section 4.1.4).
 */
#ifndef LIMEN_DNS_NAME_H
#define LIMEN_DNS_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the name that begins at 'at' of a message of 'length' bytes and stores
 * how many bytes it takes there.  The caller frees it with ares_free_string().
 * NULL if there is none, or '*short_memory' set if memory is short.
 */
char *name_read(const uint8_t *bytes, size_t length, size_t at, size_t *taken,
                bool *short_memory);

#endif
