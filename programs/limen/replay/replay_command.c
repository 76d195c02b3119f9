/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_command.c - "limen replay": reads the options, runs the replay and prints the result.
 */
#include <stdlib.h>
#include <string.h>

#include "ask/ask.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/number_option.h"
#include "policy/policy.h"
#include "policy/policy_state.h"
#include "replay.h"

#define FORMATS_REPLAY (FORMATS_PLAIN | FORMAT_BIT(FORMAT_HTML))

typedef struct raw_options {
	char *policy;
	char *against;
	gint examples;
	char *format;
	char *time;
	char *namespace;
	char **files;
	gboolean live_stores;
} raw_options;

/* The validated options. */
typedef struct replay_how {
	const raw_options *raw;
	common_options *common;
	output_format format;
	limen_time otherwise;
} replay_how;

/* Returns an engine with the policy, or NULL after messages. */
static limen_engine *
load(const replay_how *how, const char *path)
{
	limen_engine *engine = policy_engine_for(
		how->common, how->raw->live_stores ? 0 : LIMEN_ENGINE_MEMORY_STORES,
		how->raw->namespace);

	if (!policy_open(engine, path)) {
		limen_engine_free(engine);
		engine = NULL;
	} else if (limen_engine_may_block(engine)) {
		message_error("warning: %s asks the network, which answers as it is now", path);
	}
	return engine;
}

static void
show(const replay_how *how, const replay_settings *settings, const replay_tally *tally)
{
	const replay_names names = {
		.sides = { how->raw->against != NULL ? how->raw->against : "what is recorded",
		           how->raw->policy != NULL ? how->raw->policy : policy_default() },
		.how = settings->ordered ? "in the order of time, as the policies count"
		                         : "in any order, as nothing is counted",
	};

	if (how->format == FORMAT_JSON)
		replay_print_json(tally, &names);
	else if (how->format == FORMAT_HTML)
		replay_print_html(tally, &names);
	else
		replay_print_text(tally, &names);
}

static int
replay_with(const replay_how *how, replay_settings *settings)
{
	replay_tally *tally = replay_tally_new(settings->files, (size_t)how->raw->examples);
	int status = STATUS_ERROR;

	if (replay_run(settings, tally)) {
		show(how, settings, tally);
		status = tally->changed > 0 ? STATUS_BAD : STATUS_GOOD;
		if (tally->decided == 0) {
			message_error("nothing was decided%s",
			              tally->skips[SKIP_VERDICT] > 0
			                      ? "; name a policy to compare with: --against"
			                      : "");
			status = STATUS_ERROR;
		}
	}
	replay_tally_free(tally);
	return status;
}

static int
replay(const replay_how *how)
{
	const char *path = how->raw->policy != NULL ? how->raw->policy : policy_default();
	replay_settings settings = { .files = how->raw->files, .otherwise = how->otherwise };
	int status = STATUS_ERROR;

	settings.engines[1] = load(how, path);
	if (settings.engines[1] != NULL && how->raw->against != NULL)
		settings.engines[0] = load(how, how->raw->against);
	if (settings.engines[1] != NULL &&
	    (how->raw->against == NULL || settings.engines[0] != NULL)) {
		settings.ordered = policy_counts(settings.engines[1]) ||
		                   (settings.engines[0] != NULL &&
		                    policy_counts(settings.engines[0]));
		status = replay_with(how, &settings);
	}
	limen_engine_free(settings.engines[0]);
	limen_engine_free(settings.engines[1]);
	return status;
}

/* ---- options ---- */

static bool
understand(const command *self, const raw_options *raw, replay_how *how)
{
	how->otherwise = limen_host_wall_time();
	if (raw->files == NULL) {
		message_usage(self, "which log?");
		return false;
	}
	if (input_streams((char *[]){ raw->policy, NULL }) +
	            input_streams((char *[]){ raw->against, NULL }) + input_streams(raw->files) > 1) {
		message_usage(self, "standard input can be read only once");
		return false;
	}
	if (raw->time != NULL && !ask_parse_time(raw->time, &how->otherwise)) {
		message_usage(self,
		              "--time takes a time (2026-01-31T12:00:00Z) or seconds, not '%s'",
		              raw->time);
		return false;
	}
	return options_format(self, raw->format, FORMATS_REPLAY, &how->format);
}

static const number_option numbers[] = {
	{ "examples", "a number", 0, 1000 },
	{ NULL, NULL, 0, 0 },
};

static bool
read_options(const command *self, common_options *common, raw_options *raw, int argc, char **argv,
             int *status)
{
	const GOptionEntry rows[] = {
		OPTION_TEXT("policy", 0, &raw->policy, "FILE|DIR|URL", "The policy to try"),
		OPTION_TEXT("against", 0, &raw->against, "FILE|DIR|URL",
		            "Compare with this one, not with the log"),
		OPTION_NUMBER("examples", 0, &raw->examples, "N",
		              "So many of each change (default: 3)"),
		OPTION_TEXT("format", 0, &raw->format, "FORMAT", "text, json or html"),
		OPTION_TEXT("time", 0, &raw->time, "TIME",
		            "When it is where a line does not say (default: now)"),
		OPTION_TEXT("namespace", 0, &raw->namespace, "NAME",
		            "The namespace of LimitRanges without one"),
		OPTION_FLAG("live-stores", 0, &raw->live_stores,
		            "Count in the stores of the policies, not in memory"),
		OPTION_REST(&raw->files),
		OPTION_END,
	};

	common->numbers = numbers;
	return options_read(self, common, rows, argc, argv, status);
}

static int
run_replay(const command *self, common_options *common, int argc, char **argv)
{
	raw_options raw = { .examples = 3 };
	replay_how how = { .raw = &raw, .common = common };
	int status;

	if (read_options(self, common, &raw, argc, argv, &status))
		status = understand(self, &raw, &how) ? replay(&how) : STATUS_ERROR;
	return status;
}

const command replay_command = {
	.name = "replay",
	.arguments = "LOG...",
	.summary = "Decide recorded requests again, and show what changes",
	.details =
		"Each LOG has one request a line, in JSON: the decision log of limend, an audit\n"
		"log of Kubernetes, tasks of pScheduler, or lines of 'limen check --batch'; '-'\n"
		"is standard input.  They are decided as if it were then, under the policy, and\n"
		"compared with what is recorded or, with --against, with another policy.  Rates\n"
		"are counted in memory.  The exit status is 0 if nothing changes, 1 if something\n"
		"does, 2 if that cannot be told.\n"
		"\n"
		"Examples:\n"
		"  limen replay --policy new.d --against conf.d decisions.log\n"
		"  limen replay --policy limits.yaml --format html audit.log > report.html\n",
	.run = run_replay,
};
