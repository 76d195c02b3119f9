/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_source.c - reads a log in batches, queues a bounded number of them on the job pool, and
 * returns them in file order.  Owns the file descriptor and the queue.
 */
#include "replay_source.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/message.h"

struct replay_source {
	const replay_settings *settings;
	jobs *pool;
	unsigned file;
	size_t ahead;
	int fd;
	line_input lines;
	size_t line;
	bool ended;
	GQueue given; /* replay_batch, in the order of the file */
};

replay_source *
replay_source_open(const replay_settings *settings, jobs *pool, unsigned file, size_t ahead)
{
	char *why = NULL;
	int fd = input_open(settings->files[file], &why);
	replay_source *self;

	if (fd < 0) {
		message_error("%s", why);
		g_free(why);
		return NULL;
	}
	self = g_new0(replay_source, 1);
	*self = (replay_source){ .settings = settings, .pool = pool, .file = file, .ahead = ahead,
		                 .fd = fd, .line = 1 };
	g_queue_init(&self->given);
	lines_start(&self->lines, fd);
	return self;
}

replay_batch *
replay_source_next(replay_source *self)
{
	replay_batch *batch;

	while (!self->ended && self->given.length < self->ahead) {
		batch = replay_batch_take(self->settings, self->file, &self->lines, &self->line);
		if (batch == NULL) {
			self->ended = true;
			break;
		}
		jobs_give(self->pool, &batch->job);
		g_queue_push_tail(&self->given, batch);
	}
	batch = g_queue_pop_head(&self->given);
	if (batch != NULL)
		jobs_wait(self->pool, &batch->job);
	return batch;
}

bool
replay_source_close(replay_source *self)
{
	bool good = self->lines.failure == 0;
	replay_batch *batch = g_queue_pop_head(&self->given);

	for (; batch != NULL; batch = g_queue_pop_head(&self->given)) {
		jobs_wait(self->pool, &batch->job);
		replay_batch_free(batch);
	}
	if (!good)
		message_error("%s: %s", input_name(self->settings->files[self->file]),
		              g_strerror(self->lines.failure));
	lines_finish(&self->lines);
	close(self->fd);
	g_free(self);
	return good;
}

guint64
replay_source_size(const replay_settings *settings)
{
	guint64 size = 0;

	for (size_t i = 0; settings->files[i] != NULL; i++) {
		struct stat facts;

		if (stat(settings->files[i], &facts) != 0 || !S_ISREG(facts.st_mode))
			return 0;
		size += (guint64)facts.st_size;
	}
	return size;
}
