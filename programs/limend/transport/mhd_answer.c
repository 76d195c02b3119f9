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

/* Adds the header fields of all answers, but those of libmicrohttpd. */
static void
complete_fields(exchange *talk, bool ends)
{
	http_response *response = &talk->response;
	const char *methods =
		response->status == 405 ? allowed_methods(endpoint_of(&talk->request)) : NULL;
	char number[24];

	http_add_field(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
	if (response->content_type != NULL) {
		http_add_field(response, MHD_HTTP_HEADER_CONTENT_TYPE, response->content_type);
		http_add_field(response, "X-Content-Type-Options", "nosniff");
	}
	if (methods != NULL)
		http_add_field(response, MHD_HTTP_HEADER_ALLOW, methods);
	if (response->retry_after > 0) {
		g_snprintf(number, sizeof(number), "%" G_GINT64_FORMAT, response->retry_after);
		http_add_field(response, MHD_HTTP_HEADER_RETRY_AFTER, number);
	}
	if (ends)
		http_add_field(response, MHD_HTTP_HEADER_CONNECTION, "close");
}

/*
 * Sets the fields of an answer; 'last' (may be NULL) are those it has.  Returns false if it has
 * others, or memory is short.
 */
static bool
set_fields(struct MHD_Response *answer, const http_fields *last, const http_fields *fields)
{
	if (last != NULL && last->count != fields->count)
		return false;
	for (size_t i = 0; i < fields->count; i++) {
		const char *name = fields->names[i];
		const char *old = last == NULL ? NULL : http_value(last, i);

		if (old != NULL && last->names[i] != name)
			return false;
		if (old != NULL && strcmp(http_value(fields, i), old) == 0)
			continue;
		if (old != NULL)
			MHD_del_response_header(answer, name, old);
		/* Without one of its fields an answer could be misread, so it is not sent. */
		if (MHD_add_response_header(answer, name, http_value(fields, i)) != MHD_YES)
			return false;
	}
	return true;
}

void
mhd_wake_streams(transport *self)
{
	pthread_mutex_lock(&self->sleep_lock);
	for (guint i = 0; i < self->asleep->len; i++)
		MHD_resume_connection(((exchange *)g_ptr_array_index(self->asleep, i))->connection);
	g_ptr_array_set_size(self->asleep, 0);
	pthread_mutex_unlock(&self->sleep_lock);
}

/* Suspends the connection until mhd_wake_streams(); false if no stream is to go on. */
static bool
sleep_until_woken(exchange *talk)
{
	transport *self = talk->owner;
	bool stopped;

	pthread_mutex_lock(&self->sleep_lock);
	stopped = atomic_load(&self->stopped);
	if (!stopped) {
		g_ptr_array_add(self->asleep, talk);
		MHD_suspend_connection(talk->connection);
	}
	pthread_mutex_unlock(&self->sleep_lock);
	return !stopped;
}

/* Called by libmicrohttpd whenever the client can take more. */
static ssize_t
read_stream(void *data, uint64_t position, char *out, size_t most)
{
	exchange *talk = data;
	GString *body = talk->response.body;
	size_t length;

	(void)position;
	/* A client that takes nothing for as long as an answer may take is shut down. */
	client_enter(talk->client, CLIENT_WRITING);
	if (body->len == 0 && !talk->streamed)
		talk->streamed = !talk->response.stream->more(talk->response.stream, body);
	if (body->len == 0 && (talk->streamed || !sleep_until_woken(talk)))
		return MHD_CONTENT_READER_END_OF_STREAM;
	length = MIN(body->len, most);
	memcpy(out, body->str, length);
	g_string_erase(body, 0, (gssize)length);
	return (ssize_t)length;
}

static struct MHD_Response *
new_answer(exchange *talk)
{
	const GString *body = talk->response.body;

	if (talk->response.stream != NULL)
		return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read_stream, talk, NULL);
	return MHD_create_response_from_buffer(body->len, body->str, MHD_RESPMEM_PERSISTENT);
}

/*
 * Makes the answer.  One without a body is kept for the next request of the connection, whose
 * answer mostly differs in the value of a field or two.
 */
static bool
make_answer(exchange *talk)
{
	const GString *body = talk->response.body;
	http_fields *fields = talk->response.fields;
	bool good = talk->answer != NULL && body->len == 0 && talk->response.stream == NULL &&
	            set_fields(talk->answer, talk->answer_fields, fields);

	if (!good) {
		if (talk->answer != NULL)
			MHD_destroy_response(talk->answer);
		talk->answer = new_answer(talk);
		good = talk->answer != NULL && set_fields(talk->answer, NULL, fields);
	}
	talk->response.fields = talk->answer_fields;
	talk->answer_fields = fields;
	return good;
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

	return size == 0 || memory_has(atomic_fetch_add(&talk->owner->claimed, size) + size);
}

void
mhd_refuse(exchange *talk)
{
	deciding waited;

	endpoint_fail(&talk->request, &talk->response, 503, "Too many requests are being decided");
	if (!deciding_resumes(&talk->request, &waited))
		return;
	limen_pending_decide(talk->later.pending, NULL);
	talk->later.pending = NULL;
	deciding_clear(&waited);
	mhd_give_back(&talk->owner->claimed, claim_of(talk));
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
	mhd_give_back(&self->claimed, claim_of(talk));
	size = talk->response.body->len;
	talk->held = size;
	if (size == 0 || atomic_fetch_add(&self->held, size) + size <= self->bytes_max ||
	    size <= SMALL_ANSWER)
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
	enum MHD_Result result = MHD_NO;

	count(talk);
	talk->phase = EXCHANGE_ANSWERED;
	/* Does the connection end with this answer? */
	complete_fields(talk, talk->client->linger || atomic_load(&talk->owner->stopped));
	/* HEAD counts as GET and gets no body. */
	talk->client->more = talk->request.method == HTTP_POST && talk->response.body->len > 0;
	client_enter(talk->client, CLIENT_WRITING);
	if (make_answer(talk))
		result = MHD_queue_response(talk->connection, (unsigned)talk->response.status,
		                            talk->answer);
	talk->client->more = talk->client->more && result == MHD_YES;
	return result;
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
	const http_fields *fields;

	count(talk);
	print_append(text, "HTTP/1.1 %d %s\r\n", talk->response.status,
	             MHD_get_reason_phrase_for((unsigned)talk->response.status));
	complete_fields(talk, true);
	fields = talk->response.fields;
	for (size_t i = 0; i < fields->count; i++)
		print_append(text, "%s: %s\r\n", fields->names[i], http_value(fields, i));
	print_append(text, "Content-Length: %zu\r\n\r\n", talk->response.body->len);
	g_string_append_len(text, talk->response.body->str, (gssize)talk->response.body->len);
	send_now(talk, text->str, text->len);
	g_string_free(text, TRUE);
	talk->client->linger = true;
	talk->phase = EXCHANGE_ANSWERED;
	return MHD_NO;
}
