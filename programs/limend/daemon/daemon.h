/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daemon.h - the life of limend, from its command line to its exit status.
 *
 * daemon.c starts and ends, daemon_run.c is what happens in between: signals,
 * the clock tick and the drain.  daemon_load.c loads the policy.
 */
#ifndef LIMEND_DAEMON_H
#define LIMEND_DAEMON_H

#include <glib.h>
#include <pthread.h>

#include "options.h"
#include "service/policy_source.h"
#include "transport/listeners.h"
#include "transport/transport.h"

enum {
	DAEMON_ENDED = 0,   /* after a signal */
	DAEMON_GIVEN_UP = 1, /* running requests were, or a module called exit() */
	DAEMON_FAILED = 2   /* could not start */
};

typedef struct limend {
	limend_options options;
	service shared;
	certificate *certificate;
	policy_source *source;
	GPtrArray *listeners;
	transport *transport;
	pthread_mutex_t accounts; /* guards 'shared.metrics' against late reloads, and 'complaint' */
	GMainLoop *loop;
	GThread *loader;      /* NULL: none runs */
	atomic_bool loading;  /* and is not done with the policy */
	bool load_again;      /* asked for while one ran */
	bool starved;         /* there was no thread the last time */
	int64_t loader_ended; /* limen_host_monotonic() */
	char *complaint;      /* why the last load failed, which was told; NULL: it did not */
	bool loaded;          /* the first load went well */
	bool failed;          /* nothing can be served */
	int64_t drain_until;  /* limen_host_monotonic(); 0: not draining */
} limend;

/* ---- daemon.c ---- */

/* Runs the daemon; returns its exit status. */
int daemon_main(int argc, char **argv);

/* Opens for requests: the policy is in force.  False, having said why, if that cannot be. */
bool daemon_serve(limend *self);

/* ---- daemon_run.c ---- */

/* Leaves signals to daemon_run(): before anything is waited for, or anybody sees a socket. */
void daemon_take_signals(limend *self);

/* Loads the policy, and serves until a signal ends it.  False if it could not start. */
bool daemon_run(limend *self);

/* The first load is over. */
void daemon_begin(limend *self);

/* ---- daemon_load.c ---- */

/* Loads the policy, and shows what is wrong with it. */
bool daemon_load(limend *self);

/*
 * Does so on a thread, and calls daemon_begin() of the main loop.  False, having said why, if
 * there is no thread.
 */
bool daemon_load_first(limend *self);

/* Loads it once more, which leaves the one before in force if it is wrong. */
void daemon_load_again(limend *self);

/*
 * Loads it once more if it comes from a file that has changed and that the engine does not watch,
 * or it is time to fetch it from its URL, or to try again what failed.
 */
void daemon_look_at_policy(limend *self);

/* Logs and counts what came of loading the policy once more; from any thread. */
void daemon_note_load(limend *self, bool good, const limen_diag *diag);

#endif
