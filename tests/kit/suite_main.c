/* SPDX-License-Identifier: Apache-2.0 */
/*
 * suite_main.c - main() of a program of suites (suite.h).  Owns the list of them.
 *
 *	run          runs all, each in a process of its own, whatever becomes of the others
 *	run NAME     runs one in this process: "test_si", or its file
 */
#include "suite.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct suite *first;
static struct suite **next = &first;

void
suite_add(struct suite *added)
{
	*next = added;
	next = &added->next;
}

/* The length of the name in a path: without directories, and without ".c". */
static const char *
find_name(const char *path, int *length)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	const char *end = strrchr(name, '.');

	*length = (int)(end == NULL ? strlen(name) : (size_t)(end - name));
	return name;
}

static bool
is_named(const struct suite *one, const char *path)
{
	int length;
	int wanted_length;
	const char *name = find_name(one->file, &length);
	const char *wanted = find_name(path, &wanted_length);

	return length == wanted_length && strncmp(name, wanted, (size_t)length) == 0;
}

static int
run_named(const char *name)
{
	for (const struct suite *one = first; one != NULL; one = one->next) {
		if (is_named(one, name))
			return one->run();
	}
	printf("Bail out! there is no suite %s in this program\n", name);
	return 99;
}

/* A fresh process, and not only a child: no suite sees what another left behind. */
static bool
run_apart(const struct suite *one)
{
	int length;
	const char *name = find_name(one->file, &length);
	char path[256];
	int status;
	pid_t child;

	snprintf(path, sizeof(path), "%.*s", length, name);
	printf("# %s\n", path);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		execl("/proc/self/exe", path, path, (char *)NULL);
		_exit(99);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	if (WIFSIGNALED(status))
		printf("Bail out! %s: %s\n", path, strsignal(WTERMSIG(status)));
	return status == 0;
}

int
main(int count, char **arguments)
{
	bool passed = true;

	if (count > 1)
		return run_named(arguments[1]);
	if (first != NULL && first->next == NULL)
		return first->run();
	for (const struct suite *one = first; one != NULL; one = one->next)
		passed = run_apart(one) && passed;
	return passed ? 0 : 1;
}
