/* SPDX-License-Identifier: Apache-2.0 */
/*
 * get.c - "limen get limits": lists the LimitRanges as "kubectl get limits" does.
 */
#include "cli/columns.h"
#include "cli/message.h"
#include "limits_command.h"

/* Blanks between columns, as in kubectl. */
#define GAP 3

static void
print_names(const ranges *of)
{
	columns table;

	columns_start(&table, 3);
	table.gap = GAP;
	columns_add(&table, "NAMESPACE");
	columns_add(&table, "NAME");
	columns_add(&table, "CREATED AT");
	for (guint i = 0; i < of->items->len; i++) {
		limen_value range = g_array_index(of->items, limen_value, i);
		const char *created = ranges_created(range);

		columns_add(&table, ranges_namespace(range));
		columns_add(&table, ranges_name(range));
		columns_add(&table, created[0] == '\0' ? "<unknown>" : created);
	}
	columns_print(&table);
}

static int
get(limits_command *how)
{
	const char *argument = how->arguments[1];
	ranges found;
	int status;

	if (!g_strv_contains(limits_command_words, how->arguments[0]))
		return message_usage(how->self, "only limits can be listed, not '%s'", how->arguments[0]);
	if (argument != NULL && how->arguments[2] != NULL)
		return message_usage(how->self, "one NAME or FILE at a time");
	status = limits_command_find(how, argument, &found);
	if (status != STATUS_GOOD)
		return status;
	if (how->format != FORMAT_TEXT)
		ranges_print(&found, argument != NULL, how->format == FORMAT_YAML);
	else if (found.items->len > 0)
		print_names(&found);
	ranges_clear(&found);
	return STATUS_GOOD;
}

static int
run_get(const command *self, common_options *common, int argc, char **argv)
{
	return limits_command_run(self, common, argc, argv, get);
}

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
	.run = run_get,
};
