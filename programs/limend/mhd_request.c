/* SPDX-License-Identifier: Apache-2.0 */
#include <limen/host.h>
#include <string.h>

#include "mhd.h"
#include "query.h"

void *
mhd_begin(void *data, const char *target, struct MHD_Connection *connection)
{
	exchange *made = g_new0(exchange, 1);
	const client *peer = mhd_client_of(connection);

	made->owner = data;
	made->connection = connection;
	made->client = mhd_client_of(connection);
	made->target_length = strlen(target);
	made->target = g_strdup(target);
	made->arguments = query_split(made->target);
	made->body = g_string_new(NULL);
	made->request = (http_request){
		.path = made->target,
		.peer = { .address = peer->address, .local = peer->local,
		          .unix_socket = peer->unix_socket },
	};
	if (made->arguments != NULL) {
		made->request.arguments = (const http_pair *)(void *)made->arguments->data;
		made->request.argument_count = made->arguments->len;
	}
	made->response = (http_response){ .status = 200, .content_type = "application/json",
		.body = g_string_new(NULL) };
	client_enter(made->client, CLIENT_READING);
	return made;
}

void
mhd_end(void *data, struct MHD_Connection *connection, void **context,
        enum MHD_RequestTerminationCode why)
{
	exchange *one = *context;

	(void)data;
	(void)connection;
	(void)why;
	if (one == NULL)
		return;
	*context = NULL;
	client_enter(one->client, CLIENT_IDLE);
	atomic_fetch_sub(&one->owner->gathered, one->body->len);
	g_string_free(one->body, TRUE);
	if (one->response.body != NULL)
		g_string_free(one->response.body, TRUE);
	if (one->arguments != NULL)
		g_array_free(one->arguments, TRUE);
	g_free(one->target);
	g_free(one);
}

static enum MHD_Result
begin_body(exchange *one, const char *method)
{
	one->request.arrived = limen_host_monotonic();
	switch (mhd_check_head(one, method)) {
	case HEAD_GOOD:
		one->phase = EXCHANGE_BODY;
		return MHD_YES;
	case HEAD_REFUSED:
		one->phase = EXCHANGE_REFUSED;
		return MHD_YES;
	case HEAD_BROKEN:
	default:
		one->client->linger = true;
		return mhd_answer(one);
	}
}

static enum MHD_Result
discard_body(exchange *one, size_t *upload_size)
{
	one->discarded += *upload_size;
	*upload_size = 0;
	return one->discarded > DISCARD_MAX ? mhd_cut_off(one) : MHD_YES;
}

/* A body of unknown length is refused when it has become too long. */
static enum MHD_Result
take_body(exchange *one, const char *upload, size_t *upload_size)
{
	transport *self = one->owner;
	size_t size = *upload_size;

	*upload_size = 0;
	if (size > self->options.max_body - one->body->len) {
		http_fail(&one->response, 413, "The body has more than %zu bytes",
		          self->options.max_body);
		return mhd_cut_off(one);
	}
	g_string_append_len(one->body, upload, (gssize)size);
	if (atomic_fetch_add(&self->gathered, size) + size > self->gathered_max) {
		http_fail(&one->response, 503, "Too many large requests at once");
		return mhd_cut_off(one);
	}
	return MHD_YES;
}

/* On a worker. */
static void
decide(void *data)
{
	exchange *one = data;

	endpoint_answer(one->owner->options.shared, &one->request, &one->response);
	one->phase = EXCHANGE_DECIDED;
	MHD_resume_connection(one->connection);
}

static enum MHD_Result
run(exchange *one)
{
	service *shared = one->owner->options.shared;
	const endpoint *target = endpoint_find(one->request.path);

	one->request.body = one->body->str;
	one->request.length = one->body->len;
	client_enter(one->client, CLIENT_BUSY);
	if (!target->decides || !limen_engine_may_block(shared->engine)) {
		endpoint_answer(shared, &one->request, &one->response);
		return mhd_answer(one);
	}
	if (!workers_reserve(one->owner->workers)) {
		http_fail(&one->response, 503, "Too many requests are being decided");
		return mhd_answer(one);
	}
	one->phase = EXCHANGE_DECIDING;
	MHD_suspend_connection(one->connection);
	workers_push(one->owner->workers, decide, one);
	return MHD_YES;
}

enum MHD_Result
mhd_handle(void *data, struct MHD_Connection *connection, const char *path, const char *method,
           const char *version, const char *upload, size_t *upload_size, void **context)
{
	exchange *one = *context;

	(void)data;
	(void)connection;
	(void)path;
	(void)version;
	switch (one->phase) {
	case EXCHANGE_HEAD:
		return begin_body(one, method);
	case EXCHANGE_BODY:
		return *upload_size > 0 ? take_body(one, upload, upload_size) : run(one);
	case EXCHANGE_REFUSED:
		return *upload_size > 0 ? discard_body(one, upload_size) : mhd_answer(one);
	case EXCHANGE_DECIDED:
		return mhd_answer(one);
	case EXCHANGE_DECIDING:
	case EXCHANGE_ANSWERED:
	default:
		return MHD_YES;
	}
}
