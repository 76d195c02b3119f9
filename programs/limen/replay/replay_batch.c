/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay_batch.c - takes up to 512 lines or about 256 KiB from a log, and parses them in a job.
 * The job also decides them unless decisions depend on their order.
 */
#include "replay_batch.h"

#include <stdint.h>

/* Size of a batch: large enough to avoid lock contention, small enough to share the work. */
#define LINES_A_BATCH 512
#define BYTES_A_BATCH ((size_t)256 << 10)

void
replay_decide(const replay_settings *settings, replay_record *record, int side)
{
	const limen_decide_options options = { .size = sizeof(options),
		                               .rewrite = record->how.rewrite,
		                               .prioritize = record->how.prioritize,
		                               .phase = record->phase };

	if (record->request == NULL || settings->engines[side] == NULL)
		return;
	if (limen_engine_decide(settings->engines[side], record->request, &options,
	                        &record->decisions[side]) != LIMEN_OK)
		g_error("out of memory");
}

static replay_record *
read_record(const replay_batch *batch, size_t index, size_t *start)
{
	size_t end = g_array_index(batch->ends, size_t, index);
	replay_record *record;

	if (end == SIZE_MAX) {
		record = g_new0(replay_record, 1);
		record->skip = SKIP_TOO_LONG;
	} else {
		record = replay_record_read(batch->text->str + *start, end - *start,
		                            batch->settings->otherwise);
		*start = end;
	}
	record->file = batch->file;
	record->line = batch->first_line + index;
	/* Without an old policy, a line needs a recorded outcome to compare with. */
	if (record->request != NULL && !record->has_recorded &&
	    batch->settings->engines[0] == NULL) {
		limen_request_free(record->request);
		record->request = NULL;
		record->skip = SKIP_VERDICT;
	}
	return record;
}

static void
run_batch(job *base)
{
	replay_batch *batch = (replay_batch *)base;
	size_t start = 0;

	for (guint i = 0; i < batch->ends->len; i++) {
		replay_record *record = read_record(batch, i, &start);

		if (batch->decide)
			for (int side = 0; side < 2; side++)
				replay_decide(batch->settings, record, side);
		g_ptr_array_add(batch->records, record);
	}
}

static void
free_record(gpointer data)
{
	replay_record_free(data);
}

replay_batch *
replay_batch_take(const replay_settings *settings, unsigned file, line_input *lines, size_t *line)
{
	replay_batch *batch = g_new0(replay_batch, 1);
	const char *text;
	size_t length;
	lines_result got;

	*batch = (replay_batch){ .job.run = run_batch,
		                 .settings = settings,
		                 .decide = !settings->ordered,
		                 .file = file,
		                 .first_line = *line,
		                 .text = g_string_sized_new(BYTES_A_BATCH / 4),
		                 .ends = g_array_new(FALSE, FALSE, sizeof(size_t)),
		                 .records = g_ptr_array_new_with_free_func(free_record) };
	while (batch->ends->len < LINES_A_BATCH && batch->text->len < BYTES_A_BATCH) {
		size_t end = SIZE_MAX;

		got = lines_next(lines, &text, &length);
		if (got == LINES_END)
			break;
		/* A blank line at the start of a batch only advances the line number. */
		if (got == LINES_LINE && lines_is_blank(text, length) && batch->ends->len == 0) {
			batch->first_line = ++*line;
			continue;
		}
		if (got == LINES_LINE && lines_is_blank(text, length)) {
			++*line;
			break;
		}
		if (got == LINES_LINE) {
			g_string_append_len(batch->text, text, (gssize)length);
			end = batch->text->len;
		}
		g_array_append_val(batch->ends, end);
		++*line;
	}
	if (batch->ends->len > 0)
		return batch;
	replay_batch_free(batch);
	return NULL;
}

void
replay_batch_free(replay_batch *batch)
{
	g_string_free(batch->text, TRUE);
	g_array_free(batch->ends, TRUE);
	g_ptr_array_unref(batch->records);
	g_free(batch);
}
