/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http.c - one fetch: sets the options of libcurl and reports the outcome.
 */
#include <limen/host.h>
#include <limen/version.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http_error.h"
#include "http_private.h"

enum {
	/* A module's fetches go to one or two servers. */
	CONNECTIONS_MAX = 2,
	MICROSECONDS_PER_MILLISECOND = 1000,
	NANOSECONDS_PER_MILLISECOND = 1000 * 1000
};

#define SET(handle, option, value) (curl_easy_setopt(handle, option, value) == CURLE_OK)

/* Never 0, which libcurl takes for "no limit". */
static long
to_milliseconds(int64_t time, int64_t units)
{
	int64_t whole = time / units + (time % units > 0 ? 1 : 0);

	if (whole < 1)
		return 1;
	return whole > LONG_MAX ? LONG_MAX : (long)whole;
}

typedef struct time_limit {
	long milliseconds; /* 0: without a limit, -1: there is no time left */
	bool is_deadline;  /* rather than the time-out */
} time_limit;

static time_limit
find_limit(const http_request *request)
{
	long limit = 0;
	int64_t left;
	long rest;

	if (request->timeout > 0)
		limit = to_milliseconds(request->timeout, MICROSECONDS_PER_MILLISECOND);
	if (request->deadline == INT64_MAX)
		return (time_limit){ limit, false };
	left = request->deadline - limen_host_monotonic();
	if (left <= 0)
		return (time_limit){ -1, true };
	rest = to_milliseconds(left, NANOSECONDS_PER_MILLISECOND);
	if (limit == 0 || rest <= limit)
		return (time_limit){ rest, true };
	return (time_limit){ limit, false };
}

/*
 * Redirects never lead to a file, and never from a verified server to an unverified
 * one: an attacker on the network path could answer for it.
 */
static bool
set_protocols(CURL *handle, const http_request *request)
{
	bool verified = http_url_has_scheme(request->url, "https") && !request->insecure;

	return SET(handle, CURLOPT_PROTOCOLS_STR,
	           request->allow_file ? "http,https,file" : "http,https") &&
	       SET(handle, CURLOPT_REDIR_PROTOCOLS_STR, verified ? "https" : "http,https") &&
	       SET(handle, CURLOPT_FOLLOWLOCATION, request->no_redirects ? 0L : 1L) &&
	       SET(handle, CURLOPT_MAXREDIRS, 10L);
}

/* libcurl only reads it. */
static bool
set_pem(CURL *handle, CURLoption option, const char *pem)
{
	struct curl_blob blob = { .data = (void *)(uintptr_t)pem,
		                  .len = strlen(pem),
		                  .flags = CURL_BLOB_NOCOPY };

	return SET(handle, option, &blob);
}

static bool
set_trust(CURL *handle, const http_request *request)
{
	if (!SET(handle, CURLOPT_SSL_VERIFYPEER, request->insecure ? 0L : 1L) ||
	    !SET(handle, CURLOPT_SSL_VERIFYHOST, request->insecure ? 0L : 2L))
		return false;
	if (request->certificate_pem != NULL &&
	    (!set_pem(handle, CURLOPT_SSLCERT_BLOB, request->certificate_pem) ||
	     !set_pem(handle, CURLOPT_SSLKEY_BLOB, request->key_pem)))
		return false;
	return request->ca_pem == NULL ||
	       (set_pem(handle, CURLOPT_CAINFO_BLOB, request->ca_pem) &&
	        SET(handle, CURLOPT_CAPATH, NULL));
}

/* A connection to a server is not for programs that the process may start. */
static curl_socket_t
open_socket(void *unused, curlsocktype purpose, struct curl_sockaddr *to)
{
	(void)unused;
	(void)purpose;
	return socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);
}

/*
 * Sets the proxy from the request alone: an empty one disables the proxies of the
 * environment, and no host bypasses a given one.  CURLOPT_QUICK_EXIT keeps a name server
 * that does not answer from holding the thread beyond the timeout: without it libcurl
 * waits for the thread that looks the name up.
 */
static bool
set_connection(CURL *handle, const http_request *request)
{
	if (!SET(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket))
		return false;
	return SET(handle, CURLOPT_NOSIGNAL, 1L) && SET(handle, CURLOPT_QUICK_EXIT, 1L) &&
	       SET(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1) &&
	       SET(handle, CURLOPT_PROXY, request->proxy == NULL ? "" : request->proxy) &&
	       SET(handle, CURLOPT_NOPROXY, "") && SET(handle, CURLOPT_INTERFACE, request->bind) &&
	       SET(handle, CURLOPT_UNIX_SOCKET_PATH, request->unix_path) &&
	       SET(handle, CURLOPT_MAXCONNECTS, (long)CONNECTIONS_MAX);
}

/* Reports a failure without an answer; pScheduler's programs see it as status 400. */
static void
fail_transport(http_answer *out, const char *why)
{
	out->status = 400;
	out->transport_failed = true;
	out->length = 0;
	out->body[0] = '\0';
	if (why != out->error)
		snprintf(out->error, sizeof(out->error), "%s", why);
}

static const char *
find_header(CURL *handle, const char *name)
{
	struct curl_header *header;

	if (curl_easy_header(handle, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
		return NULL;
	return header->value;
}

#define NO_END "The answer may be a part: it does not say how long it is"

static void
accept_answer(CURL *handle, const sink *from, http_answer *out)
{
	const char *coding = find_header(handle, "Transfer-Encoding");

	curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &out->status);
	out->error[0] = '\0';
	/* No header tells the end of the body.  A file has no status, and is whole. */
	if (from->request->whole_body && from->end != SINK_ENOUGH && out->status == 200 &&
	    find_header(handle, "Content-Length") == NULL &&
	    (coding == NULL || strcasestr(coding, "chunked") == NULL))
		fail_transport(out, NO_END);
	if (out->status == 0)
		out->status = 200;
}

static void
conclude(CURL *handle, CURLcode code, const sink *from, http_answer *out)
{
	bool explained;

	if ((code == CURLE_OK && !from->in_head) || from->end == SINK_ENOUGH) {
		accept_answer(handle, from, out);
		return;
	}
	explained = (code == CURLE_OK || from->end != SINK_OPEN) && http_sink_explain(from);
	if (!explained && out->error[0] == '\0')
		http_error_text(handle, code, out->error, sizeof(out->error));
	fail_transport(out, out->error);
}

/* Did the time run out before the name of the server was known? */
static bool
has_left_lookup(CURL *handle, CURLcode code)
{
	curl_off_t looked_up = 0;
	char *address = NULL;

	curl_easy_getinfo(handle, CURLINFO_NAMELOOKUP_TIME_T, &looked_up);
	curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address);
	return code == CURLE_OPERATION_TIMEDOUT && looked_up == 0 &&
	       (address == NULL || address[0] == '\0');
}

/* Skips a value that is too long or not printable: it becomes part of a request. */
static void
copy_validator(CURL *handle, const char *name, char out[HTTP_VALIDATOR_MAX])
{
	const char *value = find_header(handle, name);
	size_t length = value == NULL ? HTTP_VALIDATOR_MAX : strlen(value);

	if (length >= HTTP_VALIDATOR_MAX)
		return;
	for (size_t i = 0; i < length; i++)
		if (value[i] < ' ' || value[i] > '~')
			return;
	memcpy(out, value, length + 1);
}

static CURLcode
perform(http_client *client, CURL *handle)
{
	pipe_guard guard;
	CURLcode code;

	http_pipe_block(&guard);
	code = curl_easy_perform(handle);
	http_pipe_unblock(&guard);
	if (has_left_lookup(handle, code))
		http_pool_note_lookup(client);
	return code;
}

static bool
lacks_descriptors(void)
{
	int spare = eventfd(0, EFD_CLOEXEC);

	if (spare >= 0)
		close(spare);
	return spare < 0;
}

/* Reports how the transfer of 'to' ended. */
static int
report(sink *to, CURLcode code, const time_limit *limit, http_answer *out)
{
	if (code == CURLE_OUT_OF_MEMORY || to->end == SINK_NO_MEMORY)
		return LIMEN_ENOMEM;
	out->body = to->body.text;
	out->length = to->body.length;
	out->body[out->length] = '\0';
	to->body = (buffer){ .text = NULL };
	conclude(to->handle, code, to, out);
	out->late = out->transport_failed && code == CURLE_OPERATION_TIMEDOUT && limit->is_deadline;
	out->crowded = out->transport_failed && lacks_descriptors();
	copy_validator(to->handle, "ETag", out->etag);
	copy_validator(to->handle, "Last-Modified", out->modified);
	return LIMEN_OK;
}

/* libcurl takes Authorization and Cookie to no other server. */
static bool
set_headers(CURL *handle, const http_request *request, struct curl_slist **list)
{
	for (size_t i = 0; i < request->header_count; i++) {
		struct curl_slist *longer = curl_slist_append(*list, request->headers[i]);

		if (longer == NULL)
			return false;
		*list = longer;
	}
	if (request->post != NULL && !SET(handle, CURLOPT_POSTFIELDS, request->post))
		return false;
	return SET(handle, CURLOPT_USERAGENT, "limen/" LIMEN_VERSION) &&
	       SET(handle, CURLOPT_HTTPHEADER, *list);
}

static int
fetch(http_client *client, CURL *handle, const http_request *request, const time_limit *limit,
      http_answer *out)
{
	sink to = { .handle = handle, .request = request, .error = out->error };
	struct curl_slist *headers = NULL;
	int result = LIMEN_ENOMEM;

	if (http_sink_connect(&to) && http_url_use(handle, request->url) &&
	    SET(handle, CURLOPT_TIMEOUT_MS, limit->milliseconds) && set_protocols(handle, request) &&
	    set_trust(handle, request) && set_connection(handle, request) &&
	    set_headers(handle, request, &headers))
		result = report(&to, perform(client, handle), limit, out);
	buffer_clear(&to.body);
	curl_slist_free_all(headers);
	return result;
}

/* Says in one place what needs no connection to be known. */
static const char *
refuse_early(const http_request *request, const time_limit *limit)
{
	if (http_url_has_scheme(request->url, "gopher"))
		return "Gopher is not supported";
	/* libcurl opens and reads a file without a look at the time. */
	if (request->allow_file && http_url_has_scheme(request->url, "file") &&
	    http_url_is_special_file(request->url))
		return "It is not a regular file";
	return limit->milliseconds < 0 ? "The deadline of the decision has passed" : NULL;
}

/* Reports a failure before anything was sent. */
static int
answer_early(const char *why, http_answer *out)
{
	out->body = calloc(1, 1);
	if (out->body == NULL)
		return LIMEN_ENOMEM;
	fail_transport(out, why);
	return LIMEN_OK;
}

int
http_get(http_client *client, const http_request *request, http_answer *out)
{
	time_limit limit = find_limit(request);
	const char *refusal = refuse_early(request, &limit);
	char why[HTTP_ERROR_MAX];
	CURL *handle;
	int result;

	*out = (http_answer){ .status = 0, .late = refusal != NULL && limit.milliseconds < 0 };
	if (refusal != NULL)
		return answer_early(refusal, out);
	if (request->allowed != NULL && !http_url_allowed(request->url, request->allowed, why))
		return answer_early(why, out);
	out->crowded = !http_pool_may_look_up(client);
	if (out->crowded)
		return answer_early("Too many lookups of names are waiting", out);
	handle = http_pool_take(client);
	if (handle == NULL)
		return LIMEN_ENOMEM;
	result = fetch(client, handle, request, &limit, out);
	http_pool_give(client, handle);
	return result;
}

void
http_answer_clear(http_answer *out)
{
	free(out->body);
	*out = (http_answer){ .status = 0 };
}
