/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook_config.c - "limen webhook-config": prints the objects that register
 * limend with a Kubernetes API server, ready to be applied.
 */
#include <stdio.h>
#include <string.h>

#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/yaml_out.h"
#include "common/number_option.h"
#include "webhook.h"

/* The command line as given. */
typedef struct arguments {
	char *service;
	char *url;
	char *ca_file;
	char *name;
	char *failure_policy;
	char *events_failure_policy;
	char **excluded;
	char *format;
	char **rest;
	int timeout;
	gboolean only_limits;
	gboolean only_events;
} arguments;

/* Texts that the settings point to; owned. */
typedef struct texts {
	char *namespace;
	char *service;
	char *domain;
	char *ca;
	char **excluded;
} texts;

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
read_service(const char *text, texts *out, int *port)
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
		out->namespace = g_strdup(parts[0]);
		out->service = g_strdup(parts[1]);
		*port = (int)number;
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
find_place_fault(const arguments *given)
{
	if (given->url != NULL && given->service != NULL)
		return "--url or --service, not both";
	if (given->url != NULL && !is_base_url(given->url))
		return "--url wants https://HOST[:PORT][/PATH] without a query and a / at its end";
	if (given->name != NULL && !is_label(given->name))
		return "--name wants small letters, digits and hyphens";
	for (char **one = given->excluded; one != NULL && *one != NULL; one++)
		if (!is_label(*one))
			return "--exclude-namespace wants the name of a namespace";
	return NULL;
}

/* Returns what is wrong with the rest of the command line, or NULL. */
static const char *
find_rule_fault(const arguments *given)
{
	if (given->rest != NULL)
		return "it takes no arguments";
	if (!is_failure_policy(given->failure_policy) ||
	    !is_failure_policy(given->events_failure_policy))
		return "a failure policy is Fail or Ignore";
	if (given->only_limits && given->only_events)
		return "--only-limits or --only-events, not both";
	return NULL;
}

/* Returns the excluded namespaces: the given ones or kube-system, and limend's own. */
static char **
list_excluded(const arguments *given, const char *own)
{
	GPtrArray *list = g_ptr_array_new();

	if (given->excluded == NULL)
		g_ptr_array_add(list, g_strdup("kube-system"));
	for (char **one = given->excluded; one != NULL && *one != NULL; one++)
		g_ptr_array_add(list, g_strdup(*one));
	if (own != NULL && !g_ptr_array_find_with_equal_func(list, own, g_str_equal, NULL))
		g_ptr_array_add(list, g_strdup(own));
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

/* Fills 'own' with the Service, its certificate and the excluded namespaces. */
static bool
fill_texts(const command *self, const arguments *given, texts *own, int *port)
{
	const char *fault = find_rule_fault(given);
	const char *service = given->service == NULL ? "limen/limend" : given->service;

	if (fault == NULL)
		fault = find_place_fault(given);
	if (fault == NULL && given->url == NULL && !read_service(service, own, port))
		fault = "--service wants NAMESPACE/NAME[:PORT]";
	if (fault != NULL) {
		message_usage(self, "%s", fault);
		return false;
	}
	if (given->ca_file != NULL && !read_ca(given->ca_file, &own->ca))
		return false;
	own->domain = own->service == NULL ? g_strdup("limend.webhook") :
	              g_strdup_printf("%s.%s.svc", own->service, own->namespace);
	own->excluded = list_excluded(given, own->namespace);
	return true;
}

static const char *
text_or(const char *text, const char *fallback)
{
	return text == NULL ? fallback : text;
}

static bool
fill_settings(const command *self, const arguments *given, texts *own, webhook_settings *out)
{
	if (!fill_texts(self, given, own, &out->port))
		return false;
	out->name = text_or(given->name, "limend");
	out->domain = own->domain;
	out->url = given->url;
	out->service = own->service;
	out->service_namespace = own->namespace;
	out->ca = own->ca;
	out->failure_policy = text_or(given->failure_policy, "Fail");
	out->events_failure_policy = text_or(given->events_failure_policy, "Ignore");
	out->timeout = given->timeout;
	out->excluded = own->excluded;
	out->limits = !given->only_events;
	out->events = !given->only_limits;
	return true;
}

/* Prints one List in JSON, or one document for each object in YAML. */
static void
print_objects(const webhook_settings *settings, output_format format)
{
	GString *mutating = g_string_new(NULL);
	GString *validating = g_string_new(NULL);

	if (settings->limits)
		webhook_append_mutating(mutating, settings);
	webhook_append_validating(validating, settings);
	if (format == FORMAT_JSON)
		printf("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[%s%s%s]}\n",
		       mutating->str, settings->limits ? "," : "", validating->str);
	else if ((settings->limits && !yaml_print(mutating, "---\n")) ||
	         !yaml_print(validating, "---\n"))
		g_error("out of memory");
	g_string_free(mutating, TRUE);
	g_string_free(validating, TRUE);
}

static int
run_read(const command *self, const arguments *given)
{
	webhook_settings settings = { .port = 443 };
	texts own = { .namespace = NULL };
	output_format format = FORMAT_YAML;
	int status = STATUS_ERROR;

	if ((given->format == NULL ||
	     options_format(self, given->format, FORMAT_BIT(FORMAT_YAML) | FORMAT_BIT(FORMAT_JSON),
	                    &format)) &&
	    fill_settings(self, given, &own, &settings)) {
		print_objects(&settings, format);
		status = STATUS_GOOD;
	}
	g_free(own.namespace);
	g_free(own.service);
	g_free(own.domain);
	g_free(own.ca);
	g_strfreev(own.excluded);
	return status;
}

/* Range of timeoutSeconds of a ValidatingWebhook (admissionregistration.k8s.io/v1). */
static const number_option numbers[] = {
	{ "timeout", "seconds", 1, 30 },
	{ NULL, NULL, 0, 0 },
};

static int
run_webhook_config(const command *self, common_options *common, int argc, char **argv)
{
	arguments given = { .timeout = 3 };
	const GOptionEntry rows[] = {
		OPTION_TEXT("service", 0, &given.service, "NAMESPACE/NAME[:PORT]",
		            "Service (default: limen/limend:443)"),
		OPTION_TEXT("url", 0, &given.url, "URL", "The URL of a limend outside the cluster"),
		OPTION_TEXT("ca-file", 0, &given.ca_file, "FILE",
		            "Authorities of limend's certificate"),
		OPTION_TEXT("name", 0, &given.name, "NAME",
		            "Name of the objects (default: limend)"),
		OPTION_TEXT("failure-policy", 0, &given.failure_policy, "POLICY",
		            "Fail (default) or Ignore: for pods, claims"),
		OPTION_TEXT("events-failure-policy", 0, &given.events_failure_policy, "POLICY",
		            "Fail or Ignore (default): for events"),
		OPTION_NUMBER("timeout", 0, &given.timeout, "SECONDS",
		              "Timeout of an answer (default: 3)"),
		OPTION_TEXTS("exclude-namespace", 0, &given.excluded, "NAME",
		             "Exclude (default: kube-system); may repeat"),
		OPTION_FLAG("only-limits", 0, &given.only_limits, "Leave events out"),
		OPTION_FLAG("only-events", 0, &given.only_events, "Leave pods and claims out"),
		OPTION_TEXT("format", 0, &given.format, "FORMAT", "yaml (default) or json"),
		OPTION_REST(&given.rest),
		OPTION_END,
	};
	int status;

	common->numbers = numbers;
	if (options_read(self, common, rows, argc, argv, &status))
		status = run_read(self, &given);
	return status;
}

const command webhook_config_command = {
	.name = "webhook-config",
	.arguments = "",
	.summary = "Print webhook configurations for Kubernetes",
	.details =
		"Prints a MutatingWebhookConfiguration and a ValidatingWebhookConfiguration\n"
		"(admissionregistration.k8s.io/v1) for \"kubectl apply -f -\".  Pods and claims go\n"
		"to limend for their defaults and limits, events for their rates.  The namespace\n"
		"of limend's Service is always excluded, so that its pods can start before it\n"
		"answers.\n"
		"\n"
		"The exit status is 0, or 2 for wrong usage and files that cannot be read.\n"
		"\n"
		"Examples:\n"
		"  limen webhook-config --ca-file ca.pem | kubectl apply -f -\n"
		"  limen webhook-config --url https://limend.example.org:8443 --only-events\n",
	.run = run_webhook_config,
};
