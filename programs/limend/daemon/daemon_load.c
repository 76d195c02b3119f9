/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daemon_load.c - loading the policy for the first time and again.
 *
 * Loads run on a thread, because a policy at a URL may take long: the main loop goes on
 * handling signals meanwhile.
 */
#include <limen/host.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../common/auto.h"
#include "../common/policy_problems.h"
#include "base/log.h"
#include "daemon.h"
#include "metrics/metrics.h"
#include "service/policy_log.h"
#include "transport/service_manager.h"

/* How long the first request waits for lists that are being downloaded. */
#define DOWNLOADS_MAX (10 * LIMEN_SECOND)

/* Interval at which the wait for downloads looks for a shutdown, in microseconds. */
#define DOWNLOADS_STEP (LIMEN_SECOND / 20)

/* Returns false if no thread can be created; repeated failures are logged once. */
static bool
start_loader(limend *self, GThreadFunc run)
{
	GError *reason = NULL;

	atomic_store(&self->loading, true);
	self->loader = g_thread_try_new("load", run, self, &reason);
	if (self->loader != NULL) {
		self->starved = false;
		return true;
	}
	atomic_store(&self->loading, false);
	if (!self->starved) {
		log_print(LIMEN_LOG_ERROR, NULL, "the policy cannot be loaded: threads cannot "
		          "be created: %s", reason->message);
		metrics_count_reload(self->shared.decider.metrics, false);
	}
	self->starved = true;
	g_error_free(reason);
	return false;
}

/* ---- accounts ---- */

/*
 * Remembers why a load failed (NULL: it did not).  Returns true if that is not what it was before.
 * The lock is needed: the engine may report a reload at any time.
 */
static bool
complain(limend *self, const char *reason)
{
	bool other;

	pthread_mutex_lock(&self->accounts);
	other = g_strcmp0(reason, self->complaint) != 0;
	g_free(self->complaint);
	self->complaint = g_strdup(reason);
	pthread_mutex_unlock(&self->accounts);
	return other;
}

/* Warns of quotas that a restart forgets, if the policy before had none. */
static void
warn_of_quotas(limend *self)
{
	size_t count = limen_engine_count_quotas(self->shared.decider.engine);

	if (self->options.state_path == NULL && !atomic_exchange(&self->forgets, count > 0) &&
	    count > 0)
		log_print(LIMEN_LOG_WARNING, NULL, "the policy has quotas of a day or more in memory "
		          "(%zu): a restart forgets what was used: name --state FILE or a store of "
		          "type redis", count);
}

/* Counts a reload.  Returns true if it failed for another reason than before, or no more. */
static bool
account(limend *self, bool good, const limen_diag *diag)
{
	g_autofree char *reason = good ? NULL : policy_log_reason(diag);

	metrics_count_reload(self->shared.decider.metrics, good);
	if (good)
		warn_of_quotas(self);
	return complain(self, reason);
}

/* ---- for the first time ---- */

bool
daemon_load(limend *self)
{
	const char *policy = self->options.policies[0];
	g_autoptr(limen_diag) diag = NULL;
	bool loaded;

	if (self->options.without_policy)
		return true;
	diag = limen_diag_new();
	loaded = policy_source_load(self->source, self->shared.decider.engine, diag);
	/* Problems are printed in full, as "limen validate" prints them: a person is reading. */
	if (loaded)
		policy_log(diag, LIMEN_SEVERITY_WARNING);
	else
		problems_print_policy(diag, LIMEN_SEVERITY_PROBLEM);
	if (!loaded && strcmp(policy, LIMEN_CONFDIR) == 0 && access(policy, F_OK) != 0)
		fputs("  hint: name a policy with --policy, or set LIMEN_POLICY\n", stderr);
	account(self, loaded, diag);
	if (!loaded) {
		loaded = policy_source_load_kept(self->source, self->shared.decider.engine);
		if (loaded) {
			metrics_count_reload(self->shared.decider.metrics, true);
			warn_of_quotas(self);
		}
	}
	return loaded;
}

static void
wait_for_downloads(limend *self)
{
	int64_t until = limen_host_monotonic() + DOWNLOADS_MAX * 1000;

	while (!limen_engine_wait_ready(self->shared.decider.engine, DOWNLOADS_STEP)) {
		if (atomic_load(&self->shared.draining))
			return;
		if (limen_host_monotonic() < until)
			continue;
		log_line(LIMEN_LOG_WARNING, NULL,
		         "something is still being downloaded after 10 seconds");
		return;
	}
}

static void
join_loader(limend *self)
{
	g_thread_join(self->loader);
	self->loader = NULL;
	self->loader_ended = limen_host_monotonic();
}

static gboolean
end_first_load(gpointer data)
{
	limend *self = data;

	join_loader(self);
	daemon_begin(self);
	return G_SOURCE_REMOVE;
}

static gpointer
load_first(gpointer data)
{
	limend *self = data;

	self->loaded = daemon_load(self);
	atomic_store(&self->loading, false);
	if (self->loaded)
		wait_for_downloads(self);
	g_idle_add(end_first_load, self);
	return NULL;
}

bool
daemon_load_first(limend *self)
{
	return start_loader(self, load_first);
}

/* ---- again ---- */

static void
tell(bool good, const limen_diag *diag)
{
	if (good)
		log_line(LIMEN_LOG_INFO, NULL, "the policy was loaded again: the counts of its rules begin at 0");
	else
		log_line(LIMEN_LOG_ERROR, NULL, "the policy stays as it was");
	policy_log(diag, LIMEN_SEVERITY_WARNING);
}

static void
note_load(limend *self, bool good, const limen_diag *diag)
{
	account(self, good, diag);
	tell(good, diag);
}

void
daemon_note_reload(void *data, int result, const limen_diag *diag)
{
	limend *self = data;

	if (result == LIMEN_OK || !policy_source_takes_over(self->source))
		note_load(self, result == LIMEN_OK, diag);
}

static gboolean
end_reload(gpointer data)
{
	limend *self = data;

	join_loader(self);
	service_manager_tell("READY=1");
	if (self->load_again)
		daemon_load_again(self);
	return G_SOURCE_REMOVE;
}

/* Ends the thread of a loader. */
static gpointer
end_loader(limend *self)
{
	atomic_store(&self->loading, false);
	g_idle_add(end_reload, self);
	return NULL;
}

static gpointer
reload(gpointer data)
{
	limend *self = data;
	g_autoptr(limen_diag) diag = limen_diag_new();
	bool loaded = policy_source_load(self->source, self->shared.decider.engine, diag);

	note_load(self, loaded, diag);
	return end_loader(self);
}

void
daemon_load_again(limend *self)
{
	self->load_again = self->loader != NULL;
	if (self->loader != NULL || self->options.without_policy)
		return;
	service_manager_tell_reloading();
	/* A reload that an operator requested logs its failure every time. */
	self->starved = false;
	if (!start_loader(self, reload))
		service_manager_tell("READY=1");
}

/* ---- by itself ---- */

/* Logs a failure once and not every minute, and logs once when it is over. */
static gpointer
refresh(gpointer data)
{
	limend *self = data;
	g_autoptr(limen_diag) diag = limen_diag_new();
	policy_refresh outcome = policy_source_refresh(self->source, self->shared.decider.engine,
	                                               &self->shared.draining, diag);
	bool loaded = outcome == POLICY_REFRESH_LOADED;

	if (outcome == POLICY_REFRESH_SAME && complain(self, NULL))
		log_line(LIMEN_LOG_INFO, NULL, "the policy can be fetched again, and is as it was");
	else if ((loaded || outcome == POLICY_REFRESH_FAILED) &&
	         (account(self, loaded, diag) || loaded))
		tell(loaded, diag);
	return end_loader(self);
}

/*
 * A failed load is retried even if no file has changed: memory, descriptors or something that
 * a module needs may have been missing.
 */
static bool
is_refresh_due(limend *self)
{
	int64_t pause = (int64_t)(self->options.policy_refresh * 1e9);
	bool complaining;

	pthread_mutex_lock(&self->accounts);
	complaining = self->complaint != NULL;
	pthread_mutex_unlock(&self->accounts);
	return pause > 0 && limen_host_monotonic() - self->loader_ended >= pause &&
	       (policy_source_is_fetched(self->source) || complaining);
}

void
daemon_look_at_policy(limend *self)
{
	if (self->loader != NULL || self->options.without_policy ||
	    atomic_load(&self->shared.draining))
		return;
	if (policy_source_is_stale(self->source))
		start_loader(self, reload);
	else if (is_refresh_due(self))
		start_loader(self, refresh);
}
