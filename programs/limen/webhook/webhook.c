/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook.c - writes MutatingWebhookConfiguration and ValidatingWebhookConfiguration objects as
 * JSON.  Owns the tables of the operations and resources that the API server sends: pods and claims
 * for limits, events for rates.
 */
#include "webhook.h"

#include "common/json_out.h"

/* The operations and resources that one rule matches. */
typedef struct rule {
	const char *operations[3];
	const char *resources[3];
} rule;

/* The fixed part of one webhook; the rest comes from the settings. */
typedef struct hook {
	const char *label; /* first label of its name */
	const char *path;
	const char *side_effects;
	const char *failure_policy;
	const char *reinvocation; /* NULL: a validating webhook has none */
	const rule *rules;
	size_t rule_count;
} hook;

/* LimitRanger checks new pods, resized pods and claims; nothing else needs to be sent. */
static const rule limit_rules[] = {
	{ { "CREATE" }, { "pods", "persistentvolumeclaims" } },
	{ { "UPDATE" }, { "pods/resize", "persistentvolumeclaims" } },
};

/* Claims have no defaults, so they are never changed. */
static const rule default_rules[] = {
	{ { "CREATE" }, { "pods" } },
	{ { "UPDATE" }, { "pods/resize" } },
};

/* Events of events.k8s.io arrive converted: matchPolicy is Equivalent. */
static const rule event_rules[] = {
	{ { "CREATE", "UPDATE" }, { "events" } },
};

static void
append_rules(GString *out, const rule *rules, size_t count)
{
	json_write(out, "rules:[");
	for (size_t i = 0; i < count; i++)
		json_write(out,
		           "{apiGroups:[s] apiVersions:[s] operations:a resources:a scope:s}", "",
		           "v1", rules[i].operations, rules[i].resources, "Namespaced");
	json_write(out, "]");
}

static void
append_client(GString *out, const webhook_settings *settings, const char *path)
{
	json_write(out, "clientConfig:{");
	if (settings->url != NULL) {
		char *url = g_strconcat(settings->url, path, NULL);

		json_write(out, "url:s", url);
		g_free(url);
	} else {
		json_write(out, "service:{namespace:s name:s path:s port:d}",
		           settings->service_namespace, settings->service, path,
		           settings->port);
	}
	json_write(out, "caBundle:S}", settings->ca);
}

/*
 * Excludes namespaces that must start without limend.  Every namespace has the label since
 * Kubernetes 1.21.
 */
static void
append_selector(GString *out, char **excluded)
{
	if (excluded == NULL || excluded[0] == NULL)
		return;
	json_write(out, "namespaceSelector:{matchExpressions:[{key:s operator:s values:a}]}",
	           "kubernetes.io/metadata.name", "NotIn", excluded);
}

static void
append_hook(GString *out, const webhook_settings *settings, const hook *of)
{
	char *name = g_strdup_printf("%s.%s", of->label, settings->domain);

	json_write(out, "{name:s", name);
	append_client(out, settings, of->path);
	append_rules(out, of->rules, of->rule_count);
	append_selector(out, settings->excluded);
	json_write(out,
	           "failurePolicy:s matchPolicy:s sideEffects:s timeoutSeconds:d "
	           "admissionReviewVersions:[ss] reinvocationPolicy:S}",
	           of->failure_policy, "Equivalent", of->side_effects, settings->timeout, "v1",
	           "v1beta1", of->reinvocation);
	g_free(name);
}

static void
open_object(GString *out, const webhook_settings *settings, const char *kind)
{
	json_write(out, "{apiVersion:s kind:s metadata:{name:s} webhooks:[",
	           "admissionregistration.k8s.io/v1", kind, settings->name);
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
	/* Events take tokens, but a dry run does not. */
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
