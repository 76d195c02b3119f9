/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - "limen check": reads the options.
 */
#include "check.h"

#include <string.h>

#include "ask/question_options.h"
#include "cli/input.h"
#include "cli/message.h"

#define FORMATS_CHECK \
	(FORMATS_PLAIN | FORMAT_BIT(FORMAT_YAML) | FORMAT_BIT(FORMAT_PATCH) | \
	 FORMAT_BIT(FORMAT_REVIEW) | FORMAT_BIT(FORMAT_JUNIT) | FORMAT_BIT(FORMAT_GITHUB))

/* Options as GLib stores them; struct check holds their meaning. */
typedef struct raw_options {
	char **policies;
	char *batch;
	char *format;
	char *phase;
	char **files;
	question_options question;
	gboolean rewrite, no_rewrite;
	gboolean prioritize, no_prioritize;
	gboolean explain;
	gboolean quiet;
	gboolean strict;
	gboolean dry_run;
	gboolean as_received;
	gboolean live_stores;
} raw_options;

static bool
read_options(const command *self, common_options *common, raw_options *raw, int argc, char **argv,
             int *status)
{
	const GOptionEntry rows[] = {
		OPTION_POLICY(&raw->policies, "FILE|DIR|URL", "The policy; may be repeated"),
		QUESTION_ROWS(&raw->question),
		OPTION_FLAG("rewrite", 0, &raw->rewrite, "Rewrite (default: unless it is a run)"),
		OPTION_FLAG("no-rewrite", 0, &raw->no_rewrite, "Do not rewrite"),
		OPTION_FLAG("prioritize", 0, &raw->prioritize,
		            "Prioritize (default: if it is a run)"),
		OPTION_FLAG("no-prioritize", 0, &raw->no_prioritize, "Do not prioritize"),
		OPTION_FLAG("as-received", 0, &raw->as_received,
		            "Do not complete manifests as an API server does"),
		OPTION_FLAG("dry-run", 0, &raw->dry_run, "Do not count against rates"),
		OPTION_TEXT("phase", 0, &raw->phase, "PHASE",
		            "Run only this half of admission: mutate or validate"),
		OPTION_FLAG("live-stores", 0, &raw->live_stores,
		            "Count in the stores of the policy, not in memory"),
		OPTION_FLAG("explain", 0, &raw->explain, "Show which modules were run and why"),
		OPTION_FLAG("quiet", 'q', &raw->quiet,
		            "Print only what is refused or not judged, and counts"),
		OPTION_FLAG("strict", 0, &raw->strict,
		            "Fail for what is not judged and for warnings, too"),
		OPTION_TEXT("format", 0, &raw->format, "FORMAT",
		            "text, json, yaml, patch, review, junit or github"),
		OPTION_TEXT("batch", 0, &raw->batch, "FILE|-", "Decide and answer lines of JSON"),
		OPTION_REST(&raw->files),
		OPTION_END,
	};

	return options_read(self, common, rows, argc, argv, status);
}

/* Returns true if a batch can write this format: a batch always answers in JSON. */
static bool
answers_lines(const char *format)
{
	return format == NULL || strcmp(format, "json") == 0 || strcmp(format, "text") == 0;
}

/* Can the answer be the verdict of each request alone? */
static bool
answers_verdicts(const raw_options *raw)
{
	return raw->format == NULL && raw->batch == NULL && !raw->explain;
}

/* Returns the error in the combination of options, or NULL. */
static const char *
find_conflict(const raw_options *raw)
{
	const struct {
		bool wrong;
		const char *text;
	} rules[] = {
		{ raw->rewrite && raw->no_rewrite,
		  "--rewrite and --no-rewrite exclude each other" },
		{ raw->prioritize && raw->no_prioritize,
		  "--prioritize and --no-prioritize exclude each other" },
		{ raw->question.task && raw->phase != NULL, "--phase is for objects" },
		{ raw->batch != NULL && question_options_has_run(&raw->question),
		  "--start, --duration and --run do not go with --batch: its lines say \"run\"" },
		{ raw->batch != NULL && raw->files != NULL, "--batch takes no other requests" },
		{ raw->batch == NULL && raw->files == NULL, "missing argument: REQUEST" },
		{ raw->quiet && !answers_verdicts(raw),
		  "--quiet is for text, without --format, --batch and --explain" },
		{ raw->batch != NULL && !answers_lines(raw->format), "--batch answers in JSON" },
		{ input_streams(raw->policies) +
		                  input_streams((char *[]){ raw->batch, NULL }) +
		                  input_streams(raw->files) > 1, "standard input can be read only once" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if (rules[i].wrong)
			return rules[i].text;
	return NULL;
}

static limen_switch
choose(gboolean on, gboolean off)
{
	if (on)
		return LIMEN_SWITCH_ON;
	return off ? LIMEN_SWITCH_OFF : LIMEN_SWITCH_AUTO;
}

static void
take_over(const raw_options *raw, check *how)
{
	how->policies = raw->policies;
	how->batch = raw->batch;
	how->files = raw->files;
	how->quiet = raw->quiet;
	how->strict = raw->strict;
	/* A trial must not take tokens from others, so stores are in memory by default. */
	how->engine_flags = raw->live_stores ? 0 : LIMEN_ENGINE_MEMORY_STORES;
	how->ask = (ask_settings){
		.decide = { .size = sizeof(how->ask.decide),
		            .rewrite = choose(raw->rewrite, raw->no_rewrite),
		            .prioritize = choose(raw->prioritize, raw->no_prioritize),
		            .trace = raw->explain,
		            .diagnostics = true },
		.dry_run = raw->dry_run,
		.as_received = raw->as_received,
	};
}

static bool
understand_phase(const command *self, const char *phase, uint32_t *out)
{
	if (phase == NULL || ask_parse_phase(phase, out))
		return true;
	message_usage(self, "--phase takes mutate or validate, not '%s'", phase);
	return false;
}

/* Fills 'how' from 'raw'; returns false after a message about wrong usage. */
static bool
understand(const command *self, const raw_options *raw, check *how)
{
	const char *conflict = find_conflict(raw);

	take_over(raw, how);
	if (conflict != NULL) {
		message_usage(self, "%s", conflict);
		return false;
	}
	return question_options_understand(self, &raw->question, &how->ask) &&
	       understand_phase(self, raw->phase, &how->ask.decide.phase) &&
	       options_format(self, raw->format, FORMATS_CHECK, &how->format);
}

static int
run_check(const command *self, common_options *common, int argc, char **argv)
{
	raw_options raw = { .policies = NULL };
	check how = { .common = common };
	int status;

	if (!read_options(self, common, &raw, argc, argv, &status))
		return status;
	if (!understand(self, &raw, &how))
		return STATUS_ERROR;
	return how.batch != NULL ? check_batch(&how) : check_files(&how);
}

const command check_command = {
	.name = "check",
	.arguments = "REQUEST...",
	.summary = "Decide requests under a policy",
	.details =
		"Each REQUEST is a file of JSON or YAML, a directory with such files in it or\n"
		"below, or - for standard input.  It holds pScheduler tasks, Kubernetes\n"
		"AdmissionReviews or manifests.  A document with \"kind\" and \"apiVersion\" is an\n"
		"object, unless --task is given.\n"
		"Without --policy, the policy is $LIMEN_POLICY or, if that is not set,\n"
		LIMEN_CONFDIR ".\n"
		"\n"
		"A policy may be a file of LimitRanges as kubectl accepts it.  For a Deployment,\n"
		"Job or another workload limen checks the pods and claims that it would create.\n"
		"Manifests are first completed as by an API server: missing requests are set to\n"
		"the limits, and quantities are rounded up to thousandths.\n"
		"\n"
		"Formats: text; json and yaml, the decision about each object; patch, one JSON\n"
		"Patch (RFC 6902) per document, or null if an object in it is refused; review,\n"
		"the answer to an AdmissionReview; junit, JUnit XML; github, annotations of a\n"
		"workflow, at the lines of the values.\n"
		"\n"
		"An object that should have been checked, but that no entry looked at, is \"not\n"
		"judged\": a pod in a namespace without a LimitRange, or an unknown kind that\n"
		"makes pods.  A kind that no LimitRange is about is \"not concerned\".\n"
		"\n"
		"The exit status is that of the worst request: 0 admitted, 1 refused, 2 error.\n"
		"With --strict what is not judged or has a warning is 1, else 0.\n"
		"With --batch it is 0 if every line got a decision, else 2; with --strict it is\n"
		"that of the worst line.\n"
		"\n"
		"A line of a batch is an object with \"task\" or \"object\" and, as needed, \"id\",\n"
		"\"policy\" (a path or a policy), \"hints\", \"rewrite\", \"prioritize\", \"run\",\n"
		"\"time\", \"diagnostics\", \"explain\" and \"dryRun\"; about an object also\n"
		"\"operation\", \"namespace\", \"user\", \"groups\" and \"oldObject\".  The options are\n"
		"the defaults of a line.  An unknown member is an error of its line, and so is a\n"
		"list or a workload: a line has one answer.\n"
		"\n"
		"Examples:\n"
		"  limen check --policy limits.conf --hint requester=10.0.0.1 task.json\n"
		"  limen check --policy limits.conf --duration PT30S --explain task.json\n"
		"  limen check --policy conf.d --object pod.json --format json | jq .reason\n"
		"  limen check --policy limits.yaml deployment.yaml pods/ --namespace shop\n"
		"  limen check --policy limits.yaml pod.yaml --format patch\n"
		"  limen check --policy limits.conf --batch - < requests.jsonl\n",
	.run = run_check,
};
