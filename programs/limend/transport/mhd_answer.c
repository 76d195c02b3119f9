/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd_answer.c - calls the endpoint of a request and sends the response through libmicrohttpd, or
 * directly to the socket to cut off a request whose body is still arriving.  Counts responses and
 * the bytes of answers in memory.
 */
#include <errno.h>
#include <string.h>

#include "../common/print.h"
#include "base/memory.h"
#include "mhd.h"

/* Answers up to this size are always sent; nearly all answers are smaller. */
#define SMALL_ANSWER ((size_t)64 << 10)

/* The documents of a decision may take this many times the bytes of the body. */
#define GROWTH ((size_t)40)

/* Most bytes that are looked for before one decision. */
#define CLAIM_MAX ((size_t)256 << 20)

/* Returns the value of the Allow header (RFC 9110, 10.2.1), or NULL. */
static const char *
allowed_methods(const endpoint *target)
{
	switch (target == NULL ? 0 : target->methods) {
	case HTTP_GET | HTTP_POST | HTTP_OTHER:
		return "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
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

/* Adds a header, or nothing if the value is NULL.  Returns false if memory is short. */
typedef bool header_adder(void *to, const char *name, const char *value);

/* Adds the further header fields of the endpoint. */
static bool
each_field(const GString *fields, header_adder *add, void *to)
{
	const char *name = fields == NULL ? NULL : fields->str;
	const char *end = fields == NULL ? NULL : name + fields->len;
	bool good = true;

	while (good && name < end) {
		const char *value = name + strlen(name) + 1;

		good = add(to, name, value);
		name = value + strlen(value) + 1;
	}
	return good;
}

/* Adds all headers but those of libmicrohttpd; false if one could not be added. */
static bool
each_header(const exchange *talk, header_adder *add, void *to)
{
	const http_response *response = &talk->response;
	const char *methods =
		response->status == 405 ? allowed_methods(endpoint_of(&talk->request)) : NULL;
	char number[24] = "";

	if (response->retry_after > 0)
		g_snprintf(number, sizeof(number), "%" G_GINT64_FORMAT, response->retry_after);
	return each_field(response->fields, add, to) &&
	       add(to, MHD_HTTP_HEADER_CONTENT_TYPE, response->content_type) &&
	       add(to, "X-Content-Type-Options", "nosniff") &&
	       add(to, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store") &&
	       add(to, MHD_HTTP_HEADER_ALLOW, methods) &&
	       add(to, MHD_HTTP_HEADER_RETRY_AFTER, number[0] == '\0' ? NULL : number);
}

static bool
add_to_response(void *to, const char *name, const char *value)
{
	return value == NULL || MHD_add_response_header(to, name, value) == MHD_YES;
}

/* Returns how many bytes it may take to answer a request with a large body. */
static size_t
claim_of(const exchange *talk)
{
	size_t length = talk->request.length;

	return length > SMALL_ANSWER ? MIN(length, CLAIM_MAX / GROWTH) * GROWTH : 0;
}

/* Is there memory for the answer, and for all others that are being made or wait? */
static bool
claim_memory(exchange *talk)
{
	size_t size = claim_of(talk);
	size_t all = atomic_fetch_add(&talk->owner->claimed, size) + size;

	return size == 0 || memory_has(all);
}

void
mhd_refuse(exchange *talk)
{
	question waited;

	endpoint_fail(&talk->request, &talk->response, 503, "Too many requests are being decided");
	if (!deciding_resumes(&talk->request, &waited))
		return;
	limen_pending_decide(talk->later.pending, NULL);
	talk->later.pending = NULL;
	question_clear(&waited);
	atomic_fetch_sub(&talk->owner->claimed, claim_of(talk));
}

/*
 * Counts an answer as in memory until its client has read it.  A large answer beyond the limit
 * becomes a 503; its decision stays charged, as if the answer were lost on the network.
 */
void
mhd_ask_endpoint(exchange *talk)
{
	transport *self = talk->owner;
	watch_call call;
	size_t size;

	watch_begin(talk->phase == EXCHANGE_DECIDING ? self->pool : talk->server->pool, &call,
	            limen_activity_here());
	/* One that has waited has its claim. */
	if (deciding_waits(&talk->request) || claim_memory(talk))
		endpoint_answer(self->options.shared, &talk->request, &talk->response);
	else
		endpoint_fail(&talk->request, &talk->response, 503, limen_result_text(LIMEN_ENOMEM));
	watch_end(&call);
	if (deciding_waits(&talk->request))
		return;
	atomic_fetch_sub(&self->claimed, claim_of(talk));
	size = talk->response.body->len;
	talk->held = size;
	if (atomic_fetch_add(&self->held, size) + size <= self->bytes_max || size <= SMALL_ANSWER)
		return;
	atomic_fetch_sub(&self->held, size);
	talk->held = 0;
	/* The buffer is replaced to free its memory. */
	g_string_free(talk->response.body, TRUE);
	talk->response.body = g_string_new(NULL);
	http_fail(&talk->response, 503, "Too many large answers at once");
}

static void
count(const exchange *talk)
{
	metrics_count_response(talk->owner->options.metrics, talk->request.row,
	                       talk->response.status);
}

enum MHD_Result
mhd_answer(exchange *talk)
{
	/* Does the connection end with this answer? */
	bool ends = talk->client->linger || atomic_load(&talk->owner->stopped);
	struct MHD_Response *made = MHD_create_response_from_buffer(
		talk->response.body->len, talk->response.body->str, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result result = MHD_NO;

	count(talk);
	talk->phase = EXCHANGE_ANSWERED;
	if (made == NULL)
		return MHD_NO;
	/* HEAD counts as GET and gets no body. */
	talk->client->more = talk->request.method == HTTP_POST && talk->response.body->len > 0;
	client_enter(talk->client, CLIENT_WRITING);
	/* If a header cannot be added, no answer is sent: it could be misread without it. */
	if (each_header(talk, add_to_response, made) &&
	    add_to_response(made, MHD_HTTP_HEADER_CONNECTION, ends ? "close" : NULL))
		result = MHD_queue_response(talk->connection, (unsigned)talk->response.status, made);
	talk->client->more = talk->client->more && result == MHD_YES;
	MHD_destroy_response(made);
	return result;
}

static bool
add_to_text(void *to, const char *name, const char *value)
{
	if (value != NULL)
		print_append(to, "%s: %s\r\n", name, value);
	return true;
}

/* Sends without waiting; the rest is lost if the socket is full, as the client is at fault. */
static void
send_now(const exchange *talk, const char *text, size_t length)
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		talk->connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);

	if (info != NULL && info->tls_session != NULL) {
		gnutls_record_send(info->tls_session, text, length);
		return;
	}
	if (send(talk->client->fd, text, length, MSG_DONTWAIT | MSG_NOSIGNAL) == -1)
		errno = 0;
}

enum MHD_Result
mhd_cut_off(exchange *talk)
{
	GString *text = g_string_new(NULL);

	count(talk);
	print_append(text, "HTTP/1.1 %d %s\r\n", talk->response.status,
	             MHD_get_reason_phrase_for((unsigned)talk->response.status));
	each_header(talk, add_to_text, text);
	print_append(text, "Connection: close\r\nContent-Length: %zu\r\n\r\n",
	             talk->response.body->len);
	g_string_append_len(text, talk->response.body->str, (gssize)talk->response.body->len);
	send_now(talk, text->str, text->len);
	g_string_free(text, TRUE);
	talk->client->linger = true;
	talk->phase = EXCHANGE_ANSWERED;
	return MHD_NO;
}
