/* SPDX-License-Identifier: Apache-2.0 */
/* pointer.h - JSON pointers (RFC 6901), written step by step on the way down. */
#ifndef LIMEN_CORE_DOCUMENT_POINTER_H
#define LIMEN_CORE_DOCUMENT_POINTER_H

#include <stddef.h>

#include "base/strbuf.h"

/* Each adds one step and returns the length before it, for pointer_leave(). */
size_t pointer_enter_member(strbuf *pointer, const char *key, size_t length);
size_t pointer_enter_element(strbuf *pointer, size_t index);

/* Takes the steps behind 'length' away. */
void pointer_leave(strbuf *pointer, size_t length);

#endif
