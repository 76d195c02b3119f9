/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options_values.c - checks which options of limend are valid together and converts option texts to
 * enums, log settings and networks.  Stops at the first error.
 */
#include <string.h>

#include "../common/policy_url.h"
#include "endpoint/origin.h"
#include "options.h"

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

static char *
check_decision_log(limend_options *options)
{
	const char *alone = NULL;
	char *why = NULL;

	options->log_rules = (decision_log_options){
		.path = options->decision_log, .sample = options->decision_sample,
		.documents = options->decision_documents, .kept_back = options->short_messages,
	};
	if (options->decision_redact != NULL &&
	    !decision_log_redactions(options->decision_redact, &options->log_rules, &why))
		return why;
	if (options->decision_log != NULL && options->decision_log[0] == '\0')
		return g_strdup("--decision-log takes a file, or - for standard output");
	/* A document contains everything that redaction would leave out. */
	if (options->decision_documents && options->decision_redact != NULL)
		return g_strdup("--decision-log-documents and --decision-log-redact exclude each "
		                "other");
	if (options->decision_redact != NULL)
		alone = "redact";
	else if (options->decision_documents)
		alone = "documents";
	else if (options->decision_sample < 1)
		alone = "sample";
	if (alone == NULL || options->decision_log != NULL)
		return NULL;
	return g_strdup_printf("--decision-log-%s needs --decision-log", alone);
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

/* Explains why 'text' is no network.  Host bits are an error: an address may have been meant. */
static char *
refuse_network(const char *text, int result)
{
	char whole[LIMEN_NETWORK_TEXT_MAX];
	limen_network network;

	if (result != LIMEN_ERANGE ||
	    limen_network_parse(text, strlen(text), LIMEN_NETWORK_HOST_BITS, &network) != LIMEN_OK)
		return g_strdup_printf("--trust-hints-from takes ADDRESS or ADDRESS/PREFIX, not '%s'",
		                       text);
	limen_network_print(&network, whole);
	return g_strdup_printf("--trust-hints-from: %s has host bits set; the network is %s, and "
	                       "an address has no prefix", text, whole);
}

static char *
read_trusted(limend_options *options)
{
	guint count = options->trusted_texts == NULL ? 0 : g_strv_length(options->trusted_texts);
	limen_network *networks = g_new0(limen_network, count + 1);

	for (guint i = 0; i < count; i++) {
		const char *text = options->trusted_texts[i];
		int result = limen_network_parse(text, strlen(text), 0, &networks[i]);

		options->trusts_everyone |= result == LIMEN_OK && networks[i].prefix == 0;
		if (result == LIMEN_OK)
			continue;
		g_free(networks);
		return refuse_network(text, result);
	}
	if (count > 0)
		options->trusted = limen_cidr_set_new(networks, count, NULL, 0);
	g_free(networks);
	return count > 0 && options->trusted == NULL ? g_strdup("out of memory") : NULL;
}

char *
options_values_read(limend_options *options)
{
	static char *(*const readers[])(limend_options *options) = {
		check_pairs, check_namespace, read_words, check_decision_log, check_hosts, read_trusted,
	};
	char *wrong = NULL;

	for (size_t i = 0; i < G_N_ELEMENTS(readers) && wrong == NULL; i++)
		wrong = readers[i](options);
	return wrong;
}
