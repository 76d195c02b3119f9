/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "metrics.h"
#include "mhd.h"

/* RFC 9110, 10.2.1: which methods a path takes. */
static const char *
allowed_methods(const char *path)
{
	const endpoint *target = endpoint_find(path);

	switch (target == NULL ? 0 : target->methods) {
	case HTTP_GET:
		return "GET, HEAD";
	case HTTP_POST:
		return "POST";
	case HTTP_GET | HTTP_POST:
		return "GET, HEAD, POST";
	default:
		return NULL;
	}
}

typedef void header_adder(void *to, const char *name, const char *value);

/* Every header but those of the transport itself. */
static void
each_header(const exchange *one, header_adder *add, void *to)
{
	const http_response *response = &one->response;
	const char *methods = allowed_methods(one->request.path);
	char number[24];

	add(to, MHD_HTTP_HEADER_CONTENT_TYPE, response->content_type);
	add(to, "X-Content-Type-Options", "nosniff");
	add(to, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	if (response->content_policy != NULL) {
		add(to, "Content-Security-Policy", response->content_policy);
		add(to, "Referrer-Policy", "no-referrer");
	}
	if (response->status == 405 && methods != NULL)
		add(to, MHD_HTTP_HEADER_ALLOW, methods);
	if (response->retry_after > 0) {
		g_snprintf(number, sizeof(number), "%" G_GINT64_FORMAT, response->retry_after);
		add(to, MHD_HTTP_HEADER_RETRY_AFTER, number);
	}
}

static void
add_to_response(void *to, const char *name, const char *value)
{
	MHD_add_response_header(to, name, value);
}

void
mhd_ask_endpoint(exchange *one)
{
	endpoint_answer(one->owner->options.shared, &one->request, &one->response);
	one->counted = true;
}

static void
count(exchange *one)
{
	if (!one->counted)
		metrics_count_response(one->owner->options.shared->metrics, one->request.path,
		                       one->response.status);
	one->counted = true;
}

enum MHD_Result
mhd_answer(exchange *one)
{
	size_t length = one->response.body->len;
	char *text = g_string_free(one->response.body, FALSE);
	struct MHD_Response *made;
	enum MHD_Result result;

	count(one);
	one->response.body = NULL;
	one->phase = EXCHANGE_ANSWERED;
	made = MHD_create_response_from_buffer_with_free_callback(length, text, g_free);
	if (made == NULL) {
		g_free(text);
		return MHD_NO;
	}
	each_header(one, add_to_response, made);
	if (one->client->linger || atomic_load(&one->owner->options.shared->draining))
		MHD_add_response_header(made, MHD_HTTP_HEADER_CONNECTION, "close");
	client_enter(one->client, CLIENT_WRITING);
	result = MHD_queue_response(one->connection, (unsigned)one->response.status, made);
	MHD_destroy_response(made);
	return result;
}

static void
add_to_text(void *to, const char *name, const char *value)
{
	g_string_append_printf(to, "%s: %s\r\n", name, value);
}

/* What does not fit into the socket at once is lost: the client is at fault already. */
static void
send_now(const exchange *one, const char *text, size_t length)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		one->connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);

	if (info != NULL && info->tls_session != NULL) {
		gnutls_record_send(info->tls_session, text, length);
		return;
	}
	if (send(one->client->fd, text, length, MSG_DONTWAIT | MSG_NOSIGNAL) == -1)
		errno = 0;
}

enum MHD_Result
mhd_cut_off(exchange *one)
{
	GString *text = g_string_new(NULL);

	count(one);
	g_string_append_printf(text, "HTTP/1.1 %d %s\r\n", one->response.status,
	                       MHD_get_reason_phrase_for((unsigned)one->response.status));
	each_header(one, add_to_text, text);
	g_string_append_printf(text, "Connection: close\r\nContent-Length: %zu\r\n\r\n",
	                       one->response.body->len);
	g_string_append_len(text, one->response.body->str, (gssize)one->response.body->len);
	send_now(one, text->str, text->len);
	g_string_free(text, TRUE);
	one->client->linger = true;
	one->phase = EXCHANGE_ANSWERED;
	return MHD_NO;
}
