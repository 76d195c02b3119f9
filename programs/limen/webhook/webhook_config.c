/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook_config.c - "limen webhook-config": prints the objects that register limend with a
 * Kubernetes API server (admissionregistration.k8s.io/v1), ready to be applied.  Owns the tables
 * of the operations and resources that the API server sends: pods and claims for limits, events
 * for rates.
 */
#include <stdio.h>
#include <string.h>

#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/yaml_out.h"
#include "common/json_out.h"
#include "common/option_values.h"

typedef struct settings {
	/* The command line as given. */
	char *service;
	char *url; /* NULL: a Service */
	char *ca_file;
	char *name; /* of the objects */
	char *failure_policy;        /* for limits */
	char *events_failure_policy; /* for event rates */
	char **excluded; /* namespaces */
	char *format_name;
	char **rest;
	int timeout; /* seconds */
	gboolean only_limits;
	gboolean only_events;
	/* The meaning of the above; the texts are owned. */
	char *namespace; /* of the Service */
	char *service_name;
	int port;
	char *domain; /* suffix of the webhook names */
	char *ca;     /* base64 of PEM; NULL: the roots of the API server */
	char **all_excluded;
	output_format format;
} settings;

/* ---- options ---- */

/* Returns true for a label of RFC 1123, the form of names of namespaces and services. */
static bool
is_label(const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-");

	return length > 0 && length < 64 && text[length] == '\0' && text[0] != '-' &&
	       text[length - 1] != '-';
}

/* Reads NAMESPACE/NAME or NAMESPACE/NAME:PORT. */
static bool
read_service(const char *text, settings *how)
{
	char **parts = g_strsplit(text, "/", 3);
	bool good = g_strv_length(parts) == 2;
	char *colon = good ? strchr(parts[1], ':') : NULL;
	guint64 number = 443;

	if (colon != NULL) {
		good = g_ascii_string_to_unsigned(colon + 1, 10, 1, 65535, &number, NULL);
		*colon = '\0';
	}
	good = good && is_label(parts[0]) && is_label(parts[1]);
	if (good) {
		how->namespace = g_strdup(parts[0]);
		how->service_name = g_strdup(parts[1]);
		how->port = (int)number;
	}
	g_strfreev(parts);
	return good;
}

/* Kubernetes' rules for the URL of a webhook; limend's paths are appended to it. */
static bool
is_base_url(const char *url)
{
	return g_str_has_prefix(url, "https://") && strlen(url) > strlen("https://") &&
	       strpbrk(url, "?#@ ") == NULL && !g_str_has_suffix(url, "/");
}

/* Reads the certificates of 'path' in the form of a caBundle. */
static bool
read_ca(const char *path, char **out)
{
	char *why = NULL;
	GString *text = input_read(path, &why);
	bool good = false;

	if (text == NULL)
		message_error("%s", why);
	else if (strstr(text->str, "PRIVATE KEY-----") != NULL)
		message_error("%s: it holds a private key, which belongs into no configuration",
		              input_name(path));
	else if (strstr(text->str, "-----BEGIN CERTIFICATE-----") == NULL)
		message_error("%s: the file has no PEM certificate", input_name(path));
	else
		good = true;
	if (good)
		*out = g_base64_encode((const guchar *)text->str, text->len);
	if (text != NULL)
		g_string_free(text, TRUE);
	g_free(why);
	return good;
}

static bool
is_failure_policy(const char *text)
{
	return text == NULL || strcmp(text, "Fail") == 0 || strcmp(text, "Ignore") == 0;
}

/* Returns what is wrong with the address of limend, or NULL. */
static const char *
find_place_fault(const settings *how)
{
	if (how->url != NULL && how->service != NULL)
		return "--url or --service, not both";
	if (how->url != NULL && !is_base_url(how->url))
		return "--url wants https://HOST[:PORT][/PATH] without a query and a / at its end";
	if (how->name != NULL && !is_label(how->name))
		return "--name wants small letters, digits and hyphens";
	for (char **item = how->excluded; item != NULL && *item != NULL; item++)
		if (!is_label(*item))
			return "--exclude-namespace wants the name of a namespace";
	return NULL;
}

/* Returns what is wrong with the rest of the command line, or NULL. */
static const char *
find_rule_fault(const settings *how)
{
	if (how->rest != NULL)
		return "it takes no arguments";
	if (!is_failure_policy(how->failure_policy) ||
	    !is_failure_policy(how->events_failure_policy))
		return "a failure policy is Fail or Ignore";
	if (how->only_limits && how->only_events)
		return "--only-limits or --only-events, not both";
	return NULL;
}

static void
add_excluded(GPtrArray *list, const char *namespace)
{
	if (!g_ptr_array_find_with_equal_func(list, namespace, g_str_equal, NULL))
		g_ptr_array_add(list, g_strdup(namespace));
}

/* Returns the excluded namespaces: kube-system, the given ones and limend's own, once each. */
static char **
list_excluded(const settings *how)
{
	GPtrArray *list = g_ptr_array_new();

	add_excluded(list, "kube-system");
	for (char **name = how->excluded; name != NULL && *name != NULL; name++)
		add_excluded(list, *name);
	if (how->namespace != NULL)
		add_excluded(list, how->namespace);
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

/* Checks the command line and fills in what it means. */
static bool
understand(const command *self, settings *how)
{
	const char *fault = find_rule_fault(how);
	const char *service = how->service == NULL ? "limen/limend" : how->service;

	if (fault == NULL)
		fault = find_place_fault(how);
	if (fault == NULL && how->url == NULL && !read_service(service, how))
		fault = "--service wants NAMESPACE/NAME[:PORT]";
	if (fault != NULL) {
		message_usage(self, "%s", fault);
		return false;
	}
	if (how->ca_file != NULL && !read_ca(how->ca_file, &how->ca))
		return false;
	how->domain = how->url != NULL ? g_strdup("limend.webhook") :
	              g_strdup_printf("%s.%s.svc", how->service_name, how->namespace);
	how->all_excluded = list_excluded(how);
	return true;
}

/* ---- objects ---- */

static const char *
text_or(const char *text, const char *fallback)
{
	return text == NULL ? fallback : text;
}

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
append_client(GString *out, const settings *how, const char *path)
{
	json_write(out, "clientConfig:{");
	if (how->url != NULL) {
		char *url = g_strconcat(how->url, path, NULL);

		json_write(out, "url:s", url);
		g_free(url);
	} else {
		json_write(out, "service:{namespace:s name:s path:s port:d}",
		           how->namespace, how->service_name, path, how->port);
	}
	json_write(out, "caBundle:S}", how->ca);
}

/*
 * Excludes namespaces that must start without limend.  Every namespace has the label since
 * Kubernetes 1.21.
 */
static void
append_selector(GString *out, const settings *how)
{
	json_write(out, "namespaceSelector:{matchExpressions:[{key:s operator:s values:a}]}",
	           "kubernetes.io/metadata.name", "NotIn", how->all_excluded);
}

static void
append_hook(GString *out, const settings *how, const hook *of)
{
	char *name = g_strdup_printf("%s.%s", of->label, how->domain);

	json_write(out, "{name:s", name);
	append_client(out, how, of->path);
	append_rules(out, of->rules, of->rule_count);
	append_selector(out, how);
	json_write(out,
	           "failurePolicy:s matchPolicy:s sideEffects:s timeoutSeconds:d "
	           "admissionReviewVersions:[ss] reinvocationPolicy:S}",
	           of->failure_policy, "Equivalent", of->side_effects, how->timeout, "v1",
	           "v1beta1", of->reinvocation);
	g_free(name);
}

static void
open_object(GString *out, const settings *how, const char *kind)
{
	json_write(out, "{apiVersion:s kind:s metadata:{name:s} webhooks:[",
	           "admissionregistration.k8s.io/v1", kind,
	           text_or(how->name, "limend"));
}

static void
append_mutating(GString *out, const settings *how)
{
	/* IfNeeded: a container that another webhook adds later gets its defaults, too. */
	const hook limits = {
		.label = "defaults",
		.path = "/admission/mutate",
		.side_effects = "None",
		.failure_policy = text_or(how->failure_policy, "Fail"),
		.reinvocation = "IfNeeded",
		.rules = default_rules,
		.rule_count = G_N_ELEMENTS(default_rules),
	};

	open_object(out, how, "MutatingWebhookConfiguration");
	append_hook(out, how, &limits);
	g_string_append(out, "]}");
}

static void
append_validating(GString *out, const settings *how)
{
	const hook limits = {
		.label = "limits",
		.path = "/admission/validate",
		.side_effects = "None",
		.failure_policy = text_or(how->failure_policy, "Fail"),
		.rules = limit_rules,
		.rule_count = G_N_ELEMENTS(limit_rules),
	};
	/* Events take tokens, but a dry run does not. */
	const hook events = {
		.label = "events",
		.path = "/admission/validate",
		.side_effects = "NoneOnDryRun",
		.failure_policy = text_or(how->events_failure_policy, "Ignore"),
		.rules = event_rules,
		.rule_count = G_N_ELEMENTS(event_rules),
	};

	open_object(out, how, "ValidatingWebhookConfiguration");
	if (!how->only_events)
		append_hook(out, how, &limits);
	if (!how->only_limits)
		append_hook(out, how, &events);
	g_string_append(out, "]}");
}

/* Prints one List in JSON, or one document for each object in YAML. */
static void
print_objects(const settings *how)
{
	GString *mutating = g_string_new(NULL);
	GString *validating = g_string_new(NULL);

	if (!how->only_events)
		append_mutating(mutating, how);
	append_validating(validating, how);
	if (how->format == FORMAT_JSON)
		printf("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[%s%s%s]}\n",
		       mutating->str, how->only_events ? "" : ",", validating->str);
	else if ((!how->only_events && !yaml_print(mutating, "---\n")) ||
	         !yaml_print(validating, "---\n"))
		g_error("out of memory");
	g_string_free(mutating, TRUE);
	g_string_free(validating, TRUE);
}

/* Range of timeoutSeconds of a ValidatingWebhook (admissionregistration.k8s.io/v1). */
static const number_option numbers[] = {
	{ "timeout", "seconds", 1, 30 },
	{ NULL, NULL, 0, 0 },
};

static int
run_webhook_config(const command *self, common_options *common, int argc, char **argv)
{
	settings how = { .timeout = 3, .format = FORMAT_YAML };
	const GOptionEntry rows[] = {
		OPTION_TEXT("service", 0, &how.service, "NAMESPACE/NAME[:PORT]",
		            "Service (default: limen/limend:443)"),
		OPTION_TEXT("url", 0, &how.url, "URL", "The URL of a limend outside the cluster"),
		OPTION_TEXT("ca-file", 0, &how.ca_file, "FILE",
		            "Authorities of limend's certificate"),
		OPTION_TEXT("name", 0, &how.name, "NAME",
		            "Name of the objects (default: limend)"),
		OPTION_TEXT("failure-policy", 0, &how.failure_policy, "POLICY",
		            "Fail (default) or Ignore: for pods, claims"),
		OPTION_TEXT("events-failure-policy", 0, &how.events_failure_policy, "POLICY",
		            "Fail or Ignore (default): for events"),
		OPTION_NUMBER("timeout", 0, &how.timeout, "SECONDS",
		              "Timeout of an answer (default: 3)"),
		OPTION_TEXTS("exclude-namespace", 0, &how.excluded, "NAME",
		             "Exclude, beside kube-system; may repeat"),
		OPTION_FLAG("only-limits", 0, &how.only_limits, "Leave events out"),
		OPTION_FLAG("only-events", 0, &how.only_events, "Leave pods and claims out"),
		OPTION_TEXT("format", 0, &how.format_name, "FORMAT", "yaml (default) or json"),
		OPTION_REST(&how.rest),
		OPTION_END,
	};
	int status;

	common->numbers = numbers;
	if (!options_read(self, common, rows, argc, argv, &status))
		return status;
	status = STATUS_ERROR;
	if ((how.format_name == NULL ||
	     options_format(self, how.format_name,
	                    FORMAT_BIT(FORMAT_YAML) | FORMAT_BIT(FORMAT_JSON), &how.format)) &&
	    understand(self, &how)) {
		print_objects(&how);
		status = STATUS_GOOD;
	}
	g_free(how.namespace);
	g_free(how.service_name);
	g_free(how.domain);
	g_free(how.ca);
	g_strfreev(how.all_excluded);
	return status;
}

const command webhook_config_command = {
	.name = "webhook-config",
	.arguments = "",
	.summary = "Print webhook configurations for Kubernetes",
	.details =
		"Prints a MutatingWebhookConfiguration and a ValidatingWebhookConfiguration\n"
		"(admissionregistration.k8s.io/v1) for \"kubectl apply -f -\".  Pods and claims go\n"
		"to limend for their defaults and limits, events for their rates.  kube-system\n"
		"and the namespace of limend's Service are always excluded, so that pods can\n"
		"start before limend answers.\n"
		"\n"
		"The exit status is 0, or 2 for wrong usage and files that cannot be read.\n"
		"\n"
		"Examples:\n"
		"  limen webhook-config --ca-file ca.pem | kubectl apply -f -\n"
		"  limen webhook-config --url https://limend.example.org:8443 --only-events\n",
	.run = run_webhook_config,
};
