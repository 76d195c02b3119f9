/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.c - "limen graph": draws the policy, and the path of a request through it.
 */
#include <stdio.h>
#include <string.h>

#include "ask/question_options.h"
#include "ask/case.h"
#include "common/auto.h"
#include "cli/input.h"
#include "cli/message.h"
#include "cli/options.h"
#include "common/policy_url.h"
#include "graph.h"
#include "policy/policy.h"
#include "policy/problems.h"
#include "remote/remote.h"

/* Longest time for a limend to answer. */
#define TIMEOUT (30 * LIMEN_SECOND)

typedef struct graph_options {
	common_options *common;
	char **policies; /* NULL: the default policy */
	char *request;
	char **files;
	remote at; /* the limend whose policy is drawn, if it is named */
	ask_settings ask;
} graph_options;

static bool
is_remote(const graph_options *options)
{
	return options->at.url != NULL || options->at.unix_path != NULL;
}

static bool
understand(graph_options *options)
{
	const command *self = options->common->self;
	const char *misuse = remote_misuse(&options->at, options->at.url != NULL);
	int sources = (options->at.url != NULL) + (options->at.unix_path != NULL);

	options->ask.decide = (limen_decide_options){ .size = sizeof(options->ask.decide),
		                                      .trace = true };
	if (options->files != NULL && options->policies != NULL)
		misuse = "the policy is named twice";
	else if (sources > 0 && sources + (options->files != NULL) + (options->policies != NULL) +
	                                        (options->request != NULL) > 1)
		misuse = "--unix, --url, --request and a policy exclude each other";
	else if (options->files != NULL && options->files[1] != NULL)
		misuse = "one policy at a time";
	else if (options->request == NULL && question_options_is_given(&options->ask))
		misuse = "hints, times and the like are for --request";
	if (misuse == NULL)
		return question_options_understand(self, &options->ask);
	message_usage(self, "%s", misuse);
	return false;
}

/* ---- the request ---- */

/* Decides all requests of a file; returns the first decision that is not admitted, or the last. */
static limen_decision *
decide(const graph_options *options, limen_engine *engine)
{
	g_autoptr(limen_diag) diag = policy_diag();
	g_autofree char *why = NULL;
	limen_decision *shown = NULL;
	size_t documents = 0;
	g_autoptr(GPtrArray) cases = cases_read(&options->ask, engine, options->request,
	                                        &documents, diag, &why);

	if (cases == NULL)
		problems_print_request(diag, input_name(options->request), true);
	else if (cases->len == 0)
		why = g_strdup_printf("%s holds no request", input_name(options->request));
	for (guint i = 0; cases != NULL && why == NULL && i < cases->len; i++) {
		const ask_case *item = g_ptr_array_index(cases, i);

		if (shown != NULL && !limen_decision_admitted(shown))
			break;
		limen_decision_free(shown);
		shown = ask_decide(&item->options, engine, item->request, &why);
	}
	if (why != NULL)
		message_error("%s", why);
	return shown;
}

/* ---- the picture ---- */

static int
print_graph(const graph_options *options, const graph *drawn)
{
	g_autoptr(GString) out = g_string_new(NULL);
	g_autofree char *policy = is_remote(options) ? remote_shown(&options->at)
	                                             : policy_names(options->policies);
	g_autofree char *why = NULL;
	g_autofree char *svg = NULL;

	graph_dot_append(out, drawn);
	if (options->common->format != FORMAT_DOT)
		svg = graph_render(out, &why);
	if (why != NULL)
		message_error("%s", why);
	else if (options->common->format == FORMAT_HTML)
		/* A URL may hold a password. */
		graph_html_print(drawn, svg, policy_url_is(policy) ? "from a URL" : input_name(policy));
	else
		fputs(svg != NULL ? svg : out->str, stdout);
	return why == NULL ? STATUS_GOOD : STATUS_ERROR;
}

/* Draws a described policy, which it takes over, with the path of a decision that may be NULL. */
static int
draw(const graph_options *options, limen_documents *described, const limen_decision *decision)
{
	graph *drawn = graph_new(described, is_remote(options));
	int status;

	if (decision != NULL)
		graph_show_decision(drawn, decision);
	status = print_graph(options, drawn);
	graph_free(drawn);
	return status;
}

static int
show(const graph_options *options, limen_engine *engine)
{
	g_autoptr(limen_decision) decision = options->request == NULL ? NULL
	                                                              : decide(options, engine);

	if (options->request != NULL && decision == NULL)
		return STATUS_ERROR;
	return draw(options, policy_describe(engine), decision);
}

/* Draws the policy of a running limend, with the counts of its rules. */
static int
show_remote(const graph_options *options)
{
	limen_documents *described;
	g_autofree char *why = NULL;

	if (remote_ask(&options->at, "/v1/policy", NULL, &described, &why) == 200)
		return draw(options, described, NULL);
	message_error("%s", why);
	return STATUS_ERROR;
}

static int
load_and_show(graph_options *options)
{
	unsigned flags = options->request == NULL ? LIMEN_ENGINE_PASSIVE
	                                          : LIMEN_ENGINE_MEMORY_STORES;
	g_autoptr(limen_engine) engine = policy_engine_for(options->common, flags,
	                                                   options->ask.namespace);

	if (options->policies == NULL)
		options->policies = options->files;
	return policy_open(engine, options->policies) ? show(options, engine) : STATUS_ERROR;
}

static int
run_graph(common_options *common)
{
	graph_options options = { .common = common, .at.timeout = TIMEOUT };
	const GOptionEntry rows[] = {
		OPTION_POLICY(&options.policies, "FILE|DIR|URL", "The policy; may be repeated"),
		REMOTE_ROWS(&options.at),
		OPTION_FORMAT(common, "dot, svg or html"),
		OPTION_TEXT("request", 0, &options.request, "FILE", "Show the path of this request"),
		QUESTION_ROWS(&options.ask),
		OPTION_REST(&options.files),
		OPTION_END,
	};

	if (!options_read(common, rows))
		return common->status;
	if (!understand(&options))
		return STATUS_ERROR;
	return is_remote(&options) ? show_remote(&options) : load_and_show(&options);
}

const command graph_command = {
	.name = "graph",
	.arguments = "[POLICY]",
	.summary = "Show a policy as a picture",
	.details =
		"Writes the policy as a graph: identifiers, classifiers, applications, limits,\n"
		"admission entries, rewriter, prioritizer and stores.  --request colours the path\n"
		"of one request: pass, fail or error.  If the file has several requests, it is\n"
		"the first that is not admitted.  Without POLICY, the policy is $LIMEN_POLICY or,\n"
		"if that is not set,\n"
		LIMEN_CONFDIR ".\n"
		"\n"
		"--unix or --url draws the policy of a running limend, with what each rule has\n"
		"decided since the load; one that no request asked, or that matched none, is\n"
		"dashed.\n"
		"\n"
		"The default format is dot, of Graphviz.  The program dot draws svg and html; it\n"
		"must be installed.  Rates are counted in memory, as \"limen check\" does.\n"
		"\n"
		"The exit status is 0, whatever the decision is, and 2 if the policy or the\n"
		"request cannot be used, for wrong usage, and if nothing could be drawn.\n"
		"\n"
		"Examples:\n"
		"  limen graph conf.d | dot -Tpdf > policy.pdf\n"
		"  limen graph --format html conf.d > policy.html\n"
		"  limen graph --format svg --policy conf.d --request task.json \\\n"
		"      --hint requester=10.0.0.1 > path.svg\n"
		"  limen graph --unix /run/limend.sock --format html > now.html\n",
	.formats = FORMAT_BIT(FORMAT_DOT) | FORMAT_BIT(FORMAT_SVG) | FORMAT_BIT(FORMAT_HTML),
	.run = run_graph,
};
