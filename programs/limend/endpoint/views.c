/* SPDX-License-Identifier: Apache-2.0 */
/*
 * views.c - read-only views for operators: GET /metrics, /v1/policy and /version.
 */
#include <limen/module.h>
#include <limen/version.h>

#include "../common/json_out.h"
#include "endpoint.h"
#include "metrics/metrics.h"
#include "metrics/observer.h"

static bool
answer_metrics(service *shared, const http_request *request, http_response *response, fault *why)
{
	metrics_facts facts = { .started = shared->started_wall,
		.draining = atomic_load(&shared->draining), .decisions = shared->decisions };
	double days;

	(void)request;
	if (shared->metrics == NULL)
		return fault_set(why, 404, "Nothing is counted here");
	response->content_type = "text/plain; version=0.0.4; charset=utf-8";
	if (shared->tls_days_left != NULL) {
		days = shared->tls_days_left(shared->certificate);
		facts.tls_days_left = &days;
	}
	metrics_write(shared->metrics, &facts, response->body);
	return true;
}

/* The options of entries are not shown: they may hold passwords. */
static bool
answer_policy(service *shared, const http_request *request, http_response *response, fault *why)
{
	observer *watcher = metrics_observer(shared->metrics);

	(void)request;
	/* This fails only before the first look; later the last text is shown. */
	if (watcher == NULL || !observer_show(watcher, SIGHT_POLICY, response->body)) {
		response->retry_after = 1;
		return fault_set(why, 503, "The first look at the policy is not over yet");
	}
	g_string_append_c(response->body, '\n');
	return true;
}

static bool
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

const endpoint metrics_endpoint = {
	.path = "/metrics", .methods = HTTP_GET, .health = true, .answer = answer_metrics
};
const endpoint policy_endpoint = {
	.path = "/v1/policy", .methods = HTTP_GET, .names = NAMES_OWN, .answer = answer_policy
};
const endpoint version_endpoint = {
	.path = "/version", .methods = HTTP_GET, .answer = answer_version
};
