/* SPDX-License-Identifier: Apache-2.0 */
#include <glib-unix.h>
#include <limen/host.h>
#include <signal.h>

#include "daemon.h"
#include "decision_log.h"
#include "log.h"
#include "metrics.h"
#include "policy_source.h"
#include "service_manager.h"

#define SECOND INT64_C(1000000000)

/*
 * Clients that keep connections open may have sent a request that is still on
 * its way when they could have read that we end: this long is waited for such.
 */
#define QUIET_TIME (SECOND / 2)

static gboolean
tick(gpointer data)
{
	limend *self = data;

	transport_tick(self->transport);
	if (self->certificate != NULL)
		certificate_refresh(self->certificate, false);
	return G_SOURCE_CONTINUE;
}

static gboolean
feed_watchdog(gpointer data)
{
	(void)data;
	service_manager_tell("WATCHDOG=1");
	return G_SOURCE_CONTINUE;
}

/* ---- reload ---- */

static void start_reload(limend *self);

void
daemon_note_load(limend *self, bool good, const limen_diag *diag)
{
	/* The engine may tell of a reload while the accounts are being closed. */
	pthread_mutex_lock(&self->accounts);
	metrics_count_reload(self->shared.metrics, good);
	pthread_mutex_unlock(&self->accounts);
	if (good)
		log_line(LIMEN_LOG_INFO, NULL, "the policy was loaded again");
	else
		log_line(LIMEN_LOG_ERROR, NULL, "the policy stays as it was");
	policy_source_log(diag, LIMEN_WARNING);
}

static gboolean
end_reload(gpointer data)
{
	limend *self = data;

	g_thread_join(self->reloader);
	self->reloader = NULL;
	service_manager_tell("READY=1");
	if (self->reload_again)
		start_reload(self);
	return G_SOURCE_REMOVE;
}

/* On a thread of its own: a policy at a URL may take long. */
static gpointer
reload(gpointer data)
{
	limend *self = data;
	limen_diag *diag = limen_diag_new();

	if (diag == NULL)
		log_line(LIMEN_LOG_ERROR, NULL, "no reload: out of memory");
	else
		daemon_note_load(self, policy_source_load(self->shared.engine,
		                                          self->options.policy, diag), diag);
	limen_diag_free(diag);
	atomic_store(&self->loading, false);
	g_idle_add(end_reload, self);
	return NULL;
}

static void
start_reload(limend *self)
{
	self->reload_again = self->reloader != NULL;
	if (self->reloader != NULL || self->options.without_policy)
		return;
	service_manager_tell_reloading();
	atomic_store(&self->loading, true);
	self->reloader = g_thread_new("reload", reload, self);
}

static gboolean
on_hangup(gpointer data)
{
	limend *self = data;

	if (self->certificate != NULL)
		certificate_refresh(self->certificate, true);
	if (self->shared.decisions != NULL)
		decision_log_reopen(self->shared.decisions);
	start_reload(self);
	return G_SOURCE_CONTINUE;
}

/* ---- end ---- */

static gboolean
look_whether_drained(gpointer data)
{
	limend *self = data;
	bool busy = atomic_load(&self->loading) ||
	            !transport_is_quiet(self->transport, QUIET_TIME);

	if (busy && limen_host_monotonic() < self->drain_until)
		return G_SOURCE_CONTINUE;
	g_main_loop_quit(self->loop);
	return G_SOURCE_REMOVE;
}

static gboolean
on_end(gpointer data)
{
	limend *self = data;

	/* Whoever asks twice means it. */
	if (self->drain_until != 0) {
		decision_log_hurry(self->shared.decisions);
		g_main_loop_quit(self->loop);
		return G_SOURCE_CONTINUE;
	}
	log_line(LIMEN_LOG_INFO, NULL, "ending: running requests are finished first");
	service_manager_tell("STOPPING=1");
	self->drain_until = limen_host_monotonic() +
	                    (int64_t)(self->options.drain_timeout * (double)SECOND);
	atomic_store(&self->shared.draining, true);
	transport_stop_listening(self->transport);
	/* Who connects now is to go elsewhere instead of waiting for an answer. */
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

void
daemon_run(limend *self)
{
	uint64_t watchdog = service_manager_watchdog();

	self->loop = g_main_loop_new(NULL, FALSE);
	g_timeout_add(1000, tick, self);
	/* Half the time is what sd_watchdog_enabled(3) recommends. */
	if (watchdog > 0)
		g_timeout_add((guint)MAX(watchdog / 2000, 1), feed_watchdog, self);
	service_manager_tell("READY=1");
	g_main_loop_run(self->loop);
	/* Nobody looks at signals any more, so the next one is to end us as it is. */
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	g_main_loop_unref(self->loop);
	self->loop = NULL;
}
