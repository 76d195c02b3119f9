/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buckets_remote.c - fetches /v1/buckets from limend by URL or unix socket.  Checks every bucket
 * of the answer before the first one is passed on.  The timeout is 30 s, the size limit 16 MiB.
 */
#include "buckets_remote.h"

#include <errno.h>
#include <glib.h>
#include <limen/documents.h>
#include <limen/host.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/message.h"
#include "common/bucket_json.h"
#include "common/fetch.h"

/* Largest answer: keys may be long, but a thousand buckets are far smaller. */
#define ANSWER_MAX ((size_t)16 << 20)

#define TIMEOUT (30 * LIMEN_SECOND)

/* Returns the URL of the request, to g_free(). */
static char *
write_url(const buckets_question *asked)
{
	const char *base = asked->url == NULL ? "http://localhost" : asked->url;
	size_t length = strlen(base);
	GString *out;

	while (length > 0 && base[length - 1] == '/')
		length--;
	out = g_string_new_len(base, (gssize)length);
	g_string_append_printf(out, "/v1/buckets?number=%d", asked->number);
	if (asked->store != NULL) {
		g_string_append(out, "&store=");
		g_string_append_uri_escaped(out, asked->store, NULL, FALSE);
	}
	return g_string_free(out, FALSE);
}

/* The daemon that is asked: the request, and its name in messages. */
typedef struct asking {
	const buckets_question *asked;
	const char *place; /* the URL without its password, or the socket */
	void (*each)(void *data, const limen_bucket *bucket);
	void *data;
} asking;

/* Passes each bucket on if 'pass'; returns false if the list is none of buckets. */
static bool
read_all(const asking *self, limen_value list, bool pass)
{
	limen_iter iter = limen_iter_start(list);
	limen_value one;
	limen_bucket bucket;

	while (limen_iter_next(&iter, NULL, &one)) {
		if (!bucket_json_read(one, &bucket))
			return false;
		if (pass)
			self->each(self->data, &bucket);
	}
	return limen_value_type(list) == LIMEN_TYPE_ARRAY;
}

/* A refused request has a message of limend; else its HTTP status is printed. */
static int
read_answer(const asking *self, const http_answer *answer)
{
	limen_documents *parsed = NULL;
	limen_value root = limen_value_none();
	limen_value list;
	const char *text;
	int status = STATUS_ERROR;

	if (limen_documents_parse("buckets.json", answer->body, answer->length, 0, &parsed, NULL) ==
	    LIMEN_OK)
		root = limen_documents_get(parsed, 0);
	list = limen_value_get(root, "buckets");
	text = limen_value_string(limen_value_get(root, "message"), NULL);
	if (answer->status != 200 && text != NULL)
		message_error("%s: %s", self->place, text);
	else if (answer->status != 200)
		message_error("%s: status %ld", self->place, answer->status);
	else if (!read_all(self, list, false))
		message_error("%s: the answer is not a list of buckets", self->place);
	else if (read_all(self, list, true))
		status = STATUS_GOOD;
	if (answer->status == 404 && self->asked->store != NULL)
		status = STATUS_BAD;
	limen_documents_free(parsed);
	return status;
}

static bool
read_pem(const char *path, char **text)
{
	GError *error = NULL;

	*text = NULL;
	if (path == NULL || g_file_get_contents(path, text, NULL, &error))
		return true;
	message_error("%s", error->message);
	g_error_free(error);
	return false;
}

/*
 * Connects to a unix socket and returns the errno value, or 0: libcurl's message would name a
 * port of localhost.
 */
static int
try_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int error = 0;

	if (fd < 0)
		return errno;
	if (g_strlcpy(address.sun_path, path, sizeof(address.sun_path)) >=
	    sizeof(address.sun_path))
		error = ENAMETOOLONG;
	else if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) != 0)
		error = errno;
	close(fd);
	return error;
}

static int
fetch(const asking *self, const http_request *request)
{
	http_client *client = http_client_new();
	http_answer answer = { .status = 0 };
	int status = STATUS_ERROR;
	int error = 0;

	if (client == NULL || http_get(client, request, &answer) != LIMEN_OK)
		message_error("out of memory");
	else if (answer.transport_failed && request->unix_path != NULL)
		error = try_socket(request->unix_path);
	if (answer.transport_failed)
		message_error("%s: %s", self->place, error == 0 ? answer.error : g_strerror(error));
	else if (answer.status != 0)
		status = read_answer(self, &answer);
	http_answer_clear(&answer);
	http_client_free(client);
	return status;
}

int
buckets_remote_list(const buckets_question *asked,
                    void (*each)(void *data, const limen_bucket *bucket), void *data)
{
	char *url = write_url(asked);
	char *shown = asked->url == NULL ? NULL : http_url_shown(asked->url);
	const asking self = { .asked = asked, .each = each, .data = data,
		              .place = asked->url == NULL ? asked->unix_path
		                       : shown == NULL    ? "?"
		                                          : shown };
	char *authorities = NULL;
	char *certificate = NULL;
	char *key = NULL;
	int status = STATUS_ERROR;

	if (read_pem(asked->ca_path, &authorities) &&
	    read_pem(asked->certificate_path, &certificate) && read_pem(asked->key_path, &key))
		status = fetch(&self, &(http_request){
			.url = url,
			.unix_path = asked->url == NULL ? asked->unix_path : NULL,
			.ca_pem = authorities,
			.certificate_pem = certificate,
			.key_pem = key,
			.no_redirects = true,
			.timeout = TIMEOUT,
			.deadline = INT64_MAX,
			.max_body = ANSWER_MAX,
		});
	g_free(authorities);
	g_free(certificate);
	g_free(key);
	g_free(url);
	free(shown);
	return status;
}
