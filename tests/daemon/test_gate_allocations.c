/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_gate_allocations.c - a pass on an open connection takes no memory but what libmicrohttpd
 * allocates for the header field whose value has changed.
 */
#include <glib.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../bench/allocations.h"
#include "endpoint/endpoint.h"
#include "metrics/metrics.h"
#include "suite.h"
#include "transport/transport.h"

enum { ASKED = 64, WARM = 16, FIELD = 3 /* its node, name and value */ };

static const char policy[] =
	"identifiers: [ { name: all, type: ip-cidr-list, data: { cidrs: [ 192.0.2.0/24 ] } } ]\n"
	"limits: [ { name: rate, type: rate, data: { rate: 1000000/h, key: [ requester, \"header:x-user\" ] } } ]\n"
	"applications: [ { identifier: all, apply: [ rate ] } ]\n";

static const char head[] =
	"GET /v1/gate/forward HTTP/1.1\r\nHost: limend\r\nX-Forwarded-Method: GET\r\n"
	"X-Forwarded-Uri: /v1/things?page=2\r\nX-Forwarded-Host: api.example.com\r\n"
	"X-Forwarded-For: 192.0.2.7\r\nX-User: ann\r\nAccept: */*\r\n\r\n";

static size_t counts[ASKED + 1];
static atomic_size_t calls;

/* Counts from one call to the next, all on the thread of the connection. */
static bool
answer_counted(service *shared, const http_request *request, http_response *response, fault *why)
{
	size_t bytes;

	allocations_stop(&counts[atomic_fetch_add(&calls, 1)], &bytes);
	allocations_start();
	return answer_gate(shared, request, response, why);
}

const endpoint endpoints[] = {
	{ .path = "/v1/gate/forward", .methods = HTTP_GET, .answer = answer_counted,
	  .decides = true, .gate = true },
	{ .path = NULL },
};

static int
listen_somewhere(struct sockaddr_in *address)
{
	socklen_t length = sizeof(*address);
	int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*address = (struct sockaddr_in){ .sin_family = AF_INET,
		                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	CU_ASSERT_EQUAL_FATAL(bind(made, (struct sockaddr *)address, length), 0);
	CU_ASSERT_EQUAL_FATAL(listen(made, 10), 0);
	CU_ASSERT_EQUAL_FATAL(getsockname(made, (struct sockaddr *)address, &length), 0);
	return made;
}

/* Passes have no body, so that an answer ends with its header. */
static void
ask(int connection)
{
	char answer[4096] = "";
	size_t length = 0;
	ssize_t got = 1;

	CU_ASSERT_EQUAL_FATAL(send(connection, head, strlen(head), MSG_NOSIGNAL),
	                      (ssize_t)strlen(head));
	while (got > 0 && strstr(answer, "\r\n\r\n") == NULL) {
		got = recv(connection, answer + length, sizeof(answer) - 1 - length, 0);
		length += got > 0 ? (size_t)got : 0;
		answer[length] = '\0';
	}
	CU_ASSERT_EQUAL_FATAL(strncmp(answer, "HTTP/1.1 200 ", 13), 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(answer, "\r\nRateLimit: \"rate\";r=9999"));
}

static limen_cidr_set *
make_loopback(void)
{
	limen_network network;

	limen_network_parse("127.0.0.0/8", 11, 0, &network);
	return limen_cidr_set_new(&network, 1, NULL, 0);
}

static void
test_passes(void)
{
	const limen_engine_options modules = { .size = sizeof(modules),
		                               .module_path = getenv("LIMEN_MODULE_PATH") };
	limen_engine *engine = limen_engine_new(&modules);
	metrics *counters = endpoint_metrics(0, 0);
	limen_cidr_set *loopback = make_loopback();
	service shared = { .decider = { .engine = engine, .metrics = counters },
		           .gate_from = loopback, .watch = watch_new(10 * LIMEN_SECOND) };
	const transport_options options = {
		.shared = &shared, .metrics = counters, .engine = engine, .max_body = 1 << 20,
		.max_url = 2048, .max_connections = 20, .threads = 1, .workers = 1, .queue = 4,
		.idle_timeout = 60 * LIMEN_SECOND, .client_timeout = 60 * LIMEN_SECOND,
	};
	transport *server = transport_new(&options);
	struct sockaddr_in address;
	int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int listener = listen_somewhere(&address);

	CU_ASSERT_EQUAL_FATAL(
		limen_engine_load_text(engine, "gate.yaml", policy, strlen(policy), NULL), LIMEN_OK);
	CU_ASSERT_PTR_NULL_FATAL(transport_serve(server, listener, false, SERVED_ALL));
	CU_ASSERT_EQUAL_FATAL(connect(connection, (struct sockaddr *)&address, sizeof(address)), 0);
	for (int i = 0; i <= ASKED; i++)
		ask(connection);
	for (int i = WARM; allocations_known() && i <= ASKED; i++) {
		if (counts[i] > FIELD)
			printf("# pass %d: %zu allocations\n", i, counts[i]);
		CU_ASSERT_TRUE(counts[i] <= FIELD);
	}
	close(connection);
	CU_ASSERT_TRUE(transport_free(server));
	close(listener);
	watch_free(shared.watch);
	limen_cidr_set_free(loopback);
	metrics_free(counters);
	limen_engine_free(engine);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "a pass takes no memory of limend", test_passes },
		{ NULL, NULL },
	};

	return suite_run("daemon/gate_allocations", tests);
}
