/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h - one connection to Redis: hiredis' reader and writer on a socket that
 * never blocks, so that every wait has an end.
 *
 * What comes back is bounded: one that goes on after more than WIRE_REPLY_MAX bytes
 * without the end of a reply has failed, as has one whose reply has more than WIRE_ELEMENTS_MAX
 * elements in all its arrays together.  hiredis bounds how deep they nest.  A wire
 * that failed stays failed.  One thread at a time.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_WIRE_H
#define LIMEN_PLUGINS_STORE_REDIS_WIRE_H

#include <hiredis.h>

#include "place.h"
#include "script.h"

#define WIRE_REPLY_MAX ((size_t)1 << 20)
#define WIRE_ELEMENTS_MAX 65536
#define WIRE_RUN_MAX 64

typedef struct wire {
	int fd;
	redisReader *reader;
	const redisReplyObjectFunctions *makers; /* hiredis' own */
	redisReplyObjectFunctions functions;
	size_t fed;      /* bytes that came since the end of the last reply */
	size_t elements; /* of the arrays of the reply that is read */
	char *out; /* not sent yet */
	size_t out_length;
	size_t out_room;
	char run[WIRE_RUN_MAX + 1];  /* tells this run of the server from others */
	char sha[SCRIPT_COUNT][41];
	char policy[32]; /* what the server does when memory is short */
	bool failed;
	bool unsound; /* it failed because an answer was none, or an error */
	bool wrote;   /* an answer told of something that was written */
	int64_t made; /* when it was ready for questions (monotonic) */
	char error[160];
} wire;

/*
 * Connects, says who it is, and loads the scripts, until 'deadline' (monotonic)
 * or until 'host' (may be NULL) is stopping.  NULL with the reason in 'why'.
 */
wire *wire_open(const place *where, int64_t deadline, limen_host *host, char *why, size_t size);
/* One that is not connected to anything, or NULL if memory is short. */
wire *wire_new(void);

void wire_close(wire *one); /* NULL is fine */

/* Queues a command.  False if memory is short. */
bool wire_queue(wire *one, size_t count, const char *const *words, const size_t *lengths);

/* Sends what can be sent; false once the connection has failed. */
bool wire_flush(wire *one);

/* Reads what is there; false once the connection has failed. */
bool wire_read(wire *one);

/* The next whole reply that was read, to be freed; NULL if there is none, or on failure. */
redisReply *wire_next(wire *one);

/*
 * Sends everything and waits for a reply; NULL on failure, at the deadline, and when
 * 'host' (may be NULL) is stopping.  What is there by then is still read, once.
 */
redisReply *wire_wait(wire *one, int64_t deadline, limen_host *host);

/*
 * Waits until the socket is ready for 'events' of poll(); false when that fails,
 * and if it is not ready at the deadline, or when 'host' (may be NULL) is stopping.
 */
bool wire_wait_ready(wire *one, short events, int64_t deadline, limen_host *host);

/* Whether one that nobody waits on still stands; if not, it has failed now. */
bool wire_check_idle(wire *one);

/* Marks it as failed and says why, unless it has failed before. */
void wire_fail(wire *one, const char *format, ...) LIMEN_PRINTF(2, 3);

/* As wire_fail(), because of an answer. */
void wire_fail_answer(wire *one, const char *why);

/* Likewise, with the text of an error reply, of which only plain characters are kept. */
void wire_fail_reply(wire *one, const redisReply *reply);

#endif
