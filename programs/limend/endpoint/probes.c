/* SPDX-License-Identifier: Apache-2.0 */
/*
 * probes.c - GET /livez, /healthz and /readyz.  The answers are those of Kubernetes components:
 * "ok", or a line for each check if one fails or with ?verbose.
 */
#include <string.h>

#include "../common/print.h"
#include "endpoint.h"
#include "http/arguments.h"
#include "metrics/metrics.h"

static bool
check_ping(service *shared)
{
	(void)shared;
	return true;
}

/* Returns false without metrics, because only they record successful loads. */
static bool
check_policy(service *shared)
{
	return shared->without_policy || metrics_has_policy(shared->metrics);
}

/* Have all modules finished or failed the first download of their data? */
static bool
check_modules(service *shared)
{
	return limen_engine_wait_ready(shared->engine, 0);
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

static bool
answer(service *shared, const http_request *request, http_response *response, bool live)
{
	const char *name = request->path + strlen("/");
	GString *lines = g_string_new(NULL);
	bool good = true;

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

static bool
answer_livez(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)why;
	return answer(shared, request, response, true);
}

static bool
answer_readyz(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)why;
	return answer(shared, request, response, false);
}

const endpoint livez_endpoint = {
	.path = "/livez", .methods = HTTP_GET, .health = true, .answer = answer_livez
};
/* /healthz is an alias of /livez for monitors that expect that path. */
const endpoint healthz_endpoint = {
	.path = "/healthz", .methods = HTTP_GET, .health = true, .answer = answer_livez
};
const endpoint readyz_endpoint = {
	.path = "/readyz", .methods = HTTP_GET, .health = true, .answer = answer_readyz
};
