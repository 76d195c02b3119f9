/* SPDX-License-Identifier: Apache-2.0 */
/*
 * webhook_config.c - "limen webhook-config": reads its command line, which says how API servers
 * reach limend and which requests they send to it.
 */
#include <string.h>

#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/option_values.h"
#include "webhook.h"

/* The options, and what they mean for the objects. */
typedef struct settings {
	const common_options *common;
	webhook_settings out;
	char *service;
	char *ca_file;
	char **policies;
	char *failure_policy;        /* for limits */
	char *events_failure_policy; /* for event rates */
	char **excluded;             /* namespaces */
	char **included;
	char *namespace_selector;
	char *object_selector;
	char **conditions;
	char *version; /* of the cluster */
	gboolean no_ignore_label;
	gboolean only_limits;
	gboolean only_events;
	gboolean only_workloads;
	char **place; /* namespace and name of the Service, ended by NULL; NULL: a URL */
} settings;

/* Match conditions are a feature of 1.27, and on by default from 1.28. */
#define MATCH_CONDITIONS_SINCE 1027

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
	self->out.port = (int)number;
	self->out.namespace = self->place[0];
	self->out.service = self->place[1];
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

/* Namespaces that must start without limend. */
static const char *const system_namespaces[] = { "kube-system", "kube-node-lease", NULL };

static char *
find_included_fault(const settings *self)
{
	for (char **item = self->included; item != NULL && *item != NULL; item++)
		if (!g_strv_contains(system_namespaces, *item))
			return g_strdup_printf("--include-namespace takes kube-system or "
			                       "kube-node-lease, which are excluded by "
			                       "default, not '%s'", *item);
	return NULL;
}

/* Returns what is wrong with the address of limend and with names, to g_free(), or NULL. */
static char *
find_place_fault(const settings *self)
{
	if (self->out.url != NULL && self->service != NULL)
		return g_strdup("--url or --service, not both");
	if (self->out.url != NULL && !is_base_url(self->out.url))
		return g_strdup_printf("--url wants https://HOST[:PORT][/PATH] without a query and "
		                       "a / at its end, not '%s'", self->out.url);
	if (!is_label(self->out.name))
		return g_strdup_printf("--name wants small letters, digits and hyphens, not '%s'",
		                       self->out.name);
	for (char **item = self->excluded; item != NULL && *item != NULL; item++)
		if (!is_label(*item))
			return g_strdup_printf("--exclude-namespace wants the name of a namespace, "
			                       "not '%s'", *item);
	return find_included_fault(self);
}

/* Returns what is wrong with the rest of the command line, to g_free(), or NULL. */
static char *
find_rule_fault(const settings *self)
{
	const char *policy = is_failure_policy(self->failure_policy) ? self->events_failure_policy
	                                                             : self->failure_policy;

	if (!is_failure_policy(policy))
		return g_strdup_printf("a failure policy is Fail or Ignore, not '%s'", policy);
	if (self->only_limits + self->only_events + self->only_workloads > 1)
		return g_strdup("--only-limits, --only-events or --only-workloads, not several");
	if (self->failure_policy != NULL && (self->only_events || self->only_workloads))
		return g_strdup_printf("--failure-policy is for the webhooks of pods and claims, which "
		                       "--only-%s leaves out",
		                       self->only_events ? "events" : "workloads");
	if (self->events_failure_policy != NULL && (self->only_limits || self->only_workloads))
		return g_strdup_printf("--events-failure-policy is for the webhook of events, which "
		                       "--only-%s leaves out",
		                       self->only_limits ? "limits" : "workloads");
	return NULL;
}

static void
add_excluded(GPtrArray *list, const char *namespace)
{
	if (!g_ptr_array_find_with_equal_func(list, namespace, g_str_equal, NULL))
		g_ptr_array_add(list, (gpointer)namespace);
}

/* Lists the excluded namespaces once each: the system's, the given ones and limend's own. */
static void
list_excluded(settings *self)
{
	GPtrArray *list = self->out.excluded;

	for (const char *const *name = system_namespaces; *name != NULL; name++)
		if (self->included == NULL ||
		    !g_strv_contains((const char *const *)self->included, *name))
			add_excluded(list, *name);
	for (char **name = self->excluded; name != NULL && *name != NULL; name++)
		add_excluded(list, *name);
	if (self->place != NULL)
		add_excluded(list, self->place[0]);
	g_ptr_array_add(list, NULL);
}

/* Reads selectors and match conditions.  Returns what is wrong with them, to g_free(), or NULL. */
static char *
read_selection(settings *self)
{
	int version = MATCH_CONDITIONS_SINCE;
	char *fault = NULL;

	if (self->version != NULL && !webhook_read_version(self->version, &version))
		return g_strdup_printf("--for wants a version of Kubernetes such as 1.29, not '%s'",
		                       self->version);
	if (self->conditions != NULL && version < MATCH_CONDITIONS_SINCE)
		return g_strdup_printf("--match-condition needs Kubernetes 1.27 or newer, and --for "
		                       "says %s: use --object-selector or --namespace-selector",
		                       self->version);
	if (self->namespace_selector != NULL)
		fault = webhook_read_selector(self->namespace_selector, self->out.namespace_selector);
	if (fault == NULL && self->object_selector != NULL)
		fault = webhook_read_selector(self->object_selector, self->out.object_selector);
	for (char **item = self->conditions; fault == NULL && item != NULL && *item != NULL; item++)
		fault = webhook_read_condition(*item, self->out.conditions);
	return fault;
}

/* Checks the command line and fills in what it means. */
static bool
understand(settings *self)
{
	const char *service = self->service == NULL ? "limen/limend" : self->service;
	webhook_settings *out = &self->out;
	g_autofree char *fault = find_rule_fault(self);

	out->name = out->name == NULL ? "limend" : out->name;
	out->ignore_label = !self->no_ignore_label;
	if (fault == NULL)
		fault = find_place_fault(self);
	if (fault == NULL && out->url == NULL && !read_service(service, self))
		fault = g_strdup_printf("--service wants NAMESPACE/NAME[:PORT], not '%s'", service);
	if (fault == NULL)
		fault = read_selection(self);
	if (fault != NULL) {
		message_usage(self->common->self, "%s", fault);
		return false;
	}
	if (self->ca_file != NULL && !read_ca(self->ca_file, &out->ca))
		return false;
	out->domain = out->url != NULL ? g_strdup("limend.webhook")
	                               : g_strdup_printf("%s.%s.svc", out->service, out->namespace);
	list_excluded(self);
	return true;
}

/* ---- what the policy needs ---- */

/* Returns the failure policy of a webhook, or NULL if it is not needed. */
static const char *
choose_failure_policy(webhook_need need, const char *given, const char *option, const char *objects)
{
	if (need == NEED_TO_OBSERVE && g_strcmp0(given, "Fail") == 0)
		message_error("warning: --%s Fail: no entry of the policy refuses %s, and without "
		              "limend they would all be refused: use Ignore", option, objects);
	if (need == NEED_NOTHING)
		return NULL;
	return given != NULL ? given : need == NEED_TO_REFUSE ? "Fail" : "Ignore";
}

/* Events are not worth an outage: Ignore, unless Fail is asked for. */
static void
choose_webhooks(settings *self)
{
	const webhook_needs *needs = &self->out.needs;
	const char **policies = self->out.failure_policies;

	if (!self->only_events && !self->only_workloads)
		policies[WEBHOOK_LIMITS] = choose_failure_policy(needs->limits, self->failure_policy,
		                                                 "failure-policy", "pods");
	if (needs->changes && !self->only_workloads)
		policies[WEBHOOK_DEFAULTS] = policies[WEBHOOK_LIMITS];
	/* Pods of workloads are checked themselves. */
	if (needs->workloads && !self->only_limits && !self->only_events)
		policies[WEBHOOK_WORKLOADS] = "Ignore";
	if (!self->only_limits && !self->only_workloads)
		policies[WEBHOOK_EVENTS] = choose_failure_policy(
		        needs->events,
		        self->events_failure_policy == NULL ? "Ignore" : self->events_failure_policy,
		        "events-failure-policy", "events");
}

static bool
print_webhooks(settings *self)
{
	bool needed = false;

	choose_webhooks(self);
	for (int kind = 0; kind < WEBHOOK_KINDS; kind++)
		needed = needed || self->out.failure_policies[kind] != NULL;
	if (needed)
		webhook_print(&self->out, self->common->format);
	else
		message_error("no webhook is needed: no admission entry of the policy %s",
		              self->only_events ? "limits events"
		              : self->only_limits || self->only_workloads
		                      ? "matches pods or claims"
		                      : "matches pods or claims, or limits events");
	return needed;
}

static void
free_settings(settings *self)
{
	g_strfreev(self->place);
	g_free(self->out.domain);
	g_free(self->out.ca);
	g_ptr_array_free(self->out.excluded, TRUE);
	g_string_free(self->out.namespace_selector, TRUE);
	g_string_free(self->out.object_selector, TRUE);
	g_string_free(self->out.conditions, TRUE);
	g_string_free(self->out.needs.workload_rules, TRUE);
}

/* Range of timeoutSeconds of a ValidatingWebhook (admissionregistration.k8s.io/v1). */
static const number_option numbers[] = {
	{ "timeout", "seconds", 1, 30 },
	{ NULL, NULL, 0, 0 },
};

static int
run_webhook_config(common_options *common)
{
	settings self = {
		.common = common,
		.out = { .timeout = 3,
		         .excluded = g_ptr_array_new(),
		         .namespace_selector = g_string_new(NULL),
		         .object_selector = g_string_new(NULL),
		         .conditions = g_string_new(NULL),
		         .needs = { .limits = NEED_TO_REFUSE, .events = NEED_TO_REFUSE,
		                    .changes = true, .workloads = true,
		                    .workload_rules = g_string_new(NULL) } },
	};
	const GOptionEntry rows[] = {
		OPTION_POLICY(&self.policies, "FILE", "Only the webhooks that this policy needs"),
		OPTION_TEXT("service", 0, &self.service, "NAMESPACE/NAME[:PORT]",
		            "Service (default: limen/limend:443)"),
		OPTION_TEXT("url", 0, &self.out.url, "URL", "The URL of a limend outside the cluster"),
		OPTION_TEXT("ca-file", 0, &self.ca_file, "FILE",
		            "Authorities of limend's certificate"),
		OPTION_TEXT("name", 0, &self.out.name, "NAME",
		            "First part of names (default: limend)"),
		OPTION_TEXT("failure-policy", 0, &self.failure_policy, "POLICY",
		            "Fail or Ignore: for pods, claims"),
		OPTION_TEXT("events-failure-policy", 0, &self.events_failure_policy, "POLICY",
		            "Fail or Ignore (default): for events"),
		OPTION_NUMBER("timeout", 0, &self.out.timeout, "SECONDS",
		              "Timeout of an answer (default: 3)"),
		OPTION_TEXTS("exclude-namespace", 0, &self.excluded, "NAME",
		             "Exclude this, too; may repeat"),
		OPTION_TEXTS("include-namespace", 0, &self.included, "NAME",
		             "Take kube-system or -node-lease back"),
		OPTION_FLAG("no-ignore-label", 0, &self.no_ignore_label,
		            "Ignore no namespace for its label"),
		OPTION_TEXT("namespace-selector", 0, &self.namespace_selector, "LABELS",
		            "Only namespaces with these labels"),
		OPTION_TEXT("object-selector", 0, &self.object_selector, "LABELS",
		            "Only objects with these labels"),
		OPTION_TEXTS("match-condition", 0, &self.conditions, "NAME=CEL",
		             "Only where this holds; may repeat"),
		OPTION_TEXT("for", 0, &self.version, "VERSION", "Version of the cluster, as 1.29"),
		OPTION_FLAG("only-limits", 0, &self.only_limits, "Only pods and claims"),
		OPTION_FLAG("only-events", 0, &self.only_events, "Only events"),
		OPTION_FLAG("only-workloads", 0, &self.only_workloads, "Only workloads"),
		OPTION_FORMAT(common, "yaml (default) or json"),
		OPTION_END,
	};
	bool done = !options_read(common, rows);
	bool good;

	if (common->format_name == NULL)
		common->format = FORMAT_YAML;
	good = !done && understand(&self) &&
	       (self.policies == NULL ||
	        webhook_needs_read(common, self.policies, &self.out.needs)) &&
	       print_webhooks(&self);
	free_settings(&self);
	return done ? common->status : good ? STATUS_GOOD : STATUS_ERROR;
}

const command webhook_config_command = {
	.name = "webhook-config",
	.arguments = "",
	.summary = "Print webhook configurations for Kubernetes",
	.details =
		"Prints the objects that register limend with an API server\n"
		"(admissionregistration.k8s.io/v1) for \"kubectl apply -f -\".  Pods and claims go\n"
		"to limend for their defaults and limits, events for their rates, and Deployments\n"
		"and other workloads for a warning if their pods would be refused.  With --policy\n"
		"only those are printed that an entry of the policy may match, and the failure\n"
		"policy is Ignore where the entries only warn or audit; otherwise it is Fail for\n"
		"pods and claims.\n"
		"\n"
		"kube-system, kube-node-lease and the namespace of limend's Service are excluded,\n"
		"so that pods can start before limend answers, and so is every namespace with\n"
		"the label limen.policy/ignore.  LABELS are as of kubectl -l.\n"
		"\n"
		"The exit status is 0, or 2 for wrong usage, files that cannot be read, and a\n"
		"policy that needs no webhook.\n"
		"\n"
		"Examples:\n"
		"  limen webhook-config --ca-file ca.pem | kubectl apply -f -\n"
		"  limen webhook-config --policy policy.yaml --url https://limend.example.org\n",
	.formats = FORMAT_BIT(FORMAT_YAML) | FORMAT_BIT(FORMAT_JSON),
	.numbers = numbers,
	.run = run_webhook_config,
};
