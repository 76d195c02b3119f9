/* SPDX-License-Identifier: Apache-2.0 */
/*
 * in_lab.c - runs a command while the servers of lab.h are there, with
 * $LIMEN_POLICY being POLICY with their places: in_lab POLICY COMMAND...
 * Without the servers it says what is missing and ends with status 77.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab.h"

enum { STATUS_SKIP = 77, STATUS_WRONG = 99 };

static int
run(char **command)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return STATUS_WRONG;
	return WEXITSTATUS(status);
}

static int
run_with_policy(const lab *servers, char **arguments)
{
	char path[] = "/tmp/limen-lab-XXXXXX.conf";
	char *text = lab_policy(servers, arguments[1]);
	int fd = text == NULL ? -1 : mkstemps(path, 5);
	int status = STATUS_WRONG;

	if (fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) &&
	    setenv("LIMEN_POLICY", path, 1) == 0)
		status = run(arguments + 2);
	if (fd >= 0) {
		close(fd);
		unlink(path);
	}
	free(text);
	return status;
}

int
main(int argc, char **argv)
{
	const char *why = NULL;
	lab *servers = argc < 3 ? NULL : lab_start(&why);
	int status;

	if (servers == NULL) {
		fprintf(stderr, "in_lab: %s\n", argc < 3 ? "in_lab POLICY COMMAND..." : why);
		return argc < 3 ? STATUS_WRONG : STATUS_SKIP;
	}
	status = run_with_policy(servers, argv);
	lab_stop(servers);
	return status;
}
