/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_command.c - "limen replay": reads the options, runs the replay and prints the result.
 */
#include "ask/ask.h"
#include "common/auto.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "common/option_values.h"
#include "policy/policy.h"
#include "replay.h"

#define FORMATS_REPLAY (FORMATS_PLAIN | FORMAT_BIT(FORMAT_HTML))

typedef struct replay_options {
	common_options *common;
	char **policies; /* NULL: the default policy */
	char *against;   /* or NULL */
	gint examples;
	char *time;
	char *namespace;
	gboolean live_stores;
	replay_settings settings;
} replay_options;

/* Returns an engine with the policy, or NULL after messages. */
static limen_engine *
load(const replay_options *options, char *const *paths)
{
	g_autofree char *names = policy_names(paths);
	limen_engine *engine = policy_engine_for(
		options->common, options->live_stores ? 0 : LIMEN_ENGINE_MEMORY_STORES,
		options->namespace);

	if (!policy_open(engine, paths))
		g_clear_pointer(&engine, limen_engine_free);
	else if (limen_engine_may_block(engine))
		message_error("warning: %s uses the network, whose answers are of today", names);
	return engine;
}

static void
show(const replay_options *options, const replay_tally *tally)
{
	g_autofree char *policy = policy_names(options->policies);
	const replay_names names = {
		.sides = { options->against != NULL ? options->against : "the log", policy },
		.mode = options->settings.ordered ? "in the order of time, because a policy has rates"
		                             : "in any order, because no policy has rates",
	};

	if (options->common->format == FORMAT_JSON)
		replay_print_json(tally, &names);
	else
		replay_print(tally, &names, options->common->format == FORMAT_HTML,
		             terminal_colored(options->common));
}

static int
decide(const replay_options *options)
{
	replay_tally *tally = replay_tally_new(options->settings.files, (size_t)options->examples);
	int status = STATUS_ERROR;

	if (replay_run(&options->settings, tally)) {
		show(options, tally);
		status = tally->changed > 0 ? STATUS_BAD : STATUS_GOOD;
		if (tally->decided == 0)
			status = STATUS_ERROR;
		if (tally->decided == 0)
			message_error("nothing was decided%s",
			              tally->skips[SKIP_VERDICT] > 0
			                      ? "; name a policy to compare with: --against"
			                      : "");
	}
	replay_tally_free(tally);
	return status;
}

static int
replay(replay_options *options)
{
	g_autoptr(limen_engine) new = load(options, options->policies);
	g_autoptr(limen_engine) old = NULL;

	if (new != NULL && options->against != NULL)
		old = load(options, (char *const[]){ options->against, NULL });
	if (new == NULL || (options->against != NULL && old == NULL))
		return STATUS_ERROR;
	options->settings.engines[WAS] = old;
	options->settings.engines[IS] = new;
	options->settings.ordered = policy_counts(new) || (old != NULL && policy_counts(old));
	return decide(options);
}

/* ---- options ---- */

static bool
understand(replay_options *options)
{
	const command *self = options->common->self;
	char *const *files = options->settings.files;

	options->settings.otherwise = limen_host_wall_time();
	if (files == NULL)
		message_usage(self, "missing argument: LOG");
	else if (input_streams(options->policies) +
	                 input_streams((char *[]){ options->against, NULL }) +
	                 input_streams(files) > 1)
		message_usage(self, "standard input can be read only once");
	else if (options->time != NULL && !ask_parse_time(options->time, &options->settings.otherwise))
		message_usage(self,
		              "--time takes a time (2026-01-31T12:00:00Z) or seconds, not '%s'",
		              options->time);
	else
		return true;
	return false;
}

static const number_option numbers[] = {
	{ "examples", "a number", 0, 1000 },
	{ NULL, NULL, 0, 0 },
};

static int
run_replay(common_options *common)
{
	replay_options options = { .common = common, .examples = 3 };
	const GOptionEntry rows[] = {
		OPTION_POLICY(&options.policies, "FILE|DIR|URL", "The policy to try; may be repeated"),
		OPTION_TEXT("against", 0, &options.against, "FILE|DIR|URL",
		            "Compare with this policy, not with the log"),
		OPTION_NUMBER("examples", 0, &options.examples, "N",
		              "Examples per change (default: 3)"),
		OPTION_FORMAT(common, "text, json or html"),
		OPTION_TEXT("time", 0, &options.time, "TIME",
		            "The time of lines without one (default: now)"),
		OPTION_TEXT("namespace", 0, &options.namespace, "NAME",
		            "The namespace of LimitRanges without one"),
		OPTION_FLAG("live-stores", 0, &options.live_stores,
		            "Count in the stores of the policies, not in memory"),
		OPTION_REST(&options.settings.files),
		OPTION_END,
	};

	if (!options_read(common, rows))
		return common->status;
	return understand(&options) ? replay(&options) : STATUS_ERROR;
}

const command replay_command = {
	.name = "replay",
	.arguments = "LOG...",
	.summary = "Decide recorded requests again, and show what changes",
	.details =
		"Each LOG has one request per line, in JSON: the decision log of limend (with\n"
		"--decision-log-documents), an audit log of Kubernetes, tasks of pScheduler, or\n"
		"lines of 'limen check --batch'; '-' is standard input.  Each is decided at its\n"
		"recorded time, under the policy, and compared with the log or, with --against,\n"
		"with another policy.  Rates are counted in memory.  The exit status is 0 if\n"
		"nothing changes, 1 if something does, 2 after an error.\n"
		"\n"
		"Examples:\n"
		"  limen replay --policy new.d --against conf.d decisions.log\n"
		"  limen replay --policy limits.yaml --format html audit.log > report.html\n",
	.formats = FORMATS_REPLAY,
	.numbers = numbers,
	.run = run_replay,
};
