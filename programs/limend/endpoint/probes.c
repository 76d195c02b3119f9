/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probes.c - GET /livez, /healthz and /readyz.  The answers are those of Kubernetes components:
 * "ok", or a line for each check if one fails or with ?verbose.
 */
#include <string.h>

#include "../common/print.h"
#include "endpoint.h"
#include "http/arguments.h"

static bool
check_ping(service *shared)
{
	(void)shared;
	return true;
}

static bool
check_policy(service *shared)
{
	return shared->without_policy || metrics_has_policy(shared->decider.metrics);
}

/* Have all modules finished or failed the first download of their data? */
static bool
check_modules(service *shared)
{
	return limen_engine_wait_ready(shared->decider.engine, 0);
}

static bool
check_shutdown(service *shared)
{
	return !atomic_load(&shared->draining);
}

static const struct {
	const char *name;
	bool (*check)(service *shared);
	const char *why;
	bool live; /* part of /livez, too */
} checks[] = {
	{ "ping", check_ping, "", true },
	{ "policy", check_policy, "no policy is in force", false },
	{ "modules", check_modules, "modules wait for what they decide by", false },
	{ "shutdown", check_shutdown, "about to end", false },
};

bool
answer_probe(service *shared, const http_request *request, http_response *response, fault *why)
{
	bool live = strcmp(request->path, "/readyz") != 0;
	const char *name = request->path + strlen("/");
	GString *lines = g_string_new(NULL);
	bool good = true;

	(void)why;
	for (size_t i = 0; i < G_N_ELEMENTS(checks); i++) {
		bool passed;

		if (live && !checks[i].live)
			continue;
		passed = checks[i].check(shared);
		good = good && passed;
		if (passed)
			print_append(lines, "[+]%s ok\n", checks[i].name);
		else
			print_append(lines, "[-]%s failed: %s\n", checks[i].name,
			             checks[i].why);
	}
	response->content_type = "text/plain; charset=utf-8";
	response->status = good ? 200 : 503;
	if (!good || arguments_find(&request->arguments, "verbose") != NULL)
		print_append(response->body, "%s%s check %s\n", lines->str, name,
		             good ? "passed" : "failed");
	else
		g_string_append(response->body, "ok");
	g_string_free(lines, TRUE);
	return true;
}
