/* SPDX-License-Identifier: Apache-2.0 */
/*
 * daemon.c - starts limend (sockets, TLS, engine, metrics, decision log), runs --check instead if
 * requested, and shuts everything down.  Owns the limend structure, which lives on the stack of
 * daemon_main().
 */
#include "daemon.h"

#include <errno.h>
#include <limen/host.h>
#include <limen/version.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/auto.h"
#include "audit/decision_log.h"
#include "base/log.h"
#include "base/memory.h"
#include "common/exit_guard.h"
#include "common/help.h"
#include "metrics/metrics.h"

#define DEFAULT_ADDRESS "127.0.0.1:8443"

/* Returns true for NULL; else says why limend cannot start, and takes 'why' over. */
static bool
proceed(char *why)
{
	if (why != NULL)
		log_line(LIMEN_LOG_ERROR, NULL, why);
	g_free(why);
	return why == NULL;
}

/* ---- sockets ---- */

static char *
in_the_clear(const char *shown)
{
	return g_strdup_printf("%s can be reached from other machines: set --tls-certificate and "
	                       "--tls-key, or --no-tls", shown);
}

static bool
open_addresses(limend *self, char **texts, served purpose)
{
	for (; texts != NULL && *texts != NULL; texts++)
		if (!proceed(listeners_add_tcp(self->listeners, *texts, purpose)))
			return false;
	return true;
}

static bool
open_listeners(limend *self)
{
	const limend_options *options = &self->options;
	GPtrArray *list = self->listeners;

	if (!proceed(listeners_add_inherited(list)) ||
	    !open_addresses(self, options->listen, SERVED_ALL))
		return false;
	for (char **path = options->unix_paths; path != NULL && *path != NULL; path++)
		if (!proceed(listeners_add_unix(list, *path, SERVED_ALL, LISTENERS_MODE,
		                                LISTENERS_GROUP_SAME)))
			return false;
	if (list->len == 0 && !proceed(listeners_add_tcp(list, DEFAULT_ADDRESS, SERVED_ALL)))
		return false;
	if (options->gate_path != NULL &&
	    !proceed(listeners_add_unix(list, options->gate_path, SERVED_GATE, options->unix_mode,
	                                options->unix_group)))
		return false;
	return open_addresses(self, options->health_listen, SERVED_HEALTH) &&
	       open_addresses(self, options->ui_listen, SERVED_CONSOLE);
}

/* TCP sockets that other machines can reach need TLS or --no-tls; health sockets never have TLS. */
static bool
check_listeners(const limend *self)
{
	for (guint i = 0; i < self->listeners->len; i++) {
		const listener *socket = g_ptr_array_index(self->listeners, i);

		if (!socket->local && socket->purpose != SERVED_HEALTH && self->certificate == NULL &&
		    !self->options.no_tls)
			return proceed(in_the_clear(socket->shown));
	}
	return true;
}

/* ---- TLS ---- */

static bool
open_tls(limend *self)
{
	const limend_options *options = &self->options;
	char *error = NULL;

	if (options->tls_certificate == NULL)
		return true;
	self->certificate = certificate_open(options->tls_certificate, options->tls_key,
	                                     options->client_ca, &error);
	if (self->certificate == NULL)
		return proceed(error);
	metrics_note_expiry(self->shared.decider.metrics, certificate_expires(self->certificate));
	return true;
}

/* ---- engine ---- */

static void
log_engine(void *data, limen_log_level level, const char *source, const char *text)
{
	(void)data;
	log_line(level, source == NULL ? "engine" : source, text);
}

static bool
make_engine(limend *self)
{
	g_autofree char *path = help_module_path(self->options.module_path);
	limen_engine_options options = { .size = sizeof(options),
		/* Texts come from URLs, and "modules" in them would run foreign code. */
		.flags = LIMEN_ENGINE_FOREIGN_TEXTS |
		         (self->options.check ? LIMEN_ENGINE_PASSIVE : LIMEN_ENGINE_WATCH) |
		         (self->options.without_policy ? LIMEN_ENGINE_WITHOUT_POLICY : 0),
		.cache_dir = self->options.cache_dir,
		.log = log_engine,
		.reloaded = daemon_note_reload, .reloaded_data = self,
		.manifest_namespace = self->options.namespace,
		.module_path = path };

	self->source = policy_source_new(
		self->options.policies, self->options.check ? NULL : self->options.cache_dir);
	self->shared.decider.engine = limen_engine_new(&options);
	return self->shared.decider.engine != NULL || proceed(g_strdup("out of memory"));
}

/* ---- decision log ---- */

static bool
open_decision_log(limend *self)
{
	const decision_log_options *options = &self->options.log_rules;
	char *why = NULL;

	if (options->path == NULL && options->kept_back)
		log_line(LIMEN_LOG_WARNING, NULL, "--messages=short without --decision-log: why "
		                                  "something is refused is logged nowhere");
	if (options->path == NULL)
		return true;
	self->shared.decider.decisions = decision_log_open(options, &why);
	return self->shared.decider.decisions != NULL || proceed(why);
}

static bool
open_state(limend *self)
{
	char *why = NULL;

	if (self->options.state_path == NULL)
		return true;
	self->state = state_file_open(self->options.state_path, &why);
	return self->state != NULL || proceed(why);
}

/* ---- serving ---- */

static limen_duration
to_duration(double seconds)
{
	return (limen_duration)(seconds * (double)LIMEN_SECOND);
}

/*
 * Descriptors kept for everything but connections: threads of the transport, files of the
 * policy, logs, and network connections of modules.
 */
#define RESERVE ((rlim_t)256)

/* Raises the soft limit to 'wanted' as far as the hard limit allows; returns the new limit. */
static rlim_t
raise_limit(rlim_t wanted)
{
	struct rlimit limit;
	rlim_t before;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return wanted;
	before = limit.rlim_cur;
	if (before >= wanted)
		return before;
	limit.rlim_cur = MIN(wanted, limit.rlim_max);
	return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : before;
}

/*
 * Returns how many connections each listener may have, at least one, and raises the limit as far as
 * the hard limit allows.  More must not be accepted: libmicrohttpd loops without sleep when
 * accept() runs out of descriptors.
 */
static unsigned
fit_connections(const limend *self)
{
	unsigned wanted = (unsigned)self->options.max_connections;
	size_t sockets = MAX(self->listeners->len, 1);
	/* A listener accepts an eighth and 16 beyond its bound, and shuts down another for each. */
	rlim_t spare = wanted / 8 + 16;
	rlim_t limit = raise_limit((wanted + spare) * sockets + RESERVE);
	/* A small limit is halved: files other than connections need descriptors, too. */
	rlim_t room = (limit > 2 * RESERVE ? limit - RESERVE : limit / 2) / sockets;
	rlim_t bound = room > 2 * 16 ? (8 * (room - 16) + 8) / 9 : room / 2;
	unsigned fitting = MAX((unsigned)MIN(bound, wanted), 1);

	if (fitting < wanted)
		log_print(LIMEN_LOG_WARNING, NULL,
		          "%u connections of a listening socket at most, not %u: no more files "
		          "may be open (LimitNOFILE= of systemd, ulimit -Hn)", fitting, wanted);
	return fitting;
}

static bool
uses_tls(const limend *self, const listener *socket)
{
	return self->certificate != NULL && !socket->unix_socket &&
	       socket->purpose != SERVED_HEALTH && socket->purpose != SERVED_CONSOLE;
}

/* Logs where a browser finds the console, if 'socket' serves it. */
static void
log_console(const limend *self, const listener *socket)
{
	bool tls = uses_tls(self, socket);
	bool every = g_str_has_prefix(socket->shown, "0.0.0.0:") ||
	             g_str_has_prefix(socket->shown, "[::]:");
	const char *host = tls ? g_get_host_name() : "localhost";

	if (socket->purpose != SERVED_CONSOLE &&
	    (socket->purpose != SERVED_ALL || socket->unix_socket || self->options.ui == UI_OFF))
		return;
	log_print(LIMEN_LOG_INFO, NULL, "the console is at %s://%s%s/ui", tls ? "https" : "http",
	          every ? host : "", every ? strrchr(socket->shown, ':') : socket->shown);
}

static bool
serve(limend *self, const listener *socket)
{
	bool tls = uses_tls(self, socket);
	g_autofree char *error = transport_serve(self->transport, socket->fd, tls, socket->purpose);

	if (error != NULL)
		return proceed(g_strdup_printf("%s: %s", socket->shown, error));
	log_print(LIMEN_LOG_INFO, NULL, "listening on %s%s", socket->shown, tls ? " with TLS" : "");
	log_console(self, socket);
	return true;
}

/* Serves the listeners for probes and metrics, or all others. */
static bool
serve_all(limend *self, bool health)
{
	for (guint i = 0; i < self->listeners->len; i++) {
		const listener *socket = g_ptr_array_index(self->listeners, i);

		if ((socket->purpose == SERVED_HEALTH) == health && !serve(self, socket))
			return false;
	}
	return true;
}

/* Probes are answered from now on, so that a start that takes long does not look like a failure. */
static bool
open_transport(limend *self)
{
	const limend_options *from = &self->options;
	transport_options options = { .shared = &self->shared,
		.metrics = self->shared.decider.metrics,
		.engine = self->shared.decider.engine,
		.trusted = from->trusted,
		.certificate = self->certificate,
		.require_certificate = from->require_certificate,
		.max_body = (size_t)from->max_body,
		.max_url = (size_t)from->max_url,
		.max_connections = fit_connections(self),
		.max_per_peer = (unsigned)from->max_per_peer,
		.threads = (unsigned)from->threads, .workers = (unsigned)from->workers,
		.queue = (unsigned)from->queue,
		.idle_timeout = to_duration(from->idle_timeout),
		.client_timeout = to_duration(from->client_timeout) };

	self->shared.observer = observer_new(self->shared.decider.engine);
	self->transport = transport_new(&options);
	if (self->transport == NULL)
		return proceed(g_strdup("threads cannot be created"));
	return serve_all(self, true);
}

/* Writes one URL a line.  The file is replaced as a whole, so a reader never sees half of it. */
static bool
write_addresses(const limend *self)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GError) reason = NULL;

	for (guint i = 0; i < self->listeners->len; i++) {
		const listener *socket = g_ptr_array_index(self->listeners, i);

		if (!socket->unix_socket)
			g_string_append(text, uses_tls(self, socket) ? "https://" : "http://");
		g_string_append_printf(text, "%s\n", socket->shown);
	}
	return self->options.address_file == NULL ||
	       g_file_set_contents(self->options.address_file, text->str, (gssize)text->len,
	                           &reason) ||
	       proceed(g_strdup(reason->message));
}

bool
daemon_serve(limend *self)
{
	if (self->state != NULL &&
	    !proceed(state_file_begin(self->state, self->shared.decider.engine)))
		return false;
	self->serving = true;
	return serve_all(self, false) && write_addresses(self);
}

/* ---- from start to end ---- */

static bool
prepare(limend *self)
{
	self->shared.without_policy = self->options.without_policy;
	self->shared.decider.timeout = to_duration(self->options.timeout);
	self->shared.decider.short_messages = self->options.short_messages;
	self->shared.watch = watch_new(self->shared.decider.timeout);
	self->shared.batch_maximum = (size_t)self->options.batch_maximum;
	self->shared.hosts = self->options.hosts;
	self->shared.gate_from = self->options.gate_from;
	self->shared.proxies = self->options.proxies;
	self->shared.ui = self->options.ui;
	self->shared.validates_policies = self->options.validate_policies;
	self->shared.validate_directory = self->options.cache_dir;
	self->shared.module_path = self->options.module_path;
	self->shared.namespace = self->options.namespace;
	self->shared.started = limen_host_monotonic();
	self->listeners = listeners_new();
	if (self->options.trusts_everyone)
		log_line(LIMEN_LOG_WARNING, NULL, "--trust-hints-from has all addresses: every "
		                                  "client can impersonate any requester");
	daemon_take_signals(self);
	self->shared.decider.history = history_new();
	self->shared.decider.recent = recent_new((size_t)self->options.recent,
	                                         &self->options.log_rules,
	                                         self->options.recent_documents);
	return open_listeners(self) && open_tls(self) && check_listeners(self) &&
	       make_engine(self) && open_decision_log(self) && open_state(self) &&
	       open_transport(self);
}

/* ---- --check ---- */

/* Returns NULL if 'path' is a file or its directory exists, else an error text to g_free(). */
static char *
check_path(const char *path)
{
	g_autofree char *directory = g_path_get_dirname(path);
	struct stat facts;
	int error = 0;

	if (stat(path, &facts) == 0)
		error = S_ISDIR(facts.st_mode) ? EISDIR : 0;
	else if (stat(directory, &facts) != 0)
		error = errno;
	else if (!S_ISDIR(facts.st_mode))
		error = ENOTDIR;
	return error == 0 ? NULL : g_strdup_printf("%s: %s", path, g_strerror(error));
}

static char *
check_tcp(const limend_options *options, const char *text)
{
	bool local = false;
	char *why = listeners_check_tcp(text, &local);

	if (why != NULL || local || options->no_tls || options->tls_certificate != NULL)
		return why;
	return in_the_clear(text);
}

static char *
check_unix(const char *path)
{
	char *why = listeners_check_unix(path);
	struct stat facts;

	if (why == NULL && lstat(path, &facts) == 0)
		return S_ISSOCK(facts.st_mode) ? NULL : listeners_no_socket(path);
	return why == NULL ? check_path(path) : why;
}

static char *
check_files(const limend_options *options)
{
	const char *const paths[] = { options->log_rules.path, options->address_file,
		                      options->state_path };
	char *why = NULL;

	/* Only the decision log may be "-", standard output. */
	for (size_t i = 0; why == NULL && i < G_N_ELEMENTS(paths); i++)
		if (paths[i] != NULL && (i > 0 || strcmp(paths[i], "-") != 0))
			why = check_path(paths[i]);
	if (why == NULL && options->gate_path != NULL)
		why = check_unix(options->gate_path);
	return why;
}

/*
 * Checks the addresses and files of the options without opening any of them, since a running
 * daemon may have them open.  Permissions are not checked: --check may run as another user than
 * the daemon.  Returns NULL, or why limend could not start with them, to g_free().
 */
static char *
check_places(const limend_options *options)
{
	char *why = NULL;

	for (char **text = options->listen; why == NULL && text != NULL && *text != NULL; text++)
		why = check_tcp(options, *text);
	for (char **text = options->health_listen; why == NULL && text != NULL && *text != NULL; text++)
		why = listeners_check_tcp(*text, NULL);
	for (char **text = options->unix_paths; why == NULL && text != NULL && *text != NULL; text++)
		why = check_unix(*text);
	return why == NULL ? check_files(options) : why;
}

static void
ignore_bucket(void *data, const limen_bucket *bucket)
{
	(void)data;
	(void)bucket;
}

/*
 * Warns of stores that cannot be reached: limend starts without them, and they may come back.
 * Returns false for one that answers and can never do.
 */
static bool
check_stores(limend *self)
{
	g_autoptr(limen_diag) diag = limen_diag_new();
	int result = limen_engine_each_bucket(self->shared.decider.engine, NULL, 1, LIMEN_SECOND,
	                                      ignore_bucket, NULL, diag);
	bool good = result != LIMEN_ECONFIG;
	const limen_problem *problem = limen_diag_get(diag, 0);

	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
		if (problem->severity == LIMEN_SEVERITY_PROBLEM)
			log_print(good ? LIMEN_LOG_WARNING : LIMEN_LOG_ERROR, NULL,
			          good ? "a store cannot be used now: %s"
			               : "a store cannot be used: %s", problem->text);
	return good;
}

/* --check: reads all that a start reads, but opens no socket and no log a daemon may have open. */
static bool
check(limend *self)
{
	if (!proceed(check_places(&self->options)) || !open_tls(self) || !make_engine(self) ||
	    !daemon_load(self))
		return false;
	if (!check_stores(self))
		return false;
	daemon_report_check(self);
	return true;
}

/* ---- the end ---- */

/* Ends the process without freeing memory, because other threads still use it. */
G_GNUC_NORETURN static void
give_up(limend *self, const char *reason, int status)
{
	log_line(LIMEN_LOG_WARNING, NULL, reason);
	state_file_close(self->state);
	listeners_close(self->listeners);
	decision_log_finish(self->shared.decider.decisions);
	_exit(status);
}

static int
end(limend *self, int status)
{
	if (!transport_free(self->transport))
		give_up(self, "the shutdown timeout has passed: running decisions are cut off", DAEMON_GIVEN_UP);
	if (atomic_load(&self->loading))
		give_up(self, "a running load of the policy is cut off", status);
	if (self->loader != NULL)
		g_thread_join(self->loader);
	listeners_close(self->listeners);
	/* The log is complete before anything that a module can hold up. */
	decision_log_close(self->shared.decider.decisions);
	state_file_close(self->state);
	observer_free(self->shared.observer);
	limen_engine_free(self->shared.decider.engine);
	watch_free(self->shared.watch);
	metrics_free(self->shared.decider.metrics);
	recent_free(self->shared.decider.recent);
	history_free(self->shared.decider.history);
	policy_source_free(self->source);
	g_free(self->complaint);
	pthread_mutex_destroy(&self->accounts);
	certificate_close(self->certificate);
	return status;
}

/* Logs which module called exit(): operators must not take that for a normal shutdown. */
static void
report_exit(const char *text)
{
	log_line(LIMEN_LOG_ERROR, NULL, text);
}

int
daemon_main(int argc, char **argv)
{
	limend self = { .options = { .policies = NULL } };
	options_outcome outcome = options_read(&self.options, argc, argv);
	int status = outcome == OPTIONS_WRONG ? DAEMON_FAILED : DAEMON_ENDED;

	/* Writing to a closed connection must not end the process. */
	signal(SIGPIPE, SIG_IGN);
	/* The file size limit (ulimit -f) becomes a write error, like a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	/* SIGHUP is ignored until daemon_take_signals(): there is nothing to load again yet. */
	signal(SIGHUP, SIG_IGN);
	if (outcome != OPTIONS_RUN)
		return status;
	memory_setup();
	self.shared.decider.metrics = endpoint_metrics((size_t)self.options.metrics_top,
	                                                (size_t)self.options.metrics_namespaces);
	pthread_mutex_init(&self.accounts, NULL);
	log_setup(&self.options.log);
	exit_guard_start(DAEMON_GIVEN_UP, report_exit);
	if (self.options.check)
		status = check(&self) ? DAEMON_ENDED : DAEMON_FAILED;
	else
		status = prepare(&self) && daemon_run(&self) ? DAEMON_ENDED : DAEMON_FAILED;
	status = end(&self, status);
	exit_guard_end();
	return status;
}
