/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook.c - writes MutatingWebhookConfiguration and ValidatingWebhookConfiguration objects as
 * JSON.  Owns the tables of the operations and resources that the API server sends: pods and claims
 * for limits, events for rates.
 */
#include "webhook.h"

#include "common/json_out.h"

/* What one rule matches: "|" separates words. */
typedef struct rule {
	const char *operations;
	const char *resources;
} rule;

/* One webhook as this file knows them; the settings say the rest. */
typedef struct hook {
	const char *label; /* first label of its name */
	const char *path;
	const char *side_effects;
	const char *failure_policy;
	const char *reinvocation; /* NULL: a validating webhook has none */
	const rule *rules;
	size_t rule_count;
} hook;

/*
 * What LimitRanger has an opinion about: new pods, pods that are resized, and
 * claims; anything else need not be sent.
 */
static const rule limit_rules[] = {
	{ "CREATE", "pods|persistentvolumeclaims" },
	{ "UPDATE", "pods/resize|persistentvolumeclaims" },
};

/* Claims have no defaults, so they are never changed. */
static const rule default_rules[] = {
	{ "CREATE", "pods" },
	{ "UPDATE", "pods/resize" },
};

/* Events of events.k8s.io arrive converted: matchPolicy is Equivalent. */
static const rule event_rules[] = {
	{ "CREATE|UPDATE", "events" },
};

static void
append_words(GString *out, const char *key, const char *words)
{
	char **parts = g_strsplit(words, "|", -1);

	json_key(out, key);
	json_open(out, '[');
	for (char **part = parts; *part != NULL; part++)
		json_string(out, *part);
	/* GLib takes nothing apart to nothing; it is the name of the core group. */
	if (parts[0] == NULL)
		json_string(out, "");
	g_string_append_c(out, ']');
	g_strfreev(parts);
}

static void
append_rules(GString *out, const rule *rules, size_t count)
{
	json_key(out, "rules");
	json_open(out, '[');
	for (size_t i = 0; i < count; i++) {
		json_open(out, '{');
		append_words(out, "apiGroups", "");
		append_words(out, "apiVersions", "v1");
		append_words(out, "operations", rules[i].operations);
		append_words(out, "resources", rules[i].resources);
		json_put_string(out, "scope", "Namespaced");
		g_string_append_c(out, '}');
	}
	g_string_append_c(out, ']');
}

static void
append_service(GString *out, const webhook_settings *settings, const char *path)
{
	json_key(out, "service");
	json_open(out, '{');
	json_put_string(out, "namespace", settings->service_namespace);
	json_put_string(out, "name", settings->service);
	json_put_string(out, "path", path);
	json_put_int(out, "port", settings->port);
	g_string_append_c(out, '}');
}

static void
append_client(GString *out, const webhook_settings *settings, const char *path)
{
	json_key(out, "clientConfig");
	json_open(out, '{');
	if (settings->url != NULL) {
		char *url = g_strconcat(settings->url, path, NULL);

		json_put_string(out, "url", url);
		g_free(url);
	} else {
		append_service(out, settings, path);
	}
	if (settings->ca != NULL)
		json_put_string(out, "caBundle", settings->ca);
	g_string_append_c(out, '}');
}

/*
 * The namespaces that must come up without limend.  The label is one that every
 * namespace has from Kubernetes 1.21 on.
 */
static void
append_selector(GString *out, char **excluded)
{
	if (excluded == NULL || excluded[0] == NULL)
		return;
	json_key(out, "namespaceSelector");
	json_open(out, '{');
	json_key(out, "matchExpressions");
	json_open(out, '[');
	json_open(out, '{');
	json_put_string(out, "key", "kubernetes.io/metadata.name");
	json_put_string(out, "operator", "NotIn");
	json_key(out, "values");
	json_open(out, '[');
	for (char **one = excluded; *one != NULL; one++)
		json_string(out, *one);
	g_string_append(out, "]}]}");
}

static void
append_hook(GString *out, const webhook_settings *settings, const hook *of)
{
	char *name = g_strdup_printf("%s.%s", of->label, settings->domain);

	json_open(out, '{');
	json_put_string(out, "name", name);
	append_client(out, settings, of->path);
	append_rules(out, of->rules, of->rule_count);
	append_selector(out, settings->excluded);
	json_put_string(out, "failurePolicy", of->failure_policy);
	json_put_string(out, "matchPolicy", "Equivalent");
	json_put_string(out, "sideEffects", of->side_effects);
	json_put_int(out, "timeoutSeconds", settings->timeout);
	append_words(out, "admissionReviewVersions", "v1|v1beta1");
	if (of->reinvocation != NULL)
		json_put_string(out, "reinvocationPolicy", of->reinvocation);
	g_string_append_c(out, '}');
	g_free(name);
}

static void
open_object(GString *out, const webhook_settings *settings, const char *kind)
{
	json_open(out, '{');
	json_put_string(out, "apiVersion", "admissionregistration.k8s.io/v1");
	json_put_string(out, "kind", kind);
	json_key(out, "metadata");
	json_open(out, '{');
	json_put_string(out, "name", settings->name);
	g_string_append_c(out, '}');
	json_key(out, "webhooks");
	json_open(out, '[');
}

void
webhook_append_mutating(GString *out, const webhook_settings *settings)
{
	/* IfNeeded: a container that another webhook adds later gets its defaults, too. */
	const hook limits = {
		.label = "defaults",
		.path = "/admission/mutate",
		.side_effects = "None",
		.failure_policy = settings->failure_policy,
		.reinvocation = "IfNeeded",
		.rules = default_rules,
		.rule_count = G_N_ELEMENTS(default_rules),
	};

	open_object(out, settings, "MutatingWebhookConfiguration");
	append_hook(out, settings, &limits);
	g_string_append(out, "]}");
}

void
webhook_append_validating(GString *out, const webhook_settings *settings)
{
	const hook limits = {
		.label = "limits",
		.path = "/admission/validate",
		.side_effects = "None",
		.failure_policy = settings->failure_policy,
		.rules = limit_rules,
		.rule_count = G_N_ELEMENTS(limit_rules),
	};
	/* It takes tokens, but none for a dry run. */
	const hook events = {
		.label = "events",
		.path = "/admission/validate",
		.side_effects = "NoneOnDryRun",
		.failure_policy = settings->events_failure_policy,
		.rules = event_rules,
		.rule_count = G_N_ELEMENTS(event_rules),
	};

	open_object(out, settings, "ValidatingWebhookConfiguration");
	if (settings->limits)
		append_hook(out, settings, &limits);
	if (settings->events)
		append_hook(out, settings, &events);
	g_string_append(out, "]}");
}
