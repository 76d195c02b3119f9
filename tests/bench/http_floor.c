/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_floor PORT [CERTIFICATE KEY] - a server that takes every body, looks at none and
 * answers all of them the same: what the transport of limend costs if nothing is decided.
 * Its flags and options are those of limend.  http.py measures it beside limend.
 */
#include <errno.h>
#include <glib.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As large as the answer to a review that is patched. */
#define ANSWER_SIZE 900

/* What limend has for a connection when it is told --max-url=4096. */
#define CONNECTION_MEMORY ((size_t)20 << 10)

/* A GET is a question of a proxy, whose answer has no body. */
static enum MHD_Result
answer(struct MHD_Connection *connection, const char *method, const char *text)
{
	bool gate = strcmp(method, MHD_HTTP_METHOD_GET) == 0;
	struct MHD_Response *made = MHD_create_response_from_buffer(
		gate ? 0 : ANSWER_SIZE, (void *)(gintptr)text, MHD_RESPMEM_PERSISTENT);
	enum MHD_Result result;

	if (!gate)
		MHD_add_response_header(made, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
	result = MHD_queue_response(connection, 200, made);
	MHD_destroy_response(made);
	return result;
}

static enum MHD_Result
handle(void *data, struct MHD_Connection *connection, const char *url, const char *method,
       const char *version, const char *upload, size_t *upload_size, void **context)
{
	(void)url;
	(void)version;
	(void)upload;
	if (*context == NULL) {
		*context = data;
		return MHD_YES;
	}
	if (*upload_size == 0)
		return answer(connection, method, data);
	*upload_size = 0;
	return MHD_YES;
}

static char *
read_file(const char *path)
{
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		g_printerr("%s cannot be read\n", path);
	return text;
}

static struct MHD_Daemon *
start(guint16 port, const char *certificate, const char *key, char *text)
{
	unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
	                 MHD_USE_ERROR_LOG | (key == NULL ? 0 : MHD_USE_TLS);
	const struct MHD_OptionItem tls[] = {
		{ MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(gintptr)certificate },
		{ MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(gintptr)key },
		{ MHD_OPTION_END, 0, NULL },
	};

	return MHD_start_daemon(flags, port, NULL, NULL, handle, text,
	                        MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY,
	                        MHD_OPTION_STRICT_FOR_CLIENT, 1,
	                        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
	                        MHD_OPTION_ARRAY, tls + (key == NULL ? 2 : 0), MHD_OPTION_END);
}

int
main(int count, char **arguments)
{
	static char text[ANSWER_SIZE];
	g_autofree char *certificate = count > 2 ? read_file(arguments[2]) : NULL;
	g_autofree char *key = count > 3 ? read_file(arguments[3]) : NULL;
	guint64 port = 0;

	if ((count != 2 && count != 4) || (count == 4 && (certificate == NULL || key == NULL)) ||
	    !g_ascii_string_to_unsigned(arguments[1], 10, 1, G_MAXUINT16, &port, NULL)) {
		g_printerr("usage: http_floor PORT [CERTIFICATE KEY]\n");
		return 2;
	}
	memset(text, 'x', sizeof(text));
	signal(SIGPIPE, SIG_IGN);
	if (start((guint16)port, certificate, key, text) == NULL) {
		g_printerr("port %s: %s\n", arguments[1], g_strerror(errno));
		return 1;
	}
	pause();
	return 0;
}
