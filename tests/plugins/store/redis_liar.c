/* SPDX-License-Identifier: Apache-2.0 */
#include "redis_liar.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "suite.h"

#define HASH "$40\r\n0123456789012345678901234567890123456789\r\n"
#define INFO "$97\r\nrun_id:0123abc\nmaxmemory_policy:noeviction\nredis_version:7.0.15\n" \
	"redis_mode:standalone\nrole:master\r\n"

/* What is said to the greetings of a connection, one after another, and then to all else. */
static const char *const polite[LIAR_GREETINGS] = { INFO, HASH, HASH, HASH };

static void
say(int fd, const char *text)
{
	if (text == NULL || send(fd, text, strlen(text), MSG_NOSIGNAL) < 0)
		shutdown(fd, SHUT_RDWR);
}

/* Sends all of 'text' unless the other side has gone. */
static bool
pour(const liar *self, int fd, const char *text)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };

	while (*text != '\0' && !atomic_load(&self->stop)) {
		ssize_t sent = send(fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);

		if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
			return false;
		if (sent < 0)
			poll(&ready, 1, 20);
		else
			text += sent;
	}
	return *text == '\0';
}

/* Nothing comes after it: who has read so much of an answer reads the rest, too. */
static void
flood(liar *self, int fd)
{
	size_t sent = 0;

	atomic_fetch_add(&self->floods, 1);
	if (pour(self, fd, self->flood.head)) {
		while (sent < LIAR_FLOOD && pour(self, fd, self->flood.body)) {
			sent += strlen(self->flood.body);
			if (self->flood.pause > 0)
				usleep(self->flood.pause);
		}
	}
	if (sent >= LIAR_FLOOD)
		atomic_fetch_add(&self->drunk, 1);
	shutdown(fd, SHUT_RDWR);
}

static void
reply(liar *self, int fd, size_t question)
{
	if (atomic_load(&self->flooding) && question >= self->flood_at)
		flood(self, fd);
	else
		say(fd, question < LIAR_GREETINGS ? self->greeting[question] : self->answer);
	if (question >= LIAR_GREETINGS)
		atomic_fetch_add(&self->asked, 1);
}

/* The end of a command is the end of what was sent: limen waits for each greeting's answer. */
static void
serve_one(liar *self, int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	char piece[16384];
	size_t questions = 0;

	while (!atomic_load(&self->stop)) {
		ssize_t count;

		if (poll(&ready, 1, 20) <= 0)
			continue;
		count = recv(fd, piece, sizeof(piece), 0);
		if (count <= 0)
			break;
		/* The longest commands come in several pieces, and end like the others. */
		if (count < 2 || memcmp(piece + count - 2, "\r\n", 2) != 0)
			continue;
		reply(self, fd, questions++);
	}
	close(fd);
}

static void *
serve(void *data)
{
	liar *self = data;
	struct pollfd ready = { .fd = self->fd, .events = POLLIN };

	while (!atomic_load(&self->stop)) {
		int fd = poll(&ready, 1, 20) > 0 ? accept(self->fd, NULL, NULL) : -1;

		/* Another thread may have been faster. */
		if (fd >= 0)
			serve_one(self, fd);
	}
	return NULL;
}

void
liar_start(liar *self, const char *answer)
{
	struct sockaddr_un place = { .sun_family = AF_UNIX };

	*self = (liar){ .answer = answer };
	memcpy(self->greeting, polite, sizeof(polite));
	snprintf(self->directory, sizeof(self->directory), "/tmp/limen-liar-XXXXXX");
	CU_ASSERT_FATAL(mkdtemp(self->directory) != NULL);
	snprintf(self->path, sizeof(self->path), "%s/socket", self->directory);
	snprintf(place.sun_path, sizeof(place.sun_path), "%s", self->path);
	self->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	CU_ASSERT_FATAL(bind(self->fd, (struct sockaddr *)&place, sizeof(place)) == 0 &&
	                listen(self->fd, 16) == 0);
}

void
liar_run(liar *self)
{
	for (size_t i = 0; i < sizeof(self->threads) / sizeof(self->threads[0]); i++)
		CU_ASSERT_FATAL(pthread_create(&self->threads[i], NULL, serve, self) == 0);
}

void
liar_stop(liar *self)
{
	atomic_store(&self->stop, true);
	for (size_t i = 0; i < sizeof(self->threads) / sizeof(self->threads[0]); i++)
		pthread_join(self->threads[i], NULL);
	close(self->fd);
	unlink(self->path);
	rmdir(self->directory);
}

limen_engine *
liar_load(const char *options, limen_diag *diag)
{
	const limen_engine_options how = {
		.size = sizeof(how),
		.module_path = getenv("LIMEN_MODULE_PATH"),
	};
	limen_engine *engine = limen_engine_new(&how);
	char policy[2048];

	snprintf(policy, sizeof(policy),
	         "{\"schema\":4,\"stores\":{\"default\":{\"type\":\"redis\",\"data\":{%s}}},"
	         "\"identifiers\":[{\"name\":\"i\",\"description\":\"\",\"type\":\"always\","
	         "\"data\":{}}],"
	         "\"classifiers\":[{\"name\":\"c\",\"description\":\"\",\"identifiers\":[\"i\"]}],"
	         "\"limits\":[{\"name\":\"l\",\"description\":\"\",\"type\":\"rate\",\"data\":"
	         "{\"rate\":\"10/PT1H\",\"key\":[\"hint:who\"]}}],"
	         "\"applications\":[{\"description\":\"\",\"classifier\":\"c\","
	         "\"apply\":[{\"require\":\"all\",\"limits\":[\"l\"]}]}]}",
	         options);
	if (limen_engine_load_text(engine, NULL, policy, strlen(policy), diag) == LIMEN_OK)
		return engine;
	limen_engine_free(engine);
	return NULL;
}

limen_engine *
liar_engine(const char *options, limen_diag *diag)
{
	limen_engine *engine = liar_load(options, diag);

	if (engine != NULL)
		limen_engine_wait_ready(engine, 30 * LIMEN_SECOND);
	return engine;
}

int
liar_decide_within(limen_engine *engine, const char *who, limen_duration timeout)
{
	limen_request *req = limen_request_new(LIMEN_SUBJECT_TASK);
	limen_decision *decision = NULL;
	int code;

	limen_request_parse(req, "{}", 2, NULL);
	limen_request_set_hint(req, "who", who);
	limen_request_set_timeout(req, timeout);
	CU_ASSERT_FATAL(limen_engine_decide(engine, req, NULL, &decision) == LIMEN_OK);
	code = limen_decision_code(decision);
	limen_decision_free(decision);
	limen_request_free(req);
	return code;
}

int
liar_decide(limen_engine *engine, const char *who)
{
	return liar_decide_within(engine, who, 0);
}
