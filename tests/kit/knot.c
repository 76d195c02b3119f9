/* SPDX-License-Identifier: Apache-2.0 */
#include "knot.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remove_tree.h"
#include "server_parts.h"

struct knot {
	pid_t pid;
	char directory[64];
	char address[32];
	unsigned port;
};

/* Two files hold no zone, which makes the server fail (SERVFAIL). */
static const char *const broken_zones[] = { "100.51.198.in-addr.arpa", "broken.test" };

static const char *const zones[] = {
	"2.0.192.in-addr.arpa",
	"8.b.d.0.1.0.0.2.ip6.arpa",
	"example.org",
	"origin.asn.cymru.com",
	"origin6.asn.cymru.com",
	"peer.asn.cymru.com",
	"v4.fullbogons.cymru.com",
	"v6.fullbogons.cymru.com",
};

static const char *const programs[] = { "/usr/sbin/knotd", "/usr/local/sbin/knotd",
	                                "/usr/bin/knotd", NULL };

static FILE *
create(const struct knot *server, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", server->directory, name);
	return fopen(path, "we");
}

/*
 * The zone "kit" holds the number of this process, so that nobody takes another
 * server on the same port for this one.
 */
static bool
write_files(const struct knot *server)
{
	FILE *conf = create(server, "knot.conf");
	FILE *zone = create(server, "kit.zone");
	bool written;

	if (conf == NULL || zone == NULL)
		return false;
	fprintf(zone, "$ORIGIN kit.\n@ 60 SOA ns hostmaster 1 60 60 60 60\n@ 60 NS ns\n"
	        "ns 60 A 127.0.0.1\nid-%ld 60 A 127.0.0.1\n", (long)getpid());
	fprintf(conf, "server:\n    rundir: \"%s\"\n    listen: 127.0.0.1@%u\n"
	        "    udp-workers: 1\n    tcp-workers: 1\n    background-workers: 1\n"
	        "database:\n    storage: \"%s\"\n"
	        "template:\n  - id: default\n    storage: \"%s/tests/plugins/zones\"\n"
	        "    journal-content: none\n    zonefile-sync: -1\n    file: \"%%s.zone\"\n"
	        "zone:\n"
	        "  - domain: kit\n    file: \"%s/kit.zone\"\n",
	        server->directory, server->port, server->directory, getenv("LIMEN_SRCDIR"),
	        server->directory);
	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++)
		fprintf(conf, "  - domain: %s\n", zones[i]);
	for (size_t i = 0; i < sizeof(broken_zones) / sizeof(broken_zones[0]); i++)
		fprintf(conf, "  - domain: %s\n", broken_zones[i]);
	written = fclose(conf) == 0;
	return fclose(zone) == 0 && written;
}

static void
run(const struct knot *server, const char *program)
{
	char conf[128], log[128];
	int fd;

	snprintf(conf, sizeof(conf), "%s/knot.conf", server->directory);
	snprintf(log, sizeof(log), "%s/log", server->directory);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	fd = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
	dup2(fd, 1);
	dup2(fd, 2);
	execl(program, program, "-c", conf, (char *)NULL);
	_exit(127);
}

/* Does the server have a record of 'type' for 'name'? */
static bool
answers(const struct knot *server, int fd, const char *name, unsigned type)
{
	struct sockaddr_in place = { .sin_family = AF_INET,
		                     .sin_port = htons((uint16_t)server->port),
		                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	uint8_t message[512] = { [5] = 1 };
	uint8_t reply[512] = { 0 };
	struct pollfd wait = { .fd = fd, .events = POLLIN };
	size_t at = 12 + write_name(message + 12, name);

	memcpy(message + at, (uint8_t[4]){ 0, (uint8_t)type, 0, 1 }, 4);
	at += 4;
	if (sendto(fd, message, at, 0, (struct sockaddr *)&place, sizeof(place)) < 0 ||
	    poll(&wait, 1, 100) <= 0 || recv(fd, reply, sizeof(reply), 0) < (ssize_t)at)
		return false;
	/* One answer to this question, and no error. */
	return memcmp(reply + 12, message + 12, at - 12) == 0 && (reply[3] & 15) == 0 &&
	       reply[7] == 1;
}

/* Is it the server of this process, and has it loaded all zones? */
static bool
is_ready(const struct knot *server, int fd)
{
	enum { TYPE_A = 1, TYPE_SOA = 6 };
	char own[32];

	snprintf(own, sizeof(own), "id-%ld.kit", (long)getpid());
	if (!answers(server, fd, own, TYPE_A))
		return false;
	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		if (!answers(server, fd, zones[i], TYPE_SOA))
			return false;
	}
	return true;
}

/* Waits for at most half a minute; false as well if the server has ended. */
static bool
wait_until_ready(struct knot *server)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool ready = false;

	for (int i = 0; i < 600 && !ready; i++) {
		if (waitpid(server->pid, NULL, WNOHANG) != 0) {
			server->pid = 0;
			break;
		}
		ready = is_ready(server, fd);
		if (!ready)
			usleep(50000);
	}
	close(fd);
	return ready;
}

/* The port is free now.  Whoever takes it meanwhile makes knotd fail, and then another is tried. */
static bool
start(struct knot *server, const char *program)
{
	int fd;

	server->port = 0;
	fd = open_socket(SOCK_STREAM, INADDR_LOOPBACK, &server->port);
	if (fd >= 0)
		close(fd);
	if (fd < 0 || !write_files(server))
		return false;
	server->pid = fork();
	if (server->pid == 0)
		run(server, program);
	if (server->pid > 0 && wait_until_ready(server)) {
		snprintf(server->address, sizeof(server->address), "127.0.0.1:%u", server->port);
		return true;
	}
	end_process(&server->pid);
	return false;
}

static void
show_log(const struct knot *server)
{
	char path[128], line[512];
	FILE *log;

	snprintf(path, sizeof(path), "%s/log", server->directory);
	log = fopen(path, "re");
	while (log != NULL && fgets(line, sizeof(line), log) != NULL)
		fprintf(stderr, "# %s", line);
	if (log != NULL)
		fclose(log);
}

struct knot *
knot_open(const char **why)
{
	const char *program = find_program(programs);
	struct knot *server;

	*why = program == NULL ? "this system has no knotd" : NULL;
	server = program == NULL ? NULL : calloc(1, sizeof(*server));
	if (server == NULL || getenv("LIMEN_SRCDIR") == NULL)
		return NULL;
	snprintf(server->directory, sizeof(server->directory), "/tmp/limen-knot-XXXXXX");
	if (mkdtemp(server->directory) == NULL) {
		free(server);
		return NULL;
	}
	for (int i = 0; i < 5; i++) {
		if (start(server, program))
			return server;
	}
	show_log(server);
	knot_stop(server);
	return NULL;
}

void
knot_stop(struct knot *server)
{
	if (server == NULL)
		return;
	end_process(&server->pid);
	remove_tree(server->directory);
	free(server);
}

const char *
knot_address(const struct knot *server)
{
	return server->address;
}
