/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limits.c - "limen describe" and "limen get": shows LimitRanges as kubectl does, without a cluster.
 * Loads a policy or a file, and selects LimitRanges by namespace and name.
 */
#include "cli/message.h"
#include "cli/options.h"
#include "cli/sources.h"
#include "range_table.h"

#include <stdio.h>

#define FORMATS_LIMITS (FORMATS_PLAIN | FORMAT_BIT(FORMAT_YAML))

typedef struct limits_command {
	common_options *common;
	char **policies;
	char *namespace;
	gboolean all;     /* of all namespaces */
	char **arguments; /* the kind of object, then names and files */
} limits_command;

/* The words for LimitRanges. */
static const char *const words[] = { "limits", "limitrange", "limitranges", NULL };

static int
report_missing(const limits_command *self, const char *name)
{
	const char *where = self->all ? "" : " in the namespace ";
	const char *namespace = self->all ? "" : self->namespace == NULL ? "default" : self->namespace;

	if (name != NULL)
		message_error("no LimitRange \"%s\"%s%s", name, where, namespace);
	else
		message_error("no LimitRanges%s%s", where, namespace);
	return name == NULL ? STATUS_GOOD : STATUS_BAD;
}

/*
 * Lists the LimitRanges of 'argument': all of a file, one by name, or for NULL those of the
 * namespace.  Returns an exit status; other than STATUS_GOOD after a message.  Clear 'out' in any
 * case.
 */
static int
find(const limits_command *self, const char *argument, ranges *out)
{
	bool file = argument != NULL && sources_is_path(argument);
	const char *namespace = self->namespace == NULL ? "default" : self->namespace;
	char *const paths[] = { (char *)argument, NULL };

	if (!ranges_load(out, self->common, file ? paths : self->policies, self->namespace))
		return STATUS_ERROR;
	if (!file)
		ranges_keep(out, self->all ? NULL : namespace, argument);
	return file || out->items->len > 0 ? STATUS_GOOD : report_missing(self, argument);
}

/* Prints as JSON or YAML; returns false for text. */
static bool
print_objects(const limits_command *self, const ranges *found, bool single)
{
	if (self->common->format != FORMAT_TEXT)
		ranges_print(found, single, self->common->format == FORMAT_YAML);
	return self->common->format != FORMAT_TEXT;
}

static int
run(common_options *common, int (*show)(const limits_command *self))
{
	limits_command self = { .common = common };
	const GOptionEntry rows[] = {
		OPTION_POLICY(&self.policies, "FILE|DIR", "The policy; may be repeated"),
		OPTION_TEXT("namespace", 'n', &self.namespace, "NAME",
		            "Namespace, also of LimitRanges without one (default)"),
		OPTION_FLAG("all-namespaces", 'A', &self.all, "The LimitRanges of all namespaces"),
		OPTION_FORMAT(common, "text, json or yaml"),
		OPTION_REST(&self.arguments),
		OPTION_END,
	};

	if (!options_read(common, rows))
		return common->status;
	if (self.arguments == NULL)
		return message_usage(common->self, "missing argument: limits");
	if (self.namespace != NULL && !g_utf8_validate(self.namespace, -1, NULL))
		return message_usage(common->self, "the namespace is not UTF-8");
	return show(&self);
}

/* ---- describe ---- */

static int
describe_limits(const limits_command *self, const char *argument, bool *printed)
{
	ranges found;
	int status = find(self, argument, &found);

	/* Two blank lines separate objects, as in kubectl's output. */
	if (status == STATUS_GOOD && !print_objects(self, &found, argument != NULL))
		for (guint i = 0; i < found.items->len; i++) {
			if (*printed)
				fputs("\n\n", stdout);
			range_table_print(g_array_index(found.items, limen_value, i));
			*printed = true;
		}
	ranges_clear(&found);
	return status;
}

static int
describe_namespace(const limits_command *self)
{
	const char *namespace = self->arguments[1];
	ranges found;
	bool good;

	if (namespace == NULL || self->arguments[2] != NULL)
		return message_usage(self->common->self, "which namespace?");
	if (!g_utf8_validate(namespace, -1, NULL))
		return message_usage(self->common->self, "the namespace is not UTF-8");
	good = ranges_load(&found, self->common, self->policies, self->namespace);
	if (good)
		ranges_keep(&found, namespace, NULL);
	if (good && !print_objects(self, &found, false)) {
		message_print_line(stdout, "Name:  %s", namespace);
		putchar('\n');
		range_table_print_namespace(&found);
	}
	ranges_clear(&found);
	return good ? STATUS_GOOD : STATUS_ERROR;
}

static int
describe(const limits_command *self)
{
	static const char *const namespaces[] = { "namespace", "namespaces", "ns", NULL };
	char **argument = self->arguments + 1;
	int status = STATUS_GOOD;
	bool printed = false;

	if (g_strv_contains(namespaces, self->arguments[0]))
		return describe_namespace(self);
	if (!g_strv_contains(words, self->arguments[0]))
		return message_usage(self->common->self,
		                     "only limits or a namespace can be described, not '%s'",
		                     self->arguments[0]);
	do
		status = status_worse(status, describe_limits(self, *argument, &printed));
	while (*argument != NULL && *++argument != NULL);
	return status;
}

static int
run_describe(common_options *common)
{
	return run(common, describe);
}

/* ---- get ---- */

static int
get(const limits_command *self)
{
	const char *argument = self->arguments[1];
	ranges found;
	int status;

	if (!g_strv_contains(words, self->arguments[0]))
		return message_usage(self->common->self, "only limits can be listed, not '%s'",
		                     self->arguments[0]);
	if (argument != NULL && self->arguments[2] != NULL)
		return message_usage(self->common->self, "one NAME or FILE at a time");
	status = find(self, argument, &found);
	if (status == STATUS_GOOD && !print_objects(self, &found, argument != NULL) &&
	    found.items->len > 0)
		range_table_print_names(&found);
	ranges_clear(&found);
	return status;
}

static int
run_get(common_options *common)
{
	return run(common, get);
}

const command describe_command = {
	.name = "describe",
	.arguments = "limits [NAME|FILE...] | namespace NAME",
	.summary = "Show LimitRanges as kubectl describe does",
	.details =
		"Shows the LimitRanges of the policy, with the defaults that an API server gives\n"
		"them: those of a namespace, the one called NAME, or all of a FILE.  An argument\n"
		"with a / in it, or that ends in .yaml, .yml, .json or .conf, is a file; - is\n"
		"standard input.  Without --policy, the policy is $LIMEN_POLICY or, if that is\n"
		"not set,\n"
		LIMEN_CONFDIR ".\n"
		"\n"
		"The exit status is 0, 1 if there is no LimitRange of that name, and 2 if the\n"
		"policy cannot be read or for wrong usage.\n"
		"\n"
		"Examples:\n"
		"  limen describe limits limits.yaml\n"
		"  limen describe limits --policy conf.d --namespace shop\n"
		"  limen describe limits --policy conf.d -A --format json\n"
		"  limen describe namespace shop --policy conf.d\n",
	.formats = FORMATS_LIMITS,
	.run = run_describe,
};

const command get_command = {
	.name = "get",
	.arguments = "limits [NAME|FILE]",
	.summary = "List LimitRanges as kubectl get does",
	.details =
		"Lists the LimitRanges of the policy that are in a namespace, the one called\n"
		"NAME, or all of a FILE; as JSON or YAML with all that is in them, and with the\n"
		"defaults that an API server gives them.  An argument with a / in it, or that\n"
		"ends in .yaml, .yml, .json or .conf, is a file; - is standard input.  Without\n"
		"--policy, the policy is $LIMEN_POLICY or, if that is not set,\n"
		LIMEN_CONFDIR ".\n"
		"\n"
		"The exit status is 0, 1 if there is no LimitRange of that name, and 2 if the\n"
		"policy cannot be read or for wrong usage.\n"
		"\n"
		"Examples:\n"
		"  limen get limits limits.yaml\n"
		"  limen get limits --policy conf.d -A\n"
		"  limen get limits cpu --policy conf.d --namespace shop --format yaml\n",
	.formats = FORMATS_LIMITS,
	.run = run_get,
};
