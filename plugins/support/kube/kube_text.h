/* SPDX-License-Identifier: Apache-2.0 */
/* kube_text.h - small things with texts and files. */
#ifndef LIMEN_KUBE_TEXT_H
#define LIMEN_KUBE_TEXT_H

#include <limen/types.h>

#include "kube.h"

/* Writes the message into 'why', cut if need be, and returns false. */
bool kube_text_fail(char why[KUBE_ERROR_MAX], const char *format, ...) LIMEN_PRINTF(2, 3);

/*
 * Reads a regular file of at most 'max' bytes.  Returns NUL-terminated memory the
 * caller frees, or NULL with 'why'.
 */
char *kube_text_read(const char *path, size_t max, char why[KUBE_ERROR_MAX]);

/*
 * Decodes base64 (RFC 4648, section 4); line ends do not count.  Returns LIMEN_OK,
 * LIMEN_EINVAL if it is none or holds a NUL, or LIMEN_ENOMEM; '*out' is NULL then.
 */
int kube_text_decode(const char *text, char **out);

/* Cuts blanks and line ends off the end; is the rest something a header may hold? */
bool kube_text_is_token(char *text);

/* Writes 'text' with everything but letters, digits, "-", "." and "_" escaped (RFC 3986). */
bool kube_text_escape(const char *text, char *out, size_t size);

#endif
