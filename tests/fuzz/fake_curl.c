/* SPDX-License-Identifier: Apache-2.0 */
#define CURL_DISABLE_TYPECHECK
#include "fake_curl.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { VALUE_MAX = 1000, SHORT_MAX = 16 };

fake_server fake_curl;

/* What a CURL and a CURLM are here: there is one transfer at a time. */
typedef struct transfer {
	curl_write_callback body;
	curl_write_callback head;
	curl_xferinfo_callback progress;
	void *body_data;
	void *head_data;
	void *progress_data;
	char *url;

	fake_answer answer;
	const char *at; /* what has not come yet */
	size_t left;
	curl_off_t received;
	bool begun;
	bool in_body;
	bool ended;
	CURLcode code;
	long status;
	long redirects;
	const char *last_head;
	struct curl_header found;
	char value[VALUE_MAX];
} transfer;

static transfer *running; /* with the multi interface */

/* ---- what a server sends ---- */

static void
end(transfer *one, CURLcode code)
{
	one->ended = true;
	one->code = code;
}

/*
 * Callbacks may write to what they are given, and not behind it.  There are very many short
 * pieces, each of which ends where what belongs to nobody begins.
 */
static void
give(transfer *one, curl_write_callback take, void *data, const char *bytes, size_t length)
{
	static char brief[SHORT_MAX];
	char *copy = length > sizeof brief ? malloc(length) : NULL;
	char *at = copy == NULL ? brief + sizeof brief - length : copy;

	if (copy == NULL && length > sizeof brief)
		abort();
	memcpy(at, bytes, length);
	if (take(at, 1, length, data) != length)
		end(one, CURLE_WRITE_ERROR);
	free(copy);
}

static size_t
line_length(const char *text, size_t left)
{
	const char *newline = memchr(text, '\n', left);

	return newline == NULL ? 0 : (size_t)(newline - text) + 1;
}

static bool
is_empty(const char *line, size_t length)
{
	return length == 1 || (length == 2 && line[0] == '\r');
}

static bool
begins_head(const transfer *one)
{
	return one->left >= 5 && memcmp(one->at, "HTTP/", 5) == 0;
}

/* A status line has a number of three digits, or libcurl gives the answer up. */
static bool
read_status(transfer *one, size_t length)
{
	char line[64];

	if (one->status >= 300 && one->status < 400)
		one->redirects++;
	snprintf(line, sizeof line, "%.*s", (int)length, one->at);
	one->last_head = one->at;
	return sscanf(line, "HTTP/%*[0-9.] %3ld", &one->status) == 1 && one->status >= 100;
}

static void
give_head(transfer *one)
{
	size_t length = line_length(one->at, one->left);

	if (!begins_head(one) || (length > 0 && !read_status(one, length)))
		end(one, CURLE_WEIRD_SERVER_REPLY);
	for (; length > 0 && !one->ended; length = line_length(one->at, one->left)) {
		bool last = is_empty(one->at, length);

		give(one, one->head, one->head_data, one->at, length);
		one->at += length;
		one->left -= length;
		if (!last)
			continue;
		one->in_body = !begins_head(one);
		return;
	}
	/* A line that does not end is not given to anybody. */
	if (!one->ended)
		end(one, one->answer.end);
}

static void
give_flood(transfer *one)
{
	static char flood[FLOOD_MAX];
	size_t size = one->answer.flood;

	one->answer.flood = 0;
	one->received += (curl_off_t)size;
	if (one->body(flood, 1, size, one->body_data) != size)
		end(one, CURLE_WRITE_ERROR);
}

static void
give_body(transfer *one)
{
	size_t size = one->left == 0 ? 0 : fake_curl.cut(one->left);

	if (size > 0) {
		one->received += (curl_off_t)size;
		give(one, one->body, one->body_data, one->at, size);
		one->at += size;
		one->left -= size;
	} else if (one->answer.flood > 0) {
		give_flood(one);
	} else {
		end(one, one->answer.end);
	}
}

static void
begin(transfer *one)
{
	if (!fake_curl.answer(one->url, &one->answer))
		return;
	one->begun = true;
	one->at = one->answer.text;
	one->left = one->answer.length;
	if (one->left == 0)
		end(one, one->answer.end == CURLE_OK ? CURLE_GOT_NOTHING : one->answer.end);
}

static void
step(transfer *one)
{
	if (!one->begun)
		begin(one);
	else if (one->in_body)
		give_body(one);
	else
		give_head(one);
	if (!one->ended && one->progress != NULL &&
	    one->progress(one->progress_data, 0, one->received, 0, 0) != 0)
		end(one, CURLE_ABORTED_BY_CALLBACK);
}

/* ---- in the place of libcurl ---- */

CURL *
curl_easy_init(void)
{
	return calloc(1, sizeof(transfer));
}

void
curl_easy_reset(CURL *handle)
{
	transfer *one = handle;

	free(one->url);
	*one = (transfer){ .url = NULL };
}

void
curl_easy_cleanup(CURL *handle)
{
	if (handle != NULL)
		curl_easy_reset(handle);
	free(handle);
}

static void
set_callback(transfer *one, CURLoption option, va_list arguments)
{
	if (option == CURLOPT_WRITEFUNCTION)
		one->body = va_arg(arguments, curl_write_callback);
	else if (option == CURLOPT_HEADERFUNCTION)
		one->head = va_arg(arguments, curl_write_callback);
	else if (option == CURLOPT_XFERINFOFUNCTION)
		one->progress = va_arg(arguments, curl_xferinfo_callback);
}

static void
set_url(transfer *one, const char *url)
{
	free(one->url);
	one->url = strdup(url);
	if (one->url == NULL)
		abort();
}

CURLcode
(curl_easy_setopt)(CURL *handle, CURLoption option, ...)
{
	transfer *one = handle;
	va_list arguments;

	va_start(arguments, option);
	if (option == CURLOPT_URL)
		set_url(one, va_arg(arguments, char *));
	else if (option == CURLOPT_WRITEDATA)
		one->body_data = va_arg(arguments, void *);
	else if (option == CURLOPT_HEADERDATA)
		one->head_data = va_arg(arguments, void *);
	else if (option == CURLOPT_XFERINFODATA)
		one->progress_data = va_arg(arguments, void *);
	else
		set_callback(one, option, arguments);
	va_end(arguments);
	return CURLE_OK;
}

/* Finds a header of the last head; the last of that name, as libcurl counts from behind. */
static bool
find_header(transfer *one, const char *name)
{
	size_t wanted = strlen(name);
	const char *line = one->last_head;
	size_t length;
	bool found = false;

	for (; line != NULL && line < one->at; line += length) {
		size_t left = (size_t)(one->at - line);
		const char *value = line + wanted + 1;
		size_t size;

		length = line_length(line, left);
		if (length == 0 || is_empty(line, length))
			break;
		if (length <= wanted || strncasecmp(line, name, wanted) != 0 || line[wanted] != ':')
			continue;
		while (*value == ' ' || *value == '\t')
			value++;
		size = (size_t)(line + length - value);
		while (size > 0 && strchr(" \t\r\n", value[size - 1]) != NULL)
			size--;
		snprintf(one->value, sizeof one->value, "%.*s", (int)size, value);
		found = true;
	}
	return found;
}

static curl_off_t
retry_after(transfer *one)
{
	return find_header(one, "Retry-After") ? strtoll(one->value, NULL, 10) : 0;
}

CURLcode
(curl_easy_getinfo)(CURL *handle, CURLINFO info, ...)
{
	transfer *one = handle;
	va_list arguments;

	va_start(arguments, info);
	if (info == CURLINFO_RESPONSE_CODE)
		*va_arg(arguments, long *) = one->status;
	else if (info == CURLINFO_REDIRECT_COUNT)
		*va_arg(arguments, long *) = one->redirects;
	else if (info == CURLINFO_OS_ERRNO || info == CURLINFO_SSL_VERIFYRESULT)
		*va_arg(arguments, long *) = 0;
	else if (info == CURLINFO_RETRY_AFTER)
		*va_arg(arguments, curl_off_t *) = retry_after(one);
	else if (info == CURLINFO_NAMELOOKUP_TIME_T)
		*va_arg(arguments, curl_off_t *) = 1;
	else if (info == CURLINFO_PRIMARY_IP)
		*va_arg(arguments, const char **) = "192.0.2.1";
	else
		abort();
	va_end(arguments);
	return CURLE_OK;
}

CURLHcode
curl_easy_header(CURL *handle, const char *name, size_t index, unsigned origin, int request,
                 struct curl_header **out)
{
	transfer *one = handle;

	(void)index;
	(void)origin;
	(void)request;
	if (!find_header(one, name))
		return CURLHE_MISSING;
	one->found = (struct curl_header){ .value = one->value, .amount = 1 };
	*out = &one->found;
	return CURLHE_OK;
}

CURLcode
curl_easy_perform(CURL *handle)
{
	transfer *one = handle;

	while (!one->ended) {
		bool waiting = one->begun;

		step(one);
		if (!waiting && !one->begun)
			end(one, CURLE_COULDNT_CONNECT);
	}
	return one->code;
}

CURLM *
curl_multi_init(void)
{
	return malloc(1);
}

CURLMcode
curl_multi_cleanup(CURLM *handle)
{
	free(handle);
	return CURLM_OK;
}

CURLMcode
curl_multi_add_handle(CURLM *handle, CURL *easy)
{
	(void)handle;
	running = easy;
	return CURLM_OK;
}

CURLMcode
curl_multi_remove_handle(CURLM *handle, CURL *easy)
{
	(void)handle;
	(void)easy;
	running = NULL;
	return CURLM_OK;
}

CURLMcode
curl_multi_perform(CURLM *handle, int *still)
{
	(void)handle;
	if (!running->ended)
		step(running);
	*still = running->ended ? 0 : 1;
	return CURLM_OK;
}

CURLMcode
curl_multi_poll(CURLM *handle, struct curl_waitfd fds[], unsigned count, int milliseconds,
                int *ready)
{
	(void)handle;
	(void)fds;
	(void)count;
	(void)milliseconds;
	if (ready != NULL)
		*ready = 0;
	return CURLM_OK;
}

CURLMsg *
curl_multi_info_read(CURLM *handle, int *left)
{
	static CURLMsg message;

	(void)handle;
	*left = 0;
	if (!running->ended)
		return NULL;
	message = (CURLMsg){ .msg = CURLMSG_DONE, .easy_handle = running };
	message.data.result = running->code;
	return &message;
}
