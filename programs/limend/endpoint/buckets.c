/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buckets.c - GET /v1/buckets: lists the buckets whose keys are limited, or soon will be; POST
 * /v1/buckets/reset makes those of a key full.  Keys name people, so only trusted peers may ask.
 */
#include <string.h>

#include "../common/auto.h"
#include "../common/bucket_json.h"
#include "../common/json_out.h"
#include "base/log.h"
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

static void
append_warnings(GString *out, const limen_diag *diag)
{
	const limen_problem *problem = limen_diag_get(diag, 0);

	json_write(out, "warnings:[");
	for (size_t i = 0; problem != NULL; problem = limen_diag_get(diag, ++i))
		json_string(out, problem->text);
	g_string_append(out, "]}\n");
}

static bool
list_buckets(service *shared, const http_request *request, const char *store, size_t number,
             http_response *response, fault *why)
{
	bool expired = false;
	limen_duration left = http_remaining(shared->decider.timeout, request, &expired);
	g_autoptr(limen_diag) diag = limen_diag_new();
	int result;

	if (diag == NULL)
		return fault_memory(why);
	json_write(response->body, "{buckets:[");
	result = limen_engine_each_bucket(shared->decider.engine, store, number, left, add,
	                                  response->body, diag);
	json_write(response->body, "]");
	append_warnings(response->body, diag);
	if (result != LIMEN_OK)
		refuse_result(result, store, diag, why);
	return result == LIMEN_OK;
}

static bool
check_peer(const http_request *request, fault *why)
{
	return request->peer.trusted ||
	       fault_set(why, 403, "Buckets are only for trusted clients: the unix socket, a client "
	                           "certificate, an address of --trust-hints-from");
}

bool
answer_buckets(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const char *const known[] = { "store", "number", "timeout", NULL };
	const arguments *all = &request->arguments;
	const char *text = arguments_find(all, "number");
	guint64 number = NUMBER;

	if (!check_peer(request, why) || !arguments_check(all, known, why))
		return false;
	if (text != NULL &&
	    !g_ascii_string_to_unsigned(text, 10, 1, LIMEN_BUCKETS_MAX, &number, NULL))
		return fault_set(why, 400, "The argument 'number' must be 1 to %d",
		                 LIMEN_BUCKETS_MAX);
	return list_buckets(shared, request, arguments_find(all, "store"), (size_t)number, response,
	                    why);
}

/* Reads {"key": KEY, "store": NAME}, the second of which may be missing. */
static bool
read_reset(limen_value body, const char **key, const char **store, fault *why)
{
	limen_value named = limen_value_get(body, "store");
	size_t length = 0;

	*key = limen_value_string(limen_value_get(body, "key"), &length);
	*store = limen_value_string(named, NULL);
	if (*key == NULL || strlen(*key) != length)
		return fault_set(why, 400, "'key' must be a text: the key as the list shows it");
	if (limen_value_exists(named) && *store == NULL)
		return fault_set(why, 400, "'store' must be a text: the name of a store");
	return limen_value_count(body) == (*store == NULL ? 1 : 2) ||
	       fault_set(why, 400, "A reset has 'key' and 'store' and nothing else");
}

bool
answer_reset(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const char *const known[] = { "timeout", NULL };
	bool expired = false;
	limen_duration left = http_remaining(shared->decider.timeout, request, &expired);
	g_autoptr(limen_documents) parsed = NULL;
	g_autoptr(limen_diag) diag = limen_diag_new();
	bucket_json_choice choice = { .count = 0 };
	const char *store = NULL;
	int result;

	if (!check_peer(request, why) || !arguments_check(&request->arguments, known, why))
		return false;
	if (limen_documents_parse("reset.json", request->body, request->length, 0, &parsed, NULL) !=
	    LIMEN_OK)
		return fault_set(why, 400, "The body is not JSON");
	if (!read_reset(limen_documents_get(parsed, 0), &choice.key, &store, why))
		return false;
	result = limen_engine_reset_buckets(shared->decider.engine, store, left, bucket_json_choose,
	                                    &choice, diag);
	/* Keys name people, so the log has none. */
	if (choice.count > 0)
		log_print(LIMEN_LOG_INFO, NULL, "%zu buckets of a key were reset for %s",
		          choice.count,
		          request->peer.address == NULL ? "a client of a unix socket"
		                                        : request->peer.address);
	if (result != LIMEN_OK)
		return refuse_result(result, store, diag, why);
	json_write(response->body, "{reset:i", (int64_t)choice.count);
	append_warnings(response->body, diag);
	return true;
}
