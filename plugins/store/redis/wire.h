/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h - one connection to Redis: a context of hiredis whose socket never blocks, so
 * that every wait has an absolute deadline.  The timeouts of hiredis start anew with
 * each byte that arrives; limen uses them for connecting only.
 *
 * One reply has at most WIRE_REPLY_MAX bytes and a piece of WIRE_PIECE bytes.  Its
 * arrays have at most WIRE_ELEMENTS_MAX elements each and WIRE_DEPTH_MAX levels.  A
 * connection that failed stays failed.  One thread at a time.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_WIRE_H
#define LIMEN_PLUGINS_STORE_REDIS_WIRE_H

#include <hiredis.h>

#include "../../support/buffer.h"
#include "settings.h"
#include "script.h"

#define WIRE_PIECE 16384 /* what redisBufferRead() reads at once, at most */
#define WIRE_REPLY_MAX ((size_t)16 << 20)
#define WIRE_ELEMENTS_MAX 4096
#define WIRE_DEPTH_MAX 7
#define WIRE_RUN_MAX 64

typedef struct wire {
	redisContext *context;
#ifndef REDIS_READER_MAX_ARRAY_ELEMENTS
	redisReplyObjectFunctions makers; /* of replies, for the reader of 'context' */
#endif
	size_t fed; /* bytes since the last whole reply */
	buffer out; /* not sent yet */
	char run[WIRE_RUN_MAX + 1];  /* identifies this run of the server */
	char sha[SCRIPT_COUNT][41];
	char policy[32]; /* what the server does when memory is short */
	bool failed;
	bool unsound; /* it failed because a reply was malformed or an error */
	bool wrote;   /* a reply confirmed that something was written */
	int64_t made; /* when the connection was ready (monotonic) */
	char error[160];
} wire;

/*
 * Connects, logs in and loads the scripts, until 'deadline' (monotonic) or, once the
 * socket is connected, until 'host' (may be NULL) is stopping.  NULL with the reason in 'why'.
 */
wire *
wire_open(const location *where, limen_deadline deadline, limen_host *host, char *why, size_t size);

/* Takes 'context' over; NULL if memory is short. */
wire *wire_new(redisContext *context);

void wire_close(wire *connection); /* NULL is fine */

/* Writes a command: its number of words, then each word; fails when memory is short. */
void wire_begin(wire *connection, size_t count);
void wire_text(wire *connection, const char *text);
void wire_number(wire *connection, int64_t number); /* 0 or more */

/* Writes one word made of two parts. */
void
wire_pair(wire *connection, const char *text, size_t length, const char *more, size_t more_length);

/* Sends without blocking; false once the connection has failed. */
bool wire_flush(wire *connection);

/* Reads available bytes; false once the connection has failed. */
bool wire_read(wire *connection);

/* The next whole reply that was read, to be freed; NULL if there is none, or on failure. */
redisReply *wire_next(wire *connection);

/*
 * Sends everything and waits for a reply; NULL on failure, at the deadline, and when
 * 'host' (may be NULL) is stopping.  Bytes that have arrived by then are still read, once.
 */
redisReply *wire_wait(wire *connection, limen_deadline deadline, limen_host *host);

/* Returns true if an idle connection is still open; otherwise it has failed. */
bool wire_check_idle(wire *connection);

/* Marks it as failed with a reason, unless it has failed before. */
void wire_fail(wire *connection, const char *format, ...) LIMEN_PRINTF(2, 3);

/* As wire_fail(), because of a malformed reply. */
void wire_fail_answer(wire *connection);

/* As wire_fail(), with the text of an error reply, of which only plain characters are kept. */
void wire_fail_reply(wire *connection, const redisReply *reply);

#endif
