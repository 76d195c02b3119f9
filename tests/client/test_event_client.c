/* SPDX-License-Identifier: Apache-2.0 */
/*
 * limen-client/event_client.h on a clock of the test's own, and the sender of
 * docs/examples against a server that refuses.
 */
#include <limen-client/event_client.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "suite.h"

#define SECOND INT64_C(1000000000)

/* 1994-11-06T08:49:37Z, the moment of the examples in RFC 9110. */
#define EXAMPLE INT64_C(784111777)

static const struct {
	const char *value;
	int64_t today;
	int64_t seconds;
} values[] = {
	{ NULL, 0, -1 },
	{ "", 0, -1 },
	{ "0", 0, 0 },
	{ "1", 0, 1 },
	{ "120", 0, 120 },
	{ " 120\t", 0, 120 },
	{ "9999999999", 0, 9999999999 },
	{ "99999999999", 0, LIMEN_EVENT_SILENCE_MAX },
	{ "99999999999999999999999999999", 0, LIMEN_EVENT_SILENCE_MAX },
	{ "-1", 0, -1 },
	{ "+1", 0, -1 },
	{ "1.5", 0, -1 },
	{ "1 2", 0, -1 },
	{ "soon", 0, -1 },
	{ "Sun, 06 Nov 1994 08:49:37 GMT", EXAMPLE - 1, 1 },
	{ "Sun, 06 Nov 1994 08:49:37 GMT", EXAMPLE, 0 },
	{ "Sun, 06 Nov 1994 08:49:37 GMT", EXAMPLE + 1, 0 },
	{ "Sunday, 06-Nov-94 08:49:37 GMT", EXAMPLE - 60, 60 },
	{ "Sun Nov  6 08:49:37 1994", EXAMPLE - 61, 61 },
	{ "Thu, 01 Jan 1970 00:00:00 GMT", 0, 0 },
	{ "Thu, 01 Jan 1970 00:00:05 GMT", 0, 5 },
	{ "Thu, 29 Feb 2024 00:00:00 GMT", 1709164799, 1 },
	{ "Sun, 01 Mar 2026 00:00:00 GMT", 1772323140, 60 },
	{ "Friday, 31-Dec-69 23:59:59 GMT", 3155759998, 1 },
	{ "Wed, 31 Dec 1969 23:59:59 GMT", 0, -1 },
	{ "Sun, 06 Nov 1994 08:49:37", 0, -1 },
	{ "Sun, 06 Nov 1994 08:49:37 GMT+1", 0, -1 },
	{ "Sun, 06 Nov 1994 24:49:37 GMT", 0, -1 },
	{ "Sun, 06 Nov 1994 08:60:37 GMT", 0, -1 },
	{ "Sun, 06 Nov 1994 08:49:61 GMT", 0, -1 },
	{ "Sun, 32 Nov 1994 08:49:37 GMT", 0, -1 },
	{ "Sun, 00 Nov 1994 08:49:37 GMT", 0, -1 },
	{ "Sun, 06 ovD 1994 08:49:37 GMT", 0, -1 },
	{ "Sun, 06 No 1994 08:49:37 GMT", 0, -1 },
	{ "Sun, 06 Foo 1994 08:49:37 GMT", 0, -1 },
};

static void
test_values(void)
{
	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		int64_t found = limen_event_client_parse(values[i].value, values[i].today);

		if (found != values[i].seconds)
			printf("# '%s': %lld\n", values[i].value == NULL ? "" : values[i].value,
			       (long long)found);
		CU_ASSERT_EQUAL(found, values[i].seconds);
	}
}

static void
test_fates(void)
{
	static const struct {
		int status;
		limen_event_fate fate;
	} answers[] = {
		{ 199, LIMEN_EVENT_FAILED },    { 200, LIMEN_EVENT_SENT },
		{ 201, LIMEN_EVENT_SENT },      { 299, LIMEN_EVENT_SENT },
		{ 300, LIMEN_EVENT_FAILED },    { 428, LIMEN_EVENT_FAILED },
		{ 429, LIMEN_EVENT_ABANDONED }, { 503, LIMEN_EVENT_FAILED },
		{ 0, LIMEN_EVENT_FAILED },
	};

	for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
		limen_event_client client = LIMEN_EVENT_CLIENT_INIT;

		CU_ASSERT_EQUAL(limen_event_client_answered(&client, answers[i].status, 5, SECOND),
		                answers[i].fate);
		CU_ASSERT_EQUAL(limen_event_client_may_send(&client, 2 * SECOND),
		                answers[i].status != 429);
	}
}

/* "abandon all future events for the period of time specified in the Retry-After header" */
static void
test_silence(void)
{
	limen_event_client client = LIMEN_EVENT_CLIENT_INIT;

	CU_ASSERT_TRUE(limen_event_client_may_send(&client, -5));
	limen_event_client_answered(&client, 429, -1, 0);
	CU_ASSERT_TRUE(limen_event_client_may_send(&client, 0));
	limen_event_client_answered(&client, 429, 0, 0);
	CU_ASSERT_TRUE(limen_event_client_may_send(&client, 0));
	limen_event_client_answered(&client, 429, 10, 0);
	CU_ASSERT_FALSE(limen_event_client_may_send(&client, 0));
	CU_ASSERT_FALSE(limen_event_client_may_send(&client, 10 * SECOND - 1));
	CU_ASSERT_TRUE(limen_event_client_may_send(&client, 10 * SECOND));
	/* An answer that was on its way does not make the silence shorter. */
	limen_event_client_answered(&client, 429, 2, SECOND);
	CU_ASSERT_FALSE(limen_event_client_may_send(&client, 9 * SECOND));
	limen_event_client_answered(&client, 201, -1, SECOND);
	CU_ASSERT_FALSE(limen_event_client_may_send(&client, 9 * SECOND));
	limen_event_client_answered(&client, 429, 2, 9 * SECOND);
	CU_ASSERT_FALSE(limen_event_client_may_send(&client, 11 * SECOND - 1));
	CU_ASSERT_TRUE(limen_event_client_may_send(&client, 11 * SECOND));
}

static void
test_bound(void)
{
	limen_event_client client = LIMEN_EVENT_CLIENT_INIT;

	limen_event_client_answered(&client, 429, INT64_MAX, 0);
	CU_ASSERT_FALSE(limen_event_client_may_send(&client,
	                                            LIMEN_EVENT_SILENCE_MAX * SECOND - 1));
	CU_ASSERT_TRUE(limen_event_client_may_send(&client, LIMEN_EVENT_SILENCE_MAX * SECOND));
}

/* A server that gives one answer after another; NULL hangs up, and ends the list. */
typedef struct server {
	const char *const *answers;
	int listener;
	int port;
	int requests;
	char last[4096];
	pthread_t thread;
} server;

/* Reads a request to the end of its body, which is as long as the head says. */
static void
read_request(int fd, char out[4096])
{
	size_t length = 0;

	out[0] = '\0';
	for (;;) {
		const char *body = strstr(out, "\r\n\r\n");
		const char *size = strstr(out, "Content-Length: ");
		ssize_t received;

		if (body != NULL && size != NULL &&
		    strlen(body + 4) >= strtoul(size + 16, NULL, 10))
			return;
		received = read(fd, out + length, 4095 - length);
		if (received <= 0)
			return;
		length += (size_t)received;
		out[length] = '\0';
	}
}

static void *
serve(void *data)
{
	server *self = data;

	for (;;) {
		int fd = accept(self->listener, NULL, NULL);
		const char *answer = self->answers[self->requests];

		if (fd < 0)
			return NULL;
		read_request(fd, self->last);
		if (answer != NULL) {
			CU_ASSERT_EQUAL(write(fd, answer, strlen(answer)),
			                (ssize_t)strlen(answer));
			self->requests++;
		}
		close(fd);
	}
}

static void
start_server(server *self, const char *const *answers)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t size = sizeof address;

	*self = (server){ .answers = answers, .listener = socket(AF_INET, SOCK_STREAM, 0) };
	CU_ASSERT_FATAL(bind(self->listener, (struct sockaddr *)&address, size) == 0);
	CU_ASSERT_FATAL(listen(self->listener, 8) == 0);
	CU_ASSERT_FATAL(getsockname(self->listener, (struct sockaddr *)&address, &size) == 0);
	self->port = ntohs(address.sin_port);
	CU_ASSERT_FATAL(pthread_create(&self->thread, NULL, serve, self) == 0);
}

static void
stop_server(server *self)
{
	shutdown(self->listener, SHUT_RDWR);
	pthread_join(self->thread, NULL);
	close(self->listener);
}

/* Has the program send 'count' events, and compares their fates. */
static void
send_events(const server *to, int count, const char *fates)
{
	const char *builddir = getenv("LIMEN_BUILDDIR");
	char command[1024];
	char found[256];
	FILE *program;
	size_t length;

	snprintf(command, sizeof command,
	         "for i in $(seq %d); do echo '{\"reason\": \"Test\"}'; done |"
	         " %s/tests/client/send-events %d shop | tr '\\n' ' '",
	         count, builddir == NULL ? "." : builddir, to->port);
	program = popen(command, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(program);
	length = fread(found, 1, sizeof found - 1, program);
	found[length] = '\0';
	CU_ASSERT_EQUAL(pclose(program), 0);
	CU_ASSERT_STRING_EQUAL(found, fates);
}

#define CREATED "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}"
#define TOO_MANY "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\n"

static void
test_sender(void)
{
	static const char *const answers[] = {
		CREATED,
		TOO_MANY "\r\n{}",
		"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n",
		CREATED,
		TOO_MANY "retry-after: 3600\r\n\r\n{}",
		NULL
	};
	server self;

	start_server(&self, answers);
	send_events(&self, 7, "sent abandoned failed sent abandoned abandoned abandoned ");
	stop_server(&self);
	CU_ASSERT_EQUAL(self.requests, 5);
	CU_ASSERT_PTR_NOT_NULL(strstr(self.last, "POST /api/v1/namespaces/shop/events "));
	CU_ASSERT_PTR_NOT_NULL(strstr(self.last, "\r\n\r\n{\"reason\": \"Test\"}"));
}

/* What is no answer is no reason to fall silent. */
static void
test_no_answer(void)
{
	static const char *const answers[] = { TOO_MANY "Retry-After: 3600", "429\r\n\r\n", NULL };
	server self;

	start_server(&self, answers);
	send_events(&self, 3, "failed failed failed ");
	stop_server(&self);
	send_events(&self, 1, "failed ");
	CU_ASSERT_EQUAL(self.requests, 2);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "values of Retry-After are seconds or dates", test_values },
		{ "too many: the event is abandoned", test_fates },
		{ "and all others for the time of Retry-After", test_silence },
		{ "but not for ever", test_bound },
		{ "the sender of the documents sends what it may", test_sender },
		{ "and goes on where there is no answer", test_no_answer },
		{ NULL, NULL }
	};

	return suite_run("event_client", tests);
}
