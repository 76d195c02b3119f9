/* SPDX-License-Identifier: Apache-2.0 */
#include "redis_server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remove_tree.h"
#include "server_parts.h"
#include "suite.h"

#define OPTIONS_MAX 16

struct redis_server {
	pid_t pid;
	char directory[64];
	char path[96];
	const char *options[OPTIONS_MAX + 1];
};

static const char *const programs[] = { "/usr/bin/redis-server", "/usr/local/bin/redis-server",
	                                NULL };

/* REDIS_SERVER is the path of another program, such as valkey-server. */
static const char *
find_server(void)
{
	const char *named = getenv("REDIS_SERVER");

	return named != NULL && *named == '/' ? named : find_program(programs);
}

struct redis_server *
redis_server_new(const char *const *options)
{
	struct redis_server *server;

	if (find_server() == NULL) {
		suite_skip("this system has no redis-server");
		return NULL;
	}
	server = calloc(1, sizeof(*server));
	CU_ASSERT_FATAL(server != NULL);
	snprintf(server->directory, sizeof(server->directory), "/tmp/limen-redis-XXXXXX");
	CU_ASSERT_FATAL(mkdtemp(server->directory) != NULL);
	snprintf(server->path, sizeof(server->path), "%s/socket", server->directory);
	for (size_t i = 0; options != NULL && options[i] != NULL && i < OPTIONS_MAX; i++)
		server->options[i] = options[i];
	return server;
}

static void
run(const struct redis_server *server)
{
	const char *program = find_server();
	const char *arguments[OPTIONS_MAX + 16] = {
		program, "--port", "0", "--unixsocket", server->path, "--dir", server->directory,
		"--save", "", "--logfile", "log",
	};
	size_t count = 11;

	for (size_t i = 0; server->options[i] != NULL; i++)
		arguments[count++] = server->options[i];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execv(program, (char *const *)(uintptr_t)arguments);
	_exit(127);
}

static int
dial(const struct redis_server *server)
{
	struct sockaddr_un place = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(place.sun_path, sizeof(place.sun_path), "%s", server->path);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&place, sizeof(place)) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* The first piece of the answer to one command. */
static bool
ask(const struct redis_server *server, const char *command, char *out, unsigned size)
{
	char line[1024];
	int fd = dial(server);
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	int length = snprintf(line, sizeof(line), "%s\r\n", command);
	ssize_t count = -1;

	if (fd < 0)
		return false;
	if (send(fd, line, (size_t)length, MSG_NOSIGNAL) == length && poll(&wait, 1, 10000) > 0)
		count = recv(fd, out, size - 1, 0);
	close(fd);
	out[count < 0 ? 0 : count] = '\0';
	return count > 0;
}

bool
redis_server_start(struct redis_server *server)
{
	char answer[64];

	unlink(server->path);
	server->pid = fork();
	if (server->pid == 0)
		run(server);
	for (int i = 0; i < 600; i++) {
		if (waitpid(server->pid, NULL, WNOHANG) != 0)
			break;
		/* It may want a password, but no longer while it loads. */
		if (ask(server, "PING", answer, sizeof(answer)) &&
		    strstr(answer, "LOADING") == NULL)
			return true;
		usleep(50000);
	}
	CU_FAIL("redis-server does not start");
	return false;
}

void
redis_server_kill(struct redis_server *server)
{
	end_process(&server->pid);
}

void
redis_server_stop(const struct redis_server *server)
{
	kill(server->pid, SIGSTOP);
}

void
redis_server_continue(const struct redis_server *server)
{
	kill(server->pid, SIGCONT);
}

void
redis_server_free(struct redis_server *server)
{
	if (server == NULL)
		return;
	redis_server_kill(server);
	remove_tree(server->directory);
	free(server);
}

const char *
redis_server_path(const struct redis_server *server)
{
	return server->path;
}

void
redis_server_ask(const struct redis_server *server, const char *command, char *out, unsigned size)
{
	CU_ASSERT_TRUE(ask(server, command, out, size));
	CU_ASSERT(out[0] != '-');
}
