/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process.c - starts, kills and reaps the process of a template.  The host may
 * have threads and children of its own: limen forks only by posix_spawn(),
 * closes every descriptor on exec, and waits for this child only, by its pidfd
 * if there is one.  The host may have reaped the child, and its number may
 * belong to another process.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jail.h"
#include "state.h"
#include "template.h"

#define VARIABLES_MAX 8

/* waitid() by pidfd; the name is newer than the call. */
#define BY_PIDFD ((idtype_t)3)

const char *
process_program(void)
{
	const char *told = secure_getenv("LIMEN_JQ_SANDBOX");

	return told != NULL && told[0] != '\0' ? told : LIMEN_JQ_SANDBOX;
}

/* Only what the same script would see of the environment before it is compiled. */
static void
choose_environment(char *text[VARIABLES_MAX + 1])
{
	static const char *const kept[] = { "HOME", "TZ", "ASAN_OPTIONS", "UBSAN_OPTIONS",
		                            "TSAN_OPTIONS" };
	size_t count = 0;

	if (asprintf(&text[count], "LIMEN_JQ_PATH=%s", imports_directory()) >= 0)
		count++;
	for (size_t i = 0; i < (SANITIZED ? 5 : 2); i++) {
		const char *value = getenv(kept[i]);

		if (value != NULL && asprintf(&text[count], "%s=%s", kept[i], value) >= 0)
			count++;
	}
	text[count] = NULL;
}

/* The socket becomes its standard input; a sanitizer may say what it has found. */
static bool
set_files(posix_spawn_file_actions_t *files, int theirs)
{
	if (posix_spawn_file_actions_adddup2(files, theirs, 0) != 0 ||
	    posix_spawn_file_actions_addopen(files, 1, "/dev/null", O_WRONLY, 0) != 0 ||
	    (!SANITIZED &&
	     posix_spawn_file_actions_addopen(files, 2, "/dev/null", O_WRONLY, 0) != 0))
		return false;
#ifdef __GLIBC__
	return posix_spawn_file_actions_addclosefrom_np(files, 3) == 0;
#else
	return true; /* the program closes them itself: sandbox.c */
#endif
}

/* Signals as a new program expects them; a key at the terminal is not for it. */
static void
set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none;
	sigset_t all;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &all);
	posix_spawnattr_setpgroup(attributes, 0);
	posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
	                                     POSIX_SPAWN_SETPGROUP);
}

static int
spawn(process *started, int theirs)
{
	static char name[] = "limen-jq-sandbox";
	char *arguments[] = { name, NULL };
	char *environment[VARIABLES_MAX + 1];
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	int error = ENOMEM;

	choose_environment(environment);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	set_attributes(&attributes);
	if (set_files(&files, theirs))
		error = posix_spawn(&started->pid, process_program(), &files, &attributes,
		                    arguments, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	for (size_t i = 0; environment[i] != NULL; i++)
		free(environment[i]);
	return error;
}

int
process_start(process *started)
{
	int ends[2];
	int error;

	*started = (process){ .socket = -1, .pidfd = -1, .owner = getpid() };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return errno;
	error = spawn(started, ends[1]);
	close(ends[1]);
	if (error != 0) {
		close(ends[0]);
		return error;
	}
	started->socket = ends[0];
	started->pidfd = (int)syscall(SYS_pidfd_open, started->pid, 0);
	return 0;
}

void
process_end(process *item)
{
	bool has_pidfd = item->pidfd >= 0;
	siginfo_t about;
	int result = item->owner == getpid() ? -1 : 0;

	if (result != 0 && has_pidfd)
		syscall(SYS_pidfd_send_signal, item->pidfd, SIGKILL, NULL, 0);
	else if (result != 0)
		kill(item->pid, SIGKILL);
	close(item->socket);
	errno = EINTR;
	while (result != 0 && errno == EINTR)
		result = waitid(has_pidfd ? BY_PIDFD : P_PID,
		                (id_t)(has_pidfd ? item->pidfd : item->pid), &about, WEXITED);
	if (has_pidfd)
		close(item->pidfd);
	*item = (process){ .socket = -1, .pidfd = -1, .owner = item->owner };
}
