/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daemon_run.c - runs the main loop: handles SIGHUP, SIGTERM and SIGINT, calls the tick every
 * second, feeds the systemd watchdog, and drains requests before the end.  Owns the loop.  The
 * first SIGTERM or SIGINT starts the drain, the second ends it.
 */
#include <glib-unix.h>
#include <limen/host.h>
#include <signal.h>
#include <unistd.h>

#include "audit/decision_log.h"
#include "base/log.h"
#include "daemon.h"
#include "transport/service_manager.h"

#define SECOND INT64_C(1000000000)

/*
 * The drain waits until there was no request for this long, in nanoseconds: clients that keep
 * connections open may have sent a request before they could see that limend ends.
 */
#define QUIET_TIME (SECOND / 2)

/*
 * How long the end may take after the drain, in seconds: a slow reader of the decision log has 5
 * of them.
 */
#define LAST_TIME 6

static void
refresh_certificate(limend *self, bool always)
{
	if (self->certificate == NULL)
		return;
	certificate_refresh(self->certificate, always);
	metrics_note_expiry(self->shared.decider.metrics, certificate_expires(self->certificate));
}

static gboolean
tick(gpointer data)
{
	limend *self = data;

	transport_tick(self->transport);
	watch_tick(self->shared.watch);
	history_tick(self->shared.decider.history, self->shared.decider.engine);
	refresh_certificate(self, false);
	daemon_look_at_policy(self);
	return G_SOURCE_CONTINUE;
}

/* systemd restarts a daemon that is not fed, as a kubelet does when /livez fails. */
static gboolean
feed_watchdog(gpointer data)
{
	const limend *self = data;

	if (!watch_look(self->shared.watch).dead)
		service_manager_tell("WATCHDOG=1");
	return G_SOURCE_CONTINUE;
}

static gboolean
on_hangup(gpointer data)
{
	limend *self = data;

	refresh_certificate(self, true);
	decision_log_reopen(self->shared.decider.decisions);
	state_file_hurry(self->state);
	daemon_load_again(self);
	return G_SOURCE_CONTINUE;
}

/* ---- end ---- */

static gboolean
look_whether_drained(gpointer data)
{
	limend *self = data;
	bool busy = atomic_load(&self->loading) || !transport_is_quiet(self->transport, QUIET_TIME);

	if (busy && limen_host_monotonic() < self->drain_until)
		return G_SOURCE_CONTINUE;
	g_main_loop_quit(self->loop);
	return G_SOURCE_REMOVE;
}

/* Runs on a thread of its own, which nothing else can hold up. */
static gpointer
cut_off(gpointer data)
{
	g_usleep((gulong)(gsize)data);
	log_line(LIMEN_LOG_ERROR, NULL, "something hangs at the end, such as a module that is being "
	         "closed: it is cut off");
	_exit(DAEMON_GIVEN_UP);
}

/* Ends the process LAST_TIME after 'drain' seconds, even if a thread or a module hangs. */
static void
end_at_last(double drain)
{
	GThread *thread = g_thread_try_new("end", cut_off,
	                                   (gpointer)(gsize)((drain + LAST_TIME) * G_USEC_PER_SEC),
	                                   NULL);

	if (thread != NULL)
		g_thread_unref(thread);
}

static gboolean
on_end(gpointer data)
{
	limend *self = data;

	end_at_last(self->drain_until == 0 ? self->options.drain_timeout : 0);
	/* The second signal ends the drain at once. */
	if (self->drain_until != 0) {
		decision_log_hurry(self->shared.decider.decisions);
		g_main_loop_quit(self->loop);
		return G_SOURCE_CONTINUE;
	}
	service_manager_tell("STOPPING=1");
	self->drain_until = limen_host_monotonic() +
	                    (int64_t)(self->options.drain_timeout * (double)SECOND);
	atomic_store(&self->shared.draining, true);
	if (!self->serving) {
		log_line(LIMEN_LOG_INFO, NULL, "ending before anything was served");
		g_main_loop_quit(self->loop);
		return G_SOURCE_CONTINUE;
	}
	log_line(LIMEN_LOG_INFO, NULL, "shutting down: running requests are finished first");
	transport_stop_listening(self->transport);
	/* New connections are refused, so that clients try another server instead of waiting. */
	listeners_refuse(self->listeners);
	g_timeout_add(20, look_whether_drained, self);
	return G_SOURCE_CONTINUE;
}

void
daemon_take_signals(limend *self)
{
	g_unix_signal_add(SIGHUP, on_hangup, self);
	g_unix_signal_add(SIGTERM, on_end, self);
	g_unix_signal_add(SIGINT, on_end, self);
}

/* ---- from the first load on ---- */

void
daemon_begin(limend *self)
{
	/* A signal may have been handled in the same iteration of the loop. */
	if (atomic_load(&self->shared.draining))
		return;
	if (!self->loaded || !daemon_serve(self)) {
		self->failed = true;
		g_main_loop_quit(self->loop);
		return;
	}
	service_manager_tell("READY=1");
	if (self->load_again)
		daemon_load_again(self);
}

bool
daemon_run(limend *self)
{
	uint64_t watchdog = service_manager_watchdog();

	self->loop = g_main_loop_new(NULL, FALSE);
	g_timeout_add(1000, tick, self);
	/* sd_watchdog_enabled(3) recommends half of the watchdog time. */
	if (watchdog > 0)
		g_timeout_add((guint)MAX(watchdog / 2000, 1), feed_watchdog, self);
	self->failed = !daemon_load_first(self);
	if (!self->failed)
		g_main_loop_run(self->loop);
	/* The loop no longer handles signals, so the next one ends the process by default. */
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	g_main_loop_unref(self->loop);
	self->loop = NULL;
	return !self->failed;
}
