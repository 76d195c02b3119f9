/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remote.c - asks limend with the HTTP client of the modules.  The size limit of an answer is 16 MiB.
 */
#include "remote.h"

#include <errno.h>
#include <limen/host.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/auto.h"
#include "../../../plugins/support/http/http.h"

#define ANSWER_MAX ((size_t)16 << 20)

char *
remote_shown(const remote *self)
{
	g_auto(heap_text) shown = self->url == NULL ? NULL : http_url_shown(self->url);

	return g_strdup(self->url == NULL ? self->unix_path : shown == NULL ? "?" : shown);
}

const char *
remote_misuse(const remote *self, bool url)
{
	if ((self->ca_path != NULL || self->certificate_path != NULL) && !url)
		return "--ca-file and --client-certificate go with --url";
	if ((self->certificate_path != NULL) != (self->key_path != NULL))
		return "--client-certificate and --client-key go together";
	return NULL;
}

static bool
read_pem(const char *path, char **text, char **why)
{
	g_autoptr(GError) error = NULL;

	if (path == NULL || g_file_get_contents(path, text, NULL, &error))
		return true;
	*why = g_strdup(error->message);
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

/*
 * A refused request has a message of limend; else its HTTP status is told.  Returns the status; 0 if a
 * good answer is no object.
 */
static long
read_answer(const http_answer *answer, const char *place, limen_documents **out, char **why)
{
	g_autoptr(limen_documents) parsed = NULL;
	limen_value root;
	const char *text;

	limen_documents_parse("answer.json", answer->body, answer->length, 0, &parsed, NULL);
	root = limen_documents_get(parsed, 0);
	text = limen_value_string(limen_value_get(root, "message"), NULL);
	if (answer->status == 200 && limen_value_type(root) == LIMEN_TYPE_OBJECT)
		*out = g_steal_pointer(&parsed);
	else if (answer->status == 200)
		*why = g_strdup_printf("%s: the answer is not one of limend", place);
	else if (text != NULL)
		*why = g_strdup_printf("%s: %s", place, text);
	else
		*why = g_strdup_printf("%s: status %ld", place, answer->status);
	return answer->status == 200 && *out == NULL ? 0 : answer->status;
}

static long
fetch(const http_request *request, const char *place, limen_documents **out, char **why)
{
	http_client *client = http_client_new();
	http_answer answer = { .status = 0 };
	long status = 0;
	int error = 0;

	if (client == NULL || http_get(client, request, &answer) != LIMEN_OK) {
		*why = g_strdup("out of memory");
	} else if (answer.transport_failed) {
		if (request->unix_path != NULL)
			error = try_socket(request->unix_path);
		*why = g_strdup_printf("%s: %s", place, error == 0 ? answer.error : g_strerror(error));
	} else {
		status = read_answer(&answer, place, out, why);
	}
	http_answer_clear(&answer);
	http_client_free(client);
	return status;
}

long
remote_ask(const remote *self, const char *path, const char *body, limen_documents **out, char **why)
{
	static const char *const json[] = { "Content-Type: application/json" };
	const char *base = self->url == NULL ? "http://localhost" : self->url;
	size_t length = strlen(base);
	g_autofree char *place = remote_shown(self);
	g_autofree char *authorities = NULL;
	g_autofree char *certificate = NULL;
	g_autofree char *key = NULL;
	g_autofree char *url = NULL;

	*out = NULL;
	*why = NULL;
	while (length > 0 && base[length - 1] == '/')
		length--;
	url = g_strdup_printf("%.*s%s", (int)length, base, path);
	if (!read_pem(self->ca_path, &authorities, why) ||
	    !read_pem(self->certificate_path, &certificate, why) ||
	    !read_pem(self->key_path, &key, why))
		return 0;
	return fetch(&(http_request){
		.url = url,
		.headers = json,
		.header_count = body != NULL,
		.post = body,
		.unix_path = self->url == NULL ? self->unix_path : NULL,
		.ca_pem = authorities,
		.certificate_pem = certificate,
		.key_pem = key,
		.no_redirects = true,
		.timeout = self->timeout,
		.deadline = INT64_MAX,
		.max_body = ANSWER_MAX,
	}, place, out, why);
}
