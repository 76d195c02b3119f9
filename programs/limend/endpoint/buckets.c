/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buckets.c - GET /v1/buckets: lists the buckets whose keys are limited, or soon will be.  Keys
 * name people, so only trusted peers may ask.
 */
#include "../common/auto.h"
#include "../common/bucket_json.h"
#include "../common/json_out.h"
#include "endpoint.h"
#include "http/arguments.h"
#include "http/remaining.h"

#define NUMBER 20

static void
add(void *data, const limen_bucket *bucket)
{
	bucket_json_put(data, bucket);
}

static bool
refuse_result(int result, const char *store, const limen_diag *diag, fault *why)
{
	const limen_problem *first = limen_diag_get(diag, 0);

	if (result == LIMEN_ENOENT)
		return fault_set(why, 404, "The policy has no store '%.100s' in use", store);
	return fault_set(why, result == LIMEN_ENOPOLICY ? 503 : 500, "%s",
	                 first != NULL ? first->text : limen_result_text(result));
}

static bool
list_buckets(service *shared, const http_request *request, const char *store, size_t number,
             http_response *response, fault *why)
{
	bool expired = false;
	limen_duration left = http_remaining(shared->decider.timeout, request, &expired);
	g_autoptr(limen_diag) diag = limen_diag_new();
	const limen_problem *problem;
	int result;

	if (diag == NULL)
		return fault_memory(why);
	json_write(response->body, "{buckets:[");
	result = limen_engine_each_bucket(shared->decider.engine, store, number, left, add,
	                                  response->body, diag);
	json_write(response->body, "]warnings:[");
	problem = limen_diag_get(diag, 0);
	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
		json_string(response->body, problem->text);
	g_string_append(response->body, "]}\n");
	if (result != LIMEN_OK)
		refuse_result(result, store, diag, why);
	return result == LIMEN_OK;
}

bool
answer_buckets(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const char *const known[] = { "store", "number", "timeout", NULL };
	const arguments *all = &request->arguments;
	const char *text = arguments_find(all, "number");
	guint64 number = NUMBER;

	if (!request->peer.trusted)
		return fault_set(why, 403,
		                 "Buckets are shown only to trusted clients: the unix socket, a "
		                 "client certificate, an address of "
		                 "--trust-hints-from");
	if (!arguments_check(all, known, why))
		return false;
	if (text != NULL &&
	    !g_ascii_string_to_unsigned(text, 10, 1, LIMEN_BUCKETS_MAX, &number, NULL))
		return fault_set(why, 400, "The argument 'number' must be 1 to %d",
		                 LIMEN_BUCKETS_MAX);
	return list_buckets(shared, request, arguments_find(all, "store"), (size_t)number, response,
	                    why);
}
