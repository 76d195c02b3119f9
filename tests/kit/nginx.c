/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nginx.c - starts nginx on listening sockets that are made here, which it takes
 * over as it does from an older nginx when it is upgraded: no port can be lost
 * to another test between choosing and using it.
 */
#include "nginx.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remove_tree.h"
#include "server_parts.h"

enum { PORTS = 4, URL_MAX = 64 };

struct nginx {
	pid_t process;
	int listeners[PORTS];
	unsigned ports[PORTS];
	char directory[PATH_MAX - 32];
	char files[PATH_MAX];
	char ca[PATH_MAX];
	char log[PATH_MAX];
	char urls[PORTS][URL_MAX];
};

static bool
make_sockets(nginx *server)
{
	for (int i = 0; i < PORTS; i++) {
		server->listeners[i] = listen_on_loopback(SOMAXCONN, &server->ports[i]);
		if (server->listeners[i] < 0)
			return false;
		snprintf(server->urls[i], URL_MAX,
		         i == 0 ? "http://127.0.0.1:%u" : "https://localhost:%u",
		         server->ports[i]);
	}
	return true;
}

static bool
make_directory(nginx *server)
{
	const char *base = getenv("TMPDIR");

	snprintf(server->directory, sizeof(server->directory), "%s/limen-nginx-XXXXXX",
	         base != NULL && strlen(base) < PATH_MAX / 2 ? base : "/tmp");
	if (mkdtemp(server->directory) == NULL)
		return false;
	snprintf(server->files, sizeof(server->files), "%s/files", server->directory);
	snprintf(server->ca, sizeof(server->ca), "%s/ca.pem", server->directory);
	snprintf(server->log, sizeof(server->log), "%s/requests.log", server->directory);
	return true;
}

/* Everything between fork() and exec() works without allocating. */
static void
run_script(const nginx *server, const char *script, char ports[PORTS][16])
{
	int null = open("/dev/null", O_RDWR);

	dup2(null, 0);
	dup2(null, 1);
	if (getenv("LIMEN_TEST_VERBOSE") == NULL)
		dup2(null, 2);
	execl("/bin/sh", "sh", script, server->directory, ports[0], ports[1], ports[2], ports[3],
	      (char *)NULL);
	_exit(127);
}

static bool
wait_for_script(pid_t process)
{
	int status = -1;

	while (waitpid(process, &status, 0) < 0) {
		if (errno != EINTR)
			return false;
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool
write_files(const nginx *server)
{
	const char *srcdir = getenv("LIMEN_SRCDIR");
	char script[PATH_MAX];
	char ports[PORTS][16];
	pid_t process;

	snprintf(script, sizeof(script), "%s/tests/kit/nginx.sh", srcdir == NULL ? "." : srcdir);
	for (int i = 0; i < PORTS; i++)
		snprintf(ports[i], sizeof(ports[i]), "%u", server->ports[i]);
	process = fork();
	if (process == 0)
		run_script(server, script, ports);
	return process > 0 && wait_for_script(process);
}

static void
run_nginx(const nginx *server, const char *program, char *variable)
{
	char *environment[] = { variable, NULL };

	/* Its own child, which serves, ends with it unless it is killed. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	for (int i = 0; i < PORTS; i++)
		fcntl(server->listeners[i], F_SETFD, 0);
	execle(program, "nginx", "-p", server->directory, "-c", "nginx.conf", "-e", "error.log",
	       (char *)NULL, environment);
	_exit(127);
}

/* The sockets listen already, so whoever connects before nginx runs waits for it. */
static bool
start_process(nginx *server, const char *program)
{
	char variable[128];

	snprintf(variable, sizeof(variable), "NGINX=%d;%d;%d;%d;", server->listeners[0],
	         server->listeners[1], server->listeners[2], server->listeners[3]);
	server->process = fork();
	if (server->process == 0)
		run_nginx(server, program, variable);
	for (int i = 0; i < PORTS; i++) {
		close(server->listeners[i]);
		server->listeners[i] = -1;
	}
	return server->process > 0;
}

static bool
has_answered(const nginx *server)
{
	static const char question[] = "GET /status/200 HTTP/1.0\r\n\r\n";
	struct sockaddr_in address = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char byte;
	bool answered;

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons((in_port_t)server->ports[0]);
	answered = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0 &&
	           send(fd, question, sizeof(question) - 1, MSG_NOSIGNAL) > 0 &&
	           recv(fd, &byte, 1, 0) == 1;
	close(fd);
	return answered;
}

nginx *
nginx_start(const char **why)
{
	static const char *const places[] = { "/usr/sbin/nginx", "/usr/local/sbin/nginx",
		                              "/usr/bin/nginx", NULL };
	const char *program = find_program(places);
	nginx *server;

	*why = "nginx is not installed";
	if (program == NULL)
		return NULL;
	*why = "nginx does not start";
	server = calloc(1, sizeof(*server));
	if (server == NULL)
		return NULL;
	memset(server->listeners, 0xff, sizeof(server->listeners));
	if (make_directory(server) && make_sockets(server) && write_files(server) &&
	    start_process(server, program) && has_answered(server))
		return server;
	nginx_stop(server);
	return NULL;
}

void
nginx_stop(nginx *server)
{
	if (server == NULL)
		return;
	if (server->process > 0) {
		kill(server->process, SIGTERM);
		while (waitpid(server->process, NULL, 0) < 0 && errno == EINTR)
			;
	}
	for (int i = 0; i < PORTS; i++) {
		if (server->listeners[i] >= 0)
			close(server->listeners[i]);
	}
	if (server->directory[0] != '\0')
		remove_tree(server->directory);
	free(server);
}

const char *
nginx_http(const nginx *server)
{
	return server->urls[0];
}

const char *
nginx_https(const nginx *server)
{
	return server->urls[1];
}

const char *
nginx_https_other(const nginx *server)
{
	return server->urls[2];
}

const char *
nginx_https_old(const nginx *server)
{
	return server->urls[3];
}

const char *
nginx_ca(const nginx *server)
{
	return server->ca;
}

const char *
nginx_files(const nginx *server)
{
	return server->files;
}

long
nginx_requests(const nginx *server)
{
	FILE *log = fopen(server->log, "r");
	long count = 0;
	int c;

	if (log == NULL)
		return -1;
	while ((c = getc(log)) != EOF)
		count += c == '\n';
	fclose(log);
	return count;
}
