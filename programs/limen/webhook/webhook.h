/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook.h - the settings of "limen webhook-config", the webhooks that a policy needs, and the
 * printer of the objects that register them.
 */
#ifndef LIMEN_PROGRAM_WEBHOOK_H
#define LIMEN_PROGRAM_WEBHOOK_H

#include <glib.h>
#include <stdbool.h>

#include "cli/command.h"
#include "cli/options.h"

/* The need that a kind of object has of a webhook. */
typedef enum webhook_need {
	NEED_NOTHING = 0, /* no entry may match it */
	NEED_TO_OBSERVE,  /* all entries that may match it only warn or audit */
	NEED_TO_REFUSE    /* an entry may refuse it */
} webhook_need;

typedef struct webhook_needs {
	webhook_need limits; /* pods and claims */
	webhook_need events;
	bool changes;        /* an entry may change pods */
	bool workloads;      /* an entry may refuse, or warn of, what workloads make */
	GString *workload_rules; /* rules for kinds that the policy names, in JSON */
} webhook_needs;

/* Reads the policy of 'paths', ended by NULL.  Returns false after messages. */
bool webhook_needs_read(const common_options *common, char **paths, webhook_needs *out);

/* The webhooks that limend answers. */
typedef enum webhook_kind {
	WEBHOOK_DEFAULTS, /* mutates pods */
	WEBHOOK_LIMITS,   /* validates pods and claims */
	WEBHOOK_EVENTS,
	WEBHOOK_WORKLOADS, /* tells what becomes of pods of workloads */
	WEBHOOK_KINDS
} webhook_kind;

typedef struct webhook_settings {
	const char *url;       /* NULL: a Service */
	const char *namespace; /* of the Service; NULL for a URL */
	const char *service;
	int port;
	char *domain;          /* suffix of the names of webhooks; owned */
	char *ca;              /* base64 of PEM; NULL: the roots of the API server; owned */
	const char *name;      /* first part of the names of objects */
	const char *failure_policies[WEBHOOK_KINDS]; /* NULL: the webhook is not needed */
	GPtrArray *excluded;   /* namespaces, ended by NULL; owned, like the texts below */
	GString *namespace_selector; /* elements of matchExpressions, in JSON */
	GString *object_selector;    /* likewise */
	GString *conditions;         /* elements of matchConditions, in JSON */
	webhook_needs needs;
	bool ignore_label;     /* namespaces that carry WEBHOOK_IGNORE_LABEL are left out */
	int timeout;           /* seconds */
} webhook_settings;

#define WEBHOOK_IGNORE_LABEL "limen.policy/ignore"

/* Appends a rule for creations and updates of 'resource' to 'out', in JSON. */
void webhook_append_workload_rule(GString *out, const char *group, const char *resource);

/* Prints the objects in 'format', YAML or JSON. */
void webhook_print(const webhook_settings *settings, output_format format);

/*
 * Appends the label selector 'text' ("a=b,c!=d,e in (f,g),!h", as of kubectl -l) to 'out' as
 * elements of matchExpressions.  Returns NULL, or what is wrong with it, to g_free().
 */
char *webhook_read_selector(const char *text, GString *out);

/*
 * Appends "NAME=CEL" to 'out' as an element of matchConditions.  The expression is checked for
 * balanced brackets and quotes only: an API server compiles it.  Returns as
 * webhook_read_selector().
 */
char *webhook_read_condition(const char *text, GString *out);

/* Reads "MAJOR.MINOR", with or without a "v" and a patch number, as MAJOR * 1000 + MINOR. */
bool webhook_read_version(const char *text, int *out);

#endif
