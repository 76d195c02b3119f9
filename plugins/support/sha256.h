/* SPDX-License-Identifier: Apache-2.0 */
/* sha256.h - SHA-256 (FIPS 180-4) of a text, without allocating memory. */
#ifndef LIMEN_PLUGINS_SUPPORT_SHA256_H
#define LIMEN_PLUGINS_SUPPORT_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_SIZE 32

/* Stores the hash of 'length' bytes at 'text' in 'out'. */
void sha256(const void *text, size_t length, uint8_t out[SHA256_SIZE]);

#endif
