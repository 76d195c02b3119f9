/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_run.c - reads logs in batches of lines, which jobs parse ahead, and decides them.  If
 * the policies keep no state, the jobs decide the lines, too, in any order; else they are
 * decided in the order of time, with one thread for each policy.
 */
#include <limen/documents.h>

#include "common/auto.h"
#include "cli/input.h"
#include "cli/jobs.h"
#include "cli/lines.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "replay.h"

/* Size of a batch: large enough to avoid lock contention, small enough to stay in the cache. */
#define LINES_A_BATCH 32
#define BYTES_A_BATCH ((size_t)32 << 10)
/*
 * Size of the window that sorts requests by time, in requests and bytes: a log is written when
 * requests are answered, which is not exactly their order.
 */
#define WINDOW_RECORDS 8192
#define WINDOW_BYTES ((size_t)64 << 20)
/* Cap on the text of a log that is one array: what limen_documents_parse() reads. */
#define ARRAY_BYTES ((size_t)64 << 20)
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

static void
decide(const replay_settings *settings, replay_record *record, int side)
{
	if (record->request == NULL || settings->engines[side] == NULL)
		return;
	if (limen_engine_decide(settings->engines[side], record->request, &record->options,
	                        &record->decisions[side]) != LIMEN_OK)
		g_error("out of memory");
}

/* ---- batches ---- */

/* Lines that one job parses. */
typedef struct batch {
	job job;
	const replay_settings *settings;
	GString *text;  /* the lines, without their ends */
	GQueue records; /* replay_record */
	struct batch *counted; /* one that the job frees first; or NULL */
} batch;

static void
free_batch(batch *self)
{
	g_string_free(self->text, TRUE);
	g_queue_clear_full(&self->records, replay_record_free);
	g_free(self);
}

static void
run_batch(job *base)
{
	const batch *self = (batch *)base;
	const replay_settings *settings = self->settings;
	const char *text = self->text->str;

	/* A thread that frees requests and decisions has their memory for the next ones. */
	if (self->counted != NULL)
		free_batch(self->counted);
	for (GList *at = self->records.head; at != NULL; at = at->next) {
		replay_record *record = at->data;

		if (record->skip == SKIP_NOT)
			replay_record_read(record, text, settings->otherwise);
		text += record->length;
		/* Without an old policy, a line needs a recorded outcome to compare with. */
		if (record->request != NULL && !record->has_recorded &&
		    settings->engines[WAS] == NULL) {
			g_clear_pointer(&record->request, limen_request_free);
			record->skip = SKIP_VERDICT;
		}
		for (int side = 0; !settings->ordered && side < SIDES; side++)
			decide(settings, record, side);
	}
}

/* ---- logs ---- */

/* One log that is read. */
typedef struct stream {
	unsigned file;
	line_input lines;
	size_t line;     /* number of the last line read */
	bool ended;      /* all lines were read */
	GQueue given;    /* batches in the order of the file */
	batch *current;  /* whose records are taken; NULL: before the first and at the end */
	limen_time last; /* latest time taken from the log */
} stream;

/* Adds a record, whose text is to follow, to 'to'. */
static replay_record *
add_record(batch *to, const stream *from)
{
	replay_record *record = g_new0(replay_record, 1);

	record->file = from->file;
	record->line = from->line;
	g_queue_push_tail(&to->records, record);
	return record;
}

static void
add_text(batch *to, const stream *from, const char *text, size_t length)
{
	add_record(to, from)->length = length;
	g_string_append_len(to->text, text, (gssize)length);
}

/* Does a line begin an array, as pScheduler's GET /tasks does? */
static bool
begins_array(const char *text, size_t length)
{
	while (length > 0 && g_ascii_isspace(*text)) {
		text++;
		length--;
	}
	return length > 0 && *text == '[';
}

/*
 * Adds the elements of the array that the log begins with, maybe over several lines; 'from' counts
 * them instead of lines.
 */
static void
add_elements(batch *to, stream *from, const char *text, size_t length)
{
	g_autoptr(GString) all = g_string_new_len(text, (gssize)length);
	g_autoptr(limen_documents) parsed = NULL;
	limen_iter iter;
	limen_value element;

	limen_documents_parse("tasks.json", all->str, all->len, 0, &parsed, NULL);
	while (parsed == NULL && all->len < ARRAY_BYTES &&
	       lines_next(&from->lines, &text, &length) == LINES_LINE)
		g_string_append_len(g_string_append_c(all, '\n'), text, (gssize)length);
	if (parsed == NULL)
		limen_documents_parse("tasks.json", all->str, all->len, 0, &parsed, NULL);
	if (parsed == NULL)
		add_text(to, from, all->str, all->len);
	iter = limen_iter_start(limen_documents_get(parsed, 0));
	for (from->line = 0; limen_iter_next(&iter, NULL, &element);) {
		g_auto(heap_text) json = limen_value_to_json(element, 0, &length);

		from->line++;
		if (json == NULL)
			g_error("out of memory");
		add_text(to, from, json, length);
	}
}

/* Returns the next batch, or NULL at the end of the log. */
static batch *
read_batch(const replaying *self, stream *from)
{
	batch *lines = g_new(batch, 1);
	const char *text;
	size_t length = 0;

	*lines = (batch){ .job.run = run_batch,
		          .settings = self->settings,
		          .text = g_string_sized_new(BYTES_A_BATCH / 4) };
	while (!from->ended && lines->records.length < LINES_A_BATCH &&
	       lines->text->len < BYTES_A_BATCH) {
		lines_result result = lines_next(&from->lines, &text, &length);

		from->ended = result == LINES_END;
		from->line++;
		if (result == LINES_TOO_LONG)
			add_record(lines, from)->skip = SKIP_TOO_LONG;
		else if (result == LINES_LINE && from->line == 1 && begins_array(text, length))
			add_elements(lines, from, text, length);
		else if (result == LINES_LINE && !lines_is_blank(text, length))
			add_text(lines, from, text, length);
	}
	if (lines->records.length == 0)
		g_clear_pointer(&lines, free_batch);
	return lines;
}

/* Drops the current batch; reads up to 'ahead' batches ahead, and waits for the next one. */
static void
next_batch(const replaying *self, stream *from, size_t ahead)
{
	batch *counted = g_steal_pointer(&from->current);

	while (!from->ended && from->given.length < ahead) {
		batch *lines = read_batch(self, from);

		if (lines == NULL)
			break;
		lines->counted = g_steal_pointer(&counted);
		jobs_give(self->pool, &lines->job);
		g_queue_push_tail(&from->given, lines);
	}
	g_clear_pointer(&counted, free_batch);
	from->current = g_queue_pop_head(&from->given);
	if (from->current != NULL)
		jobs_wait(self->pool, &from->current->job);
}

/* Opens a log; returns false after a message. */
static bool
open_stream(const replaying *self, unsigned file, stream *out)
{
	g_autofree char *why = NULL;

	*out = (stream){ .file = file, .last = INT64_MIN };
	if (lines_open(&out->lines, self->settings->files[file], &why))
		return true;
	message_error("%s", why);
	return false;
}

/* Closes a log; returns false, after a message, if it could not be read completely. */
static bool
close_stream(const replaying *self, stream *from)
{
	int failure = from->lines.failure;

	from->ended = true;
	do
		next_batch(self, from, 0);
	while (from->current != NULL);
	if (failure != 0)
		message_error("%s: %s", input_name(self->settings->files[from->file]),
		              g_strerror(failure));
	lines_close(&from->lines);
	return failure == 0;
}

/* ---- in any order ---- */

static bool
run_file(replaying *self, unsigned file)
{
	size_t ahead = 2 * jobs_threads(self->pool) + 2;
	stream from;

	if (!open_stream(self, file, &from))
		return false;
	for (;;) {
		next_batch(self, &from, ahead);
		if (from.current == NULL)
			break;
		for (GList *at = from.current->records.head; at != NULL; at = at->next)
			count(self, at->data);
	}
	return close_stream(self, &from);
}

/* ---- in the order of time ---- */

/* The logs that are merged, and their records that are not decided yet. */
typedef struct window {
	GArray *streams;    /* stream */
	size_t ahead;       /* batches to read ahead of each */
	GSequence *records; /* replay_record by time; equal ones stay in order */
	size_t bytes;
	limen_time clock;   /* of the latest record decided */
} window;

static gint
compare_records(gconstpointer a, gconstpointer b, gpointer data)
{
	const replay_record *record = a, *other = b;

	(void)data;
	return (record->time > other->time) - (record->time < other->time);
}

/* Returns the log with the earliest position, or NULL if all have ended. */
static stream *
find_earliest(GArray *streams)
{
	stream *found = NULL;

	for (guint i = 0; i < streams->len; i++) {
		stream *item = &g_array_index(streams, stream, i);

		if ((!item->ended || item->current != NULL) &&
		    (found == NULL || item->last < found->last))
			found = item;
	}
	return found;
}

static void
fill(replaying *self, window *to)
{
	stream *from = find_earliest(to->streams);

	while (from != NULL && to->bytes < WINDOW_BYTES &&
	       g_sequence_get_length(to->records) < WINDOW_RECORDS + GROUP_RECORDS) {
		replay_record *record = NULL;

		if (from->current == NULL || from->current->records.length == 0)
			next_batch(self, from, to->ahead);
		if (from->current != NULL)
			record = g_queue_pop_head(&from->current->records);
		if (record != NULL && record->request != NULL) {
			/* A line without a time does not advance the log. */
			if ((record->losses & (1U << LOSS_TIME)) == 0)
				from->last = MAX(from->last, record->time);
			to->bytes += record->length;
			g_sequence_insert_sorted(to->records, record, compare_records, NULL);
		} else if (record != NULL) {
			count(self, record);
			replay_record_free(record);
		}
		from = find_earliest(to->streams);
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
		decide(self->settings, g_ptr_array_index(self->records, i), self->side);
}

/* Decides the earliest records of the window. */
static void
drain(replaying *self, window *from)
{
	g_autoptr(GPtrArray) records = g_ptr_array_new_full(GROUP_RECORDS, replay_record_free);
	group old = { .job.run = decide_group, .settings = self->settings, .records = records };
	group new = { .settings = self->settings, .records = records, .side = IS };

	while (!g_sequence_is_empty(from->records) && records->len < GROUP_RECORDS) {
		GSequenceIter *begin = g_sequence_get_begin_iter(from->records);
		replay_record *record = g_sequence_get(begin);

		g_sequence_remove(begin);
		from->bytes -= record->length;
		self->tally->late += record->time < from->clock;
		from->clock = MAX(from->clock, record->time);
		g_ptr_array_add(records, record);
	}
	if (self->settings->engines[WAS] != NULL)
		jobs_give(self->pool, &old.job);
	decide_group(&new.job);
	if (self->settings->engines[WAS] != NULL)
		jobs_wait(self->pool, &old.job);
	for (guint i = 0; i < records->len; i++)
		count(self, g_ptr_array_index(records, i));
}

static bool
run_ordered(replaying *self)
{
	window all = { .streams = g_array_new(FALSE, FALSE, sizeof(stream)),
		       .records = g_sequence_new(NULL),
		       .clock = INT64_MIN };
	unsigned files = g_strv_length(self->settings->files);
	bool good = true;

	all.ahead = MAX(2, (2 * jobs_threads(self->pool) + 2) / files);
	for (unsigned i = 0; i < files; i++) {
		stream item;

		if (open_stream(self, i, &item))
			g_array_append_val(all.streams, item);
		else
			good = false;
	}
	if (good)
		fill(self, &all);
	while (!g_sequence_is_empty(all.records)) {
		drain(self, &all);
		fill(self, &all);
	}
	for (guint i = 0; i < all.streams->len; i++)
		good = close_stream(self, &g_array_index(all.streams, stream, i)) && good;
	g_sequence_free(all.records);
	g_array_unref(all.streams);
	return good;
}

bool
replay_run(const replay_settings *settings, replay_tally *tally)
{
	replaying self = { .settings = settings, .tally = tally, .pool = jobs_start() };
	bool good = true;

	progress_start(&self.bar, progress_measure(settings->files), false);
	if (settings->ordered)
		good = run_ordered(&self);
	for (unsigned i = 0; !settings->ordered && good && settings->files[i] != NULL; i++)
		good = run_file(&self, i);
	progress_end(&self.bar);
	jobs_finish(self.pool);
	replay_tally_finish(tally);
	return good;
}
