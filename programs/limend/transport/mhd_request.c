/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mhd_request.c - gathers the target, arguments and body of each request and limits the memory that
 * bodies take.  Answers quick requests on the connection's thread; passes requests that are large,
 * lengthy or may block to a worker.  A decision that waits for lookups has no thread and no place
 * among the workers, only its connection.
 */
#include <limen/host.h>
#include <string.h>

#include "base/memory.h"
#include "http/arguments.h"
#include "mhd.h"

/* Bodies up to this size do not count towards the limit; nearly all requests are smaller. */
#define SMALL_BODY ((size_t)64 << 10)

/* First size of the answer's buffer; most answers are smaller, so it is not reallocated. */
#define USUAL_ANSWER 1023

/* Larger bodies go to a worker: parsing one would delay other connections of the thread. */
#define LARGE_BODY ((size_t)256 << 10)

/*
 * Bodies with more commas than this, inside strings or not, go to a worker as well: deciding
 * about each value may take microseconds, and hundreds of bytes of the answer.
 */
#define LENGTHY_COMMAS 1000

/* Bytes counted together; must be at most 255, the largest count in a byte. */
#define BLOCK ((size_t)128)

static bool
is_garbled(const char *target)
{
	for (; *target != '\0'; target++)
		if (*target == ' ' || g_ascii_iscntrl(*target))
			return true;
	return false;
}

void *
mhd_begin(void *data, const char *target, struct MHD_Connection *connection)
{
	size_t length = strlen(target);
	exchange *made = g_malloc0(sizeof(*made) + length + 1);
	client *peer = mhd_client_of(connection);
	char *path = memcpy(made->target, target, length + 1);
	const char *rest = NULL;
	char *host;
	size_t row;

	made->server = data;
	made->owner = made->server->owner;
	made->connection = connection;
	made->client = peer;
	made->arguments = g_array_new(FALSE, FALSE, sizeof(http_pair));
	made->body = g_string_new(NULL);
	made->raw_target = target;
	made->target_length = length;
	made->garbled = is_garbled(target);
	host = query_take_authority(&path, peer->credentials != NULL);
	row = endpoint_row(path);
	if (row != HTTP_NO_ROW && endpoints[row].gate)
		rest = path + strlen(endpoints[row].path);
	else
		made->crowded = !query_split(path, made->arguments);
	made->request = (http_request){
		.path = rest == NULL ? path : endpoints[row].path,
		.rest = rest,
		.row = row,
		.host = host,
		.absolute = host != NULL,
		.arguments = { (const http_pair *)(void *)made->arguments->data,
		               made->arguments->len },
		.peer = { .address = peer->address, .local = peer->local,
		          .unix_socket = peer->unix_socket,
		          .tls = peer->credentials != NULL },
	};
	made->response = (http_response){ .status = 200, .content_type = "application/json",
		.body = g_string_sized_new(USUAL_ANSWER) };
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
	/* The client has left before its decision, which is made and recorded like all others. */
	if (deciding_waits(&one->request))
		mhd_ask_endpoint(one);
	client_enter(one->client, CLIENT_IDLE);
	atomic_fetch_sub(&one->owner->gathered, one->body->len);
	atomic_fetch_sub(&one->owner->held, one->held);
	http_response_clear(&one->response);
	g_array_free(one->arguments, TRUE);
	if (one->fields != NULL)
		g_array_free(one->fields, TRUE);
	g_string_free(one->body, TRUE);
	g_free(one);
}

static enum MHD_Result
begin_body(exchange *one, const char *method, const char *version)
{
	one->request.arrived = limen_host_monotonic();
	switch (mhd_check_head(one, method, version)) {
	case HEAD_GOOD:
		client_note_head(one->client);
		one->phase = EXCHANGE_BODY;
		return MHD_YES;
	case HEAD_REFUSED:
		client_note_head(one->client);
		one->phase = EXCHANGE_REFUSED;
		return MHD_YES;
	case HEAD_BROKEN:
	default:
		one->client->linger = true;
		return mhd_answer(one);
	}
}

/* A body of unknown length is refused when it has become too long. */
static enum MHD_Result
take_body(exchange *one, const char *upload, size_t *upload_size)
{
	transport *self = one->owner;
	size_t size = *upload_size;
	size_t most = mhd_body_max(one);

	*upload_size = 0;
	if (size > most - one->body->len) {
		http_fail(&one->response, 413, "The body has more than %zu bytes", most);
		return mhd_cut_off(one);
	}
	if (!memory_reserve(one->body, size)) {
		http_fail(&one->response, 503, "%s", limen_result_text(LIMEN_ENOMEM));
		return mhd_cut_off(one);
	}
	g_string_append_len(one->body, upload, (gssize)size);
	/*
	 * Small bodies are never refused: otherwise clients that send large bodies and never
	 * finish would lock out all others.
	 */
	if (atomic_fetch_add(&self->gathered, size) + size > self->bytes_max &&
	    one->body->len > SMALL_BODY) {
		http_fail(&one->response, 503, "Too many large requests at once");
		return mhd_cut_off(one);
	}
	return MHD_YES;
}

/*
 * Two events must happen before a waiting decision is resumed: the call of the endpoint returns,
 * and the wait ends.  The later one resumes it.
 */
enum { TURN_RETURNED = 1, TURN_ENDED = 2 };

static void decide(void *data);

static void
resume(exchange *one)
{
	workers *pool = one->owner->workers;
	work *place;

	watch_end(&one->wait);
	if (one->kind == WORK_QUICK &&
	    !limen_engine_begin_may_block(one->owner->options.engine)) {
		one->phase = EXCHANGE_RESUMED;
		MHD_resume_connection(one->connection);
		return;
	}
	place = workers_reserve(pool, one->kind, client_peer(one->client), one->again);
	if (place != NULL) {
		one->phase = EXCHANGE_DECIDING;
		workers_push(pool, place, decide, one);
		return;
	}
	mhd_refuse(one);
	one->phase = EXCHANGE_DECIDED;
	MHD_resume_connection(one->connection);
}

/* Any thread. */
static void
take_turn(exchange *one, unsigned turn)
{
	if (atomic_fetch_or(&one->turn, turn) != 0)
		resume(one);
}

static void
note_end(void *data)
{
	take_turn(data, TURN_ENDED);
}

/* Calls the endpoint; true if its decision waits: the exchange is then not this thread's any more. */
static bool
ask_or_wait(exchange *one, bool suspended)
{
	mhd_ask_endpoint(one);
	if (!deciding_waits(&one->request))
		return false;
	watch_begin(one->owner->waits, &one->wait, limen_pending_activity(one->later.pending));
	/* A decision on a worker has had its place. */
	one->again = suspended || atomic_load(&one->turn) == 0;
	one->phase = EXCHANGE_WAITING;
	if (!suspended)
		MHD_suspend_connection(one->connection);
	take_turn(one, TURN_RETURNED);
	return true;
}

/* Runs on a worker. */
static void
decide(void *data)
{
	exchange *one = data;

	if (ask_or_wait(one, true))
		return;
	if (one->body->len + one->held > LARGE_BODY)
		atomic_store(&one->owner->swollen, true);
	one->phase = EXCHANGE_DECIDED;
	MHD_resume_connection(one->connection);
}

/* Compilers vectorize this loop because its length is fixed. */
static unsigned
count_commas(const char block[BLOCK])
{
	unsigned char count = 0;

	for (size_t i = 0; i < BLOCK; i++)
		count = (unsigned char)(count + (block[i] == ','));
	return count;
}

static bool
has_many_values(const char *text, size_t length)
{
	size_t commas = 0;

	for (; length >= BLOCK; length -= BLOCK, text += BLOCK)
		commas += count_commas(text);
	for (; length > 0; length--, text++)
		commas += *text == ',';
	return commas > LENGTHY_COMMAS;
}

static work_kind
choose_kind(const exchange *one, const endpoint *target)
{
	if (!target->lengthy && !target->decides)
		return WORK_QUICK;
	if (one->body->len > LARGE_BODY)
		return WORK_LARGE;
	if (target->lengthy || has_many_values(one->body->str, one->body->len))
		return WORK_LENGTHY;
	return WORK_QUICK;
}

static enum MHD_Result
run(exchange *one)
{
	const endpoint *target = endpoint_of(&one->request);
	work *place;

	one->kind = choose_kind(one, target);
	one->later = (deferral){ .ended = note_end, .data = one,
		.apart = one->kind == WORK_QUICK && target->decides &&
		         limen_engine_begin_may_block(one->owner->options.engine) };
	one->request.deferral = &one->later;
	one->request.body = one->body->str;
	one->request.length = one->body->len;
	client_enter(one->client, CLIENT_BUSY);
	if (atomic_load(&one->owner->ending))
		return MHD_NO;
	if (one->kind == WORK_QUICK)
		return ask_or_wait(one, false) ? MHD_YES : mhd_answer(one);
	place = workers_reserve(one->owner->workers, one->kind, client_peer(one->client), false);
	if (place == NULL) {
		mhd_refuse(one);
		return mhd_answer(one);
	}
	one->phase = EXCHANGE_DECIDING;
	MHD_suspend_connection(one->connection);
	workers_push(one->owner->workers, place, decide, one);
	return MHD_YES;
}

/* Called when the body is complete. */
static enum MHD_Result
finish(exchange *one)
{
	/*
	 * libmicrohttpd may have parsed the Content-Length differently.  If it read another
	 * number of bytes, the connection ends, as the rest is no request.
	 */
	if (one->declared != UINT64_MAX && one->declared != one->body->len + one->discarded) {
		http_fail(&one->response, 400,
		          "The body has not as many bytes as Content-Length says");
		one->client->linger = true;
		return mhd_answer(one);
	}
	return one->phase == EXCHANGE_BODY ? run(one) : mhd_answer(one);
}

enum MHD_Result
mhd_handle(void *data, struct MHD_Connection *connection, const char *path, const char *method,
           const char *version, const char *upload, size_t *upload_size, void **context)
{
	exchange *one = *context;

	(void)data;
	(void)connection;
	(void)path;
	switch (one->phase) {
	case EXCHANGE_HEAD:
		return begin_body(one, method, version);
	case EXCHANGE_BODY:
		return *upload_size > 0 ? take_body(one, upload, upload_size) : finish(one);
	case EXCHANGE_REFUSED:
		if (*upload_size == 0)
			return finish(one);
		one->discarded += *upload_size;
		*upload_size = 0;
		return one->discarded > DISCARD_MAX ? mhd_cut_off(one) : MHD_YES;
	case EXCHANGE_RESUMED:
		mhd_ask_endpoint(one);
		return mhd_answer(one);
	case EXCHANGE_DECIDED:
		return mhd_answer(one);
	case EXCHANGE_DECIDING:
	case EXCHANGE_WAITING:
	case EXCHANGE_ANSWERED:
	default:
		return MHD_YES;
	}
}
