/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probes.c - GET /livez, /healthz and /readyz.  The answers are those of Kubernetes components:
 * "ok", or a line for each check if one fails or with ?verbose.
 */
#include <string.h>

#include "../common/print.h"
#include "endpoint.h"
#include "http/arguments.h"

/*
 * Returns why the threads fail the check, or NULL.  While one thread of several hangs, its
 * connections are not served but others are: limend is not ready, and lives.
 */
static const char *
judge_threads(const watch_summary *found, bool live)
{
	if (found->dead)
		return "all threads that one peer may use hang";
	return found->deaf && !live ? "a thread hangs" : NULL;
}

bool
answer_probe(service *shared, const http_request *request, http_response *response, fault *why)
{
	limen_engine *engine = shared->decider.engine;
	bool live = strcmp(request->path, "/readyz") != 0;
	watch_summary found = watch_look(shared->watch);
	const char *threads = judge_threads(&found, live);
	const struct {
		const char *name;
		bool passed;
		const char *why;
		bool live; /* part of /livez, too */
	} checks[] = {
		{ "ping", true, "", true },
		{ "threads", threads == NULL, threads, true },
		{ "decisions", found.stuck == 0, "a decision that waits hangs", false },
		{ "policy", shared->without_policy || metrics_has_policy(shared->decider.metrics),
		  "no policy is in force", false },
		/* Have all modules finished or failed the first download of their data? */
		{ "modules", live || limen_engine_wait_ready(engine, 0),
		  "modules wait for the data that they need", false },
		{ "shutdown", !atomic_load(&shared->draining), "about to end", false },
	};
	g_autoptr(GString) lines = g_string_new(NULL);
	bool good = true;

	(void)why;
	for (size_t i = 0; i < G_N_ELEMENTS(checks); i++) {
		if (live && !checks[i].live)
			continue;
		good = good && checks[i].passed;
		if (checks[i].passed)
			print_append(lines, "[+]%s ok\n", checks[i].name);
		else
			print_append(lines, "[-]%s failed: %s\n", checks[i].name, checks[i].why);
	}
	response->content_type = "text/plain; charset=utf-8";
	response->status = good ? 200 : 503;
	if (!good || arguments_find(&request->arguments, "verbose") != NULL)
		print_append(response->body, "%s%s check %s\n", lines->str,
		             request->path + strlen("/"), good ? "passed" : "failed");
	else
		g_string_append(response->body, "ok");
	return true;
}
