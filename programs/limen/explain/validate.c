/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validate.c - "limen validate": loads policies and prints all their problems.  The wording is
 * pScheduler's, so that scripts for its validate-limits still work.
 */
#include <limen/documents.h>
#include <stdio.h>

#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "common/json_out.h"
#include "policy/policy.h"
#include "policy/problems.h"

typedef struct validation {
	const common_options *common;
	gboolean quiet;
	gboolean strict; /* a warning makes the exit status 1 */
	output_format format;
	bool several; /* name the policy in every answer */
} validation;

/* One policy to validate: one path, or several manifests that form one policy. */
typedef struct candidate {
	char **paths; /* 'count' of them */
	guint count;
	bool valid;
	bool passed; /* valid and, with --strict, without a warning */
	limen_diag *diag;
	char *why;
} candidate;

static void
print_text(const validation *how, const candidate *of)
{
	char *good = terminal_tint(terminal_colored(how->common), TINT_GOOD,
	                           "Limit configuration is valid.");
	limen_severity wrong = how->strict ? LIMEN_SEVERITY_WARNING : LIMEN_SEVERITY_PROBLEM;

	problems_print_policy(of->diag, how->quiet ? wrong : LIMEN_SEVERITY_NOTE);
	if (of->why != NULL)
		message_print_line(stderr, "%s", of->why);
	for (guint i = 0; of->passed && !how->quiet && i < of->count; i++) {
		if (how->several)
			message_print_part(stdout, "%s: ", input_name(of->paths[i]));
		puts(good);
	}
	g_free(good);
}

static void
print_json(const validation *how, const candidate *of)
{
	GString *out;

	if (of->passed && how->quiet)
		return;
	out = g_string_new(NULL);
	json_write(out, "{policy:s", input_name(of->paths[0]));
	if (of->count > 1) {
		json_write(out, "files:[");
		for (guint i = 0; i < of->count; i++)
			json_string(out, of->paths[i]);
		json_write(out, "]");
	}
	json_write(out, "valid:b unreadable:s", of->valid, of->why);
	json_key(out, "problems");
	problems_append_json(out, of->diag, false);
	json_write(out, "}");
	puts(out->str);
	g_string_free(out, TRUE);
}

static int
validate(const validation *how, char **paths, guint count)
{
	limen_engine *engine = policy_engine(how->common, LIMEN_ENGINE_PASSIVE);
	candidate of = { .paths = paths, .count = count, .diag = policy_diag() };

	if (count == 1)
		of.valid = policy_load(engine, paths[0], of.diag, &of.why);
	else
		of.valid = policy_load_files(engine, (const char *const *)paths, count, of.diag);
	of.passed = of.valid &&
	            (!how->strict || limen_diag_count(of.diag, LIMEN_SEVERITY_WARNING) == 0);
	if (how->format == FORMAT_JSON)
		print_json(how, &of);
	else
		print_text(how, &of);
	g_free(of.why);
	limen_diag_free(of.diag);
	limen_engine_free(engine);
	return of.passed ? STATUS_GOOD : STATUS_BAD;
}

static bool
holds_manifests(const GString *text, const char *path)
{
	limen_documents *parsed = NULL;
	size_t count = 0;

	if (limen_documents_parse(path, text->str, text->len, 0, &parsed, NULL) == LIMEN_OK)
		count = limen_documents_count(parsed);
	for (size_t i = 0; i < count; i++) {
		limen_value root = limen_documents_get(parsed, i);

		if (!limen_value_exists(limen_value_get(root, "kind")) ||
		    !limen_value_exists(limen_value_get(root, "apiVersion")))
			count = 0;
	}
	limen_documents_free(parsed);
	return count > 0;
}

/* Returns true for a file that holds only manifests.  Pipes are not read: they can be read once. */
static bool
is_manifest_file(const char *path)
{
	char *why = NULL;
	GString *text = NULL;
	bool found;

	if (!input_is_stdin(path) && g_file_test(path, G_FILE_TEST_IS_REGULAR))
		text = input_read(path, &why);
	found = text != NULL && holds_manifests(text, path);
	if (text != NULL)
		g_string_free(text, TRUE);
	g_free(why);
	return found;
}

/*
 * Validates all manifests named together as one policy, because LimitRanges apply to their
 * namespace whatever file they are in.
 */
static int
validate_several(const validation *how, char **paths)
{
	GPtrArray *together = g_ptr_array_new();
	GPtrArray *alone = g_ptr_array_new();
	int status = STATUS_GOOD;

	for (size_t i = 0; paths[i] != NULL; i++)
		g_ptr_array_add(is_manifest_file(paths[i]) ? together : alone, paths[i]);
	for (guint i = 0; i < alone->len; i++)
		status = status_worse(status, validate(how, (char **)&alone->pdata[i], 1));
	if (together->len > 0)
		status = status_worse(status, validate(how, (char **)together->pdata,
		                                       together->len));
	g_ptr_array_unref(alone);
	g_ptr_array_unref(together);
	return status;
}

static int
validate_all(validation *how, char **paths)
{
	char *path = (char *)policy_default();

	if (paths == NULL || paths[0] == NULL)
		return validate(how, &path, 1);
	if (paths[1] == NULL)
		return validate(how, paths, 1);
	how->several = true;
	return validate_several(how, paths);
}

static int
run_validate(const command *self, common_options *common, int argc, char **argv)
{
	validation how = { .common = common };
	char *format_name = NULL;
	char **paths = NULL;
	const GOptionEntry rows[] = {
		OPTION_FLAG("quiet", 'q', &how.quiet, "Print nothing unless something is wrong"),
		OPTION_FLAG("strict", 0, &how.strict, "Let a warning make the exit status 1"),
		OPTION_TEXT("format", 0, &format_name, "FORMAT",
		            "text, or json: one object per policy"),
		OPTION_REST(&paths),
		OPTION_END,
	};
	int status;

	if (!options_read(self, common, rows, argc, argv, &status))
		return status;
	if (!options_format(self, format_name, FORMATS_PLAIN, &how.format))
		return STATUS_ERROR;
	return validate_all(&how, paths);
}

const command validate_command = {
	.name = "validate",
	.arguments = "[FILE|DIR|URL...]",
	.summary = "Check policies and show every problem with its position",
	.details =
		"Each FILE, DIR or URL is one policy; - is standard input.  Several files of\n"
		"manifests (LimitRanges), however, are one policy together.  Without an\n"
		"argument, the policy is $LIMEN_POLICY or, if that is not set,\n"
		LIMEN_CONFDIR ".\n"
		"\n"
		"The exit status is 0 if all are valid, 1 if one is not or cannot be read, and 2\n"
		"for wrong usage.  Warnings change it with --strict, and notes never.  Problems\n"
		"come first, and notes are left out if there is one.\n"
		"\n"
		"Examples:\n"
		"  limen validate limits.conf\n"
		"  limen validate namespace/*.yaml\n"
		"  limen validate /etc/limen/conf.d --format json | jq .problems\n"
		"  generate-limits | limen validate --quiet -\n",
	.run = run_validate,
};
