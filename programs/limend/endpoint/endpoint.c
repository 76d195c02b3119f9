/* SPDX-License-Identifier: Apache-2.0 */
/*
 * endpoint.c - passes a request to its endpoint, or answers 404 or 405, and counts the response.
 * Tracks the bytes of answers in memory and replaces an answer of more than 64 KiB by a 503 if they
 * exceed the limit.
 */
#include "endpoint.h"

#include "metrics/metrics.h"
#include "origin.h"

/* Answers up to this size are always sent; nearly all answers are smaller. */
#define SMALL_ANSWER ((size_t)64 << 10)

/*
 * Counts an answer as in memory until its client has read it.  A large answer beyond the limit
 * becomes a 503; its decision stays charged, as if the answer were lost on the network.
 */
static void
hold_answer(service *shared, http_response *response)
{
	size_t size = response->body->len;
	size_t all = atomic_fetch_add(&shared->answers, size) + size;

	response->held = size;
	if (size <= SMALL_ANSWER || shared->answers_maximum == 0 || all <= shared->answers_maximum)
		return;
	endpoint_done(shared, response);
	response->held = 0;
	/* The buffer is replaced to free its memory. */
	g_string_free(response->body, TRUE);
	response->body = g_string_new(NULL);
	http_fail(response, 503, "Too many large answers at once");
}

void
endpoint_done(service *shared, const http_response *response)
{
	atomic_fetch_sub(&shared->answers, response->held);
}

void
endpoint_answer(service *shared, const http_request *request, http_response *response)
{
	const endpoint *target = endpoint_find(request->path);
	fault why = { .status = 0 };
	bool good;

	if (target == NULL || (target->console && shared->ui == UI_OFF))
		good = fault_set(&why, 404, "There is nothing at this path");
	else if ((target->methods & (unsigned)request->method) == 0)
		good = origin_check(shared, target, request, &why) &&
		       fault_set(&why, 405, "This path does not take this method");
	else
		good = origin_check(shared, target, request, &why) &&
		       target->answer(shared, request, response, &why);
	if (!good)
		http_fail(response, why.status, "%s", why.text);
	fault_clear(&why);
	hold_answer(shared, response);
	metrics_count_response(shared->metrics, request->path, response->status);
}
