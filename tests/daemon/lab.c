/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lab.c - the daemon with endpoints that show what the transport tells them, so
 * that tests of the transport need no policy: its own table takes the place of
 * that in endpoints.c.
 *
 *	POST /echo           what was received
 *	POST /wait?for=FILE  a decision that takes until FILE exists, 60 s at most
 *	GET /query           the arguments
 *	GET /much?bytes=N    so many bytes
 *	GET /teapot          status 418 with the fields X-Limen and Retry-After, and what the
 *	                     request has in the field X-Limen
 *	GET /livez, /healthz "ok"
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../programs/common/json_out.h"
#include "daemon/daemon.h"
#include "endpoint/endpoint.h"
#include "http/arguments.h"
#include "question/deciding.h"

static bool
answer_echo(service *shared, const http_request *request, http_response *response, fault *why)
{
	uint32_t sum = 0;

	(void)why;
	for (size_t i = 0; i < request->length; i++)
		sum = sum * 31 + (unsigned char)request->body[i];
	json_write(response->body,
	           "{length:z sum:i type:s address:s local:s unix:d certified:d draining:d ended:d}",
	           request->length, (int64_t)sum, request->content_type, request->peer.address,
	           request->peer.local, request->peer.unix_socket, request->peer.certified,
	           atomic_load(&shared->draining), request->body[request->length] == '\0');
	return true;
}

/* Decides about a task without anything in it. */
static bool
decide(const decider *self, const http_request *request, fault *why)
{
	limen_decision *decision;
	deciding item;

	if (!deciding_resumes(request, &item)) {
		item = (deciding){ .request = limen_request_new(LIMEN_SUBJECT_TASK),
			            .options = { .size = sizeof(item.options) } };
		limen_request_parse(item.request, "{}", 2, NULL);
	}
	decision = deciding_try(self, request, &item, why);
	limen_decision_free(decision);
	deciding_clear(&item);
	return decision != NULL;
}

static bool
answer_wait(service *shared, const http_request *request, http_response *response, fault *why)
{
	static const struct timespec pause = { .tv_nsec = 5000000 };
	const char *file = arguments_find(&request->arguments, "for");

	if (!decide(&shared->decider, request, why))
		return false;
	for (int i = 0; file != NULL && i < 12000 && access(file, F_OK) != 0; i++)
		nanosleep(&pause, NULL);
	g_string_append(response->body, "{\"waited\":true}");
	response->retry_after = 7;
	return true;
}

static bool
answer_query(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)shared;
	(void)why;
	json_open(response->body, '[');
	for (size_t i = 0; i < request->arguments.count; i++) {
		json_write(response->body, "{name:s value:s length:z}",
		           request->arguments.pairs[i].name, request->arguments.pairs[i].value,
		           request->arguments.pairs[i].length);
	}
	g_string_append_c(response->body, ']');
	return true;
}

static bool
answer_much(service *shared, const http_request *request, http_response *response, fault *why)
{
	const char *bytes = arguments_find(&request->arguments, "bytes");

	(void)shared;
	(void)why;
	if (bytes != NULL)
		g_string_set_size(response->body, g_ascii_strtoull(bytes, NULL, 10));
	memset(response->body->str, 'x', response->body->len);
	return true;
}

static bool
answer_teapot(service *shared, const http_request *request, http_response *response, fault *why)
{
	const char *value;

	(void)shared;
	if (!http_field(request, "x-limen", &value, why))
		return false;
	json_write(response->body, "{field:s}", value);
	response->status = 418;
	response->retry_after = 7;
	http_add_field(response, "X-Limen", "tea");
	return true;
}

static bool
answer_livez(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)shared;
	(void)why;
	(void)request;
	response->content_type = "text/plain; charset=utf-8";
	g_string_append(response->body, "ok");
	return true;
}

const endpoint endpoints[] = {
	{ .path = "/echo", .methods = HTTP_POST, .answer = answer_echo },
	{ .path = "/wait", .methods = HTTP_POST, .decides = true, .answer = answer_wait },
	{ .path = "/long", .methods = HTTP_POST, .lengthy = true, .answer = answer_wait },
	{ .path = "/query", .methods = HTTP_GET | HTTP_POST, .answer = answer_query },
	{ .path = "/much", .methods = HTTP_GET, .answer = answer_much },
	{ .path = "/teapot", .methods = HTTP_GET, .answer = answer_teapot },
	{ .path = "/livez", .methods = HTTP_GET, .health = true, .answer = answer_livez },
	{ .path = "/healthz", .methods = HTTP_GET, .answer = answer_livez },
	{ .path = NULL },
};

int
main(int argc, char **argv)
{
	return daemon_main(argc, argv);
}
