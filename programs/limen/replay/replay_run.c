/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_run.c - decides the lines of logs.  If the policies keep no state, lines are decided
 * in any order on all processors; else in the order of time, with one thread for each policy
 * while others read ahead.
 */
#include <string.h>

#include "cli/progress.h"
#include "replay_source.h"

/*
 * Size of the window that sorts requests by time, in requests and bytes: a log is written when
 * requests are answered, which is not exactly their order.
 */
#define WINDOW_RECORDS 8192
#define WINDOW_BYTES ((size_t)64 << 20)
/* Number of requests decided before the window is filled again. */
#define GROUP_RECORDS 256

/* State of one replay. */
typedef struct replaying {
	const replay_settings *settings;
	replay_tally *tally;
	jobs *pool;
	progress bar;
	guint64 bytes; /* counted so far */
} replaying;

static void
count(replaying *self, const replay_record *record)
{
	replay_tally_add(self->tally, record);
	self->bytes += record->length + 1;
	progress_update(&self->bar, self->bytes, self->tally->lines, "lines");
}

/* ---- in any order ---- */

static bool
run_file(replaying *self, unsigned file)
{
	replay_source *source = replay_source_open(self->settings, self->pool, file,
	                                           2 * jobs_threads(self->pool) + 2);
	replay_batch *batch;

	if (source == NULL)
		return false;
	for (batch = replay_source_next(source); batch != NULL;
	     batch = replay_source_next(source)) {
		for (guint i = 0; i < batch->records->len; i++)
			count(self, g_ptr_array_index(batch->records, i));
		replay_batch_free(batch);
	}
	return replay_source_close(source);
}

/* ---- in the order of time ---- */

/* One of the logs that are merged. */
typedef struct stream {
	replay_source *source; /* NULL: at its end */
	replay_batch *batch;
	guint next;            /* index in the batch */
	limen_time last;       /* latest time taken from the log */
} stream;

/* Records not decided yet, sorted by time. */
typedef struct window {
	GSequence *records;
	size_t bytes;
	size_t sequence;
} window;

static gint
compare_records(gconstpointer a, gconstpointer b, gpointer data)
{
	const replay_record *one = a, *other = b;

	(void)data;
	if (one->time != other->time)
		return one->time < other->time ? -1 : 1;
	return one->sequence < other->sequence ? -1 : one->sequence > other->sequence;
}

static replay_record *
pop(window *from)
{
	GSequenceIter *begin = g_sequence_get_begin_iter(from->records);
	replay_record *first = g_sequence_get(begin);

	g_sequence_remove(begin);
	from->bytes -= first->length;
	return first;
}

/* Returns the next record of a log, or NULL at its end. */
static replay_record *
take(stream *from, bool *good)
{
	while (from->source != NULL) {
		replay_record *record;

		if (from->batch != NULL && from->next < from->batch->records->len) {
			record = from->batch->records->pdata[from->next];
			from->batch->records->pdata[from->next++] = NULL;
			return record;
		}
		if (from->batch != NULL)
			replay_batch_free(from->batch);
		from->next = 0;
		from->batch = replay_source_next(from->source);
		if (from->batch != NULL)
			continue;
		*good = replay_source_close(from->source) && *good;
		from->source = NULL;
	}
	return NULL;
}

/* Returns the log with the earliest position, or NULL if all have ended. */
static stream *
find_earliest(GArray *streams)
{
	stream *found = NULL;

	for (guint i = 0; i < streams->len; i++) {
		stream *one = &g_array_index(streams, stream, i);

		if (one->source != NULL && (found == NULL || one->last < found->last))
			found = one;
	}
	return found;
}

static void
fill(replaying *self, GArray *streams, window *to, bool *good)
{
	stream *from = find_earliest(streams);

	while (from != NULL && *good && to->bytes < WINDOW_BYTES &&
	       g_sequence_get_length(to->records) < WINDOW_RECORDS + GROUP_RECORDS) {
		replay_record *record = take(from, good);

		if (record != NULL && record->request != NULL) {
			/* A line without a time does not advance the log. */
			if ((record->losses & (1U << LOSS_TIME)) == 0)
				from->last = MAX(from->last, record->time);
			record->sequence = to->sequence++;
			to->bytes += record->length;
			g_sequence_insert_sorted(to->records, record, compare_records, NULL);
		} else if (record != NULL) {
			count(self, record);
			replay_record_free(record);
		}
		from = find_earliest(streams);
	}
}

/* Records to decide in order under one policy. */
typedef struct group {
	job job;
	const replay_settings *settings;
	GPtrArray *records;
	int side;
} group;

static void
decide_group(job *base)
{
	const group *self = (const group *)base;

	for (guint i = 0; i < self->records->len; i++)
		replay_decide(self->settings, g_ptr_array_index(self->records, i), self->side);
}

/* Decides the earliest records of the window. */
static void
drain(replaying *self, window *from, GPtrArray *records, limen_time *clock)
{
	group old = { .job.run = decide_group, .settings = self->settings, .records = records };
	group new = { .settings = self->settings, .records = records, .side = 1 };

	while (!g_sequence_is_empty(from->records) && records->len < GROUP_RECORDS) {
		replay_record *record = pop(from);

		self->tally->late += record->time < *clock;
		*clock = MAX(*clock, record->time);
		g_ptr_array_add(records, record);
	}
	if (self->settings->engines[0] != NULL)
		jobs_give(self->pool, &old.job);
	decide_group(&new.job);
	if (self->settings->engines[0] != NULL)
		jobs_wait(self->pool, &old.job);
	for (guint i = 0; i < records->len; i++)
		count(self, g_ptr_array_index(records, i));
	g_ptr_array_set_size(records, 0);
}

static void
free_record(gpointer data)
{
	replay_record_free(data);
}

static GArray *
open_streams(const replaying *self, bool *good)
{
	GArray *streams = g_array_new(FALSE, TRUE, sizeof(stream));
	size_t files = g_strv_length(self->settings->files);
	size_t ahead = MAX(2, (2 * jobs_threads(self->pool) + 2) / files);

	for (unsigned i = 0; i < files; i++) {
		stream one = { .source = replay_source_open(self->settings, self->pool, i, ahead),
			       .last = INT64_MIN };

		*good = *good && one.source != NULL;
		g_array_append_val(streams, one);
	}
	return streams;
}

static void
close_streams(GArray *streams)
{
	for (guint i = 0; i < streams->len; i++) {
		stream *one = &g_array_index(streams, stream, i);

		if (one->batch != NULL)
			replay_batch_free(one->batch);
		if (one->source != NULL)
			replay_source_close(one->source);
	}
	g_array_free(streams, TRUE);
}

static bool
run_ordered(replaying *self)
{
	bool good = true;
	GArray *streams = open_streams(self, &good);
	window waiting = { .records = g_sequence_new(NULL) };
	GPtrArray *records = g_ptr_array_new_with_free_func(free_record);
	limen_time clock = INT64_MIN;

	if (good)
		fill(self, streams, &waiting, &good);
	while (good && !g_sequence_is_empty(waiting.records)) {
		drain(self, &waiting, records, &clock);
		fill(self, streams, &waiting, &good);
	}
	while (!g_sequence_is_empty(waiting.records))
		replay_record_free(pop(&waiting));
	g_sequence_free(waiting.records);
	g_ptr_array_unref(records);
	close_streams(streams);
	return good;
}

bool
replay_run(const replay_settings *settings, replay_tally *tally)
{
	replaying self = { .settings = settings, .tally = tally, .pool = jobs_start() };
	bool good = true;

	progress_start(&self.bar, replay_source_size(settings));
	if (settings->ordered)
		good = run_ordered(&self);
	for (unsigned i = 0; !settings->ordered && good && settings->files[i] != NULL; i++)
		good = run_file(&self, i);
	progress_end(&self.bar);
	jobs_finish(self.pool);
	replay_tally_finish(tally);
	return good;
}
