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

/* Larger buffers are not kept for the next request. */
#define KEPT_MAX ((size_t)4 << 10)

/* First size of the list of header fields; most requests have fewer. */
#define FIELDS_USUAL 24

static exchange *
new_exchange(void)
{
	exchange *talk = g_new0(exchange, 1);

	talk->arguments = g_array_new(FALSE, FALSE, sizeof(http_pair));
	talk->fields = g_array_sized_new(FALSE, FALSE, sizeof(http_pair), FIELDS_USUAL);
	talk->body = g_string_new(NULL);
	talk->target = g_string_new(NULL);
	talk->response.body = g_string_sized_new(USUAL_ANSWER);
	return talk;
}

void
mhd_exchange_free(exchange *talk)
{
	if (talk == NULL)
		return;
	if (talk->answer != NULL)
		MHD_destroy_response(talk->answer);
	http_response_clear(&talk->response);
	g_array_free(talk->arguments, TRUE);
	g_array_free(talk->fields, TRUE);
	g_string_free(talk->body, TRUE);
	g_string_free(talk->target, TRUE);
	http_fields_free(talk->answer_fields);
	g_free(talk);
}

/* Empties a buffer for the next request. */
static void
empty(GString **text)
{
	if ((*text)->allocated_len <= KEPT_MAX) {
		g_string_truncate(*text, 0);
		return;
	}
	g_string_free(*text, TRUE);
	*text = g_string_new(NULL);
}

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
	client *peer = mhd_client_of(connection);
	exchange *talk = peer->kept == NULL ? new_exchange() : peer->kept;
	const server *from = data;
	char *path = g_string_append(talk->target, target)->str;
	const char *rest = NULL;
	char *host;
	size_t row;

	peer->kept = NULL;
	*talk = (exchange){
		.server = from, .owner = from->owner, .connection = connection, .client = peer,
		.arguments = talk->arguments, .fields = talk->fields, .body = talk->body,
		.target = talk->target, .answer = talk->answer, .answer_fields = talk->answer_fields,
		.raw_target = target, .target_length = talk->target->len,
		.garbled = is_garbled(target),
		.response = { .status = 200, .content_type = "application/json",
		              .body = talk->response.body, .fields = talk->response.fields },
	};
	host = query_take_authority(&path, peer->credentials != NULL);
	row = endpoint_row(path);
	if (row != HTTP_NO_ROW && endpoints[row].gate)
		rest = path + strlen(endpoints[row].path);
	else
		talk->crowded = !query_split(path, talk->arguments);
	talk->request = (http_request){
		.path = rest == NULL ? path : endpoints[row].path,
		.rest = rest,
		.row = row,
		.host = host,
		.absolute = host != NULL,
		.arguments = { (const http_pair *)(void *)talk->arguments->data,
		               talk->arguments->len },
		.peer = { .address = peer->address, .local = peer->local,
		          .unix_socket = peer->unix_socket,
		          .tls = peer->credentials != NULL },
	};
	client_enter(talk->client, CLIENT_READING);
	return talk;
}

void
mhd_end(void *data, struct MHD_Connection *connection, void **context,
        enum MHD_RequestTerminationCode why)
{
	exchange *talk = *context;

	(void)data;
	(void)connection;
	(void)why;
	if (talk == NULL)
		return;
	*context = NULL;
	/* The client has left before its decision, which is made and recorded like all others. */
	if (deciding_waits(&talk->request))
		mhd_ask_endpoint(talk);
	/* libmicrohttpd has refused its head, of which more may arrive, or the client has left. */
	talk->client->linger = talk->client->linger || talk->phase == EXCHANGE_HEAD;
	client_enter(talk->client, CLIENT_IDLE);
	mhd_give_back(&talk->owner->gathered, talk->body->len);
	mhd_give_back(&talk->owner->held, talk->held);
	if (talk->answer != NULL &&
	    (talk->response.body->len > 0 || talk->response.stream != NULL))
		g_clear_pointer(&talk->answer, MHD_destroy_response);
	if (talk->response.stream != NULL)
		talk->response.stream->end(talk->response.stream);
	talk->response.stream = NULL;
	g_array_set_size(talk->arguments, 0);
	g_array_set_size(talk->fields, 0);
	empty(&talk->body);
	empty(&talk->target);
	empty(&talk->response.body);
	if (talk->response.fields != NULL) {
		empty(&talk->response.fields->values);
		talk->response.fields->count = 0;
	}
	talk->client->kept = talk;
}

static enum MHD_Result
begin_body(exchange *talk, const char *method, const char *version)
{
	talk->request.arrived = limen_host_monotonic();
	switch (mhd_check_head(talk, method, version)) {
	case HEAD_GOOD:
		client_enter(talk->client, CLIENT_BODY);
		talk->phase = EXCHANGE_BODY;
		return MHD_YES;
	case HEAD_REFUSED:
		client_enter(talk->client, CLIENT_BODY);
		talk->phase = EXCHANGE_REFUSED;
		return MHD_YES;
	case HEAD_BROKEN:
	default:
		talk->client->linger = true;
		return mhd_answer(talk);
	}
}

/* A body of unknown length is refused when it has become too long. */
static bool
take_body(exchange *talk, const char *upload, size_t size, fault *why)
{
	transport *self = talk->owner;
	size_t most = mhd_body_max(talk);

	if (size > most - talk->body->len)
		return fault_set(why, 413, "The body has more than %zu bytes", most);
	if (!memory_reserve(talk->body, size))
		return fault_memory(why);
	g_string_append_len(talk->body, upload, (gssize)size);
	/*
	 * Small bodies are never refused: otherwise clients that send large bodies and never
	 * finish would lock out all others.
	 */
	if (atomic_fetch_add(&self->gathered, size) + size > self->bytes_max &&
	    talk->body->len > SMALL_BODY)
		return fault_set(why, 503, "Too many large requests at once");
	return true;
}

static enum MHD_Result
take_or_refuse(exchange *talk, const char *upload, size_t *upload_size)
{
	g_auto(fault) why = { .status = 0 };
	size_t size = *upload_size;

	*upload_size = 0;
	if (take_body(talk, upload, size, &why))
		return MHD_YES;
	endpoint_fail(&talk->request, &talk->response, why.status, why.text);
	return mhd_cut_off(talk);
}

/*
 * Two events must happen before a waiting decision is resumed: the call of the endpoint returns,
 * and the wait ends.  The later one resumes it.
 */
enum { TURN_RETURNED = 1, TURN_ENDED = 2 };

static void decide(void *data);

static void
resume(exchange *talk)
{
	workers *pool = talk->owner->workers;
	work *place;

	watch_end(&talk->wait);
	/* Its policy may have been replaced meanwhile. */
	if (talk->kind == WORK_QUICK && !talk->later.apart &&
	    !limen_engine_begin_may_block(talk->owner->options.engine)) {
		talk->phase = EXCHANGE_RESUMED;
		MHD_resume_connection(talk->connection);
		return;
	}
	place = workers_reserve(pool, talk->kind, client_peer(talk->client), talk->again);
	if (place != NULL) {
		talk->phase = EXCHANGE_DECIDING;
		workers_push(pool, place, decide, talk);
		return;
	}
	mhd_refuse(talk);
	talk->phase = EXCHANGE_DECIDED;
	MHD_resume_connection(talk->connection);
}

/* Any thread. */
static void
take_turn(exchange *talk, unsigned turn)
{
	if (atomic_fetch_or(&talk->turn, turn) != 0)
		resume(talk);
}

static void
note_end(void *data)
{
	take_turn(data, TURN_ENDED);
}

/* Calls the endpoint; true if its decision waits: the exchange is then not this thread's any more. */
static bool
ask_or_wait(exchange *talk, bool suspended)
{
	mhd_ask_endpoint(talk);
	if (!deciding_waits(&talk->request))
		return false;
	watch_begin(talk->owner->waits, &talk->wait, limen_pending_activity(talk->later.pending));
	/* A decision on a worker has had its place. */
	talk->again = suspended || atomic_load(&talk->turn) == 0;
	talk->phase = EXCHANGE_WAITING;
	if (!suspended)
		MHD_suspend_connection(talk->connection);
	take_turn(talk, TURN_RETURNED);
	return true;
}

/* Runs on a worker. */
static void
decide(void *data)
{
	exchange *talk = data;

	if (ask_or_wait(talk, true))
		return;
	if (talk->body->len + talk->held > LARGE_BODY)
		atomic_store(&talk->owner->swollen, true);
	talk->phase = EXCHANGE_DECIDED;
	MHD_resume_connection(talk->connection);
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
choose_kind(const exchange *talk, const endpoint *target)
{
	if (!target->lengthy && !target->decides)
		return WORK_QUICK;
	if (talk->body->len > LARGE_BODY)
		return WORK_LARGE;
	if (target->lengthy || has_many_values(talk->body->str, talk->body->len))
		return WORK_LENGTHY;
	return WORK_QUICK;
}

static enum MHD_Result
run(exchange *talk)
{
	const endpoint *target = endpoint_of(&talk->request);
	work *place;

	talk->kind = choose_kind(talk, target);
	talk->later = (deferral){ .ended = note_end, .data = talk,
		.apart = talk->kind == WORK_QUICK && target->decides &&
		         limen_engine_begin_may_block(talk->owner->options.engine) };
	talk->request.deferral = &talk->later;
	talk->request.body = talk->body->str;
	talk->request.length = talk->body->len;
	client_enter(talk->client, CLIENT_BUSY);
	if (atomic_load(&talk->owner->ending))
		return MHD_NO;
	if (talk->kind == WORK_QUICK)
		return ask_or_wait(talk, false) ? MHD_YES : mhd_answer(talk);
	place = workers_reserve(talk->owner->workers, talk->kind, client_peer(talk->client), false);
	if (place == NULL) {
		mhd_refuse(talk);
		return mhd_answer(talk);
	}
	talk->phase = EXCHANGE_DECIDING;
	MHD_suspend_connection(talk->connection);
	workers_push(talk->owner->workers, place, decide, talk);
	return MHD_YES;
}

/* Called when the body is complete. */
static enum MHD_Result
finish(exchange *talk)
{
	/*
	 * libmicrohttpd may have parsed the Content-Length differently.  If it read another
	 * number of bytes, the connection ends, as the rest is no request.
	 */
	if (talk->declared != UINT64_MAX && talk->declared != talk->body->len + talk->discarded) {
		endpoint_fail(&talk->request, &talk->response, 400,
		              "The body has not as many bytes as Content-Length says");
		talk->client->linger = true;
		return mhd_answer(talk);
	}
	return talk->phase == EXCHANGE_BODY ? run(talk) : mhd_answer(talk);
}

enum MHD_Result
mhd_handle(void *data, struct MHD_Connection *connection, const char *path, const char *method,
           const char *version, const char *upload, size_t *upload_size, void **context)
{
	exchange *talk = *context;

	(void)data;
	(void)connection;
	(void)path;
	switch (talk->phase) {
	case EXCHANGE_HEAD:
		return begin_body(talk, method, version);
	case EXCHANGE_BODY:
		return *upload_size > 0 ? take_or_refuse(talk, upload, upload_size) : finish(talk);
	case EXCHANGE_REFUSED:
		if (*upload_size == 0)
			return finish(talk);
		talk->discarded += *upload_size;
		*upload_size = 0;
		return talk->discarded > DISCARD_MAX ? mhd_cut_off(talk) : MHD_YES;
	case EXCHANGE_RESUMED:
		mhd_ask_endpoint(talk);
		return mhd_answer(talk);
	case EXCHANGE_DECIDED:
		return mhd_answer(talk);
	case EXCHANGE_DECIDING:
	case EXCHANGE_WAITING:
	case EXCHANGE_ANSWERED:
	default:
		return MHD_YES;
	}
}
