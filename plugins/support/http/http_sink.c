/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_sink.c - receives an answer: it stores the body and counts the bytes of
 * everything else, so that nothing grows beyond its bound.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "http_private.h"

enum {
	HEADERS_MAX = 64 * 1024 /* of all answers up to the last, redirects included */
};

/* Returns 0: libcurl ends the transfer if fewer bytes are taken than it offered. */
static size_t
end_transfer(sink *to, sink_end why)
{
	to->end = why;
	return 0;
}

static size_t
take_body(char *data, size_t unit, size_t count, void *user)
{
	sink *to = user;
	size_t size = unit * count; /* libcurl's unit is 1 */
	size_t left = to->request->max_body - to->body.length;
	size_t kept = size < left ? size : left;

	if (kept < size && !to->request->cut_body)
		return end_transfer(to, SINK_LONG_BODY);
	buffer_add(&to->body, data, kept);
	if (buffer_failed(&to->body))
		return end_transfer(to, SINK_NO_MEMORY);
	return kept < size ? end_transfer(to, SINK_ENOUGH) : size;
}

/*
 * Returns true if a redirect to 'place' is allowed.  libcurl follows it by itself; it resolves the
 * place with the same parser.
 */
static bool
may_follow(const sink *to, const char *place)
{
	CURLU *url = curl_url();
	char *base = NULL;
	bool good = url != NULL &&
	            curl_easy_getinfo(to->handle, CURLINFO_EFFECTIVE_URL, &base) == CURLE_OK &&
	            curl_url_set(url, CURLUPART_URL, base, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
	            curl_url_set(url, CURLUPART_URL, place, CURLU_NON_SUPPORT_SCHEME |
	                                                    CURLU_URLENCODE) == CURLUE_OK;

	if (!good)
		snprintf(to->error, HTTP_ERROR_MAX, "Redirected to what is not a URL");
	good = good && http_allowed_check(to->request->allowed, url, true, to->error);
	curl_url_cleanup(url);
	return good;
}

static bool
check_redirect(const sink *to, const char *line, size_t size)
{
	static const char name[] = "Location:";
	bool good;
	char *place;
	long status = 0;
	size_t start = sizeof(name) - 1;

	curl_easy_getinfo(to->handle, CURLINFO_RESPONSE_CODE, &status);
	if (to->request->allowed == NULL || to->request->no_redirects || status / 100 != 3 ||
	    size <= start || strncasecmp(line, name, start) != 0)
		return true;
	while (start < size && strchr(" \t", line[start]) != NULL)
		start++;
	while (size > start && strchr(" \t\r\n", line[size - 1]) != NULL)
		size--;
	if (size == start)
		return true;
	place = strndup(line + start, size - start);
	good = place != NULL && may_follow(to, place);
	free(place);
	return good;
}

static size_t
take_header(char *data, size_t unit, size_t count, void *user)
{
	sink *to = user;
	size_t size = unit * count;

	if (size > HEADERS_MAX - to->header_bytes)
		return end_transfer(to, SINK_LONG_HEADERS);
	to->header_bytes += size;
	/* Trailers come here too, but they do not begin with a status line. */
	if (size > 5 && memcmp(data, "HTTP/", 5) == 0 && to->in_head)
		return end_transfer(to, SINK_HALF_HEADERS); /* of a redirect, which libcurl follows */
	if (size > 5 && memcmp(data, "HTTP/", 5) == 0)
		to->in_head = true;
	else if (size > 0 && (data[0] == '\r' || data[0] == '\n'))
		to->in_head = false;
	return check_redirect(to, data, size) ? size : end_transfer(to, SINK_REFUSED);
}

/*
 * Called about once a second at least.  The bodies of redirects are not given
 * to take_body(), but they count here.
 */
static int
watch(void *user, curl_off_t total, curl_off_t received, curl_off_t to_send, curl_off_t sent)
{
	sink *to = user;
	const http_request *request = to->request;

	(void)total;
	(void)to_send;
	(void)sent;
	if (request->stop != NULL && request->stop(request->stop_data))
		to->end = SINK_STOPPED;
	else if (received > 0 && (size_t)received > request->max_body)
		to->end = request->cut_body ? SINK_ENOUGH : SINK_LONG_BODY;
	return to->end != SINK_OPEN;
}

bool
http_sink_connect(sink *to)
{
	CURL *handle = to->handle;

	/* An answer without a body has an empty one. */
	buffer_add(&to->body, "", 0);
	return !buffer_failed(&to->body) &&
	       curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_WRITEDATA, to) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_HEADERDATA, to) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, watch) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_XFERINFODATA, to) == CURLE_OK &&
	       curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L) == CURLE_OK;
}

bool
http_sink_explain(const sink *from)
{
	char *out = from->error;

	switch (from->end) {
	case SINK_REFUSED:
		return true;
	case SINK_LONG_BODY:
		snprintf(out, HTTP_ERROR_MAX, "The answer is longer than %zu bytes",
		         from->request->max_body);
		return true;
	case SINK_LONG_HEADERS:
		snprintf(out, HTTP_ERROR_MAX, "The answer has more than %d bytes of headers",
		         HEADERS_MAX);
		return true;
	case SINK_STOPPED:
		snprintf(out, HTTP_ERROR_MAX, "Stopped");
		return true;
	default:
		/* libcurl accepts an answer whose connection closes within the headers. */
		if (from->in_head)
			snprintf(out, HTTP_ERROR_MAX, "The answer ends within its headers");
		return from->in_head;
	}
}
