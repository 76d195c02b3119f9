/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options_values.c - checks which options of limend are valid together and converts option texts to
 * enums, log settings and networks.  Stops at the first error.
 */
#include <grp.h>
#include <string.h>

#include "../common/policy_url.h"
#include "endpoint/origin.h"
#include "options.h"
#include "transport/listeners.h"

/* RFC 1123, as Kubernetes wants the names of namespaces. */
#define LABEL_BYTES_MAX 63
#define LABEL_BYTES "abcdefghijklmnopqrstuvwxyz0123456789-"

/* Checks options that need or exclude each other. */
static char *
check_pairs(limend_options *options)
{
	bool has_certificate = options->tls_certificate != NULL;

	if (has_certificate != (options->tls_key != NULL))
		return g_strdup("--tls-certificate and --tls-key go together");
	if (options->no_tls && has_certificate)
		return g_strdup("--no-tls and --tls-certificate exclude each other");
	if (options->client_ca != NULL && !has_certificate)
		return g_strdup("--client-ca needs --tls-certificate");
	if (options->require_certificate && options->client_ca == NULL)
		return g_strdup("--require-client-certificate needs --client-ca");
	if (options->without_policy && options->policies != NULL)
		return g_strdup("--without-policy and --policy exclude each other");
	return options->policies == NULL ? NULL : policy_url_among(options->policies);
}

static char *
check_namespace(limend_options *options)
{
	const char *name = options->namespace;
	size_t length = name == NULL ? 0 : strlen(name);

	if (name == NULL)
		return NULL;
	if (length > 0 && length <= LABEL_BYTES_MAX && strspn(name, LABEL_BYTES) == length &&
	    name[0] != '-' && name[length - 1] != '-')
		return NULL;
	return g_strdup_printf("--namespace takes the name of a namespace (letters a to z, digits "
	                       "and '-', %d at most), not '%s'", LABEL_BYTES_MAX, name);
}

/* Reads the options that take one word of a few. */
static char *
read_words(limend_options *options)
{
	int format = LOG_TEXT, level = LIMEN_LOG_INFO, messages = 0, ui = -1;
	const struct {
		const char *option;
		const char *given;
		const char *takes;
		const char *words[4];
		int *out; /* index of the word */
	} rows[] = {
		{ "log-format", options->log_format_text, "text or json", { "text", "json" }, &format },
		{ "log-level", options->log_level_text, "error, warning, info or debug",
		  { "error", "warning", "info", "debug" }, &level },
		{ "messages", options->messages_text, "full or short", { "full", "short" }, &messages },
		{ "ui", options->ui_text, "view or playground", { "view", "playground" }, &ui },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		int word = 0;

		if (rows[i].given == NULL)
			continue;
		while (word < 4 && g_strcmp0(rows[i].words[word], rows[i].given) != 0)
			word++;
		if (word == 4)
			return g_strdup_printf("--%s takes %s, not '%s'", rows[i].option,
			                       rows[i].takes, rows[i].given);
		*rows[i].out = word;
	}
	options->log.format = (log_format)format;
	options->log.level = (limen_log_level)level;
	options->short_messages = messages == 1;
	options->ui = (ui_mode)(ui + 1);
	return NULL;
}

/* A document contains everything that redaction would leave out. */
static char *
check_documents(const limend_options *options)
{
	if (options->recent_documents && options->recent == 0)
		return g_strdup("--recent-documents and --recent 0 exclude each other");
	if (options->decision_redact == NULL ||
	    !(options->decision_documents || options->recent_documents))
		return NULL;
	return g_strdup_printf("--%s and --decision-log-redact exclude each other",
	                       options->decision_documents ? "decision-log-documents"
	                                                   : "recent-documents");
}

static char *
check_decision_log(limend_options *options)
{
	const char *alone = NULL;
	char *why = NULL;

	options->log_rules.documents = options->decision_documents;
	options->log_rules.kept_back = options->short_messages;
	if (options->decision_redact != NULL &&
	    !decision_log_redactions(options->decision_redact, &options->log_rules, &why))
		return why;
	if (options->log_rules.path != NULL && options->log_rules.path[0] == '\0')
		return g_strdup("--decision-log takes a file, or - for standard output");
	why = check_documents(options);
	if (why != NULL || options->log_rules.path != NULL)
		return why;
	/* Kept decisions are redacted like those of the log. */
	if (options->decision_redact != NULL && options->recent == 0)
		alone = "redact";
	else if (options->decision_documents)
		alone = "documents";
	else if (options->log_rules.sample < 1)
		alone = "sample";
	return alone == NULL ? NULL : g_strdup_printf("--decision-log-%s needs --decision-log", alone);
}

static char *
check_hosts(limend_options *options)
{
	for (char *const *text = options->hosts; text != NULL && *text != NULL; text++)
		if (!origin_is_name(*text))
			return g_strdup_printf("--allow-host takes a name without a port, not '%s'",
			                       *text);
	return NULL;
}

/* A client there counts as trusted, so no other machine may connect. */
static char *
check_ui_listen(limend_options *options)
{
	for (char *const *text = options->ui_listen; text != NULL && *text != NULL; text++) {
		bool local = false;
		char *why = listeners_check_tcp(*text, &local);

		if (why != NULL || !local)
			return why != NULL ? why : g_strdup_printf(
				"--ui-listen takes an address of this machine alone, such as "
				"127.0.0.1:8088 or [::1]:8088, not '%s'", *text);
	}
	return NULL;
}

/* Explains why 'text' is no network.  Host bits are an error: an address may have been meant. */
static char *
refuse_network(const char *option, const char *text, int result)
{
	char whole[LIMEN_NETWORK_TEXT_MAX];
	limen_network network;

	if (result != LIMEN_ERANGE ||
	    limen_network_parse(text, strlen(text), LIMEN_NETWORK_HOST_BITS, &network) != LIMEN_OK)
		return g_strdup_printf("--%s takes ADDRESS or ADDRESS/PREFIX, not '%s'", option,
		                       text);
	limen_network_print(&network, whole);
	return g_strdup_printf("--%s: %s has host bits set; the network is %s, and an address has "
	                       "no prefix", option, text, whole);
}

/* Adds the networks of an option to 'out', a GArray; returns an error text or NULL. */
static char *
read_networks(const char *option, char *const *texts, GArray *out)
{
	for (; texts != NULL && *texts != NULL; texts++) {
		limen_network network;
		int result = limen_network_parse(*texts, strlen(*texts), 0, &network);

		if (result != LIMEN_OK)
			return refuse_network(option, *texts, result);
		g_array_append_val(out, network);
	}
	return NULL;
}

/* Makes a set of 'networks', or NULL if there are none; returns an error text or NULL. */
static char *
make_set(const GArray *networks, limen_cidr_set **out)
{
	if (networks->len == 0)
		return NULL;
	*out = limen_cidr_set_new((const limen_network *)(void *)networks->data, networks->len,
	                          NULL, 0);
	return *out == NULL ? g_strdup("out of memory") : NULL;
}

static bool
has_everyone(const GArray *networks)
{
	for (guint i = 0; i < networks->len; i++)
		if (g_array_index(networks, limen_network, i).prefix == 0)
			return true;
	return false;
}

static char *
read_trusted(limend_options *options)
{
	g_autoptr(GArray) networks = g_array_new(FALSE, FALSE, sizeof(limen_network));
	char *wrong = read_networks("trust-hints-from", options->trusted_texts, networks);

	if (wrong == NULL)
		wrong = make_set(networks, &options->trusted);
	options->trusts_everyone = has_everyone(networks);
	return wrong;
}

/* With all addresses, every client could tell limend the address that it likes. */
static char *
read_proxies(limend_options *options)
{
	g_autoptr(GArray) networks = g_array_new(FALSE, FALSE, sizeof(limen_network));
	char *wrong = read_networks("gate-from", options->gate_texts, networks);

	if (wrong == NULL)
		wrong = make_set(networks, &options->gate_from);
	if (wrong == NULL)
		wrong = read_networks("proxy", options->proxy_texts, networks);
	if (wrong == NULL && has_everyone(networks))
		wrong = g_strdup("--gate-from and --proxy take the networks of your proxies, not "
		                 "all addresses");
	if (wrong == NULL)
		wrong = make_set(networks, &options->proxies);
	return wrong;
}

static char *
read_unix_mode(limend_options *options)
{
	const char *text = options->unix_mode_text == NULL ? "0660" : options->unix_mode_text;
	guint64 mode = g_ascii_strtoull(text, NULL, 8);

	options->unix_mode = (mode_t)mode;
	if (options->unix_mode_text != NULL && options->gate_path == NULL)
		return g_strdup("--unix-mode needs --gate-unix");
	if (text[0] == '\0' || text[strspn(text, "01234567")] != '\0' || mode > 0777)
		return g_strdup_printf("--unix-mode takes an octal number up to 0777, not '%s'", text);
	return NULL;
}

static char *
read_unix_group(limend_options *options)
{
	const char *name = options->unix_group_text;
	const struct group *group = name == NULL ? NULL : getgrnam(name);

	options->unix_group = group == NULL ? LISTENERS_GROUP_SAME : group->gr_gid;
	if (name != NULL && options->gate_path == NULL)
		return g_strdup("--unix-group needs --gate-unix");
	if (name != NULL && group == NULL)
		return g_strdup_printf("--unix-group takes the name of a group, not '%s'", name);
	return NULL;
}

char *
options_values_read(limend_options *options)
{
	static char *(*const readers[])(limend_options *options) = {
		check_pairs, check_namespace, read_words, check_decision_log, check_hosts,
		check_ui_listen, read_trusted, read_proxies, read_unix_mode, read_unix_group,
	};
	char *wrong = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(readers) && wrong == NULL; i++)
		wrong = readers[i](options);
	return wrong;
}
