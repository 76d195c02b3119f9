/* SPDX-License-Identifier: Apache-2.0 */
#include "kube_server.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remove_tree.h"
#include "suite.h"

enum { ANSWER_MAX = 4096 };

struct kube_server {
	pid_t process;
	FILE *commands;
	FILE *answers;
	unsigned port;
	char directory[256];
	char answer[ANSWER_MAX];
};

/* Everything between fork() and exec() works without allocating. */
static void
run_script(const char *script, const char *directory, const char *port, int in, int out)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(in, 0);
	dup2(out, 1);
	execlp("python3", "python3", script, directory, port, (char *)NULL);
	_exit(127);
}

static bool
start_process(struct kube_server *server)
{
	const char *srcdir = getenv("LIMEN_SRCDIR");
	char script[PATH_MAX];
	char port[16];
	int to[2];
	int from[2];

	snprintf(script, sizeof(script), "%s/tests/kit/kube_server.py", srcdir == NULL ? "." : srcdir);
	snprintf(port, sizeof(port), "%u", server->port);
	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		return false;
	server->process = fork();
	if (server->process == 0)
		run_script(script, server->directory, port, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	server->commands = fdopen(to[1], "w");
	server->answers = fdopen(from[0], "r");
	return server->process > 0 && server->commands != NULL && server->answers != NULL;
}

static const char *
read_answer(struct kube_server *server)
{
	if (fgets(server->answer, ANSWER_MAX, server->answers) == NULL)
		return NULL;
	server->answer[strcspn(server->answer, "\n")] = '\0';
	return server->answer;
}

bool
kube_server_again(struct kube_server *server)
{
	const char *port;

	if (!start_process(server))
		return false;
	port = read_answer(server);
	if (port != NULL)
		server->port = (unsigned)strtoul(port, NULL, 10);
	return port != NULL;
}

void
kube_server_end(struct kube_server *server)
{
	if (server->process > 0) {
		kill(server->process, SIGKILL);
		while (waitpid(server->process, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	if (server->commands != NULL)
		fclose(server->commands);
	if (server->answers != NULL)
		fclose(server->answers);
	server->process = 0;
	server->commands = NULL;
	server->answers = NULL;
}

struct kube_server *
kube_server_start(void)
{
	const char *base = getenv("TMPDIR");
	struct kube_server *server;

	if (system("python3 -c 'import ssl' >/dev/null 2>&1 && "
	           "openssl version >/dev/null 2>&1") != 0) {
		suite_skip("there is no python3 with ssl, or no openssl");
		return NULL;
	}
	server = calloc(1, sizeof(*server));
	if (server == NULL)
		abort();
	snprintf(server->directory, sizeof(server->directory), "%s/limen-kube-XXXXXX",
	         base != NULL && strlen(base) < 200 ? base : "/tmp");
	if (mkdtemp(server->directory) != NULL && kube_server_again(server))
		return server;
	CU_FAIL("the server does not start");
	kube_server_stop(server);
	return NULL;
}

void
kube_server_stop(struct kube_server *server)
{
	if (server == NULL)
		return;
	kube_server_end(server);
	remove_tree(server->directory);
	free(server);
}

unsigned
kube_server_port(const struct kube_server *server)
{
	return server->port;
}

const char *
kube_server_directory(const struct kube_server *server)
{
	return server->directory;
}

const char *
kube_server_tell(struct kube_server *server, const char *format, ...)
{
	va_list arguments;
	const char *answer;

	va_start(arguments, format);
	vfprintf(server->commands, format, arguments);
	va_end(arguments);
	fputc('\n', server->commands);
	fflush(server->commands);
	answer = read_answer(server);
	if (answer == NULL || strcmp(answer, "what?") == 0)
		CU_FAIL("the server does not do as it is told");
	return answer;
}
