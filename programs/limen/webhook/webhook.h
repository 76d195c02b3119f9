/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook.h - the objects that register limend with a Kubernetes API server
 * (admissionregistration.k8s.io/v1).
 */
#ifndef LIMEN_PROGRAM_WEBHOOK_H
#define LIMEN_PROGRAM_WEBHOOK_H

#include <glib.h>
#include <stdbool.h>

typedef struct webhook_settings {
	const char *name;      /* of the objects */
	const char *domain;    /* suffix of the webhook names */
	const char *url;       /* NULL: a Service */
	const char *service_namespace;
	const char *service;
	int port;
	const char *ca;        /* base64 of PEM; NULL: the roots of the API server */
	const char *failure_policy;        /* for limits */
	const char *events_failure_policy; /* for event rates */
	int timeout;           /* seconds */
	char **excluded;       /* namespaces */
	bool limits;
	bool events;
} webhook_settings;

/* Appends a MutatingWebhookConfiguration as JSON. */
void webhook_append_mutating(GString *out, const webhook_settings *settings);

/* Appends a ValidatingWebhookConfiguration as JSON. */
void webhook_append_validating(GString *out, const webhook_settings *settings);

#endif
