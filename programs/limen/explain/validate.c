/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validate.c - "limen validate": loads policies and prints all their problems.  The wording is
 * pScheduler's, so that scripts for its validate-limits still work.
 */
#include <limen/documents.h>
#include <stdio.h>

#include "ask/ask.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "common/auto.h"
#include "common/json_out.h"
#include "policy/policy.h"
#include "policy/problems.h"

typedef struct validation {
	const common_options *common;
	gboolean quiet;
	gboolean strict; /* a warning makes the exit status 1 */
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
print_text(const validation *self, const candidate *policy)
{
	g_autofree char *good = terminal_tint(terminal_colored(self->common), TINT_GOOD,
	                                      "Limit configuration is valid.");
	limen_severity wrong = self->strict ? LIMEN_SEVERITY_WARNING : LIMEN_SEVERITY_PROBLEM;

	problems_print_policy(policy->diag, self->quiet ? wrong : LIMEN_SEVERITY_NOTE);
	if (policy->why != NULL)
		message_print_line(stderr, "%s", policy->why);
	for (guint i = 0; policy->passed && !self->quiet && i < policy->count; i++) {
		if (self->several)
			message_print_part(stdout, "%s: ", input_name(policy->paths[i]));
		puts(good);
	}
}

static void
print_json(const validation *self, const candidate *policy)
{
	g_autoptr(GString) out = g_string_new(NULL);

	if (policy->passed && self->quiet)
		return;
	json_write(out, "{policy:s", input_name(policy->paths[0]));
	for (guint i = 0; policy->count > 1 && i < policy->count; i++)
		json_write(out, i == 0 ? "files:[s" : "s", policy->paths[i]);
	json_write(out, policy->count > 1 ? "]valid:b unreadable:s problems:["
	                                  : "valid:b unreadable:s problems:[",
	           policy->valid, policy->why);
	problems_append_json(out, policy->diag, false);
	json_write(out, "]}");
	puts(out->str);
}

static int
validate(const validation *self, char **paths, guint count)
{
	g_autoptr(limen_engine) engine = policy_engine(self->common, LIMEN_ENGINE_PASSIVE);
	g_autoptr(limen_diag) diag = policy_diag();
	candidate policy = { .paths = paths, .count = count, .diag = diag };

	if (count == 1)
		policy.valid = policy_load(engine, paths[0], diag, &policy.why);
	else
		policy.valid = policy_load_files(engine, (const char *const *)paths, count, diag);
	policy.passed = policy.valid &&
	                (!self->strict || limen_diag_count(diag, LIMEN_SEVERITY_WARNING) == 0);
	if (self->common->format == FORMAT_JSON)
		print_json(self, &policy);
	else
		print_text(self, &policy);
	g_free(policy.why);
	return policy.passed ? STATUS_GOOD : STATUS_BAD;
}

/* Returns true for a file that holds only manifests. */
static bool
is_manifest_file(const char *path)
{
	g_autoptr(limen_documents) parsed = policy_peek(path);
	size_t count = parsed == NULL ? 0 : limen_documents_count(parsed);
	size_t i = 0;

	while (i < count && ask_is_object(limen_documents_get(parsed, i)))
		i++;
	return count > 0 && i == count;
}

/*
 * Validates all manifests named together as one policy, because LimitRanges apply to their
 * namespace whatever file they are in.
 */
static int
validate_several(const validation *self, char **paths)
{
	g_autoptr(GPtrArray) together = g_ptr_array_new();
	int status = STATUS_GOOD;

	for (; *paths != NULL; paths++)
		if (is_manifest_file(*paths))
			g_ptr_array_add(together, *paths);
		else
			status = status_worse(status, validate(self, paths, 1));
	if (together->len > 0)
		status = status_worse(status, validate(self, (char **)together->pdata,
		                                       together->len));
	return status;
}

static int
run_validate(common_options *common)
{
	validation self = { .common = common };
	char *path = (char *)policy_default();
	char **paths = NULL;
	const GOptionEntry rows[] = {
		OPTION_FLAG("quiet", 'q', &self.quiet, "Print nothing unless something is wrong"),
		OPTION_FLAG("strict", 0, &self.strict, "Let a warning make the exit status 1"),
		OPTION_FORMAT(common, "text, or json: one object per policy"),
		OPTION_REST(&paths),
		OPTION_END,
	};

	if (!options_read(common, rows))
		return common->status;
	self.several = paths != NULL && paths[1] != NULL;
	if (self.several)
		return validate_several(&self, paths);
	return validate(&self, paths == NULL ? &path : paths, 1);
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
	.formats = FORMATS_PLAIN,
	.run = run_validate,
};
