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
each_header(const exchange *one, header_adder *add, void *to)
{
	const http_response *response = &one->response;
	const char *methods =
		response->status == 405 ? allowed_methods(endpoint_of(&one->request)) : NULL;
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
claim_of(const exchange *one)
{
	size_t length = one->request.length;

	return length > SMALL_ANSWER ? MIN(length, CLAIM_MAX / GROWTH) * GROWTH : 0;
}

/* Is there memory for the answer, and for all others that are being made or wait? */
static bool
claim_memory(exchange *one)
{
	size_t size = claim_of(one);
	size_t all = atomic_fetch_add(&one->owner->claimed, size) + size;

	return size == 0 || memory_has(all);
}

void
mhd_refuse(exchange *one)
{
	question waited;

	endpoint_fail(&one->request, &one->response, 503, "Too many requests are being decided");
	if (!deciding_resumes(&one->request, &waited))
		return;
	limen_pending_decide(one->later.pending, NULL);
	one->later.pending = NULL;
	question_clear(&waited);
	atomic_fetch_sub(&one->owner->claimed, claim_of(one));
}

/*
 * Counts an answer as in memory until its client has read it.  A large answer beyond the limit
 * becomes a 503; its decision stays charged, as if the answer were lost on the network.
 */
void
mhd_ask_endpoint(exchange *one)
{
	transport *self = one->owner;
	watch_call call;
	size_t size;

	watch_begin(one->phase == EXCHANGE_DECIDING ? self->pool : one->server->pool, &call,
	            limen_activity_here());
	/* One that has waited has its claim. */
	if (deciding_waits(&one->request) || claim_memory(one))
		endpoint_answer(self->options.shared, &one->request, &one->response);
	else
		endpoint_fail(&one->request, &one->response, 503, limen_result_text(LIMEN_ENOMEM));
	watch_end(&call);
	if (deciding_waits(&one->request))
		return;
	atomic_fetch_sub(&self->claimed, claim_of(one));
	size = one->response.body->len;
	one->held = size;
	if (atomic_fetch_add(&self->held, size) + size <= self->bytes_max || size <= SMALL_ANSWER)
		return;
	atomic_fetch_sub(&self->held, size);
	one->held = 0;
	/* The buffer is replaced to free its memory. */
	g_string_free(one->response.body, TRUE);
	one->response.body = g_string_new(NULL);
	http_fail(&one->response, 503, "Too many large answers at once");
}

static void
count(const exchange *one)
{
	metrics_count_response(one->owner->options.metrics, one->request.row,
	                       one->response.status);
}

enum MHD_Result
mhd_answer(exchange *one)
{
	/* Does the connection end with this answer? */
	bool ends = one->client->linger || atomic_load(&one->owner->stopped);
	struct MHD_Response *made = MHD_create_response_from_buffer(
		one->response.body->len, one->response.body->str, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result result = MHD_NO;

	count(one);
	one->phase = EXCHANGE_ANSWERED;
	if (made == NULL)
		return MHD_NO;
	/* HEAD counts as GET and gets no body. */
	one->client->more = one->request.method == HTTP_POST && one->response.body->len > 0;
	client_enter(one->client, CLIENT_WRITING);
	/* If a header cannot be added, no answer is sent: it could be misread without it. */
	if (each_header(one, add_to_response, made) &&
	    add_to_response(made, MHD_HTTP_HEADER_CONNECTION, ends ? "close" : NULL))
		result = MHD_queue_response(one->connection, (unsigned)one->response.status, made);
	one->client->more = one->client->more && result == MHD_YES;
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
	print_append(text, "HTTP/1.1 %d %s\r\n", one->response.status,
	             MHD_get_reason_phrase_for((unsigned)one->response.status));
	each_header(one, add_to_text, text);
	print_append(text, "Connection: close\r\nContent-Length: %zu\r\n\r\n",
	             one->response.body->len);
	g_string_append_len(text, one->response.body->str, (gssize)one->response.body->len);
	send_now(one, text->str, text->len);
	g_string_free(text, TRUE);
	one->client->linger = true;
	one->phase = EXCHANGE_ANSWERED;
	return MHD_NO;
}
