/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - "limen check": reads the options.
 */
#include "check.h"

#include "cli/input.h"
#include "cli/message.h"

#define FORMATS_CHECK \
	(FORMATS_PLAIN | FORMAT_BIT(FORMAT_YAML) | FORMAT_BIT(FORMAT_PATCH) | \
	 FORMAT_BIT(FORMAT_REVIEW) | FORMAT_BIT(FORMAT_JUNIT) | FORMAT_BIT(FORMAT_GITHUB))

static bool
read_options(common_options *common, check *out)
{
	const GOptionEntry rows[] = {
		OPTION_POLICY(&out->policies, "FILE|DIR|URL", "The policy; may be repeated"),
		QUESTION_ROWS(&out->ask),
		HTTP_ROWS(&out->http),
		OPTION_FLAG("rewrite", 0, &out->rewrite, "Rewrite (default: unless it is a run)"),
		OPTION_FLAG("no-rewrite", 0, &out->no_rewrite, "Do not rewrite"),
		OPTION_FLAG("prioritize", 0, &out->prioritize,
		            "Prioritize (default: if it is a run)"),
		OPTION_FLAG("no-prioritize", 0, &out->no_prioritize, "Do not prioritize"),
		OPTION_FLAG("as-received", 0, &out->ask.as_received,
		            "Do not complete manifests as an API server does"),
		OPTION_FLAG("dry-run", 0, &out->ask.dry_run, "Do not count against rates"),
		OPTION_TEXT("phase", 0, &out->phase, "PHASE",
		            "Admission phase: mutate, validate or workload"),
		OPTION_FLAG("live-stores", 0, &out->live_stores,
		            "Count in the stores of the policy, not in memory"),
		OPTION_FLAG("explain", 0, &out->explain, "Show which modules were run and why"),
		OPTION_FLAG("quiet", 'q', &out->quiet,
		            "Print only what is refused or not judged, and counts"),
		OPTION_FLAG("strict", 0, &out->strict,
		            "Fail for what is not judged and for warnings, too"),
		OPTION_FORMAT(common, "text, json, yaml, patch, review, junit or github"),
		OPTION_TEXT("batch", 0, &out->batch, "FILE|-", "Decide and answer lines of JSON"),
		OPTION_REST(&out->files),
		OPTION_END,
	};

	return options_read(common, rows);
}

/* Returns what is wrong with the requests that are given, or NULL. */
static const char *
find_request_error(const check *given)
{
	bool others = given->batch != NULL || given->files != NULL;

	if (!http_options_are_given(&given->http))
		return others ? NULL : "missing argument: REQUEST";
	if (others || given->ask.task || given->ask.object || question_options_has_run(&given->ask))
		return "--method and --path are a request: they take no other, and none of its "
		       "options";
	return NULL;
}

/* Returns the error in the combination of options, or NULL. */
static const char *
find_conflict(const check *given)
{
	bool batch = given->batch != NULL;
	const char *error = find_request_error(given);
	const struct {
		bool wrong;
		const char *text;
	} rules[] = {
		{ given->rewrite && given->no_rewrite,
		  "--rewrite and --no-rewrite exclude each other" },
		{ given->prioritize && given->no_prioritize,
		  "--prioritize and --no-prioritize exclude each other" },
		{ given->ask.task && given->phase != NULL, "--phase is for objects" },
		{ batch && question_options_has_run(&given->ask),
		  "--start, --duration and --run do not go with --batch: its lines say \"run\"" },
		{ batch && given->files != NULL, "--batch takes no other requests" },
		{ error != NULL, error },
		{ given->quiet &&
		          (given->common->format_name != NULL || batch || given->explain),
		  "--quiet is for text, without --format, --batch and --explain" },
		{ batch && given->common->format > FORMAT_JSON, "--batch answers in JSON" },
		{ input_streams(given->policies) +
		                  input_streams((char *[]){ given->batch, NULL }) +
		                  input_streams(given->files) > 1,
		  "standard input can be read only once" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if (rules[i].wrong)
			return rules[i].text;
	return NULL;
}

static limen_switch
choose(gboolean on, gboolean off)
{
	return on ? LIMEN_SWITCH_ON : off ? LIMEN_SWITCH_OFF : LIMEN_SWITCH_AUTO;
}

/* Completes 'out'; returns false after a message about wrong usage. */
static bool
understand(check *out)
{
	const command *self = out->common->self;
	const char *conflict = find_conflict(out);
	limen_decide_options *decide = &out->ask.decide;

	/* A trial must not take tokens from others, so stores are in memory by default. */
	out->engine_flags = out->live_stores ? 0 : LIMEN_ENGINE_MEMORY_STORES;
	*decide = (limen_decide_options){
		.size = sizeof(*decide),
		.rewrite = choose(out->rewrite, out->no_rewrite),
		.prioritize = choose(out->prioritize, out->no_prioritize),
		.trace = out->explain,
		.diagnostics = true,
	};
	if (conflict != NULL) {
		message_usage(self, "%s", conflict);
		return false;
	}
	if (http_options_are_given(&out->http)) {
		if (!http_options_understand(self, &out->http))
			return false;
		out->ask.http = http_options_text(&out->http);
		out->files = g_new0(char *, 2);
		out->files[0] = g_strdup_printf("%s %s", out->http.method, out->http.path);
	}
	if (!question_options_understand(self, &out->ask))
		return false;
	if (out->phase == NULL || ask_parse_phase(out->phase, &decide->phase))
		return true;
	message_usage(self, "--phase takes mutate, validate or workload, not '%s'", out->phase);
	return false;
}

static int
run_check(common_options *common)
{
	check settings = { .common = common };
	int status = STATUS_ERROR;

	if (!read_options(common, &settings))
		return common->status;
	if (understand(&settings))
		status = settings.batch != NULL ? check_batch(&settings) : check_files(&settings);
	if (settings.ask.http != NULL)
		g_strfreev(settings.files);
	free(settings.ask.http);
	return status;
}

const command check_command = {
	.name = "check",
	.arguments = "REQUEST...",
	.summary = "Decide requests under a policy",
	.details =
		"Each REQUEST is a file of JSON or YAML, a directory with such files in it or\n"
		"below, or - for standard input.  It holds pScheduler tasks, Kubernetes\n"
		"AdmissionReviews or manifests.  A document with \"kind\" and \"apiVersion\" is an\n"
		"object, unless --task is given.  --method and --path describe an HTTP request.\n"
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
		"A line of a batch is an object with \"task\", \"object\" or \"http\" and, as needed,\n"
		"\"id\", \"policy\" (a path or a policy), \"hints\", \"rewrite\", \"prioritize\", \"run\",\n"
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
		"  limen check --policy api.yaml --method GET --path /users/7 --client 192.0.2.7\n"
		"  limen check --policy limits.conf --batch - < requests.jsonl\n",
	.formats = FORMATS_CHECK,
	.run = run_check,
};
