/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watched_dirs.c - watches directories through inotify(7).  It owns the inotify descriptor and the
 * list of watches with their use counts, both under one lock.
 */
#include "watched_dirs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

/*
 * Opening and reading are not changes: a reader of changed files would wake itself up
 * for ever.  Writing counts once the file is closed and so complete.
 */
#define CHANGES                                                                               \
	(IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |   \
	 IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

/* Cap on read() calls in one round: a busy directory must not hold up other work. */
#define READS_MAX 16

struct watched_dir {
	struct watched_dir *next;
	int number;
	size_t uses;
};

void
watched_dirs_init(watched_dirs *dirs)
{
	*dirs = (watched_dirs){ .fd = -1 };
	pthread_mutex_init(&dirs->lock, NULL);
}

void
watched_dirs_finish(watched_dirs *dirs)
{
	if (dirs->fd >= 0)
		close(dirs->fd);
	while (dirs->list != NULL) {
		struct watched_dir *next = dirs->list->next;

		free(dirs->list);
		dirs->list = next;
	}
	pthread_mutex_destroy(&dirs->lock);
}

int
watched_dirs_fd(watched_dirs *dirs)
{
	int fd;

	pthread_mutex_lock(&dirs->lock);
	fd = dirs->fd;
	pthread_mutex_unlock(&dirs->lock);
	return fd;
}

static struct watched_dir **
find(watched_dirs *dirs, int number)
{
	struct watched_dir **link = &dirs->list;

	while (*link != NULL && (*link)->number != number)
		link = &(*link)->next;
	return link;
}

static void
forget(struct watched_dir **link)
{
	struct watched_dir *gone = *link;

	*link = gone->next;
	free(gone);
}

/* Lock held. */
static int
add(watched_dirs *dirs, const char *path)
{
	struct watched_dir *fresh;
	struct watched_dir **known;
	int number;

	if (dirs->fd < 0)
		dirs->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (dirs->fd < 0)
		return WATCHED_DIR_NONE;
	fresh = calloc(1, sizeof(*fresh));
	if (fresh == NULL)
		return WATCHED_DIR_NONE;
	number = inotify_add_watch(dirs->fd, path, CHANGES);
	known = find(dirs, number);
	if (number < 0 || *known != NULL) {
		int error = errno;

		free(fresh);
		if (number >= 0)
			(*known)->uses++;
		errno = error;
		return number < 0 ? WATCHED_DIR_NONE : number;
	}
	*fresh = (struct watched_dir){ .next = dirs->list, .number = number, .uses = 1 };
	dirs->list = fresh;
	return number;
}

int
watched_dirs_add(watched_dirs *dirs, const char *path)
{
	int number;

	pthread_mutex_lock(&dirs->lock);
	number = add(dirs, path);
	pthread_mutex_unlock(&dirs->lock);
	return number;
}

void
watched_dirs_drop(watched_dirs *dirs, int number)
{
	struct watched_dir **link;

	pthread_mutex_lock(&dirs->lock);
	link = find(dirs, number);
	if (*link != NULL && --(*link)->uses == 0) {
		inotify_rm_watch(dirs->fd, number);
		forget(link);
	}
	pthread_mutex_unlock(&dirs->lock);
}

/* The kernel stops watching a directory that is deleted or unmounted by itself. */
static void
note_end(watched_dirs *dirs, int number)
{
	struct watched_dir **link;

	pthread_mutex_lock(&dirs->lock);
	link = find(dirs, number);
	if (*link != NULL)
		forget(link);
	pthread_mutex_unlock(&dirs->lock);
}

void
watched_dirs_read(watched_dirs *dirs, void (*each)(void *data, int number, bool inside), void *data)
{
	_Alignas(struct inotify_event) char buffer[4096];
	int fd = watched_dirs_fd(dirs);

	for (int i = 0; fd >= 0 && i < READS_MAX; i++) {
		ssize_t got = read(fd, buffer, sizeof(buffer));
		const char *event_start = buffer;

		if (got <= 0)
			return;
		while (event_start < buffer + got) {
			const struct inotify_event *event = (const void *)event_start;

			if (event->mask & IN_IGNORED)
				note_end(dirs, event->wd);
			each(data, event->mask & IN_Q_OVERFLOW ? WATCHED_DIR_NONE : event->wd,
			     event->len > 0);
			event_start += sizeof(*event) + event->len;
		}
	}
}
