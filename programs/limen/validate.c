/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validate.c - "limen validate": loads policies and tells everything that is
 * wrong with them.  The words are pScheduler's, so that scripts around its
 * validate-limits go on working.
 */
#include <stdio.h>

#include "input.h"
#include "json_out.h"
#include "message.h"
#include "options.h"
#include "policy.h"
#include "problems.h"

typedef struct validation {
	const common_options *common;
	gboolean quiet;
	output_format format;
	bool several; /* name the policy in every answer */
} validation;

static void
print_text(const validation *how, const char *path, bool valid, const limen_diag *diag,
           const char *why)
{
	problems_print_policy(diag, how->quiet ? LIMEN_PROBLEM : LIMEN_NOTE);
	if (why != NULL)
		message_print(stderr, "Unable to read input: %s\n", why);
	if (!valid || how->quiet)
		return;
	if (how->several)
		message_print(stdout, "%s: ", input_name(path));
	puts("Limit configuration is valid.");
}

static void
print_json(const validation *how, const char *path, bool valid, const limen_diag *diag,
           const char *why)
{
	GString *out;

	if (valid && how->quiet)
		return;
	out = g_string_new(NULL);
	json_open(out, '{');
	json_put_string(out, "policy", input_name(path));
	json_put_bool(out, "valid", valid);
	json_put_string(out, "unreadable", why);
	json_key(out, "problems");
	problems_append_json(out, diag, false);
	g_string_append_c(out, '}');
	puts(out->str);
	g_string_free(out, TRUE);
}

static int
validate_one(const validation *how, const char *path)
{
	limen_engine *engine = policy_engine(how->common, LIMEN_ENGINE_PASSIVE);
	limen_diag *diag = policy_diag();
	char *why = NULL;
	bool valid = policy_load(engine, path, diag, &why);

	if (how->format == FORMAT_JSON)
		print_json(how, path, valid, diag, why);
	else
		print_text(how, path, valid, diag, why);
	g_free(why);
	limen_diag_free(diag);
	limen_engine_free(engine);
	return valid ? STATUS_GOOD : STATUS_BAD;
}

static int
validate_all(validation *how, char **paths)
{
	int status = STATUS_GOOD;

	if (paths == NULL || paths[0] == NULL)
		return validate_one(how, policy_default());
	how->several = paths[1] != NULL;
	for (size_t i = 0; paths[i] != NULL; i++)
		status = status_worse(status, validate_one(how, paths[i]));
	return status;
}

static int
run_validate(const command *self, common_options *common, int argc, char **argv)
{
	validation how = { .common = common };
	char *format_name = NULL;
	char **paths = NULL;
	const GOptionEntry rows[] = {
		{ .long_name = "quiet", .short_name = 'q', .arg = G_OPTION_ARG_NONE,
		  .arg_data = &how.quiet,
		  .description = "Print nothing unless something is wrong" },
		{ .long_name = "format", .arg = G_OPTION_ARG_FILENAME, .arg_data = &format_name,
		  .arg_description = "FORMAT",
		  .description = "text, or json for one object a policy" },
		{ .long_name = G_OPTION_REMAINING, .arg = G_OPTION_ARG_FILENAME_ARRAY,
		  .arg_data = &paths },
		{ .long_name = NULL },
	};
	options_result result = options_read(self, common, rows, argc, argv);
	int status = result == OPTIONS_HELPED ? STATUS_GOOD : STATUS_ERROR;

	if (result == OPTIONS_READY && options_format(self, format_name, 2, &how.format))
		status = validate_all(&how, paths);
	g_free(format_name);
	g_strfreev(paths);
	return status;
}

const command validate_command = {
	.name = "validate",
	.arguments = "[FILE|DIR...]",
	.summary = "Check policies and show every problem with its place",
	.details =
		"Each FILE or DIR is a policy of its own; - is standard input.  Without any,\n"
		"the policy is $LIMEN_POLICY or, if that is not set,\n"
		LIMEN_CONFDIR ".\n"
		"\n"
		"The exit status is 0 if all are valid, 1 if one is not or cannot be read, and 2\n"
		"for wrong usage.  Notes and warnings do not count.\n"
		"\n"
		"Examples:\n"
		"  limen validate limits.conf\n"
		"  limen validate /etc/limen/conf.d --format json | jq .problems\n"
		"  generate-limits | limen validate --quiet -\n",
	.run = run_validate,
};
