/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host.c - the host of one instance: its life and its log lines.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "background.h"
#include "base/utf8.h"

/* Longer lines are cut. */
#define LINE_SIZE ((size_t)4096)

/* ---- life ---- */

static void
free_memory(limen_host *host)
{
	host_counters_free(host->counters);
	free(host->section);
	free(host->name);
	free(host->source);
	free(host);
}

limen_host *
host_new(background *back, const char *section, const char *name)
{
	limen_host *host = calloc(1, sizeof(*host));

	if (host == NULL)
		return NULL;
	host->back = back;
	host->stop_fd = -1;
	host->section = strdup(section);
	host->name = strdup(name);
	if (asprintf(&host->source, "%s/%s", section, name) < 0)
		host->source = NULL;
	if (host->section == NULL || host->name == NULL || host->source == NULL) {
		free_memory(host);
		return NULL;
	}
	utf8_one_line(host->source);
	return host;
}

host_offer
host_offer_work(limen_host *host)
{
	if (host->closing || host->back->services->passive)
		return OFFER_IGNORED;
	host->has_work = true;
	return !host->active || background_ready(host->back) ? OFFER_TAKEN : OFFER_FAILED;
}

bool
limen_host_is_passive(const limen_host *host)
{
	return host == NULL || host->back->services->passive;
}

void
host_activate(limen_host *host)
{
	background *back = host->back;
	bool ready = true;

	pthread_mutex_lock(&back->lock);
	if (!host->active) {
		host->active = true;
		ready_enter(host);
		ready = !host->has_work || background_ready(back);
	}
	pthread_mutex_unlock(&back->lock);
	if (!ready)
		limen_host_log(host, LIMEN_LOG_ERROR,
		               "no thread could be started: background work does not run");
}

void
host_finish(limen_host *host)
{
	fd_watch_free(host->fds);
	path_watch_free(&host->back->dirs, host->paths);
	if (host->stop_fd >= 0)
		close(host->stop_fd);
	free_memory(host);
}

/* Drops all jobs and takes no more.  Lock held. */
static void
begin_closing(limen_host *host)
{
	if (!host->closing)
		ready_leave(host);
	host->closing = true;
	work_tell(host);
	background_take(host->back, host);
}

/* As begin_closing(), and waits for jobs that run on other threads.  Lock held. */
static void
quiesce(limen_host *host)
{
	background *back = host->back;

	begin_closing(host);
	work_wait(host);
	if (background_is_here(back))
		return;
	while (back->running == host)
		pthread_cond_wait(&back->progress, &back->lock);
	if (host->fds != NULL)
		background_leave_poll(back);
}

bool
host_begin_stop(limen_host *host)
{
	background *back = host->back;
	bool idle;

	pthread_mutex_lock(&back->lock);
	begin_closing(host);
	idle = host->elsewhere == 0 && back->running != host;
	pthread_mutex_unlock(&back->lock);
	return idle;
}

void
host_stop(limen_host *host)
{
	pthread_mutex_lock(&host->back->lock);
	quiesce(host);
	pthread_mutex_unlock(&host->back->lock);
}

void
host_free(limen_host *host)
{
	background *back;

	if (host == NULL)
		return;
	back = host->back;
	pthread_mutex_lock(&back->lock);
	quiesce(host);
	host->ended = background_is_here(back) && back->running == host;
	if (!host->ended)
		host_finish(host);
	pthread_mutex_unlock(&back->lock);
}

/* ---- log ---- */

void
background_silence(background *back)
{
	pthread_mutex_lock(&back->log_lock);
	back->silent = true;
	pthread_mutex_unlock(&back->log_lock);
}

/* Marks that 'line' was cut, between characters. */
static void
mark_cut(char line[LINE_SIZE])
{
	size_t length = utf8_valid(line, LINE_SIZE - 4);

	/* Text that is not UTF-8 has no characters to cut between. */
	if (length < LINE_SIZE - 8)
		length = LINE_SIZE - 4;
	memcpy(line + length, "...", 4);
}

void
limen_host_log(limen_host *host, limen_log_level level, const char *format, ...)
{
	background *back = host == NULL ? NULL : host->back;
	int before = errno;
	char line[LINE_SIZE];
	va_list arguments;
	int length;

	if (back == NULL || back->services->log == NULL)
		return;
	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	if (length < 0)
		line[0] = '\0';
	else if ((size_t)length >= sizeof(line))
		mark_cut(line);
	utf8_one_line(line);
	pthread_mutex_lock(&back->log_lock);
	if (!back->silent)
		back->services->log(back->services->log_data, level, host->source, line);
	pthread_mutex_unlock(&back->log_lock);
	errno = before;
}
