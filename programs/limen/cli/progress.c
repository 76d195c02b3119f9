/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - draws a progress bar with a count, a rate and the time left, at most once in 100 ms. */
#include "progress.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal.h"

/* Shortest time between two updates, in microseconds. */
#define INTERVAL (100 * G_TIME_SPAN_MILLISECOND)
#define WIDTH 30

/* A bar is on the terminal. */
static atomic_bool drawn;

void
progress_start(progress *self, uint64_t total, bool prints)
{
	const char *type = getenv("TERM");

	*self = (progress){ .total = total, .begin = g_get_monotonic_time() };
	self->last = self->begin;
	self->shown = isatty(STDERR_FILENO) && (type == NULL || strcmp(type, "dumb") != 0) &&
	              !(prints && isatty(STDOUT_FILENO));
}

uint64_t
progress_measure(char *const *files)
{
	uint64_t size = 0;

	for (; *files != NULL; files++) {
		struct stat facts;

		if (stat(*files, &facts) != 0 || !S_ISREG(facts.st_mode))
			return 0;
		size += (uint64_t)facts.st_size;
	}
	return size;
}

static void
draw(const progress *self, gint64 now, uint64_t done, uint64_t count, const char *things)
{
	double seconds = (double)(now - self->begin) / G_TIME_SPAN_SECOND;
	double rate = seconds > 0 ? (double)count / seconds : 0;
	char bar[WIDTH + 1];
	uint64_t share = 0;

	if (self->total > 0)
		share = (uint64_t)((double)MIN(done, self->total) / (double)self->total * 100);
	for (size_t i = 0; i < WIDTH; i++)
		bar[i] = i * 100 < share * WIDTH ? '#' : '.';
	bar[WIDTH] = '\0';
	if (self->total > 0)
		fprintf(stderr, TERMINAL_ERASE "[%s] %3u%%  ", bar, (unsigned)share);
	else
		fputs(TERMINAL_ERASE, stderr);
	fprintf(stderr, "%llu %s, %.0f/s", (unsigned long long)count, things, rate);
	if (done > 0 && done < self->total)
		fprintf(stderr, ", %.0f s left",
		        seconds * (double)(self->total - done) / (double)done);
	fflush(stderr);
}

void
progress_update(progress *self, uint64_t done, uint64_t count, const char *things)
{
	gint64 now;

	if (!self->shown)
		return;
	now = g_get_monotonic_time();
	if (now - self->last < INTERVAL)
		return;
	self->last = now;
	atomic_store(&drawn, true);
	draw(self, now, done, count, things);
}

void
progress_clear(void)
{
	if (!atomic_exchange(&drawn, false))
		return;
	fputs(TERMINAL_ERASE, stderr);
	fflush(stderr);
}

void
progress_end(progress *self)
{
	self->shown = false;
	progress_clear();
}
