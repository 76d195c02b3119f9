/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared.h - the memory that limen shares with one worker.  It holds a request, then its reply;
 * messages on a socket between them have the number of the request.
 */
#ifndef LIMEN_SUPPORT_JQ_SHARED_H
#define LIMEN_SUPPORT_JQ_SHARED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

/* The worker writes it as well: limen copies each member before it looks at it. */
typedef struct shared {
	atomic_uint length; /* of the message in 'bytes' */
	atomic_uint was_short; /* of memory, so that the worker ended */
	char bytes[WIRE_BYTES_MAX] __attribute__((aligned(64)));
} shared;

/* Maps the memory of 'fd'; NULL with errno. */
shared *shared_map(int fd);

#endif
