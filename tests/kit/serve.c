/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serve.c - the test servers for scripts: starts nginx and the odd server,
 * prints where they are as assignments of a shell, and serves until its standard
 * input ends, as a script's does, or it is killed.
 */
#include <stdio.h>
#include <unistd.h>

#include "http_server.h"
#include "nginx.h"

static const struct http_reply replies[] = {
	{ "/hang", "", HTTP_HANG, 0 },
	{ "/hang-body", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", HTTP_HANG, 0 },
	{ "/half", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"passed\"", HTTP_CLOSE, 0 },
	{ "/reset", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"passed\"", HTTP_RESET, 0 },
	{ "/closed", "", HTTP_CLOSE, 0 },
	{ "/trickle", "HTTP/1.1 200 OK\r\n\r\n", HTTP_TRICKLE, 0 },
	{ "/trickle-head", "HTTP/1.1 200 OK\r\nX:", HTTP_TRICKLE, 0 },
	{ "/endless-headers", "HTTP/1.1 200 OK\r\nX-Filler: 0123456789\r\n", HTTP_REPEAT_LINE, 0 },
	{ "/endless-body", "HTTP/1.1 200 OK\r\n\r\n0123456789012345678901234567890\n",
	  HTTP_REPEAT_LINE, 0 },
	{ "/garbage", "hello\r\n\r\n", HTTP_CLOSE, 0 },
	{ "/echo", "HTTP/1.1 200 OK\r\nConnection: close\r\n", HTTP_ECHO, 0 },
	{ NULL, NULL, HTTP_KEEP, 0 }
};

int
main(void)
{
	const char *why = "";
	nginx *real = nginx_start(&why);
	http_server *odd = http_server_start(replies);
	char byte;

	if (real == NULL || odd == NULL) {
		printf("skip='%s'\n", real == NULL ? why : "no server can be started");
	} else {
		printf("http=%s https=%s https_other=%s https_old=%s\n", nginx_http(real),
		       nginx_https(real), nginx_https_other(real), nginx_https_old(real));
		printf("ca=%s files=%s odd=http://127.0.0.1:%u skip=\n", nginx_ca(real),
		       nginx_files(real), http_server_port(odd));
	}
	fflush(stdout);
	while (real != NULL && read(STDIN_FILENO, &byte, 1) > 0)
		;
	http_server_stop(odd);
	nginx_stop(real);
	return 0;
}
