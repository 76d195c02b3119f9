/* SPDX-License-Identifier: Apache-2.0 */
/* base64.h - base64 (RFC 4648, section 4), written where it is to be. */
#ifndef LIMEN_PROGRAM_BASE64_H
#define LIMEN_PROGRAM_BASE64_H

#include <glib.h>

/* Appends 'length' bytes. */
void base64_append(GString *out, const char *bytes, size_t length);

#endif
