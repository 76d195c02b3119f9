/* SPDX-License-Identifier: Apache-2.0 */
/*
 * send-events.c - sends events to a Kubernetes API server behind "kubectl proxy",
 * and leaves it alone when it asks for that.
 *
 *	send-events PORT NAMESPACE < events
 *
 * Each line is one event in JSON.  For each the fate is printed.
 */
#include <arpa/inet.h>
#include <limen-client/event_client.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_MAX = 8192 };

static const char *const fates[] = {
	[LIMEN_EVENT_SENT] = "sent",
	[LIMEN_EVENT_ABANDONED] = "abandoned",
	[LIMEN_EVENT_FAILED] = "failed",
};

static int64_t
get_nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int
open_connection(int port)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool
write_all(int fd, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t written = send(fd, text, length, MSG_NOSIGNAL);

		if (written <= 0)
			return false;
		text += written;
		length -= (size_t)written;
	}
	return true;
}

/* The head of the answer is all that counts; it fits, or the answer is none. */
static bool
read_head(int fd, char answer[ANSWER_MAX])
{
	size_t length = 0;

	while (length < ANSWER_MAX - 1) {
		ssize_t received = read(fd, answer + length, ANSWER_MAX - 1 - length);

		if (received <= 0)
			return false;
		length += (size_t)received;
		answer[length] = '\0';
		if (strstr(answer, "\r\n\r\n") != NULL)
			return true;
	}
	return false;
}

/* Returns the value of a header field in 'head', which is changed for it, or NULL. */
static char *
find_field(char *head, const char *name)
{
	size_t length = strlen(name);
	char *line = strstr(head, "\r\n");

	for (; line != NULL; line = strstr(line, "\r\n")) {
		line += 2;
		if (strncasecmp(line, name, length) != 0 || line[length] != ':')
			continue;
		line[strcspn(line, "\r")] = '\0';
		return line + length + 1;
	}
	return NULL;
}

/* Posts one event; returns the status of the answer, or 0 if there was none. */
static int
post_event(int port, const char *namespace, const char *event, char answer[ANSWER_MAX])
{
	char head[512];
	int length = snprintf(head, sizeof head,
	                      "POST /api/v1/namespaces/%.253s/events HTTP/1.1\r\n"
	                      "Host: localhost\r\nContent-Type: application/json\r\n"
	                      "Connection: close\r\nContent-Length: %zu\r\n\r\n",
	                      namespace, strlen(event));
	int fd = open_connection(port);
	int status = 0;

	if (fd < 0)
		return 0;
	if (!write_all(fd, head, (size_t)length) || !write_all(fd, event, strlen(event)) ||
	    !read_head(fd, answer) || sscanf(answer, "HTTP/1.%*1d %3d", &status) != 1)
		status = 0;
	close(fd);
	return status;
}

static limen_event_fate
send_event(limen_event_client *client, int port, const char *namespace, const char *event)
{
	char answer[ANSWER_MAX] = "";
	int64_t wait;
	int status;

	if (!limen_event_client_may_send(client, get_nanoseconds()))
		return LIMEN_EVENT_ABANDONED;
	status = post_event(port, namespace, event, answer);
	wait = limen_event_client_parse(find_field(answer, "Retry-After"), time(NULL));
	return limen_event_client_answered(client, status, wait, get_nanoseconds());
}

int
main(int count, char **words)
{
	limen_event_client client = LIMEN_EVENT_CLIENT_INIT;
	char *line = NULL;
	size_t room = 0;

	if (count != 3) {
		fprintf(stderr, "usage: %s PORT NAMESPACE < events\n", words[0]);
		return 2;
	}
	while (getline(&line, &room, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		puts(fates[send_event(&client, atoi(words[1]), words[2], line)]);
	}
	free(line);
	return 0;
}
