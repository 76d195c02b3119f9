/* SPDX-License-Identifier: Apache-2.0 */
#include "webhook_case.h"

#include <limen/host.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.h"

atomic_uint webhook_recorded;
char webhook_endpoint[64];
char *webhook_hints;

/* Tests of many threads look at the number alone. */
static pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;

/* In place of the daemon's own. */
static void
take_record(const record *made)
{
	atomic_fetch_add(&webhook_recorded, 1);
	CU_ASSERT_PTR_NOT_NULL(made->decision);
	CU_ASSERT_PTR_NOT_NULL(made->peer);
	CU_ASSERT_TRUE(made->nanoseconds >= 0);
	pthread_mutex_lock(&recording);
	snprintf(webhook_endpoint, sizeof(webhook_endpoint), "%s", made->endpoint);
	free(webhook_hints);
	webhook_hints =
		limen_value_to_json(limen_request_hints(made->request), LIMEN_JSON_SORTED, NULL);
	pthread_mutex_unlock(&recording);
}

service *
webhook_service(const char *text)
{
	const char *modules = getenv("LIMEN_MODULE_PATH");
	const char *build = getenv("LIMEN_BUILDDIR");
	char *path = g_strdup_printf("%s:%s/tests/modules", modules == NULL ? "plugins" : modules,
	                             build == NULL ? "." : build);
	const limen_engine_options options = { .size = sizeof(options), .module_path = path };
	service *shared = g_new0(service, 1);
	limen_diag *diag = limen_diag_new();

	recorder_set(take_record);
	shared->decider.engine = limen_engine_new(&options);
	CU_ASSERT_PTR_NOT_NULL_FATAL(shared->decider.engine);
	if (text != NULL &&
	    limen_engine_load_text(shared->decider.engine, "policy.yaml", text, strlen(text), diag) != LIMEN_OK) {
		limen_diag_write(diag, stdout);
		CU_FAIL_FATAL("the policy does not load");
	}
	limen_diag_free(diag);
	g_free(path);
	return shared;
}

void
webhook_service_free(service *shared)
{
	limen_engine_free(shared->decider.engine);
	g_free(shared);
	free(webhook_hints);
	webhook_hints = NULL;
}

webhook_answer
webhook_send(service *shared, const http_request *request)
{
	http_response response = { .status = 200, .content_type = "application/json",
		                   .body = g_string_new(NULL) };
	webhook_answer answer;

	endpoint_answer(shared, request, &response);
	CU_ASSERT_STRING_EQUAL(response.content_type, "application/json");
	answer = (webhook_answer){ .status = response.status, .body = response.body,
		                   .retry_after = response.retry_after };
	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("answer.json", response.body->str,
	                                            response.body->len, 0, &answer.parsed, NULL),
	                      LIMEN_OK);
	answer.review = limen_documents_get(answer.parsed, 0);
	answer.response = limen_value_get(answer.review, "response");
	return answer;
}

webhook_answer
webhook_post(service *shared, const char *path, const char *body, size_t length)
{
	const http_pair timeout = { .name = "timeout", .value = "3600s", .length = 5 };
	const http_request request = {
		.method = HTTP_POST,
		.path = path,
		.row = endpoint_row(path),
		.arguments = { &timeout, 1 },
		.content_type = "application/json",
		.body = body,
		.length = length,
		.peer = { .address = "192.0.2.7", .local = "192.0.2.1" },
		.arrived = limen_host_monotonic(),
	};

	return webhook_send(shared, &request);
}

void
webhook_answer_free(webhook_answer *answer)
{
	limen_documents_free(answer->parsed);
	g_string_free(answer->body, TRUE);
}

char *
webhook_read(const char *name, size_t *length)
{
	const char *source = getenv("LIMEN_SRCDIR");
	char *path = g_strdup_printf("%s/tests/cli/data/reviews/%s.json",
	                             source == NULL ? "." : source, name);
	char *text = NULL;
	gsize size = 0;

	if (!g_file_get_contents(path, &text, &size, NULL))
		CU_FAIL_FATAL("a recorded review cannot be read");
	g_free(path);
	*length = size;
	return text;
}

const char *
webhook_status_text(const webhook_answer *answer, const char *key)
{
	return limen_value_string(limen_value_get(limen_value_get(answer->response, "status"), key),
	                          NULL);
}
