/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared.h - the memory that limen shares with one worker, and how each wakes the other: by
 * counters in it while the other still spins, by a byte on a socket once it sleeps.  The socket
 * also tells each side when the other is gone.
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
	atomic_uint asked;        /* requests so far */
	atomic_uint answered;     /* the last one that has its reply */
	atomic_uint worker_waits; /* it needs a byte on its socket */
	atomic_uint host_waits;
	atomic_uint length; /* of the message in 'bytes' */
	atomic_uint was_short; /* of memory, so that the worker ended */
	atomic_uint spin;   /* nanoseconds that the worker spins before it sleeps */
	char bytes[WIRE_BYTES_MAX] __attribute__((aligned(64)));
} shared;

/*
 * Makes the memory.  '*fd' is a memfd sealed against shrinking, for the worker; the caller closes
 * it.  Returns NULL with errno, and without a memfd.
 */
shared *shared_new(int *fd);

/* Maps the memory of 'fd' in the worker; NULL with errno. */
shared *shared_map(int fd);

void shared_free(shared *freed);

/* Gives the pages of a long message of 'length' bytes back to the system. */
void shared_trim(shared *with, size_t length);

typedef enum shared_result {
	SHARED_OK = 0,
	SHARED_LATE,  /* the deadline has passed */
	SHARED_GONE   /* the other side has ended */
} shared_result;

/*
 * Asks the worker behind 'socket' for the message in 'with', and waits for its reply until
 * 'deadline' (limen_host_monotonic(); INT64_MAX: none), the first 'spins' nanoseconds without
 * sleeping.
 */
shared_result shared_ask(shared *with, int socket, unsigned request, unsigned spins,
                         int64_t deadline);

/* In the worker: waits for request number 'next'; returns false if limen is gone. */
bool shared_wait(shared *with, int socket, unsigned next);

/* In the worker: publishes the reply to request number 'request'. */
void shared_answer(shared *with, int socket, unsigned request);

#endif
