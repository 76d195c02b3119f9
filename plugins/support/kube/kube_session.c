/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kube_session.c - sets up the options of libcurl and runs the transfer loop.
 *
 * The loop sleeps until there is something to read or to stop, for a second at most.
 * Then it checks the timeouts of the server.
 */
#include "kube_session.h"

#include <limen/host.h>
#include <limen/version.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../http/http_error.h"

enum {
	HEADERS_MAX = 64 * 1024,
	ERROR_BODY_MAX = 64 * 1024, /* of an answer that is no success */
	NAP_MS = 1000,
	/* A connection whose other end is gone is given up within a minute. */
	KEEPALIVE_IDLE = 30,
	KEEPALIVE_INTERVAL = 10,
	KEEPALIVE_COUNT = 3,
	UNACKNOWLEDGED_MS = 30000
};

#define SET(handle, option, value) (curl_easy_setopt(handle, option, value) == CURLE_OK)

/* One request under way. */
typedef struct transfer {
	const kube_watch *watch;
	const kube_request *request;
	kube_answer *answer;
	CURL *handle;
	kube_lines lines;
	size_t header_bytes;
	int64_t began; /* limen_host_monotonic() */
	bool ended;    /* by us, because of 'end' */
	kube_end end;
} transfer;

bool
kube_session_open(kube_session *session, const kube_watch *watch)
{
	*session = (kube_session){ .watch = watch };
	/* The first handle starts libcurl, which others in the process may use, too. */
	session->easy = curl_easy_init();
	session->multi = curl_multi_init();
	if (session->multi != NULL && session->easy != NULL)
		return true;
	kube_session_close(session);
	return false;
}

void
kube_session_close(kube_session *session)
{
	curl_easy_cleanup(session->easy);
	curl_multi_cleanup(session->multi);
	*session = (kube_session){ .watch = NULL };
}

void
kube_answer_clear(kube_answer *answer)
{
	buffer_clear(&answer->body);
	*answer = (kube_answer){ .status = 0 };
}

/* ---- receiving ---- */

/* Ends a transfer with an error. */
#define fail(item, ...) \
	(kube_text_fail((item)->answer->error, __VA_ARGS__), (item)->ended = true, \
	 (void)((item)->end = KUBE_FAILED))

static void
keep_body(transfer *item, const char *bytes, size_t size)
{
	kube_answer *answer = item->answer;

	answer->body.max = answer->status == 200 ? item->request->max : ERROR_BODY_MAX;
	buffer_add(&answer->body, bytes, size);
	if (answer->body.too_long) {
		fail(item, "the answer is longer than %zu bytes", answer->body.max);
		answer->too_long = answer->status == 200;
	} else if (answer->body.no_memory) {
		fail(item, "%s", limen_result_text(LIMEN_ENOMEM));
	}
}

static void
cut_lines(transfer *item, const char *bytes, size_t size)
{
	const kube_request *request = item->request;

	switch (kube_lines_add(&item->lines, bytes, size, request->line, request->data)) {
	case KUBE_LINES_LONG:
		fail(item, "an event is longer than %zu bytes", request->max);
		break;
	case KUBE_LINES_NO_MEMORY:
		fail(item, "%s", limen_result_text(LIMEN_ENOMEM));
		break;
	case KUBE_LINES_ENDED:
		item->ended = true;
		item->end = KUBE_ENDED;
		break;
	default:
		break;
	}
}

/* Returns fewer bytes than libcurl offered to end the transfer. */
static size_t
take_body(char *bytes, size_t unit, size_t count, void *user)
{
	transfer *item = user;
	size_t size = unit * count; /* libcurl's unit is 1 */

	if (item->request->line != NULL && item->answer->status == 200)
		cut_lines(item, bytes, size);
	else
		keep_body(item, bytes, size);
	return item->ended ? 0 : size;
}

/* An answer of 100 to 199 is followed by the real one. */
static void
note_head(transfer *item)
{
	long status = 0;

	curl_easy_getinfo(item->handle, CURLINFO_RESPONSE_CODE, &status);
	if (status < 200 || item->answer->status != 0)
		return;
	item->answer->status = status;
	if (status == 200 && item->request->head != NULL)
		item->request->head(item->request->data);
}

static size_t
take_header(char *bytes, size_t unit, size_t count, void *user)
{
	transfer *item = user;
	size_t size = unit * count;

	if (size > HEADERS_MAX - item->header_bytes) {
		fail(item, "the answer has more than %d bytes of headers", HEADERS_MAX);
		return 0;
	}
	item->header_bytes += size;
	if (size > 0 && (bytes[0] == '\r' || bytes[0] == '\n'))
		note_head(item);
	return size;
}

/* ---- options of libcurl ---- */

/* Keeps what the system has by itself if it refuses. */
static int
set_socket(void *user, curl_socket_t fd, curlsocktype purpose)
{
	static const int count = KEEPALIVE_COUNT;
	static const int patience = UNACKNOWLEDGED_MS;

	(void)user;
	(void)purpose;
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof patience);
	return CURL_SOCKOPT_OK;
}

static long
to_milliseconds(limen_duration time)
{
	limen_duration whole = time / 1000;

	if (whole < 1)
		return 1;
	return whole > LONG_MAX ? LONG_MAX : (long)whole;
}
static bool
set_socket_options(CURL *handle)
{
	return SET(handle, CURLOPT_TCP_KEEPALIVE, 1L) &&
	       SET(handle, CURLOPT_TCP_KEEPIDLE, (long)KEEPALIVE_IDLE) &&
	       SET(handle, CURLOPT_TCP_KEEPINTVL, (long)KEEPALIVE_INTERVAL) &&
	       SET(handle, CURLOPT_SOCKOPTFUNCTION, set_socket);
}

/* Ignores the proxies of the environment: an empty proxy is none (client-go). */
static bool
set_connection(transfer *item, const kube_target *target)
{
	CURL *handle = item->handle;

	return SET(handle, CURLOPT_NOSIGNAL, 1L) && SET(handle, CURLOPT_QUICK_EXIT, 1L) &&
	       SET(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) &&
	       SET(handle, CURLOPT_PROTOCOLS_STR, "http,https") &&
	       SET(handle, CURLOPT_FOLLOWLOCATION, 0L) &&
	       SET(handle, CURLOPT_PROXY, target->proxy == NULL ? "" : target->proxy) &&
	       SET(handle, CURLOPT_NOPROXY, "") &&
	       SET(handle, CURLOPT_CONNECTTIMEOUT_MS,
	           to_milliseconds(item->watch->times->connect)) &&
	       SET(handle, CURLOPT_TIMEOUT_MS, to_milliseconds(item->request->timeout)) &&
	       set_socket_options(handle) && SET(handle, CURLOPT_USERAGENT, "limen/" LIMEN_VERSION);
}

static bool
set_request(transfer *item)
{
	CURL *handle = item->handle;
	char *url = NULL;
	bool set;

	if (asprintf(&url, "%s%s", item->watch->target->server, item->request->path) < 0)
		return false;
	set = SET(handle, CURLOPT_URL, url) && SET(handle, CURLOPT_WRITEFUNCTION, take_body) &&
	      SET(handle, CURLOPT_WRITEDATA, item) &&
	      SET(handle, CURLOPT_HEADERFUNCTION, take_header) && SET(handle, CURLOPT_HEADERDATA, item);
	free(url);
	return set;
}

/* ---- the loop ---- */

/* Ends a transfer at a timeout, when limen stops, or when 'pause' returns false. */
static void
check_progress(transfer *item)
{
	const kube_times *times = item->watch->times;
	int64_t now = limen_host_monotonic();

	if (item->ended)
		return;
	if (item->watch->listener.stopping(item->watch->listener.data)) {
		item->ended = true;
		item->end = KUBE_STOPPED;
	} else if (item->answer->status == 0 && (now - item->began) / 1000 > times->answer) {
		fail(item, "the server does not answer");
	} else if (item->lines.text.length > 0 && (now - item->lines.since) / 1000 > times->line) {
		fail(item, "the server does not finish an event");
	} else if (item->request->pause != NULL && !item->request->pause(item->request->data)) {
		item->ended = true;
		item->end = KUBE_ENDED;
	}
}

static void
move_bytes(kube_session *session, transfer *item)
{
	struct curl_waitfd stop = { .fd = session->watch->stop_fd, .events = CURL_WAIT_POLLIN };
	unsigned stops = stop.fd < 0 ? 0 : 1;
	const kube_times *times = session->watch->times;
	limen_duration nap = times->line < times->answer ? times->line : times->answer;
	int running = 1;

	/* No longer than the shortest timeout: tests use short ones. */
	nap = nap / 1000 < NAP_MS ? nap / 1000 + 1 : NAP_MS;

	while (running > 0 && !item->ended) {
		CURLMcode code = curl_multi_perform(session->multi, &running);

		check_progress(item);
		if (code == CURLM_OK && running > 0 && !item->ended)
			code = curl_multi_poll(session->multi, &stop, stops, (int)nap, NULL);
		if (code != CURLM_OK && !item->ended)
			fail(item, "%s", curl_multi_strerror(code));
	}
}

/* Sets the outcome of a transfer that limen itself has not ended. */
static void
conclude(kube_session *session, transfer *item)
{
	int left;
	CURLMsg *message = curl_multi_info_read(session->multi, &left);
	CURLcode code = message == NULL ? CURLE_FAILED_INIT : message->data.result;

	if (item->ended)
		return;
	item->end = code == CURLE_OK ? KUBE_DONE : KUBE_FAILED;
	if (code != CURLE_OK)
		http_error_text(item->handle, code, item->answer->error, sizeof item->answer->error);
	else if (item->answer->status == 0)
		fail(item, "the answer ends within its headers");
	else if (item->lines.text.length > 0)
		fail(item, "the answer ends within an event");
}
static void
perform(kube_session *session, transfer *item)
{
	curl_off_t seconds = 0;

	if (curl_multi_add_handle(session->multi, item->handle) != CURLM_OK) {
		fail(item, "%s", limen_result_text(LIMEN_ENOMEM));
		return;
	}
	move_bytes(session, item);
	conclude(session, item);
	curl_easy_getinfo(item->handle, CURLINFO_RETRY_AFTER, &seconds);
	if (seconds > 0 && seconds < 86400)
		item->answer->retry_after = seconds * LIMEN_SECOND;
	curl_multi_remove_handle(session->multi, item->handle);
}

kube_end
kube_session_get(kube_session *session, const kube_request *request, kube_answer *out)
{
	const kube_target *target = session->watch->target;
	kube_identity identity;
	transfer item = {
		.watch = session->watch,
		.request = request,
		.answer = out,
		.handle = session->easy,
		.lines = { .text = { .max = request->max } },
		.began = limen_host_monotonic(),
	};

	*out = (kube_answer){ .status = 0 };
	if (!kube_identity_read(target, &identity, out->error))
		return KUBE_FAILED;
	curl_easy_reset(session->easy);
	if (set_connection(&item, target) && set_request(&item) &&
	    kube_identity_set(target, &identity, session->easy))
		perform(session, &item);
	else
		fail(&item, "%s", limen_result_text(LIMEN_ENOMEM));
	/* The handle points to memory that is freed here. */
	curl_easy_reset(session->easy);
	kube_identity_clear(&identity);
	kube_lines_clear(&item.lines);
	return item.end;
}
