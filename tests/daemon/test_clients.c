/* SPDX-License-Identifier: Apache-2.0 */
/* test_clients.c - which connections the end of the daemon waits for. */
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "service/clients.h"
#include "suite.h"

/* Connects two sockets over TCP, which counts the bytes that arrive. */
static void
connect_pair(int ends[2])
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		                       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(address);
	int listening = socket(AF_INET, SOCK_STREAM, 0);

	CU_ASSERT_EQUAL_FATAL(bind(listening, (struct sockaddr *)&address, length), 0);
	CU_ASSERT_EQUAL_FATAL(listen(listening, 1), 0);
	getsockname(listening, (struct sockaddr *)&address, &length);
	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	CU_ASSERT_EQUAL_FATAL(connect(ends[0], (struct sockaddr *)&address, length), 0);
	ends[1] = accept(listening, NULL, NULL);
	CU_ASSERT_FATAL(ends[1] >= 0);
	close(listening);
}

static size_t
count_active(clients *all)
{
	clients_summary found = { .open = 0 };

	clients_count(all, &found);
	CU_ASSERT_EQUAL(found.open, 1);
	return found.active;
}

/* Bytes that the server has not read yet count, in each state of a connection without a request. */
static void
test_active(void)
{
	static const client_state states[] = { CLIENT_IDLE, CLIENT_GREETING };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		clients *all = clients_new(INT64_MAX, INT64_MAX, 10);
		int ends[2];
		client *connection;
		char byte = 'x';

		connect_pair(ends);
		connection = client_new(ends[1], states[i]);
		clients_add(all, connection);
		CU_ASSERT_EQUAL(count_active(all), 0);
		CU_ASSERT_EQUAL(write(ends[0], &byte, 1), 1);
		CU_ASSERT_EQUAL(recv(ends[1], &byte, 1, MSG_PEEK), 1);
		CU_ASSERT_EQUAL(count_active(all), 1);
		/* A handshake goes on, and an idle connection is idle again. */
		CU_ASSERT_EQUAL(read(ends[1], &byte, 1), 1);
		CU_ASSERT_EQUAL(count_active(all), states[i] == CLIENT_GREETING);
		clients_remove(all, connection);
		clients_free(all);
		close(ends[0]);
		close(ends[1]);
	}
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "what has arrived counts", test_active },
		{ NULL, NULL },
	};

	return suite_run("daemon/clients", tests);
}
