/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daemon.h - the life of limend, from its command line to its exit status.
 *
 * daemon.c starts limend and shuts it down.  daemon_run.c runs the main loop: signals, the tick
 * of each second and the drain.  daemon_load.c loads the policy.
 */
#ifndef LIMEND_DAEMON_H
#define LIMEND_DAEMON_H

#include <glib.h>
#include <pthread.h>

#include "options.h"
#include "service/policy_source.h"
#include "service/state_file.h"
#include "transport/listeners.h"
#include "transport/transport.h"

enum {
	DAEMON_ENDED = 0,    /* after a signal, or a good --check */
	DAEMON_GIVEN_UP = 1, /* requests were still running, or a module called exit() */
	DAEMON_FAILED = 2   /* could not start */
};

typedef struct limend {
	limend_options options;
	service shared;
	certificate *certificate;
	policy_source *source;
	state_file *state; /* NULL: without --state */
	GPtrArray *listeners;
	transport *transport;
	pthread_mutex_t accounts; /* guards 'complaint' */
	GMainLoop *loop;
	GThread *loader;      /* NULL: no load runs */
	atomic_bool loading;  /* the loader is not done with the policy */
	bool load_again;      /* a reload was requested while the loader ran */
	bool starved;         /* the last loader thread could not be created */
	int64_t loader_ended; /* limen_host_monotonic() */
	char *complaint;      /* why the last load failed, already logged; NULL: it succeeded */
	atomic_bool forgets;  /* the policy has quotas that a restart forgets, which is in the log */
	bool loaded;          /* the first load went well */
	bool serving;         /* decisions, and not only probes */
	bool failed;          /* nothing can be served */
	int64_t drain_until;  /* limen_host_monotonic(); 0: not draining */
} limend;

/* ---- daemon.c ---- */

/* Runs the daemon; returns its exit status. */
int daemon_main(int argc, char **argv);

/* Starts to serve requests; the policy is in force.  Logs why and returns false on failure. */
bool daemon_serve(limend *self);

/* ---- check_report.c ---- */

/* Prints what --check loaded: the policy, with its counts of entries, and the certificate. */
void daemon_report_check(const limend *self);

/* ---- daemon_run.c ---- */

/* Leaves signals to the main loop.  Call it before any wait and before the sockets are open. */
void daemon_take_signals(limend *self);

/* Loads the policy, and serves until a signal ends it.  False if it could not start. */
bool daemon_run(limend *self);

/* Called by the main loop after the first load: starts to serve, or ends the loop. */
void daemon_begin(limend *self);

/* ---- daemon_load.c ---- */

/* Loads the policy and prints or logs its problems. */
bool daemon_load(limend *self);

/*
 * Calls daemon_load() on a thread; the main loop calls daemon_begin() afterwards.  Logs why and
 * returns false if no thread can be created.
 */
bool daemon_load_first(limend *self);

/* Reloads the policy on a thread.  The old policy stays in force if the new one is wrong. */
void daemon_load_again(limend *self);

/*
 * Reloads the policy if its file has changed and the engine does not watch that file, if it is
 * time to fetch its URL, or if it is time to retry a load that failed.  Called once a second.
 */
void daemon_look_at_policy(limend *self);

/* Logs and counts a reload by the engine itself; 'self' is a limend.  From any thread. */
void daemon_note_reload(void *self, int result, const limen_diag *diag);

#endif
