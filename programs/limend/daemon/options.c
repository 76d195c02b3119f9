/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.c - defines the options of limend with their defaults, ranges and help text, and parses
 * the command line with GOption.  Owns the values, which last as long as the process.  Reads LIMEN_POLICY and CACHE_DIRECTORY for options that are not
 * given, and suggests a similar name for an unknown option.
 */
#include "options.h"

#include <limen/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/help.h"
#include "../common/option_values.h"
#include "metrics/metrics.h"

#define SECONDS_MAX 86400.0

static const char details[] =
	"Addresses:\n"
	"  Without --listen, --unix and sockets of systemd, limend listens on\n"
	"  127.0.0.1:8443.  With a certificate TCP uses TLS.  Without one, only addresses\n"
	"  of this machine are accepted, unless you pass --no-tls.  A unix socket never\n"
	"  uses TLS.\n\n"
	"Times:\n"
	"  SECONDS may also be a duration, such as 5s, 1h30m or PT5S.\n\n"
	"Signals:\n"
	"  SIGHUP           Load the policy and the certificate again, open the decision\n"
	"                   log anew, and write the file of --state\n"
	"  SIGTERM, SIGINT  Finish running requests and exit; a second one: at once\n\n"
	"Environment:\n"
	"  LIMEN_POLICY       The policy if --policy is not given\n"
	"                     (default: " LIMEN_CONFDIR ")\n"
	"  LIMEN_MODULE_PATH  Module directories searched after those of --module-path\n"
	"  CACHE_DIRECTORY    The cache if --cache-dir is not given\n\n"
	"Exit status: 0 after a signal or a good --check, 1 if running requests were cut\n"
	"off, 2 if limend could not start or --check found problems.\n\n"
	"Examples:\n"
	"  limend --policy limits.conf --listen 127.0.0.1:8080\n"
	"  limend --listen '[::]:8443' --tls-certificate tls.crt --tls-key tls.key" LIMEN_HELP_BUGS;

/* ---- the rows ---- */

#define TEXT(name, field, argument, words)                                                   \
	{ name, 0, 0, G_OPTION_ARG_FILENAME, &given.field, words, argument }
#define LIST(name, field, argument, words)                                                   \
	{ name, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &given.field, words, argument }
#define FLAG(name, field, words)                                                             \
	{ name, 0, 0, G_OPTION_ARG_NONE, &given.field, words, NULL }
#define COUNT(name, field, words)                                                            \
	{ name, 0, 0, G_OPTION_ARG_INT, &given.field, words, "N" }
#define TIME(name, field, words)                                                             \
	{ name, 0, 0, G_OPTION_ARG_DOUBLE, &given.field, words, "SECONDS" }

static limend_options given = {
	.policy_refresh = 60,
	.max_body = INT64_C(8) << 20,
	.max_url = 64 << 10,
	.batch_maximum = 1000,
	.max_connections = 4096,
	.workers = 16,
	.queue = 256,
	.timeout = 10,
	.idle_timeout = 150,
	.client_timeout = 10,
	.drain_timeout = 20,
	.log = { .level = LIMEN_LOG_INFO, .fd = STDERR_FILENO },
	.log_rules.sample = 1,
	.recent = 1000,
	.metrics_namespaces = 200,
};

/* "--ui" alone is "view": another option may follow it. */
static gboolean
take_ui(const char *name, const char *value, gpointer data, GError **error)
{
	(void)data;
	if (given.ui_text != NULL)
		g_set_error(error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
		            "%s takes one value, not '%s' and '%s'", name, given.ui_text,
		            value == NULL ? "view" : value);
	else
		given.ui_text = g_strdup(value == NULL ? "view" : value);
	return *error == NULL;
}

/* The rows are in the order of the help. */
static GOptionEntry rows[] = {
	LIST("policy", policies, "PATH|URL", "The policy: file, directory, URL; may repeat"),
	TIME("policy-refresh", policy_refresh, "Interval of fetching a URL and retrying (60)"),
	FLAG("without-policy", without_policy, "Admit everything: no policy is loaded"),
	FLAG("validate-policies", validate_policies, "Answer /admission/policy about ConfigMaps"),
	TEXT("module-path", module_path, "DIRS", "Look for modules here first (a:b:c)"),
	TEXT("cache-dir", cache_dir, "DIR", "The cache of downloaded lists and policies"),
	TEXT("state", state_path, "FILE", "Keep here what quotas of a day or more used"),
	TEXT("namespace", namespace, "NAME", "For manifests without one (default: default)"),
	LIST("listen", listen, "ADDRESS:PORT", "Listen here; may repeat; port 0: any free"),
	LIST("unix", unix_paths, "PATH", "Listen on this unix socket; may repeat"),
	TEXT("gate-unix", gate_path, "PATH", "Unix socket for /v1/gate/ only"),
	TEXT("unix-mode", unix_mode_text, "MODE", "Its mode (0660)"),
	TEXT("unix-group", unix_group_text, "GROUP", "Its group"),
	LIST("health-listen", health_listen, "ADDRESS:PORT",
	     "Probes and /metrics, no TLS; may repeat"),
	LIST("ui-listen", ui_listen, "ADDRESS:PORT", "Console alone, local, no TLS; may repeat"),
	TEXT("address-file", address_file, "FILE", "Write the URLs listened on here"),
	TEXT("tls-certificate", tls_certificate, "FILE", "Certificate chain (PEM)"),
	TEXT("tls-key", tls_key, "FILE", "Its key (PEM)"), TEXT("client-ca", client_ca, "FILE",
	     "Authorities for client certificates (PEM)"),
	FLAG("require-client-certificate", require_certificate,
	     "Refuse clients without one, except probes"),
	FLAG("no-tls", no_tls, "Serve other machines without TLS"),
	LIST("trust-hints-from", trusted_texts, "CIDR", "Trust hints from here; may repeat"),
	LIST("gate-from", gate_texts, "CIDR", "Proxies that may ask /v1/gate/; may repeat"),
	LIST("proxy", proxy_texts, "CIDR", "Further proxies before these; may repeat"),
	LIST("allow-host", hosts, "NAME", "Host name of limend without TLS; may repeat"),
	{ "max-body", 0, 0, G_OPTION_ARG_INT64, &given.max_body,
	  "Maximum body of a request (8388608)", "BYTES" },
	{ "max-url", 0, 0, G_OPTION_ARG_INT, &given.max_url,
	  "Maximum URL of a request (65536)", "BYTES" },
	COUNT("max-batch", batch_maximum, "Maximum requests of a batch (1000)"),
	COUNT("max-connections", max_connections, "Maximum for a listening socket (4096)"),
	COUNT("max-connections-per-peer", max_per_peer, "Maximum for one address (0: no bound)"),
	COUNT("threads", threads, "Threads for connections (processors, max 8)"),
	COUNT("workers", workers, "Threads for decisions that may block (16)"),
	COUNT("queue", queue, "Maximum queue for these threads (256)"),
	TIME("timeout", timeout, "Timeout of a decision (10)"),
	TIME("idle-timeout", idle_timeout, "Timeout between two requests (150)"),
	TIME("client-timeout", client_timeout, "Timeout of reading or writing (10)"),
	TIME("drain-timeout", drain_timeout, "Timeout of a shutdown (20)"),
	TEXT("log-format", log_format_text, "FORMAT", "text (default) or json"),
	TEXT("log-level", log_level_text, "LEVEL", "error, warning, info (default) or debug"),
	TEXT("messages", messages_text, "HOW", "Reasons for requesters: full (default), short"),
	TEXT("decision-log", log_rules.path, "FILE", "Append a line per decision; - is stdout"),
	{ "decision-log-sample", 0, 0, G_OPTION_ARG_DOUBLE, &given.log_rules.sample,
	  "Share of admitted requests logged, 0-1 (1)", "SHARE" },
	TEXT("decision-log-redact", decision_redact, "PARTS",
	     "Parts to omit or hash (user,peer:hash)"),
	FLAG("decision-log-documents", decision_documents, "Log what is decided about, too"),
	COUNT("recent", recent, "Refusals kept for /v1/recent (1000)"),
	FLAG("recent-documents", recent_documents, "Keep what they are about, too"),
	COUNT("metrics-top", metrics_top, "Number of top refused keys in /metrics (0)"),
	COUNT("metrics-namespaces", metrics_namespaces, "Number of namespaces in /metrics (200)"),
	{ "ui", 0, G_OPTION_FLAG_OPTIONAL_ARG, G_OPTION_ARG_CALLBACK, (gpointer)take_ui,
	  "Console at /ui: view (if alone) or playground", "MODE" },
	FLAG("check", check, "Check policy and certificate, then exit"),
	FLAG("version", version, "Show the version"),
	{ "help", 'h', 0, G_OPTION_ARG_NONE, &given.help, "Show this help", NULL },
	{ NULL, 0, 0, G_OPTION_ARG_NONE, NULL, NULL, NULL },
};

/* ---- errors ---- */

/* Prints 'wrong' and frees it; NULL means that all is well. */
static options_outcome
refuse(char *wrong)
{
	if (wrong == NULL)
		return OPTIONS_RUN;
	fprintf(stderr, "limend: %s\nTry 'limend --help'.\n", wrong);
	g_free(wrong);
	return OPTIONS_WRONG;
}

/* ---- numbers ---- */

static const number_option numbers[] = {
	{ "max-body", "a number", 1024, 1 << 30 },
	{ "max-url", "a number", 1024, 1 << 20 },
	{ "max-batch", "a number", 1, 1000000 },
	{ "max-connections", "a number", 1, 1000000 },
	{ "max-connections-per-peer", "a number", 0, 1000000 },
	{ "threads", "a number", 1, 256 },
	{ "workers", "a number", 1, 1024 },
	{ "queue", "a number", 0, 1000000 },
	{ "recent", "a number", 0, RECENT_MAX },
	{ "metrics-top", "a number", 0, TOP_MAX },
	{ "metrics-namespaces", "a number", 0, NAMESPACES_MAX },
	{ "policy-refresh", "seconds", 0, SECONDS_MAX },
	{ "timeout", "seconds", 0.01, SECONDS_MAX },
	{ "idle-timeout", "seconds", 0.01, SECONDS_MAX },
	{ "client-timeout", "seconds", 0.01, SECONDS_MAX },
	{ "drain-timeout", "seconds", 0.01, SECONDS_MAX },
	{ "decision-log-sample", "a share", 0, 1 },
	{ NULL, NULL, 0, 0 },
};

static void
take_environment(limend_options *options)
{
	static char *paths[2];
	const char *policy = getenv("LIMEN_POLICY");
	const char *cache = getenv("CACHE_DIRECTORY");

	if (options->policies == NULL) {
		paths[0] = g_strdup(policy != NULL && policy[0] != '\0' ? policy : LIMEN_CONFDIR);
		options->policies = paths;
	}
	/* systemd separates several directories by colons; the first one is used. */
	if (options->cache_dir == NULL && cache != NULL && cache[0] != '\0')
		options->cache_dir = g_strndup(cache, strcspn(cache, ":"));
}

static options_outcome
check(limend_options *options, const option_values *values, int argc, char **argv)
{
	options_outcome outcome;

	if (argc > 1)
		return refuse(g_strdup_printf("unexpected argument '%s'", argv[1]));
	outcome = refuse(option_values_read(values, numbers));
	if (outcome == OPTIONS_RUN)
		outcome = refuse(options_values_read(options));
	if (outcome == OPTIONS_RUN)
		take_environment(options);
	return outcome;
}

/* Adds the rows to the groups of the help; each group begins with the option 'first'. */
static void
add_groups(GOptionContext *context)
{
	static const struct {
		const char *first;
		const char *title;
	} groups[] = {
		{ "policy", "Policy:" },
		{ "listen", "Listening:" },
		{ "tls-certificate", "TLS and clients:" },
		{ "max-body", "Bounds:" },
		{ "log-format", "Logs and console:" },
		{ "check", "Other:" },
	};
	GOptionGroup *group = NULL;
	size_t next = 0;

	for (size_t i = 0; rows[i].long_name != NULL; i++) {
		const GOptionEntry one[] = { rows[i], { .long_name = NULL } };

		if (next < G_N_ELEMENTS(groups) && strcmp(rows[i].long_name, groups[next].first) == 0) {
			const char *title = groups[next++].title;

			group = g_option_group_new(title, title, title, NULL, NULL);
			g_option_context_add_group(context, group);
		}
		g_option_group_add_entries(group, one);
	}
}

options_outcome
options_read(limend_options *out, int argc, char **argv)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GPtrArray) values = option_values_new(rows);
	options_outcome outcome = OPTIONS_DONE;
	g_autoptr(GError) error = NULL;

	given.threads = (int)MIN(g_get_num_processors(), 8);
	g_set_prgname("limend");
	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_summary(
		context, "Decides over HTTP whether requests may pass.  Defaults are in parentheses.");
	g_option_context_set_description(context, details);
	add_groups(context);
	if (!g_option_context_parse(context, &argc, &argv, &error))
		outcome = refuse(help_explain(rows, error));
	else if (given.help)
		help_print(context);
	else if (given.version)
		puts("limend " LIMEN_VERSION);
	else
		outcome = check(&given, values, argc, argv);
	*out = given;
	return outcome;
}
