/* SPDX-License-Identifier: Apache-2.0 */
/*
 * buckets_remote.c - asks limend at /v1/buckets and /v1/buckets/reset by URL or unix socket.  Checks every bucket
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
#include "common/auto.h"
#include "common/bucket_json.h"
#include "common/json_out.h"
#include "../../../plugins/support/http/http.h"

/* Largest answer: keys may be long, but a thousand buckets are far smaller. */
#define ANSWER_MAX ((size_t)16 << 20)

#define TIMEOUT (30 * LIMEN_SECOND)

/* Returns the URL of the request, to g_free(). */
static char *
write_url(const buckets_query *query)
{
	const char *base = query->url == NULL ? "http://localhost" : query->url;
	size_t length = strlen(base);
	GString *out;

	while (length > 0 && base[length - 1] == '/')
		length--;
	out = g_string_new_len(base, (gssize)length);
	if (query->reset != NULL)
		g_string_append(out, "/v1/buckets/reset");
	else
		g_string_append_printf(out, "/v1/buckets?number=%d", query->number);
	if (query->store != NULL && query->reset == NULL) {
		g_string_append(out, "&store=");
		g_string_append_uri_escaped(out, query->store, NULL, FALSE);
	}
	return g_string_free(out, FALSE);
}

/* The query of one daemon, and its name in messages. */
typedef struct remote {
	const buckets_query *query;
	const char *place; /* the URL without its password, or the socket */
	void (*each)(void *data, const limen_bucket *bucket);
	void *data;
	int64_t *count; /* of buckets that were reset; NULL: list */
} remote;

/* Passes each bucket on if 'pass'; returns false if the list is none of buckets. */
static bool
read_all(const remote *self, limen_value list, bool pass)
{
	limen_iter iter = limen_iter_start(list);
	limen_value element;
	limen_bucket bucket;

	while (limen_iter_next(&iter, NULL, &element)) {
		if (!bucket_json_read(element, &bucket))
			return false;
		if (pass)
			self->each(self->data, &bucket);
	}
	return limen_value_type(list) == LIMEN_TYPE_ARRAY;
}

/* Reads the answer 'root' of status 200; returns false if it is none. */
static bool
read_good(const remote *self, limen_value root)
{
	limen_value list = limen_value_get(root, "buckets");

	if (self->count != NULL)
		return limen_value_int(limen_value_get(root, "reset"), self->count);
	return read_all(self, list, false) && read_all(self, list, true);
}

/* A refused request has a message of limend; else its HTTP status is printed. */
static int
read_answer(const remote *self, const http_answer *answer)
{
	g_autoptr(limen_documents) parsed = NULL;
	limen_value root;
	const char *text;

	limen_documents_parse("buckets.json", answer->body, answer->length, 0, &parsed, NULL);
	root = limen_documents_get(parsed, 0);
	text = limen_value_string(limen_value_get(root, "message"), NULL);
	if (answer->status != 200 && text != NULL)
		message_error("%s: %s", self->place, text);
	else if (answer->status != 200)
		message_error("%s: status %ld", self->place, answer->status);
	else if (read_good(self, root))
		return STATUS_GOOD;
	else
		message_error("%s: the answer is not %s", self->place,
		              self->count == NULL ? "a list of buckets" : "the count of a reset");
	return answer->status == 404 && self->query->store != NULL ? STATUS_BAD : STATUS_ERROR;
}

static bool
read_pem(const char *path, char **text)
{
	g_autoptr(GError) error = NULL;

	if (path == NULL || g_file_get_contents(path, text, NULL, &error))
		return true;
	message_error("%s", error->message);
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
fetch(const remote *self, const http_request *request)
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

static int
ask(remote *self, const char *body)
{
	static const char *const json[] = { "Content-Type: application/json" };
	const buckets_query *query = self->query;
	g_autofree char *url = write_url(query);
	g_auto(heap_text) shown = query->url == NULL ? NULL : http_url_shown(query->url);
	g_autofree char *authorities = NULL;
	g_autofree char *certificate = NULL;
	g_autofree char *key = NULL;

	self->place = query->url == NULL ? query->unix_path : shown == NULL ? "?" : shown;
	if (!read_pem(query->ca_path, &authorities) ||
	    !read_pem(query->certificate_path, &certificate) || !read_pem(query->key_path, &key))
		return STATUS_ERROR;
	return fetch(self, &(http_request){
		.url = url,
		.headers = json,
		.header_count = body != NULL,
		.post = body,
		.unix_path = query->url == NULL ? query->unix_path : NULL,
		.ca_pem = authorities,
		.certificate_pem = certificate,
		.key_pem = key,
		.no_redirects = true,
		.timeout = TIMEOUT,
		.deadline = INT64_MAX,
		.max_body = ANSWER_MAX,
	});
}

int
buckets_remote_list(const buckets_query *query,
                    void (*each)(void *data, const limen_bucket *bucket), void *data)
{
	remote self = { .query = query, .each = each, .data = data };

	return ask(&self, NULL);
}

int
buckets_remote_reset(const buckets_query *query, int64_t *count)
{
	remote self = { .query = query, .count = count };
	g_autoptr(GString) body = g_string_new(NULL);

	json_write(body, "{key:s store:S}", query->reset, query->store);
	return ask(&self, body->str);
}
