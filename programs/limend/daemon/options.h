/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - the command line of limend.
 */
#ifndef LIMEND_OPTIONS_H
#define LIMEND_OPTIONS_H

#include <glib.h>
#include <limen/cidr.h>
#include <stdbool.h>

#include "base/log.h"
#include "endpoint/endpoint.h"

typedef struct limend_options {
	char **policies;   /* paths, or a URL, ended by NULL; never NULL */
	gboolean without_policy;
	char *module_path;
	char *cache_dir;
	char *namespace;
	char **listen;     /* ended by NULL; NULL: none */
	char **unix_paths; /* likewise */
	char **health_listen; /* likewise */
	char **ui_listen;     /* likewise; loopback addresses */
	char *gate_path;   /* the socket for proxies; NULL: none */
	char *unix_mode_text;
	mode_t unix_mode;  /* of that socket, like its group */
	char *unix_group_text;
	gid_t unix_group;
	char *address_file;
	char *state_path;
	char *tls_certificate;
	char *tls_key;
	char *client_ca;
	gboolean require_certificate;
	gboolean no_tls;
	limen_cidr_set *trusted; /* networks whose hints count; NULL: none */
	bool trusts_everyone;    /* one of the networks has all addresses of its family */
	char **gate_texts;
	char **proxy_texts;
	limen_cidr_set *gate_from; /* proxies that may ask at /v1/gate/; NULL: none */
	limen_cidr_set *proxies;   /* these, and those that may stand before them; NULL: none */
	int64_t max_body;        /* bytes */
	int max_url;             /* bytes */
	int max_connections;
	int max_per_peer;
	int threads;
	int workers;
	int queue;
	int batch_maximum;
	double timeout;          /* all times in seconds */
	double idle_timeout;
	double client_timeout;
	double drain_timeout;
	double policy_refresh;   /* 0: only when asked to */
	char **trusted_texts;
	char **hosts;            /* names beside the addresses and localhost; NULL: none */
	char *log_format_text;
	char *log_level_text;
	log_options log;
	char *messages_text;
	bool short_messages;
	char *decision_redact;
	gboolean decision_documents;
	decision_log_options log_rules; /* path NULL: none */
	int recent;
	gboolean recent_documents;
	int metrics_top;
	int metrics_namespaces;
	char *ui_text;           /* NULL: no console */
	ui_mode ui;
	gboolean validate_policies;
	gboolean check;
	gboolean help;
	gboolean version;
} limend_options;

typedef enum options_outcome { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_WRONG } options_outcome;

/*
 * Reads the command line, once a process; prints errors, the help or the version itself.  What
 * 'out' refers to is never freed.
 */
options_outcome options_read(limend_options *out, int argc, char **argv);

/*
 * For options_read(): converts the texts of 'options' to its values and checks which options go
 * together.  Returns an error text to g_free(), or NULL.
 */
char *options_values_read(limend_options *options);

#endif
