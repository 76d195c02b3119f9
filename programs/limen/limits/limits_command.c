/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limits_command.c - parses the options of "limen describe" and "limen get", loads a policy or a
 * file, and selects LimitRanges by namespace and name.
 */
#include "limits_command.h"

#include <string.h>

#include "cli/message.h"
#include "cli/sources.h"

#define FORMATS_LIMITS (FORMATS_PLAIN | FORMAT_BIT(FORMAT_YAML))

const char *const limits_command_limits[] = { "limits", "limitrange", "limitranges", NULL };
const char *const limits_command_namespaces[] = { "namespace", "namespaces", "ns", NULL };

static bool
read_options(limits_command *how, common_options *common, int argc, char **argv, int *status)
{
	const GOptionEntry rows[] = {
		OPTION_TEXT("policy", 0, &how->policy, "FILE|DIR", "The policy"),
		OPTION_TEXT("namespace", 'n', &how->namespace, "NAME",
		            "The namespace, also of what names none (default)"),
		OPTION_FLAG("all-namespaces", 'A', &how->all, "The LimitRanges of all namespaces"),
		OPTION_TEXT("format", 0, &how->format_name, "FORMAT", "text, json or yaml"),
		OPTION_REST(&how->arguments),
		OPTION_END,
	};

	return options_read(how->self, common, rows, argc, argv, status);
}

static bool
understand(limits_command *how)
{
	if (how->arguments == NULL) {
		message_usage(how->self, "what? (limits)");
		return false;
	}
	if (how->namespace != NULL && !g_utf8_validate(how->namespace, -1, NULL)) {
		message_usage(how->self, "the namespace is not UTF-8");
		return false;
	}
	return options_format(how->self, how->format_name, FORMATS_LIMITS, &how->format);
}

int
limits_command_run(const command *self, common_options *common, int argc, char **argv,
                   int (*run)(limits_command *how))
{
	limits_command how = { .self = self, .common = common };
	int status;

	if (read_options(&how, common, argc, argv, &status))
		status = understand(&how) ? run(&how) : STATUS_ERROR;
	return status;
}

bool
limits_command_is(const limits_command *how, const char *const words[])
{
	for (size_t i = 0; words[i] != NULL; i++)
		if (strcmp(how->arguments[0], words[i]) == 0)
			return true;
	return false;
}

static int
report_missing(const limits_command *how, const char *name)
{
	const char *namespace = how->namespace == NULL ? "default" : how->namespace;

	if (name != NULL)
		message_error("there is no LimitRange \"%s\"%s%s", name,
		              how->all ? "" : " in the namespace ", how->all ? "" : namespace);
	else
		message_error("there are no LimitRanges%s%s", how->all ? "" : " in the namespace ",
		              how->all ? "" : namespace);
	return name == NULL ? STATUS_GOOD : STATUS_BAD;
}

int
limits_command_find(const limits_command *how, const char *argument, ranges *out)
{
	bool file = argument != NULL && sources_is_path(argument);
	const char *namespace = how->namespace == NULL ? "default" : how->namespace;

	if (!ranges_load(out, how->common, file ? argument : how->policy, how->namespace)) {
		ranges_clear(out);
		return STATUS_ERROR;
	}
	if (!file) {
		ranges_keep(out, how->all ? NULL : namespace, argument);
		if (out->items->len == 0) {
			int status = report_missing(how, argument);

			if (status != STATUS_GOOD)
				ranges_clear(out);
			return status;
		}
	}
	return STATUS_GOOD;
}
