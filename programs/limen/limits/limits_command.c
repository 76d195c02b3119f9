/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limits_command.c - parses the options of "limen describe" and "limen get", loads a policy or a
 * file, and selects LimitRanges by namespace and name.
 */
#include "limits_command.h"

#include "cli/message.h"
#include "cli/sources.h"

#define FORMATS_LIMITS (FORMATS_PLAIN | FORMAT_BIT(FORMAT_YAML))

const char *const limits_command_words[] = { "limits", "limitrange", "limitranges", NULL };

static bool
understand(limits_command *how)
{
	if (how->arguments == NULL)
		message_usage(how->self, "missing argument: limits");
	else if (how->namespace != NULL && !g_utf8_validate(how->namespace, -1, NULL))
		message_usage(how->self, "the namespace is not UTF-8");
	else
		return options_format(how->self, how->format_name, FORMATS_LIMITS, &how->format);
	return false;
}

int
limits_command_run(const command *self, common_options *common, int argc, char **argv,
                   int (*run)(limits_command *how))
{
	limits_command how = { .self = self, .common = common };
	const GOptionEntry rows[] = {
		OPTION_POLICY(&how.policies, "FILE|DIR", "The policy; may be repeated"),
		OPTION_TEXT("namespace", 'n', &how.namespace, "NAME",
		            "Namespace, also of LimitRanges without one (default)"),
		OPTION_FLAG("all-namespaces", 'A', &how.all, "The LimitRanges of all namespaces"),
		OPTION_TEXT("format", 0, &how.format_name, "FORMAT", "text, json or yaml"),
		OPTION_REST(&how.arguments),
		OPTION_END,
	};
	int status;

	if (options_read(self, common, rows, argc, argv, &status))
		status = understand(&how) ? run(&how) : STATUS_ERROR;
	return status;
}

static int
report_missing(const limits_command *how, const char *name)
{
	const char *where = how->all ? "" : " in the namespace ";
	const char *namespace = how->all ? "" : how->namespace == NULL ? "default" : how->namespace;

	if (name != NULL)
		message_error("no LimitRange \"%s\"%s%s", name, where, namespace);
	else
		message_error("no LimitRanges%s%s", where, namespace);
	return name == NULL ? STATUS_GOOD : STATUS_BAD;
}

int
limits_command_find(const limits_command *how, const char *argument, ranges *out)
{
	bool file = argument != NULL && sources_is_path(argument);
	const char *namespace = how->namespace == NULL ? "default" : how->namespace;
	char *const paths[] = { (char *)argument, NULL };
	int status = STATUS_GOOD;

	if (!ranges_load(out, how->common, file ? paths : how->policies, how->namespace))
		status = STATUS_ERROR;
	else if (!file)
		ranges_keep(out, how->all ? NULL : namespace, argument);
	if (status == STATUS_GOOD && !file && out->items->len == 0)
		status = report_missing(how, argument);
	if (status != STATUS_GOOD)
		ranges_clear(out);
	return status;
}
