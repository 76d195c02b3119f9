/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire.h - one connection to Redis: a socket that never blocks, so that every wait has an absolute
 * deadline, and the reader of hiredis.
 *
 * One reply has at most WIRE_REPLY_MAX bytes and a piece of WIRE_PIECE bytes.  Its arrays have at most
 * WIRE_ELEMENTS_MAX elements together and WIRE_DEPTH_MAX levels.  A failed connection stays failed.
 */
#ifndef LIMEN_PLUGINS_STORE_REDIS_WIRE_H
#define LIMEN_PLUGINS_STORE_REDIS_WIRE_H

#include <hiredis.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../support/buffer.h"
#include "settings.h"

/*
 * ---- script.c: the scripts that Redis runs ----
 *
 * Each changes its buckets atomically, by Redis' clock.  A bucket is a hash.  Its field "s" holds
 * the debt (the tokens missing from a full bucket) and its time; other fields are leases: tokens
 * that a process may use until a time.  Debt counts in units of 1/period of a token; every
 * microsecond restores 'tokens' of them, as in limen-sdk/bucket.h.  Lua's numbers are exact to
 * 2^53 (SCRIPT_UNITS_MAX).
 *
 * KEYS[1] marks the database: the time from which its state is reliable, the run and the
 * replication ID of the server, and when that was noted.  A missing bucket was full at the first
 * time if the database was new, else empty.  'trust' says after which changes of the run the state
 * is still good: 0 none, 1 all, 2 if the server continues the replication of the one in the mark.
 * After 'run' follow the runs of all masters of a cluster.  The error TRYAGAIN says that the mark
 * may be that of one whose run is WIRE_RUN_UNKNOWN.
 */

/* (burst + 1) * period + tokens may be this at most, the rate being reduced. */
#define SCRIPT_UNITS_MAX (INT64_C(1) << 53)

typedef enum script_id {
	/*
	 * ARGV: run, trust, new, all, peek, then for each bucket tokens, period, burst, amount.
	 * Answers for each bucket: granted (0 or 1), wait; then for each: tokens left after all, time
	 * until there is another (0: it is full), and the number of the period of a window (0:
	 * tokens).  call_meter() has the numbers of windows.
	 */
	SCRIPT_TAKE,
	/*
	 * ARGV: run, trust, new, tokens, period, burst, amount, number of the period.  Answers 1 if
	 * tokens went back.
	 */
	SCRIPT_GIVE,
	/*
	 * ARGV: run, trust, new, client, tokens, period, burst, kept, put back, given back, least,
	 * wanted, how long, number of the period of 'given back'.  Answers: whether the lease had
	 * lapsed, tokens granted, wait for more; left, time and number as SCRIPT_TAKE does; how long
	 * the lease lasts.
	 */
	SCRIPT_LEASE,
	SCRIPT_COUNT
} script_id;

extern const char *const script_texts[SCRIPT_COUNT];

/*
 * Looks at buckets and changes nothing, the mark included.  ARGV: run, trust, then for each bucket
 * tokens, period, burst.  Answers for each bucket: tokens left, tokens leased, microseconds since it
 * was written (-1: it holds no state), the most that may be left, time until there is another.
 */
extern const char *const script_look;

/*
 * Makes buckets full, with the arguments of script_look.  They expire no later than before: by
 * then a missing bucket is full, too.
 */
extern const char *const script_reset;

#define WIRE_PIECE 16384 /* what is read at once, at most: a whole record of TLS */
#define WIRE_REPLY_MAX ((size_t)16 << 20)
#define WIRE_ELEMENTS_MAX 65536
#define WIRE_DEPTH_MAX 7
#define WIRE_RUN_MAX 64
#define WIRE_RUN_UNKNOWN "?" /* of a master that is still being asked */

#if HIREDIS_MAJOR < 1
typedef int wire_count;
#else
typedef size_t wire_count; /* as hiredis counts elements */
#endif

typedef struct wire {
	int fd; /* -1: none */
	redisReader *reader;
	struct gnutls_session_int *tls; /* NULL: none */
	redisReplyObjectFunctions makers, *usual; /* of replies, for the reader */
	size_t fed;      /* bytes since the last whole reply */
	size_t elements; /* of arrays since then */
	buffer out; /* not sent yet */
	char run[WIRE_RUN_MAX + 1];  /* identifies this run of the server */
	char sha[SCRIPT_COUNT][41];
	char policy[32]; /* what the server does when memory is short */
	bool failed;
	bool unsound; /* it failed because a reply was malformed or an error */
	bool unfit;   /* it failed because of how the server, or limen, is set up */
	bool wrote;   /* a reply confirmed that something was written */
	limen_deadline deadline; /* of the latest wait, and of wire_ask() */
	limen_host *host;        /* which may end that; or NULL */
	int64_t made; /* when the connection was ready (monotonic) */
	char error[160];
} wire;

/* Why there is no connection.  A fault that lasts ends only with a change of configuration. */
typedef struct wire_fault {
	bool lasts;
	char text[200];
} wire_fault;

/* The most masters of a cluster; a tag is one of so many groups of keys that share a slot. */
#define NODES_MAX 64
#define CALL_TAGS 1024

/* The master of Sentinels or the masters of a cluster: their addresses, and which has each tag. */
typedef struct cluster_map {
	size_t count;
	place masters[NODES_MAX + 1]; /* one more to read into */
	unsigned char owner[CALL_TAGS];
} cluster_map;

bool place_equal(const place *a, const place *b);

/*
 * Reads the host and port of a server that a server has told; without a host it is that
 * of the 'teller'.  Returns false unless they are plain.
 */
bool wire_place(const char *host, const char *port, const char *teller, place *out);

/* The slot of a text in a cluster. */
unsigned wire_slot(const char *text, size_t length);

/*
 * Asks the Sentinels or nodes of the options, then those in 'more', one after the other; each may
 * take its share of the time.  Returns false with the reason in 'why'.
 */
bool wire_find(const settings *options, const place *more, size_t more_count, limen_deadline deadline,
               limen_host *host, cluster_map *out, wire_fault *why);

/*
 * Connects to 'address' or what else the options name, logs in, checks what the server is, and
 * loads the scripts, until 'deadline' (monotonic) or until 'host' (may be NULL) is stopping.  NULL
 * with the reason in 'why'.
 */
wire *wire_open(const settings *options, const place *address, limen_deadline deadline,
                limen_host *host, wire_fault *why);

/*
 * Connects to all masters of a cluster, or to what the options name; 'map' tells which, or which
 * may be.  Returns the number of connections; the text in 'why' is "" if none failed.
 */
size_t wire_open_all(const settings *options, limen_deadline deadline, cluster_map *map,
                     wire *out[NODES_MAX], wire_fault *why);

/* Takes over a socket that does not block (-1: none yet); NULL if memory is short. */
wire *wire_new(int fd);
void wire_close(wire *connection); /* NULL is fine */

/*
 * Writes a command: its number of words, then each word, which may be of two parts; fails when
 * memory is short.
 */
void wire_begin(wire *connection, size_t count);
void wire_text(wire *connection, const char *text);
void wire_number(wire *connection, int64_t number); /* 0 or more */
void wire_pair(wire *connection, const char *text, size_t length, const char *more, size_t more_length);

/* Each returns false once the connection has failed: sends without blocking; reads available bytes. */
bool wire_flush(wire *connection);
bool wire_read(wire *connection);

/* The next whole reply that was read, to be freed; NULL if there is none, or on failure. */
redisReply *wire_next(wire *connection);

/*
 * Sends everything and waits for a reply; NULL on failure, at the deadline, and when
 * 'host' (may be NULL) is stopping.  Bytes that have arrived by then are still read, once.
 */
redisReply *wire_wait(wire *connection, limen_deadline deadline, limen_host *host);

/*
 * Waits until the socket is ready for 'events' of poll(); returns whether it is.  'why' is set
 * once the deadline has passed or the host is stopping.
 */
bool wire_poll(const wire *connection, short events, const char **why);

/* Sends a command in the format of hiredis and waits; NULL on failure, which an error is, too. */
redisReply *wire_ask(wire *connection, const char *format, ...) LIMEN_PRINTF(2, 3);

/* Returns true if an idle connection is still open; otherwise it has failed. */
bool wire_check_idle(wire *connection);

/*
 * Each marks it as failed, unless it has failed before: with a reason; with the text of an error
 * reply, of which only plain characters are kept, or because of any other reply (NULL is fine).
 */
void wire_fail(wire *connection, const char *format, ...) LIMEN_PRINTF(2, 3);
void wire_fail_reply(wire *connection, const redisReply *reply);

/*
 * ---- tls.c: TLS below a connection, by GnuTLS.  The certificate of the server is verified always: its
 * chain, its dates and its name. ----
 */

/* Reads the authorities and the certificate of limen. */
int tls_read(settings *options, limen_opening *opening, limen_diag *diag);

/* Shakes hands with the server 'name', unless the options have another; it may fail. */
void tls_start(wire *connection, const settings *options, const char *name);

/* Returns what send() or recv() would, from the result of GnuTLS; its failure is the connection's. */
ssize_t tls_result(wire *connection, ssize_t result);

#endif
