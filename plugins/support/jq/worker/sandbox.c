/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sandbox.c - limen-jq-sandbox, the program that scripts run in.  Only the library starts it,
 * with a socket as standard input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve.h"

int
main(void)
{
	int type;
	socklen_t size = sizeof(type);

	if (getsockopt(STDIN_FILENO, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
		fputs("limen-jq-sandbox is started by limen\n", stderr);
		return EXIT_FAILURE;
	}
	/* Nothing is left to be tidied up, and the sandbox would not let us. */
	_exit(serve(STDIN_FILENO));
}
