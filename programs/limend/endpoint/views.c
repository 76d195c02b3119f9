/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views.c - read-only views for operators: GET /metrics, /v1/policy and /version.
 */
#include <limen/module.h>
#include <limen/version.h>

#include "../common/json_out.h"
#include "base/exposition.h"
#include "endpoint.h"

bool
answer_metrics(service *shared, const http_request *request, http_response *response, fault *why)
{
	watch_summary found = watch_look(shared->watch);

	(void)request;
	(void)why;
	response->content_type = "text/plain; version=0.0.4; charset=utf-8";
	metrics_write(shared->decider.metrics, shared->decider.decisions,
	              atomic_load(&shared->draining), response->body);
	exposition_single(response->body, "limend_hung_threads", "gauge",
	                  "Threads that have been busy with one request for three timeouts.",
	                  (double)found.hung);
	exposition_single(response->body, "limend_hung_decisions", "gauge",
	                  "Decisions that have waited without a thread for three timeouts.",
	                  (double)found.stuck);
	observer_show(shared->observer, SIGHT_METRICS, response->body);
	return true;
}

/* The options of entries are not shown: they may hold passwords. */
bool
answer_policy(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)request;
	/* This fails only before the first look; later the last text is shown. */
	if (!observer_show(shared->observer, SIGHT_POLICY, response->body)) {
		response->retry_after = 1;
		return fault_set(why, 503, "The description of the policy is not ready yet");
	}
	g_string_append_c(response->body, '\n');
	return true;
}

bool
answer_version(service *shared, const http_request *request, http_response *response, fault *why)
{
	char abi[32];

	(void)shared;
	(void)request;
	(void)why;
	g_snprintf(abi, sizeof(abi), "%d.%d", LIMEN_ABI_MAJOR, LIMEN_ABI_MINOR);
	json_write(response->body, "{version:s abi:s}", LIMEN_VERSION, abi);
	g_string_append_c(response->body, '\n');
	return true;
}
