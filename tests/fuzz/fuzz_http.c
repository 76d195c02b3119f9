/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to the daemon, at its endpoints: a line "METHOD PATH?NAME=VALUE&...", a
 * line that is the content type, a line that is the address of the client (empty: a
 * unix socket), and the body.
 */
#include <string.h>

#include "endpoint/endpoint.h"
#include "fuzz_engine.h"
#include "metrics/metrics.h"

const fuzz_target fuzz_this = { "http", NULL, 1500 };

enum { ARGUMENTS_MAX = 16 };

static service *
make_service(void)
{
	static service shared;

	if (shared.decider.engine != NULL)
		return &shared;
	shared.decider.engine = fuzz_engine();
	shared.decider.metrics = endpoint_metrics(10, 10);
	shared.observer = observer_new(shared.decider.engine);
	shared.decider.timeout = 5 * LIMEN_SECOND;
	shared.batch_maximum = 20;
	shared.started = limen_host_monotonic();
	return &shared;
}

static char *
cut(char **rest, char at)
{
	char *text = *rest;
	char *end = strchr(text, at);

	*rest = end == NULL ? text + strlen(text) : end + 1;
	if (end != NULL)
		*end = '\0';
	return text;
}

static size_t
read_arguments(char *text, http_pair out[ARGUMENTS_MAX])
{
	size_t count = 0;

	while (*text != '\0' && count < ARGUMENTS_MAX) {
		char *value = cut(&text, '&');
		char *name = cut(&value, '=');

		out[count++] = (http_pair){ .name = name, .value = value, .length = strlen(value) };
	}
	return count;
}

static http_method
read_method(const char *text)
{
	return strcmp(text, "GET") == 0 ? HTTP_GET : strcmp(text, "POST") == 0 ? HTTP_POST : HTTP_OTHER;
}

static void
answer(const http_request *request)
{
	http_response response = { .status = 200, .content_type = "application/json",
		                   .body = g_string_new(NULL) };

	endpoint_answer(make_service(), request, &response);
	FUZZ_CHECK(response.status >= 200 && response.status < 600);
	FUZZ_CHECK(g_utf8_validate(response.body->str, (gssize)response.body->len, NULL));
	if (strcmp(response.content_type, "application/json") == 0)
		fuzz_engine_check_json(response.body->str, response.body->len);
	FUZZ_CHECK(response.retry_after >= 0);
	http_response_clear(&response);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	http_pair pairs[ARGUMENTS_MAX];
	char *copy = g_strndup("", size);
	char *rest = copy;
	char *line, *method, *path, *type, *address;
	http_request request;

	memcpy(copy, data, size);
	line = cut(&rest, '\n');
	type = cut(&rest, '\n');
	address = cut(&rest, '\n');
	method = cut(&line, ' ');
	path = cut(&line, '?');
	request = (http_request){
		.method = read_method(method),
		.path = path,
		.row = endpoint_row(path),
		.arguments = { pairs, read_arguments(line, pairs) },
		.content_type = *type == '\0' ? NULL : type,
		.body = rest,
		.length = size - (size_t)(rest - copy),
		.peer = { .address = *address == '\0' ? NULL : address, .local = "192.0.2.1",
		          .unix_socket = *address == '\0',
		          .trusted = *address == '\0' || strcmp(address, "192.0.2.1") == 0 },
		.arrived = limen_host_monotonic(),
	};
	answer(&request);
	g_free(copy);
	return 0;
}
