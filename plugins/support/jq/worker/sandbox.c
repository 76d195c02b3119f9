/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sandbox.c - limen-jq-sandbox, the program that scripts run in: the template and its workers.
 * The template has one thread and runs no script.  A worker is a fork of it with every script
 * compiled; it runs one at a time until limen is gone.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "channel.h"
#include "jail.h"
#include "shared.h"
#include "state.h"

/* The longest compilation, for the limit of CPU time: limen kills the template before. */
#define COMPILE_NS ((int64_t)30 * 1000 * 1000 * 1000)

typedef struct server {
	int fd;
	state **states;
	size_t count;
	bool is_sealed; /* a worker was forked */
} server;

/* Says a message of 'kind' and 'length' bytes. */
static bool
say(const server *self, char kind, const char *bytes, size_t length)
{
	char message[CHANNEL_BYTES_MAX] = { kind };

	memcpy(message + 1, bytes, length);
	return channel_send(self->fd, message, 1 + length, NULL);
}

/* Makes room for 'count' scripts; places between are left empty. */
static bool
make_room(server *self, size_t count)
{
	state **grown = reallocarray(self->states, count < self->count ? self->count : count,
	                             sizeof(state *));

	if (grown == NULL)
		return false;
	self->states = grown;
	while (self->count < count)
		grown[self->count++] = NULL;
	return true;
}

/* Compiles what the memfd 'fd' holds; returns false if the template is of no more use. */
static bool
compile(server *self, int fd)
{
	char messages[STATE_MESSAGES_MAX] = "";
	size_t size = (size_t)lseek(fd, 0, SEEK_END);
	char *scripts = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	bool good = scripts != MAP_FAILED;
	channel_script head;

	for (size_t at = 0; good && at < size; at += sizeof(head) + head.length) {
		memcpy(&head, scripts + at, sizeof(head));
		jail_allow(COMPILE_NS);
		good = make_room(self, (size_t)head.number + 1);
		if (good)
			self->states[head.number] = state_new(scripts + at + sizeof(head),
			                                      head.output_raw != 0, messages);
		/* A script without a message does not compile for lack of memory. */
		good = good && (self->states[head.number] != NULL || messages[0] != '\0');
	}
	munmap(scripts, size);
	return good && say(self, 'C', messages, strlen(messages));
}

/* The memory of the worker, for the handler that libjq calls. */
static shared *own;

static void
end_for_memory(void *unused)
{
	(void)unused;
	atomic_store(&own->was_short, 1);
	_exit(EXIT_FAILURE);
}

/* Reads one request and writes its reply in its place. */
static void
run_request(server *self)
{
	wire_in in = { .at = own->bytes, .left = atomic_load(&own->length),
		       .budget = budget_start(4) };
	wire_out out = { .bytes = own->bytes, .room = WIRE_BYTES_MAX };
	state_head head = { .timeout = 0 };
	state *item;
	jv input;

	wire_take(&in, &head, sizeof(head));
	jail_allow(head.timeout);
	input = wire_value(&in);
	item = head.script < self->count ? self->states[head.script] : NULL;
	/* jq_next() sets the handler of its state. */
	if (item != NULL)
		jq_set_nomem_handler(item->jq, end_for_memory, NULL);
	state_run(item, input, head.wants_all != 0, &out);
	atomic_store(&own->length, (unsigned)out.length);
}

static void
work(server *self, const int fds[2])
{
	unsigned request;

	own = shared_map(fds[0]);
	if (own == NULL || dup2(fds[1], 0) != 0)
		_exit(EXIT_FAILURE);
	close(fds[0]);
	close(fds[1]);
	if (!jail_worker())
		_exit(EXIT_FAILURE);
	jv_nomem_handler(end_for_memory, NULL);
	while (recv(0, &request, sizeof(request), 0) == sizeof(request)) {
		run_request(self);
		send(0, &request, sizeof(request), MSG_NOSIGNAL);
	}
	_exit(EXIT_SUCCESS);
}

static bool
fork_worker(server *self, const int fds[2])
{
	int32_t pid;

	if (!self->is_sealed) {
		jail_forget_environment();
		/* The system reaps the workers; limen sees their end at their sockets. */
		signal(SIGCHLD, SIG_IGN);
		self->is_sealed = true;
	}
	pid = fork();
	if (pid == 0)
		work(self, fds);
	if (pid < 0)
		pid = 0;
	return say(self, 'F', (const char *)&pid, sizeof(pid));
}

/* Only the library starts it, with a socket as standard input. */
int
main(void)
{
	server self = { .fd = STDIN_FILENO };
	char greeting[256] = { CHANNEL_VERSION };
	const char *problem;
	bool goes_on;
	int type;

	if (getsockopt(self.fd, SOL_SOCKET, SO_TYPE, &type, &(socklen_t){ sizeof(type) }) != 0) {
		fputs("limen-jq-sandbox is started by limen\n", stderr);
		return EXIT_FAILURE;
	}
#ifndef __GLIBC__
	/* The host's open files; only glibc can be told to close them (process.c). */
	if (syscall(SYS_close_range, 3U, ~0U, 0U) != 0)
		return EXIT_FAILURE;
#endif
	problem = jail_template();
	greeting[1] = jail_has_filter() ? 1 : 0;
	strncat(greeting + 2, problem == NULL ? "" : problem, sizeof(greeting) - 3);
	goes_on = say(&self, 'G', greeting, 2 + strlen(greeting + 2)) && problem == NULL;
	while (goes_on) {
		char message[CHANNEL_BYTES_MAX];
		int fds[2] = { -1, -1 };

		goes_on = channel_receive(self.fd, message, fds, INT64_MAX) == 1 &&
		          (message[0] == 'C' ? compile(&self, fds[0]) : fork_worker(&self, fds));
		for (int i = 0; i < 2; i++)
			if (fds[i] >= 0)
				close(fds[i]);
	}
	/* Skips exit handlers: there is nothing to clean up, and the sandbox would forbid it. */
	_exit(EXIT_SUCCESS);
}
