/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation of the transport fails, alone and with all that follow, while requests
 * arrive and are answered, those of libmicrohttpd and libc included.
 * An answer that arrives whole is the right one or a 5xx, the next connection is served as
 * ever, and neither a descriptor nor a block of memory is left behind.
 *
 * GLib ends the process where it gets no memory, and so does GnuTLS; theirs succeed.
 */
#include <dirent.h>
#include <glib.h>
#include <gnutls/gnutls.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "endpoint/endpoint.h"
#include "http/arguments.h"
#include "metrics/metrics.h"
#include "short_memory.h"
#include "suite.h"
#include "transport/transport.h"

/* So often what grew does it again before it is called a leak: pools and caches grow once. */
enum { REPEATS = 4, CALLS_MAX = 100000, ANSWER_MAX = 1 << 20, SETTLE_STEPS = 500 };

/* ---- endpoints that allocate nothing of their own ---- */

static bool
answer_echo(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)shared;
	(void)why;
	g_string_append_len(response->body, request->body, (gssize)request->length);
	return true;
}

static bool
answer_much(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)shared;
	(void)why;
	(void)request;
	g_string_set_size(response->body, 300000);
	memset(response->body->str, 'x', response->body->len);
	return true;
}

static bool
answer_query(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)shared;
	(void)why;
	for (size_t i = 0; i < request->arguments.count; i++)
		g_string_append(response->body, request->arguments.pairs[i].value);
	http_add_field(response, "Content-Security-Policy", "default-src 'none'");
	return true;
}

/* The next answer on the connection differs in the value of one field. */
static bool
answer_empty(service *shared, const http_request *request, http_response *response, fault *why)
{
	(void)shared;
	(void)why;
	response->content_type = NULL;
	http_add_field(response, "X-Same", "same");
	http_add_field(response, "X-Query", request->arguments.pairs[0].name);
	return true;
}

const endpoint endpoints[] = {
	{ .path = "/empty", .methods = HTTP_GET, .answer = answer_empty },
	{ .path = "/echo", .methods = HTTP_POST, .answer = answer_echo },
	{ .path = "/long", .methods = HTTP_POST, .lengthy = true, .answer = answer_echo },
	{ .path = "/much", .methods = HTTP_GET, .answer = answer_much },
	{ .path = "/query", .methods = HTTP_GET, .answer = answer_query },
	{ .path = NULL },
};

/* ---- the server ---- */

typedef struct server {
	service shared;
	transport *transport;
	certificate *certificate; /* NULL: no TLS */
	int socket;
	struct sockaddr_in address;
} server;

static int
listen_somewhere(struct sockaddr_in *address)
{
	socklen_t length = sizeof(*address);
	int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*address = (struct sockaddr_in){ .sin_family = AF_INET,
		                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	if (made < 0 || bind(made, (struct sockaddr *)address, length) != 0 ||
	    listen(made, 10) != 0 || getsockname(made, (struct sockaddr *)address, &length) != 0)
		g_error("cannot listen");
	return made;
}

static char *
start_server(server *self)
{
	transport_options options = {
		.shared = &self->shared,
		.metrics = self->shared.decider.metrics,
		.engine = self->shared.decider.engine,
		.certificate = self->certificate,
		.max_body = 1 << 20,
		.max_url = 2048,
		.max_connections = 20,
		.threads = 1,
		.workers = 1,
		.queue = 4,
		.idle_timeout = LIMEN_SECOND,
		.client_timeout = LIMEN_SECOND,
	};

	self->shared.watch = watch_new(10 * LIMEN_SECOND);
	self->transport = transport_new(&options);
	if (self->transport == NULL)
		return g_strdup("no threads");
	return transport_serve(self->transport, self->socket, self->certificate != NULL, SERVED_ALL);
}

/* NULL if it cannot be made. */
static certificate *
make_certificate(void)
{
	static const char command[] =
		"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=c "
		"-keyout %s/key -out %s/chain 2> /dev/null";
	char *directory = g_dir_make_tmp("limen-transport-XXXXXX", NULL);
	char *full = g_strdup_printf(command, directory, directory);
	char *chain = g_build_filename(directory, "chain", NULL);
	char *key = g_build_filename(directory, "key", NULL);
	char *error = NULL;
	certificate *made = system(full) == 0 ? certificate_open(chain, key, NULL, &error) : NULL;

	unlink(chain);
	unlink(key);
	rmdir(directory);
	g_free(error);
	g_free(key);
	g_free(chain);
	g_free(full);
	g_free(directory);
	return made;
}

static void
open_server(server *self)
{
	self->shared.decider.engine = limen_engine_new(NULL);
	self->shared.decider.metrics = endpoint_metrics(0, 0);
	self->socket = listen_somewhere(&self->address);
}

static void
stop_server(server *self)
{
	CU_ASSERT_TRUE(transport_free(self->transport));
	watch_free(self->shared.watch);
	self->transport = NULL;
}

static void
close_server(server *self)
{
	close(self->socket);
	metrics_free(self->shared.decider.metrics);
	limen_engine_free(self->shared.decider.engine);
}

/* ---- the client, which needs no memory while it is short ---- */

typedef struct conversation {
	int socket;
	gnutls_session_t session; /* NULL: no TLS */
} conversation;

static gnutls_certificate_credentials_t nobody;

static ssize_t
send_some(const conversation *with, const char *text, size_t length)
{
	if (with->session != NULL)
		return gnutls_record_send(with->session, text, length);
	return send(with->socket, text, length, MSG_NOSIGNAL);
}

static ssize_t
receive_some(const conversation *with, char *to, size_t room)
{
	if (with->session != NULL)
		return gnutls_record_recv(with->session, to, room);
	return recv(with->socket, to, room, 0);
}

static bool
shake_hands(conversation *with)
{
	int result;

	gnutls_init(&with->session, GNUTLS_CLIENT | GNUTLS_NO_SIGNAL);
	gnutls_set_default_priority(with->session);
	gnutls_credentials_set(with->session, GNUTLS_CRD_CERTIFICATE, nobody);
	gnutls_transport_set_int(with->session, with->socket);
	do
		result = gnutls_handshake(with->session);
	while (result < 0 && gnutls_error_is_fatal(result) == 0);
	return result == 0;
}

/* How long an answer is that begins with 'text', from its Content-Length; 0: not known yet. */
static size_t
whole_length(const char *text)
{
	static const char name[] = "Content-Length: ";
	const char *end = strstr(text, "\r\n\r\n");
	const char *length = strstr(text, name);

	if (end == NULL || length == NULL || length > end)
		return 0;
	return (size_t)(end + 4 - text) + strtoul(length + strlen(name), NULL, 10);
}

/* Stores what arrives until there is a whole answer or the end; returns whether it is whole. */
static bool
receive_answer(const conversation *with, char *to)
{
	size_t length = 0;
	ssize_t got = 1;

	to[0] = '\0';
	while (got > 0 && length < ANSWER_MAX - 1) {
		size_t wanted = whole_length(to);

		if (wanted > 0 && length >= wanted)
			return true;
		got = receive_some(with, to + length, ANSWER_MAX - 1 - length);
		length += got > 0 ? (size_t)got : 0;
		to[length] = '\0';
	}
	return false;
}

/* Every answer has another time. */
static void
blank_date(char *answer)
{
	char *date = strstr(answer, "Date: ");

	if (date != NULL)
		memset(date, '-', strcspn(date, "\r"));
}

/* Asks one after the other what a form feed separates; returns whether all got whole answers. */
static bool
ask(const server *of, const char *text, char *answer)
{
	static const struct timeval patience = { .tv_sec = 10 };
	conversation with = { .socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) };
	bool whole = connect(with.socket, (const struct sockaddr *)&of->address,
	                     sizeof(of->address)) == 0;

	setsockopt(with.socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	whole = whole && (of->certificate == NULL || shake_hands(&with));
	while (whole && *text != '\0') {
		size_t length = strcspn(text, "\f");

		whole = send_some(&with, text, length) == (ssize_t)length &&
		        receive_answer(&with, answer);
		text += length + (text[length] == '\f');
	}
	if (with.session != NULL)
		gnutls_deinit(with.session);
	close(with.socket);
	blank_date(answer);
	return whole;
}

/* ---- what is asked ---- */

#define POST(PATH, LENGTH)                                                                 \
	"POST " PATH " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"    \
	"Content-Length: " LENGTH "\r\n\r\n"

static const char *const requests[] = {
	"GET /empty?a HTTP/1.1\r\nHost: localhost\r\n\r\n\f"
	"GET /empty?b HTTP/1.1\r\nHost: localhost\r\n\r\n",
	POST("/echo", "5") "hello",
	POST("/long", "5") "hello",
	"GET /query?a=one&b=two%20three HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"GET /much HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nX-More: x\r\n\r\n",
	POST("/query", "0"),
	"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"GET /query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
	POST("/echo", "9999999"),
};

static server plain;
static server secure;

typedef struct row {
	const server *at;
	const char *request;
} row;

/* ---- what is left behind ---- */

typedef struct holding {
	long blocks;
	size_t descriptors;
} holding;

static size_t
count_descriptors(void)
{
	DIR *all = opendir("/proc/self/fd");
	size_t count = 0;

	while (all != NULL && readdir(all) != NULL)
		count++;
	if (all != NULL)
		closedir(all);
	return count;
}

static holding
measure(void)
{
	return (holding){ .blocks = short_memory_live(), .descriptors = count_descriptors() };
}

static bool
is_more(holding now, holding before)
{
	return now.blocks > before.blocks || now.descriptors > before.descriptors;
}

/* Connections are ended by another thread, a moment later, or when nobody waits for them any more. */
static holding
settle(const server *of, holding before)
{
	static const struct timespec pause = { .tv_nsec = 2000000 };
	holding now = measure();

	for (int i = 0; i < SETTLE_STEPS && is_more(now, before); i++) {
		if (i % 20 == 19)
			transport_tick(of->transport);
		nanosleep(&pause, NULL);
		now = measure();
	}
	return now;
}

/* ---- the test ---- */

static char right[ANSWER_MAX];
static char found[ANSWER_MAX];

/* Is this what the request is answered with, with fields in any order? */
static bool
is_right(const char *answer)
{
	size_t length = strlen(answer);
	bool good = length == strlen(right);

	for (const char *line = right; good && *line != '\0';) {
		size_t size = strcspn(line, "\n");

		good = memmem(answer, length, line, size) != NULL;
		line += size + (line[size] != '\0');
	}
	return good;
}

/* Is it, or does it say that the request could not be answered? */
static bool
is_fit(const char *answer)
{
	return is_right(answer) || strncmp(answer, "HTTP/1.1 5", 10) == 0;
}

static bool
try_once(const row *one, unsigned long nth, bool all, bool *grown)
{
	holding before = measure();
	holding after;
	bool failed;
	bool whole;

	short_memory_start_elsewhere(nth, all);
	whole = ask(one->at, one->request, found);
	failed = short_memory_stop();
	if (whole ? !is_fit(found) : !failed) {
		printf("# allocation %lu: %s%.500s\n", nth, whole ? "" : "torn: ", found);
		CU_FAIL("the answer");
	}
	after = settle(one->at, before);
	*grown = is_more(after, before);
	if (*grown)
		printf("# allocation %lu: %ld blocks, %zd descriptors\n", nth,
		       after.blocks - before.blocks,
		       (ssize_t)after.descriptors - (ssize_t)before.descriptors);
	return failed;
}

/* Returns whether there was an allocation to fail. */
static bool
try(const row *one, unsigned long nth, bool all)
{
	bool failed = true;
	bool grown = true;

	for (int i = 0; i < REPEATS && grown; i++)
		failed = try_once(one, nth, all, &grown);
	CU_ASSERT_FALSE(grown);
	return failed;
}

static void
exhaust(const row *one)
{
	unsigned long count = 0;

	CU_ASSERT_TRUE_FATAL(ask(one->at, one->request, right));
	for (int all = 0; all < 2; all++) {
		try(one, CALLS_MAX, all == 1);
		for (unsigned long nth = 1; nth < CALLS_MAX && try(one, nth, all == 1); nth++)
			count++;
		CU_ASSERT_TRUE(ask(one->at, one->request, found));
		CU_ASSERT_STRING_EQUAL(found, right);
	}
	CU_ASSERT(count > 2);
}

static void
test_plain(void)
{
	char *why;

	open_server(&plain);
	why = start_server(&plain);
	CU_ASSERT_PTR_NULL(why);
	g_free(why);
	for (size_t i = 0; i < G_N_ELEMENTS(requests); i++)
		exhaust(&(row){ &plain, requests[i] });
	stop_server(&plain);
	close_server(&plain);
}

static void
test_secure(void)
{
	server *self = &secure;
	char *why;

	self->certificate = make_certificate();
	if (self->certificate == NULL) {
		suite_skip("there is no certificate without openssl");
		return;
	}
	gnutls_certificate_allocate_credentials(&nobody);
	open_server(self);
	why = start_server(self);
	CU_ASSERT_PTR_NULL(why);
	g_free(why);
	exhaust(&(row){ self, requests[0] });
	stop_server(self);
	close_server(self);
	certificate_close(self->certificate);
	gnutls_certificate_free_credentials(nobody);
}

static void
test_nothing(void)
{
	suite_skip(short_memory_unavailable());
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "requests are answered, or connections end", test_plain },
		{ "so it is with TLS", test_secure },
		{ NULL, NULL },
	};
	static const struct suite_test none[] = {
		{ "memory that runs short", test_nothing }, { NULL, NULL }
	};
	/* GnuTLS gives its own to GMP, and ends the process, too. */
	static const char *const fatal[] = { "libglib", "libgnutls", "libgmp", "libhogweed",
		                             "libnettle", "libtasn1", NULL };
	if (short_memory_unavailable() != NULL)
		return suite_run("daemon/transport: short memory", none);
	short_memory_spare(fatal);
	return suite_run("daemon/transport: short memory", tests);
}
