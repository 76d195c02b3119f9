/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daemon.h - the life of limend, from its command line to its exit status.
 *
 * daemon.c starts and ends, daemon_run.c is what happens in between: signals,
 * reloads, the clock tick and the drain.
 */
#ifndef LIMEND_DAEMON_H
#define LIMEND_DAEMON_H

#include <glib.h>
#include <pthread.h>

#include "listeners.h"
#include "options.h"
#include "transport.h"

enum {
	DAEMON_ENDED = 0,   /* after a signal */
	DAEMON_GIVEN_UP = 1, /* running requests were */
	DAEMON_FAILED = 2   /* could not start */
};

typedef struct limend {
	limend_options options;
	service shared;
	certificate *certificate;
	GPtrArray *listeners;
	transport *transport;
	pthread_mutex_t accounts; /* guards 'shared.metrics' against reloads that come late */
	GMainLoop *loop;
	GThread *reloader;    /* NULL: none runs */
	atomic_bool loading;  /* and is not done with it */
	bool reload_again;    /* asked for while one ran */
	int64_t drain_until;  /* limen_host_monotonic(); 0: not draining */
} limend;

/* Runs the daemon; returns its exit status. */
int daemon_main(int argc, char **argv);

/* Logs and counts what came of loading the policy once more; from any thread. */
void daemon_note_load(limend *self, bool good, const limen_diag *diag);

/* Leaves signals to daemon_run(); before anybody can know that we are there. */
void daemon_take_signals(limend *self);

/* Serves until a signal ends it; everything is in place. */
void daemon_run(limend *self);

#endif
