/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redis_liar.h - a server that says what a test wants instead of what Redis would,
 * and engines that ask it.
 */
#ifndef LIMEN_TESTS_PLUGINS_STORE_REDIS_LIAR_H
#define LIMEN_TESTS_PLUGINS_STORE_REDIS_LIAR_H

#include <limen/limen.h>
#include <pthread.h>
#include <stdatomic.h>

#define LIAR_GREETINGS 4

/* So much is sent of an answer without end. */
#define LIAR_FLOOD ((size_t)24 << 20)

/* An answer without end: 'head', and then 'body' again and again. */
typedef struct liar_flood {
	const char *name;
	const char *head;
	const char *body;
	unsigned pause; /* microseconds after each 'body' */
} liar_flood;

typedef struct liar {
	char directory[64];
	char path[96];
	int fd;
	pthread_t threads[2]; /* so many connections at a time */
	atomic_bool stop;
	const char *greeting[LIAR_GREETINGS]; /* the answers to what a connection asks first */
	const char *answer;                   /* to all else; NULL: hangs up */
	atomic_int asked;                     /* how much else was answered */

	/* While 'flooding', question 'flood_at' of a connection and later ones get 'flood'. */
	atomic_bool flooding;
	liar_flood flood;
	size_t flood_at;
	atomic_int floods; /* how many began */
	atomic_int drunk;  /* how many were read to LIAR_FLOOD */
} liar;

/* One that greets as Redis does.  The caller may change what it says before liar_run(). */
void liar_start(liar *self, const char *answer);
void liar_run(liar *self);
void liar_stop(liar *self);

/* An engine with a limit of ten an hour in a store with these options, or NULL. */
limen_engine *liar_load(const char *options, limen_diag *diag);
/* Likewise, once the store is ready, or has tried to be. */
limen_engine *liar_engine(const char *options, limen_diag *diag);

/* The code of one decision that may take so many microseconds; 0: no bound. */
int liar_decide_within(limen_engine *engine, const char *who, limen_duration timeout);
int liar_decide(limen_engine *engine, const char *who);

#endif
