/* SPDX-License-Identifier: Apache-2.0 */
/*
 * describe.c - "limen describe": prints LimitRanges as "kubectl describe" does, without a
 * cluster.
 */
#include <stdio.h>

#include "cli/message.h"
#include "limits_command.h"

static int
describe_one(const limits_command *how, const char *argument, bool *printed)
{
	ranges found;
	int status = limits_command_find(how, argument, &found);

	if (status != STATUS_GOOD)
		return status;
	/* Two blank lines separate objects, as in kubectl's output. */
	for (guint i = 0; how->format == FORMAT_TEXT && i < found.items->len; i++) {
		if (*printed)
			fputs("\n\n", stdout);
		range_table_print(g_array_index(found.items, limen_value, i));
		*printed = true;
	}
	if (how->format != FORMAT_TEXT)
		ranges_print(&found, argument != NULL, how->format == FORMAT_YAML);
	ranges_clear(&found);
	return STATUS_GOOD;
}

static int
describe_limits(const limits_command *how)
{
	int status = STATUS_GOOD;
	bool printed = false;

	if (how->arguments[1] == NULL)
		return describe_one(how, NULL, &printed);
	for (size_t i = 1; how->arguments[i] != NULL; i++)
		status = status_worse(status, describe_one(how, how->arguments[i], &printed));
	return status;
}

static int
describe_namespace(limits_command *how)
{
	const char *namespace = how->arguments[1];
	ranges found;

	if (namespace == NULL || how->arguments[2] != NULL)
		return message_usage(how->self, "which namespace?");
	if (!g_utf8_validate(namespace, -1, NULL))
		return message_usage(how->self, "the namespace is not UTF-8");
	if (!ranges_load(&found, how->common, how->policies, how->namespace)) {
		ranges_clear(&found);
		return STATUS_ERROR;
	}
	ranges_keep(&found, namespace, NULL);
	if (how->format == FORMAT_TEXT) {
		message_print_line(stdout, "Name:  %s", namespace);
		putchar('\n');
		range_table_print_namespace(&found);
	} else {
		ranges_print(&found, false, how->format == FORMAT_YAML);
	}
	ranges_clear(&found);
	return STATUS_GOOD;
}

static int
describe(limits_command *how)
{
	static const char *const namespaces[] = { "namespace", "namespaces", "ns", NULL };

	if (g_strv_contains(limits_command_words, how->arguments[0]))
		return describe_limits(how);
	if (g_strv_contains(namespaces, how->arguments[0]))
		return describe_namespace(how);
	return message_usage(how->self, "only limits or a namespace can be described, not '%s'",
	                     how->arguments[0]);
}

static int
run_describe(const command *self, common_options *common, int argc, char **argv)
{
	return limits_command_run(self, common, argc, argv, describe);
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
	.run = run_describe,
};
