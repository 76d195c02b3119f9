/* SPDX-License-Identifier: Apache-2.0 */
/*
 * http_server.h - an HTTP server in threads of the test itself that answers
 * with exactly the bytes it is given, and badly on purpose: for what no decent
 * server can be made to do.  nginx.h has a decent one.
 *
 * It listens on 127.0.0.1, on a port the system picks, without TLS.
 */
#ifndef LIMEN_TESTS_KIT_HTTP_SERVER_H
#define LIMEN_TESTS_KIT_HTTP_SERVER_H

#include <stddef.h>

/* What happens to the connection once the bytes of an answer are sent. */
typedef enum http_then {
	HTTP_KEEP = 0,       /* the next request is read */
	HTTP_CLOSE,          /* it is closed */
	HTTP_RESET,          /* it is torn down with a reset */
	HTTP_HANG,           /* nothing more is sent, until the client goes away */
	HTTP_TRICKLE,        /* a blank is sent ten times a second, likewise */
	HTTP_REPEAT_LINE,    /* the last line of the answer is sent for ever */
	HTTP_ECHO            /* the head of the request follows as the body, then HTTP_CLOSE */
} http_then;

/* One answer; the path is compared without the query. */
struct http_reply {
	const char *path; /* NULL ends a table; "*" matches every path */
	const char *text; /* the bytes to send: status line, headers, empty line, body */
	http_then then;
	size_t length;    /* of 'text'; 0: up to its NUL */
};

/* The parts of an answer: HTTP_TEXT("200 OK", "2", "{}") */
#define HTTP_TEXT(status, length, body) \
	"HTTP/1.1 " status "\r\nContent-Length: " length "\r\n\r\n" body

typedef struct http_server http_server;

/*
 * Starts a server with the answers of 'replies', of which the first that fits
 * counts; none: 404.  The table must outlive the server.  NULL: no server, and
 * errno says why.
 */
http_server *http_server_start(const struct http_reply *replies);
void http_server_stop(http_server *server);

unsigned http_server_port(const http_server *server);

/* How many connections and requests there were until now. */
unsigned long http_server_connections(http_server *server);
unsigned long http_server_requests(http_server *server);

/* Copies the head of the last request, cut to 'size' - 1 bytes. */
void http_server_last(http_server *server, char *out, size_t size);

/*
 * Returns a descriptor that listens on a loopback port at which every attempt
 * to connect hangs, since nobody accepts and the queue is full.  'holds'
 * receives 'count' descriptors to close with it.  -1 if there is no such thing.
 */
int http_server_deaf(unsigned *port, int *holds, size_t count);

#endif
