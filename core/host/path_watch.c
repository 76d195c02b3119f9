/* SPDX-License-Identifier: Apache-2.0 */
/*
 * path_watch.c - detects that a file was changed, replaced or removed.
 *
 * The kernel reports events in directories: that of the path, that of the file a
 * symbolic link leads to, and the path itself if it is a directory.  Shortly after
 * the last event the path is checked, and its job runs only if it has changed.
 * Every path is also checked every few seconds, to find changes without events: on
 * network file systems, in new directories, and of links further up.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "background.h"

#define MILLISECOND INT64_C(1000000)

/* Delay from the last event to the check, so that a file is complete; and its maximum. */
#define SETTLE_TIME (200 * MILLISECOND)
#define SETTLE_MAX  (1000 * MILLISECOND)

#define LOOK_INTERVAL (5000 * MILLISECOND)

static const int no_dirs[DIR_COUNT] = { WATCHED_DIR_NONE, WATCHED_DIR_NONE, WATCHED_DIR_NONE };

/* ---- which directories ---- */

/* Returns true for errors worth logging; a missing directory is just tried again later. */
static bool
is_refusal(int error)
{
	return error == ENOSPC || error == EMFILE || error == ENFILE || error == ENOMEM ||
	       error == ENOSYS;
}

static void
log_refusal(path_watch *watch, int error)
{
	background *back = watch->host->back;
	bool first;

	pthread_mutex_lock(&back->lock);
	first = !back->dirs_failed;
	back->dirs_failed = true;
	pthread_mutex_unlock(&back->lock);
	if (first)
		limen_host_log(watch->host, LIMEN_LOG_WARNING,
		               "changes of %s and maybe other files are noticed late: "
		               "inotify: %s", watch->path, strerror(error));
}

static int
add_dir(path_watch *watch, const char *path)
{
	int number;

	if (path == NULL)
		return WATCHED_DIR_NONE;
	number = watched_dirs_add(&watch->host->back->dirs, path);
	if (number == WATCHED_DIR_NONE && is_refusal(errno))
		log_refusal(watch, errno);
	return number;
}

/*
 * Finds the directories afresh, since links may lead elsewhere than before.  New
 * ones are added before old ones are dropped, so what stays is never unwatched.
 */
static void
follow(path_watch *watch)
{
	int before[DIR_COUNT];
	char parent[PATH_MAX];
	char *target = realpath(watch->path, NULL);
	bool has_target;

	memcpy(before, watch->dirs, sizeof(before));
	watch->dirs[DIR_PARENT] = add_dir(watch, writable_parent(watch->path, parent) ? parent : NULL);
	has_target = target != NULL && writable_parent(target, parent);
	watch->dirs[DIR_TARGET] = add_dir(watch, has_target ? parent : NULL);
	watch->dirs[DIR_SELF] = add_dir(watch, watch->seen.directory ? watch->path : NULL);
	for (size_t i = 0; i < DIR_COUNT; i++)
		watched_dirs_drop(&watch->host->back->dirs, before[i]);
	free(target);
}

/* ---- events ---- */

static void
note_event(path_watch *watch, bool forced)
{
	int64_t now = limen_host_monotonic();

	if (watch->first_event == 0)
		watch->first_event = now;
	watch->forced = watch->forced || forced;
	watch->due = now + SETTLE_TIME;
	if (watch->due > watch->first_event + SETTLE_MAX)
		watch->due = watch->first_event + SETTLE_MAX;
}

static void
note_events(void *data, int number, bool inside)
{
	background *back = data;

	for (path_watch *watched = back->paths; watched != NULL; watched = watched->next) {
		if (number == WATCHED_DIR_NONE) {
			note_event(watched, false);
			continue;
		}
		for (size_t i = 0; i < DIR_COUNT; i++)
			if (watched->dirs[i] == number)
				note_event(watched, i == DIR_SELF && inside);
	}
}

void
path_watch_read(background *back)
{
	watched_dirs_read(&back->dirs, note_events, back);
}

/* ---- looking ---- */

int64_t
path_watch_due(const background *back)
{
	int64_t due = INT64_MAX;

	for (const path_watch *watched = back->paths; watched != NULL; watched = watched->next)
		if (watched->host->active && watched->due < due)
			due = watched->due;
	return due;
}

/*
 * The directories are followed before the look: what happens in between is then
 * an event.  Events in a directory that was not watched before are not, so it
 * takes a second look if the path became another one.
 */
static bool
look(path_watch *watch)
{
	file_identity found;
	bool changed;

	follow(watch);
	found = file_identity_get(watch->path);
	changed = !file_identity_equal(&found, &watch->seen);
	watch->seen = found;
	if (!changed)
		return false;
	follow(watch);
	watch->seen = file_identity_get(watch->path);
	return true;
}

static void
run_watch(background *back, path_watch *watch)
{
	bool forced = watch->forced;

	watch->forced = false;
	watch->first_event = 0;
	/* All paths are due at the same moments: the thread wakes up once for all of them. */
	watch->due = (limen_host_monotonic() / LOOK_INTERVAL + 1) * LOOK_INTERVAL;
	background_begin(back, watch->host);
	if (look(watch) || forced)
		watch->job(watch->data);
	pthread_mutex_lock(&back->lock);
	background_end(back);
}

/* Checks each path once; paths added or due again meanwhile wait for the next call. */
void
path_watch_run(background *back)
{
	int64_t now = limen_host_monotonic();

	back->next_path = back->paths;
	while (back->next_path != NULL && !back->stopping) {
		path_watch *watch = back->next_path;

		back->next_path = watch->next;
		if (watch->host->active && watch->due <= now)
			run_watch(back, watch);
	}
	back->next_path = NULL;
}

/* ---- life ---- */

static path_watch *
make_watch(limen_host *host, const char *path, limen_job job, void *data)
{
	path_watch *watch = calloc(1, sizeof(*watch));

	if (watch == NULL)
		return NULL;
	*watch = (path_watch){ .host = host, .job = job, .data = data, .path = strdup(path) };
	memcpy(watch->dirs, no_dirs, sizeof(no_dirs));
	if (watch->path == NULL) {
		free(watch);
		return NULL;
	}
	/* Changes count from here on, even if jobs may run only later. */
	watch->seen = file_identity_get(path);
	return watch;
}

int
limen_host_watch_path(limen_host *host, const char *path, limen_job job, void *data)
{
	background *back;
	path_watch *watch;
	host_offer offer;

	if (host == NULL || path == NULL || job == NULL)
		return LIMEN_EINVAL;
	back = host->back;
	watch = make_watch(host, path, job, data);
	if (watch == NULL)
		return LIMEN_ENOMEM;
	pthread_mutex_lock(&back->lock);
	offer = host_offer_work(host);
	if (offer == OFFER_TAKEN) {
		watch->next = back->paths;
		back->paths = watch;
	}
	pthread_mutex_unlock(&back->lock);
	if (offer != OFFER_TAKEN)
		path_watch_free(&back->dirs, watch);
	return offer == OFFER_FAILED ? LIMEN_ENOMEM : LIMEN_OK;
}

void
path_watch_take(background *back, limen_host *host)
{
	path_watch **link = &back->paths;

	while (*link != NULL) {
		path_watch *watched = *link;

		if (watched->host != host) {
			link = &watched->next;
			continue;
		}
		if (watched == back->next_path)
			back->next_path = watched->next;
		*link = watched->next;
		watched->next = host->paths;
		host->paths = watched;
	}
}

void
path_watch_free(watched_dirs *dirs, path_watch *list)
{
	while (list != NULL) {
		path_watch *next = list->next;

		for (size_t i = 0; i < DIR_COUNT; i++)
			watched_dirs_drop(dirs, list->dirs[i]);
		free(list->path);
		free(list);
		list = next;
	}
}
