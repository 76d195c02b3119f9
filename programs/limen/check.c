/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - "limen check": the options.
 */
#include "check.h"

#include <string.h>

#include "../common/hints.h"
#include "input.h"
#include "message.h"

#define FORMATS_CHECK \
	(FORMATS_PLAIN | FORMAT_BIT(FORMAT_YAML) | FORMAT_BIT(FORMAT_PATCH) | \
	 FORMAT_BIT(FORMAT_REVIEW))

/* Options as GLib stores them; what they mean is in struct check. */
typedef struct raw_options {
	char *policy;
	char *batch;
	char *format;
	char *start;
	char *duration;
	char *time;
	char *namespace;
	char *phase;
	char **hints;
	char **files;
	gboolean run;
	gboolean task, object;
	gboolean rewrite, no_rewrite;
	gboolean prioritize, no_prioritize;
	gboolean explain;
	gboolean dry_run;
	gboolean as_received;
	gboolean live_stores;
} raw_options;

static void
free_raw(raw_options *raw)
{
	g_free(raw->policy);
	g_free(raw->batch);
	g_free(raw->format);
	g_free(raw->start);
	g_free(raw->duration);
	g_free(raw->time);
	g_free(raw->namespace);
	g_free(raw->phase);
	g_strfreev(raw->hints);
	g_strfreev(raw->files);
}

static GOptionEntry
make_flag(const char *name, gboolean *where, const char *text)
{
	return (GOptionEntry){ .long_name = name, .arg = G_OPTION_ARG_NONE, .arg_data = where,
		.description = text };
}

static GOptionEntry
make_text(const char *name, char **where, const char *word, const char *text)
{
	return (GOptionEntry){ .long_name = name, .arg = G_OPTION_ARG_FILENAME,
		.arg_data = where, .arg_description = word, .description = text };
}

static options_result
read_options(const command *self, common_options *common, raw_options *raw, int argc, char **argv)
{
	const GOptionEntry rows[] = {
		make_text("policy", &raw->policy, "FILE|DIR|URL", "The policy"),
		{ .long_name = "hint", .arg = G_OPTION_ARG_FILENAME_ARRAY, .arg_data = &raw->hints,
		  .arg_description = "NAME=VALUE", .description = "A hint; may be repeated" },
		make_text("start", &raw->start, "TIME", "The task is a run that starts then"),
		make_text("duration", &raw->duration, "PERIOD",
		          "The task is a run that takes this long (ISO 8601)"),
		make_flag("run", &raw->run, "The task is a run: now, for PT10S, unless told"),
		make_flag("rewrite", &raw->rewrite, "Rewrite (default: unless it is a run)"),
		make_flag("no-rewrite", &raw->no_rewrite, "Do not rewrite"),
		make_flag("prioritize", &raw->prioritize, "Prioritize (default: if it is a run)"),
		make_flag("no-prioritize", &raw->no_prioritize, "Do not prioritize"),
		make_flag("task", &raw->task, "Requests are tasks, whatever they look like"),
		make_flag("object", &raw->object, "Requests are Kubernetes objects"),
		make_text("namespace", &raw->namespace, "NAME",
		          "The namespace of manifests without one (default)"),
		make_text("time", &raw->time, "TIME",
		          "Decide as if it were then (ISO 8601 or seconds)"),
		make_flag("as-received", &raw->as_received,
		          "Do not complete manifests as an API server does"),
		make_flag("dry-run", &raw->dry_run, "Charge no rate limits"),
		make_text("phase", &raw->phase, "PHASE",
		          "Of the admission of objects, only mutate or validate"),
		make_flag("live-stores", &raw->live_stores,
		          "Count in the stores of the policy, not in memory"),
		make_flag("explain", &raw->explain, "Show which modules were run and why"),
		make_text("format", &raw->format, "FORMAT",
		          "text, json, yaml, patch or review"),
		make_text("batch", &raw->batch, "FILE|-", "Answer JSON lines instead"),
		{ .long_name = G_OPTION_REMAINING, .arg = G_OPTION_ARG_FILENAME_ARRAY,
		  .arg_data = &raw->files },
		{ .long_name = NULL },
	};

	return options_read(self, common, rows, argc, argv);
}

/* How many times standard input would have to be read. */
static size_t
count_streams(const raw_options *raw)
{
	size_t count = 0;

	if (raw->policy != NULL && input_is_stdin(raw->policy))
		count++;
	if (raw->batch != NULL && input_is_stdin(raw->batch))
		count++;
	for (size_t i = 0; raw->files != NULL && raw->files[i] != NULL; i++)
		count += input_is_stdin(raw->files[i]) ? 1 : 0;
	return count;
}

static bool
wants_run(const raw_options *raw)
{
	return raw->run || raw->start != NULL || raw->duration != NULL;
}

/* Does a batch answer in this format?  It never writes anything but JSON. */
static bool
answers_lines(const char *format)
{
	return format == NULL || strcmp(format, "json") == 0 || strcmp(format, "text") == 0;
}

/* Returns what is wrong with the combination of options, or NULL. */
static const char *
find_conflict(const raw_options *raw)
{
	const struct {
		bool wrong;
		const char *text;
	} rules[] = {
		{ raw->task && raw->object, "--task and --object exclude each other" },
		{ raw->rewrite && raw->no_rewrite,
		  "--rewrite and --no-rewrite exclude each other" },
		{ raw->prioritize && raw->no_prioritize,
		  "--prioritize and --no-prioritize exclude each other" },
		{ raw->task && raw->phase != NULL, "--phase is for objects" },
		{ raw->object && wants_run(raw), "--start, --duration and --run are for tasks" },
		{ raw->batch != NULL && wants_run(raw),
		  "--start, --duration and --run do not go with --batch: its lines say \"run\"" },
		{ raw->batch != NULL && raw->files != NULL, "--batch takes no other requests" },
		{ raw->batch == NULL && raw->files == NULL, "which request?" },
		{ raw->batch != NULL && !answers_lines(raw->format), "--batch answers in JSON" },
		{ count_streams(raw) > 1, "standard input can be read only once" },
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
		return LIMEN_ON;
	return off ? LIMEN_OFF : LIMEN_AUTO;
}

static void
take_over(const raw_options *raw, check *how)
{
	how->policy = raw->policy;
	how->batch = raw->batch;
	how->files = raw->files;
	/* Trying a request out must not use up what others may ask for. */
	how->engine_flags = raw->live_stores ? 0 : LIMEN_ENGINE_MEMORY_STORES;
	how->ask = (ask_settings){
		.subject = raw->task ? ASK_TASK : raw->object ? ASK_OBJECT : ASK_INFER,
		.rewrite = choose(raw->rewrite, raw->no_rewrite),
		.prioritize = choose(raw->prioritize, raw->no_prioritize),
		.explain = raw->explain,
		.diagnostics = true,
		.dry_run = raw->dry_run,
		.as_received = raw->as_received,
		.run = wants_run(raw),
		.start = raw->start,
		.duration = raw->duration,
		.namespace = raw->namespace,
		.hints = raw->hints,
		.hint_object = limen_value_none(),
		.claims = limen_value_none(),
	};
}

/* A slip of the pen must not become a run that no limit looks at. */
static bool
understand_run(const command *self, const raw_options *raw)
{
	limen_timestamp start;
	limen_duration duration;

	if (raw->start != NULL && limen_timestamp_parse(raw->start, strlen(raw->start),
	                                                LIMEN_TIMESTAMP_RUN, &start,
	                                                NULL) != LIMEN_OK) {
		message_usage(self, "--start takes a time (2026-01-31T12:00:00Z), not '%s'",
		              raw->start);
		return false;
	}
	if (raw->duration != NULL &&
	    (limen_duration_parse(raw->duration, strlen(raw->duration), LIMEN_DURATION_RUN,
	                          &duration, NULL) != LIMEN_OK ||
	     duration < 0)) {
		message_usage(self, "--duration takes a period (PT30S, PT1H), not '%s'",
		              raw->duration);
		return false;
	}
	return true;
}

static bool
understand_phase(const command *self, const char *phase, limen_phase *out)
{
	if (phase == NULL)
		return true;
	*out = strcmp(phase, "mutate") == 0 ? LIMEN_PHASE_MUTATE : LIMEN_PHASE_VALIDATE;
	if (*out == LIMEN_PHASE_MUTATE || strcmp(phase, "validate") == 0)
		return true;
	message_usage(self, "--phase takes mutate or validate, not '%s'", phase);
	return false;
}

/* Makes 'how' of 'raw'; false after a message about wrong usage. */
static bool
understand(const command *self, const raw_options *raw, check *how)
{
	const char *conflict = find_conflict(raw);
	const char *texts[] = { raw->start, raw->duration, raw->namespace };

	take_over(raw, how);
	if (conflict != NULL) {
		message_usage(self, "%s", conflict);
		return false;
	}
	for (size_t i = 0; raw->hints != NULL && raw->hints[i] != NULL; i++) {
		if (hints_check(raw->hints[i]))
			continue;
		message_usage(self, "--hint takes NAME=VALUE in UTF-8, not '%s'", raw->hints[i]);
		return false;
	}
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		if (texts[i] == NULL || g_utf8_validate(texts[i], -1, NULL))
			continue;
		message_usage(self, "'%s' is not UTF-8", texts[i]);
		return false;
	}
	if (!understand_run(self, raw) || !understand_phase(self, raw->phase, &how->ask.phase))
		return false;
	how->ask.has_time = raw->time != NULL;
	if (raw->time != NULL && !ask_parse_time(raw->time, &how->ask.time)) {
		message_usage(self,
		              "--time takes a time (2026-01-31T12:00:00Z) or seconds, not '%s'",
		              raw->time);
		return false;
	}
	return options_format(self, raw->format, FORMATS_CHECK, &how->format);
}

static int
run_check(const command *self, common_options *common, int argc, char **argv)
{
	raw_options raw = { .policy = NULL };
	check how = { .common = common };
	options_result result = read_options(self, common, &raw, argc, argv);
	int status = result == OPTIONS_HELPED ? STATUS_GOOD : STATUS_ERROR;

	if (result == OPTIONS_READY && understand(self, &raw, &how))
		status = how.batch != NULL ? check_batch(&how) : check_files(&how);
	free_raw(&raw);
	return status;
}

const command check_command = {
	.name = "check",
	.arguments = "REQUEST...",
	.summary = "Decide requests under a policy",
	.details =
		"Each REQUEST is a file of JSON or YAML, a directory of such files, or - for\n"
		"standard input.  It holds pScheduler tasks, Kubernetes AdmissionReviews or\n"
		"manifests.  What has \"kind\" and \"apiVersion\" is an object unless --task says\n"
		"otherwise.  Without --policy, the policy is $LIMEN_POLICY or, if that is not\n"
		"set,\n"
		LIMEN_CONFDIR ".\n"
		"\n"
		"A policy may be a file of LimitRanges as kubectl takes it.  Of a Deployment, Job\n"
		"or another workload the pods and claims are checked that it would create.\n"
		"Manifests are first completed as an API server does: limits are requests where\n"
		"there are none, and quantities are whole thousandths.\n"
		"\n"
		"Formats: text; json and yaml, the decision about each object; patch, one JSON\n"
		"Patch (RFC 6902) a document, or null if something in it is refused; review, the\n"
		"answer to an AdmissionReview.\n"
		"\n"
		"The exit status is that of the worst request: 0 admitted, 1 refused, 2 if it\n"
		"cannot be told.  With --batch it is 0 if every line got a decision, else 2.\n"
		"\n"
		"A line of a batch is an object with \"task\" or \"object\" and, as needed, \"id\",\n"
		"\"policy\" (a path or a policy), \"hints\", \"rewrite\", \"prioritize\", \"run\",\n"
		"\"time\", \"diagnostics\", \"explain\" and \"dryRun\"; about an object also\n"
		"\"operation\", \"namespace\", \"user\", \"groups\" and \"oldObject\".  What a line\n"
		"leaves out is as the options say.  An unknown member is an error of its line,\n"
		"and so is a list or a workload: a line has one answer.\n"
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
