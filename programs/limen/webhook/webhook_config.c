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
	const common_options *common;
	char *service;
	char *url; /* NULL: a Service */
	char *ca_file;
	char *name; /* of the objects */
	char *failure_policy;        /* for limits */
	char *events_failure_policy; /* for event rates */
	char **excluded; /* namespaces */
	int timeout; /* seconds */
	gboolean only_limits;
	gboolean only_events;
	/* The meaning of the above; the texts are owned. */
	char **place; /* namespace and name of the Service, ended by NULL; NULL: a URL */
	int port;
	char *domain; /* suffix of the webhook names */
	char *ca;     /* base64 of PEM; NULL: the roots of the API server */
	char **all_excluded;
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
read_service(const char *text, settings *self)
{
	guint64 number = 443;
	bool good = true;
	char *colon;

	self->place = g_strsplit(text, "/", 3);
	if (g_strv_length(self->place) != 2)
		return false;
	colon = strchr(self->place[1], ':');
	if (colon != NULL) {
		good = g_ascii_string_to_unsigned(colon + 1, 10, 1, 65535, &number, NULL);
		*colon = '\0';
	}
	self->port = (int)number;
	return good && is_label(self->place[0]) && is_label(self->place[1]);
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
	g_autofree char *why = NULL;
	g_autoptr(GString) text = input_read(path, &why);

	if (text == NULL)
		message_error("%s", why);
	else if (strstr(text->str, "PRIVATE KEY-----") != NULL)
		message_error("%s: it holds a private key, which belongs into no configuration",
		              input_name(path));
	else if (strstr(text->str, "-----BEGIN CERTIFICATE-----") == NULL)
		message_error("%s: the file has no PEM certificate", input_name(path));
	else
		*out = g_base64_encode((const guchar *)text->str, text->len);
	return *out != NULL;
}

static bool
is_failure_policy(const char *text)
{
	return text == NULL || strcmp(text, "Fail") == 0 || strcmp(text, "Ignore") == 0;
}

/* Returns what is wrong with the address of limend, or NULL. */
static const char *
find_place_fault(const settings *self)
{
	if (self->url != NULL && self->service != NULL)
		return "--url or --service, not both";
	if (self->url != NULL && !is_base_url(self->url))
		return "--url wants https://HOST[:PORT][/PATH] without a query and a / at its end";
	if (self->name != NULL && !is_label(self->name))
		return "--name wants small letters, digits and hyphens";
	for (char **item = self->excluded; item != NULL && *item != NULL; item++)
		if (!is_label(*item))
			return "--exclude-namespace wants the name of a namespace";
	return NULL;
}

/* Returns what is wrong with the rest of the command line, or NULL. */
static const char *
find_rule_fault(const settings *self)
{
	if (!is_failure_policy(self->failure_policy) ||
	    !is_failure_policy(self->events_failure_policy))
		return "a failure policy is Fail or Ignore";
	if (self->only_limits && self->only_events)
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
list_excluded(const settings *self)
{
	GPtrArray *list = g_ptr_array_new();

	add_excluded(list, "kube-system");
	for (char **name = self->excluded; name != NULL && *name != NULL; name++)
		add_excluded(list, *name);
	if (self->place != NULL)
		add_excluded(list, self->place[0]);
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

/* Checks the command line and fills in what it means. */
static bool
understand(settings *self)
{
	const char *fault = find_rule_fault(self);
	const char *service = self->service == NULL ? "limen/limend" : self->service;

	if (fault == NULL)
		fault = find_place_fault(self);
	if (fault == NULL && self->url == NULL && !read_service(service, self))
		fault = "--service wants NAMESPACE/NAME[:PORT]";
	if (fault != NULL) {
		message_usage(self->common->self, "%s", fault);
		return false;
	}
	if (self->ca_file != NULL && !read_ca(self->ca_file, &self->ca))
		return false;
	self->domain = self->url != NULL
	                       ? g_strdup("limend.webhook")
	                       : g_strdup_printf("%s.%s.svc", self->place[1], self->place[0]);
	self->all_excluded = list_excluded(self);
	return true;
}

/* ---- objects ---- */

/* The webhooks; the settings give the rest of each. */
typedef struct hook {
	const char *label; /* first label of its name */
	const char *path;
	const char *side_effects;
	const char *failure_policy; /* unless one is given */
	const char *reinvocation;   /* NULL: a validating webhook has none */
	bool events;                /* for event rates, not for limits */
	struct {
		const char *operations[3];
		const char *resources[3];
	} rules[2];
} hook;

static const hook hooks[] = {
	/*
	 * Claims have no defaults, so they are never changed.  IfNeeded: a container that another
	 * webhook adds later gets its defaults, too.
	 */
	{ "defaults", "/admission/mutate", "None", "Fail", "IfNeeded", false,
	  { { { "CREATE" }, { "pods" } }, { { "UPDATE" }, { "pods/resize" } } } },
	/* LimitRanger checks new pods, resized pods and claims; nothing else needs to be sent. */
	{ "limits", "/admission/validate", "None", "Fail", NULL, false,
	  { { { "CREATE" }, { "pods", "persistentvolumeclaims" } },
	    { { "UPDATE" }, { "pods/resize", "persistentvolumeclaims" } } } },
	/*
	 * Events of events.k8s.io arrive converted: matchPolicy is Equivalent.  They take tokens, but
	 * a dry run does not.
	 */
	{ "events", "/admission/validate", "NoneOnDryRun", "Ignore", NULL, true,
	  { { { "CREATE", "UPDATE" }, { "events" } } } },
};

static void
append_hook(GString *out, const settings *self, const hook *row)
{
	const char *given = row->events ? self->events_failure_policy : self->failure_policy;
	g_autofree char *name = g_strdup_printf("%s.%s", row->label, self->domain);
	g_autofree char *url = self->url == NULL ? NULL : g_strconcat(self->url, row->path, NULL);

	json_write(out, "{name:s clientConfig:{url:S", name, url);
	if (url == NULL)
		json_write(out, "service:{namespace:s name:s path:s port:d}", self->place[0],
		           self->place[1], row->path, self->port);
	json_write(out, "caBundle:S}rules:[", self->ca);
	for (size_t i = 0; i < G_N_ELEMENTS(row->rules) && row->rules[i].operations[0] != NULL; i++)
		json_write(out,
		           "{apiGroups:[s] apiVersions:[s] operations:a resources:a scope:s}", "",
		           "v1", row->rules[i].operations, row->rules[i].resources, "Namespaced");
	/*
	 * Excludes namespaces that must start without limend.  Every namespace has the label since
	 * Kubernetes 1.21.
	 */
	json_write(out, "]namespaceSelector:{matchExpressions:[{key:s operator:s values:a}]}",
	           "kubernetes.io/metadata.name", "NotIn", self->all_excluded);
	json_write(out,
	           "failurePolicy:s matchPolicy:s sideEffects:s timeoutSeconds:d "
	           "admissionReviewVersions:[ss] reinvocationPolicy:S}",
	           given == NULL ? row->failure_policy : given, "Equivalent", row->side_effects,
	           self->timeout, "v1", "v1beta1", row->reinvocation);
}

static void
append_object(GString *out, const settings *self, bool mutates)
{
	json_write(out, "{apiVersion:s kind:s metadata:{name:s} webhooks:[",
	           "admissionregistration.k8s.io/v1",
	           mutates ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration",
	           self->name == NULL ? "limend" : self->name);
	for (size_t i = 0; i < G_N_ELEMENTS(hooks); i++)
		if ((hooks[i].reinvocation != NULL) == mutates &&
		    !(hooks[i].events ? self->only_limits : self->only_events))
			append_hook(out, self, &hooks[i]);
	json_write(out, "]}");
}

/* Prints one List in JSON, or one document for each object in YAML. */
static void
print_objects(const settings *self)
{
	g_autoptr(GString) list = g_string_new(NULL);

	json_write(list, "{apiVersion:s kind:s items:[", "v1", "List");
	for (int mutates = !self->only_events; mutates >= 0; mutates--) {
		g_autoptr(GString) object = g_string_new(NULL);

		append_object(object, self, mutates != 0);
		json_raw(list, object->str);
		if (self->common->format == FORMAT_YAML && !yaml_print(object, "---\n"))
			g_error("out of memory");
	}
	if (self->common->format == FORMAT_JSON)
		printf("%s]}\n", list->str);
}

/* Range of timeoutSeconds of a ValidatingWebhook (admissionregistration.k8s.io/v1). */
static const number_option numbers[] = {
	{ "timeout", "seconds", 1, 30 },
	{ NULL, NULL, 0, 0 },
};

static int
run_webhook_config(common_options *common)
{
	settings self = { .common = common, .timeout = 3 };
	const GOptionEntry rows[] = {
		OPTION_TEXT("service", 0, &self.service, "NAMESPACE/NAME[:PORT]",
		            "Service (default: limen/limend:443)"),
		OPTION_TEXT("url", 0, &self.url, "URL", "The URL of a limend outside the cluster"),
		OPTION_TEXT("ca-file", 0, &self.ca_file, "FILE",
		            "Authorities of limend's certificate"),
		OPTION_TEXT("name", 0, &self.name, "NAME",
		            "Name of the objects (default: limend)"),
		OPTION_TEXT("failure-policy", 0, &self.failure_policy, "POLICY",
		            "Fail (default) or Ignore: for pods, claims"),
		OPTION_TEXT("events-failure-policy", 0, &self.events_failure_policy, "POLICY",
		            "Fail or Ignore (default): for events"),
		OPTION_NUMBER("timeout", 0, &self.timeout, "SECONDS",
		              "Timeout of an answer (default: 3)"),
		OPTION_TEXTS("exclude-namespace", 0, &self.excluded, "NAME",
		             "Exclude, beside kube-system; may repeat"),
		OPTION_FLAG("only-limits", 0, &self.only_limits, "Leave events out"),
		OPTION_FLAG("only-events", 0, &self.only_events, "Leave pods and claims out"),
		OPTION_FORMAT(common, "yaml (default) or json"),
		OPTION_END,
	};
	bool good;

	if (!options_read(common, rows))
		return common->status;
	if (common->format_name == NULL)
		common->format = FORMAT_YAML;
	good = understand(&self);
	if (good)
		print_objects(&self);
	g_strfreev(self.place);
	g_strfreev(self.all_excluded);
	g_free(self.domain);
	g_free(self.ca);
	return good ? STATUS_GOOD : STATUS_ERROR;
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
	.formats = FORMAT_BIT(FORMAT_YAML) | FORMAT_BIT(FORMAT_JSON),
	.numbers = numbers,
	.run = run_webhook_config,
};
