/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook_objects.c - prints the objects that register limend with an API server, one webhook in
 * each (admissionregistration.k8s.io/v1).  Owns the table of the webhooks, and of the operations
 * and resources that they are called for.
 */
#include "webhook.h"

#include <stdio.h>

#include "cli/yaml_out.h"
#include "common/json_out.h"

/* The operations and resources that one rule matches. */
typedef struct rule {
	const char *operations[3];
	const char *resources[5];
	const char *group;   /* "": the core group, and version v1 */
} rule;

/* The fixed part of one webhook; the rest comes from the settings. */
typedef struct hook {
	const char *object; /* suffix of the name of its object */
	const char *label;  /* first label of its own name */
	const char *kind;
	const char *path;
	const char *side_effects;
	const char *reinvocation; /* NULL: a validating webhook has none */
	const rule *rules;
	size_t rule_count;
} hook;

/* LimitRanger checks new pods, resized pods and claims; nothing else needs to be sent. */
static const rule limit_rules[] = {
	{ { "CREATE" }, { "pods", "persistentvolumeclaims" }, "" },
	{ { "UPDATE" }, { "pods/resize", "persistentvolumeclaims" }, "" },
};

/* Claims have no defaults, so they are never changed. */
static const rule default_rules[] = {
	{ { "CREATE" }, { "pods" }, "" },
	{ { "UPDATE" }, { "pods/resize" }, "" },
};

/* Events of events.k8s.io arrive converted: matchPolicy is Equivalent. */
static const rule event_rules[] = {
	{ { "CREATE", "UPDATE" }, { "events" }, "" },
};

/* Workloads of all versions: API servers before 1.21 have CronJobs of batch/v1beta1 alone. */
static const rule workload_rules[] = {
	{ { "CREATE", "UPDATE" }, { "daemonsets", "deployments", "replicasets", "statefulsets" },
	  "apps" },
	{ { "CREATE", "UPDATE" }, { "cronjobs", "jobs" }, "batch" },
};

/* Timeout of the webhook of workloads: nobody waits long for a warning. */
#define WORKLOAD_TIMEOUT 1

#define RULES(table) .rules = (table), .rule_count = G_N_ELEMENTS(table)
#define MUTATING "MutatingWebhookConfiguration"
#define VALIDATING "ValidatingWebhookConfiguration"

static const hook hooks[WEBHOOK_KINDS] = {
	/* IfNeeded: a container that another webhook adds later gets its defaults, too. */
	[WEBHOOK_DEFAULTS] = { "limits", "defaults", MUTATING, "/admission/mutate", "None",
	                       "IfNeeded", RULES(default_rules) },
	[WEBHOOK_LIMITS] = { "limits", "limits", VALIDATING, "/admission/validate", "None", NULL,
	                     RULES(limit_rules) },
	/* Events take tokens, but a dry run does not. */
	[WEBHOOK_EVENTS] = { "events", "events", VALIDATING, "/admission/validate",
	                     "NoneOnDryRun", NULL, RULES(event_rules) },
	[WEBHOOK_WORKLOADS] = { "workloads", "workloads", VALIDATING, "/admission/workloads", "None",
	                        NULL, RULES(workload_rules) },
};

static void
append_client(GString *out, const webhook_settings *settings, const char *path)
{
	json_write(out, "clientConfig:{");
	if (settings->url != NULL) {
		g_autofree char *url = g_strconcat(settings->url, path, NULL);

		json_write(out, "url:s", url);
	} else {
		json_write(out, "service:{namespace:s name:s path:s port:d}",
		           settings->namespace, settings->service, path, settings->port);
	}
	json_write(out, "caBundle:S}", settings->ca);
}

static void
append_rule(GString *out, const rule *row)
{
	json_write(out, "{apiGroups:[s] apiVersions:[s] operations:a resources:a scope:s}",
	           row->group, row->group[0] == '\0' ? "v1" : "*", row->operations,
	           row->resources, "Namespaced");
}

void
webhook_append_workload_rule(GString *out, const char *group, const char *resource)
{
	append_rule(out, &(rule){ { "CREATE", "UPDATE" }, { resource }, group });
}

/* Appends an array of elements that are JSON already. */
static void
append_elements(GString *out, const char *elements)
{
	if (elements[0] != '\0' && out->str[out->len - 1] != '[')
		g_string_append_c(out, ',');
	g_string_append(out, elements);
	g_string_append_c(out, ']');
}

static void
append_rules(GString *out, const webhook_settings *settings, const hook *webhook)
{
	json_write(out, "rules:[");
	for (size_t i = 0; i < webhook->rule_count; i++)
		append_rule(out, &webhook->rules[i]);
	append_elements(out, webhook->rules == workload_rules ? settings->needs.workload_rules->str
	                                                       : "");
}

/*
 * Selects objects and namespaces.  Every namespace has the label of its name since Kubernetes
 * 1.21.
 */
static void
append_selectors(GString *out, const webhook_settings *settings)
{
	json_write(out, "namespaceSelector:{matchExpressions:[");
	if (settings->excluded->pdata[0] != NULL)
		json_write(out, "{key:s operator:s values:a}", "kubernetes.io/metadata.name",
		           "NotIn", settings->excluded->pdata);
	if (settings->ignore_label)
		json_write(out, "{key:s operator:s}", WEBHOOK_IGNORE_LABEL, "DoesNotExist");
	append_elements(out, settings->namespace_selector->str);
	g_string_append_c(out, '}');
	if (settings->object_selector->len > 0) {
		json_write(out, "objectSelector:{matchExpressions:[");
		append_elements(out, settings->object_selector->str);
		g_string_append_c(out, '}');
	}
	if (settings->conditions->len > 0) {
		json_write(out, "matchConditions:[");
		append_elements(out, settings->conditions->str);
	}
}

static void
append_object(GString *out, const webhook_settings *settings, webhook_kind kind)
{
	const hook *webhook = &hooks[kind];
	g_autofree char *name = g_strdup_printf("%s-%s", settings->name, webhook->object);
	g_autofree char *label = g_strdup_printf("%s.%s", webhook->label, settings->domain);

	json_write(out, "{apiVersion:s kind:s metadata:{name:s labels:{app.kubernetes.io/name:s}} "
	                "webhooks:[{name:s",
	           "admissionregistration.k8s.io/v1", webhook->kind, name, "limend", label);
	append_client(out, settings, webhook->path);
	append_rules(out, settings, webhook);
	append_selectors(out, settings);
	json_write(out,
	           "failurePolicy:s matchPolicy:s sideEffects:s timeoutSeconds:d "
	           "admissionReviewVersions:[ss] reinvocationPolicy:S}]}",
	           settings->failure_policies[kind], "Equivalent", webhook->side_effects,
	           kind == WEBHOOK_WORKLOADS ? WORKLOAD_TIMEOUT : settings->timeout, "v1",
	           "v1beta1", webhook->reinvocation);
}

void
webhook_print(const webhook_settings *settings, output_format format)
{
	g_autoptr(GString) list = g_string_new("[");

	for (int kind = 0; kind < WEBHOOK_KINDS; kind++) {
		g_autoptr(GString) object = g_string_new(NULL);

		if (settings->failure_policies[kind] == NULL)
			continue;
		append_object(object, settings, (webhook_kind)kind);
		json_raw(list, object->str);
		if (format == FORMAT_YAML && !yaml_print(object, "---\n"))
			g_error("out of memory");
	}
	if (format == FORMAT_JSON)
		printf("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":%s]}\n", list->str);
}
