/* SPDX-License-Identifier: Apache-2.0 */
/* kube_lines.h - cuts a stream of bytes into lines of a bounded length. */
#ifndef LIMEN_KUBE_LINES_H
#define LIMEN_KUBE_LINES_H

#include <limen/types.h>

#include "../buffer.h"

typedef enum kube_lines_result {
	KUBE_LINES_OK = 0,
	KUBE_LINES_LONG,
	KUBE_LINES_ENDED, /* by 'take' */
	KUBE_LINES_NO_MEMORY
} kube_lines_result;

typedef struct kube_lines {
	buffer text; /* the beginning of the line that has not ended; 'max' of a line */
	int64_t since; /* limen_host_monotonic() of its first byte */
} kube_lines;

/* Hands each line that ends in 'bytes' to 'take', without its end; empty ones are left out. */
kube_lines_result kube_lines_add(kube_lines *lines, const char *bytes, size_t size,
                                 bool (*take)(void *data, const char *line, size_t length),
                                 void *data);

void kube_lines_clear(kube_lines *lines);

#endif
