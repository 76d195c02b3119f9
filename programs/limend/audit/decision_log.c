/* SPDX-License-Identifier: Apache-2.0 */
/*
 * decision_log.c - selects the decisions to log and passes their lines through a queue to the
 * thread that writes them.  Owns the thread, the queue and the file.
 */
#include "decision_log.h"

#include <inttypes.h>
#include <limen/host.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/line_file.h"
#include "base/log.h"
#include "decision_line.h"

/* Caps of the queue, in lines and in bytes. */
#define QUEUE_LINES 8192
#define QUEUE_BYTES ((size_t)16 << 20)
/* How long a slow reader may take at the end, in nanoseconds. */
#define LAST_PATIENCE INT64_C(5000000000)

struct decision_log {
	line_file *file; /* used by the writer thread */
	line_rules rules;
	uint64_t sample; /* share of admitted requests times 2^64; UINT64_MAX: all */
	atomic_uint_fast64_t seen;
	atomic_uint_fast64_t dropped;
	atomic_uint_fast64_t written;
	atomic_uint_fast64_t lost;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more;
	GQueue lines; /* waiting texts, GString */
	size_t bytes; /* of them */
	bool reopen;
	bool closing;
	atomic_bool hurried;
};

/* Reads one word of the list: NAME or NAME:hash. */
static bool
read_part(const char *word, decision_log_options *out)
{
	static const struct {
		const char *name;
		redaction part;
	} known[] = {
		{ "user", REDACT_USER },           { "groups", REDACT_GROUPS },
		{ "peer", REDACT_PEER },           { "name", REDACT_NAME },
		{ "namespace", REDACT_NAMESPACE }, { "reason", REDACT_REASON },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
		size_t length = strlen(known[i].name);
		bool hashed = strcmp(word + MIN(length, strlen(word)), ":hash") == 0;

		if (strncmp(word, known[i].name, length) != 0 || (word[length] != '\0' && !hashed))
			continue;
		*(hashed ? &out->hashed : &out->removed) |= known[i].part;
		return true;
	}
	return false;
}

bool
decision_log_redactions(const char *text, decision_log_options *out, char **why)
{
	g_auto(GStrv) words = g_strsplit(text[0] == '\0' ? "," : text, ",", -1);

	for (char **word = words; *word != NULL; word++)
		if (!read_part(*word, out)) {
			*why = g_strdup_printf("'%s' cannot be redacted: user, groups, peer, name, "
			                       "namespace and reason can, each also as user:hash",
			                       *word);
			return false;
		}
	return true;
}

/* Moves waiting lines into 'batch', about LINE_FILE_BATCH bytes; false if the log is closing. */
static bool
take_batch(decision_log *self, GString *batch, size_t *count, bool *reopen)
{
	pthread_mutex_lock(&self->lock);
	while (self->lines.length == 0 && !self->reopen && !self->closing)
		pthread_cond_wait(&self->more, &self->lock);
	*reopen = self->reopen;
	self->reopen = false;
	*count = 0;
	while (self->lines.length > 0 && batch->len < LINE_FILE_BATCH) {
		GString *line = g_queue_pop_head(&self->lines);

		g_string_append_len(batch, line->str, (gssize)line->len);
		self->bytes -= line->len;
		g_string_free(line, TRUE);
		++*count;
	}
	pthread_mutex_unlock(&self->lock);
	return *count > 0 || *reopen;
}

static void *
write_lines(void *data)
{
	decision_log *self = data;
	g_autoptr(GString) batch = g_string_new(NULL);
	size_t count;
	bool reopen;

	while (take_batch(self, batch, &count, &reopen)) {
		size_t good;

		if (reopen)
			line_file_reopen(self->file);
		good = line_file_append(self->file, batch->str, batch->len);
		atomic_fetch_add(&self->written, good);
		atomic_fetch_add(&self->lost, count - good);
		g_string_truncate(batch, 0);
	}
	return NULL;
}

decision_log *
decision_log_open(const decision_log_options *options, char **why)
{
	line_file *file = line_file_open(options->path, why);
	decision_log *self;

	if (file == NULL)
		return NULL;
	self = g_new0(decision_log, 1);
	self->file = file;
	line_rules_set(&self->rules, options);
	/* 2^64 does not fit into the type, so UINT64_MAX stands for all. */
	self->sample = options->sample >= 1 ? UINT64_MAX : (uint64_t)(options->sample * 0x1p64);
	pthread_mutex_init(&self->lock, NULL);
	pthread_cond_init(&self->more, NULL);
	if (pthread_create(&self->thread, NULL, write_lines, self) != 0)
		g_error("cannot start the decision log");
	return self;
}

void
decision_log_hurry(decision_log *self)
{
	if (self == NULL)
		return;
	atomic_store(&self->hurried, true);
	line_file_hurry(self->file, 0);
}

void
decision_log_finish(decision_log *self)
{
	uint64_t lost;

	if (self == NULL || self->closing)
		return;
	lost = atomic_load(&self->lost);
	if (!atomic_load(&self->hurried))
		line_file_hurry(self->file, limen_host_monotonic() + LAST_PATIENCE);
	pthread_mutex_lock(&self->lock);
	self->closing = true;
	pthread_cond_signal(&self->more);
	pthread_mutex_unlock(&self->lock);
	pthread_join(self->thread, NULL);
	lost = atomic_load(&self->lost) - lost;
	if (lost > 0)
		log_print(LIMEN_LOG_WARNING, "decision log", "the last %" PRIu64 " lines are lost",
		          lost);
}

void
decision_log_close(decision_log *self)
{
	if (self == NULL)
		return;
	decision_log_finish(self);
	pthread_cond_destroy(&self->more);
	pthread_mutex_destroy(&self->lock);
	line_file_close(self->file);
	g_free(self);
}

void
decision_log_reopen(decision_log *self)
{
	if (self == NULL)
		return;
	pthread_mutex_lock(&self->lock);
	self->reopen = true;
	pthread_cond_signal(&self->more);
	pthread_mutex_unlock(&self->lock);
}

/* Turns a count into a pseudorandom number (SplitMix64), which needs no other state. */
static uint64_t
mix(uint64_t number)
{
	number *= UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ (number >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ (number >> 27)) * UINT64_C(0x94d049bb133111eb);
	return number ^ (number >> 31);
}

static bool
is_chosen(decision_log *self, const record *facts)
{
	uint64_t number;

	if (self->sample == UINT64_MAX || !limen_decision_admitted(facts->decision) ||
	    record_next_refusal(facts->decision, &(size_t){ 0 }) != NULL)
		return true;
	number = atomic_fetch_add_explicit(&self->seen, 1, memory_order_relaxed);
	return mix(number + 1) < self->sample;
}

void
decision_log_add(decision_log *self, const record *facts)
{
	GString *text;
	bool dropped;

	if (self == NULL || !is_chosen(self, facts))
		return;
	text = g_string_sized_new(512);
	decision_line_write(text, &self->rules, facts, limen_host_wall_time());
	pthread_mutex_lock(&self->lock);
	dropped = self->closing || self->lines.length == QUEUE_LINES ||
	          self->bytes + text->len > QUEUE_BYTES;
	if (!dropped) {
		g_queue_push_tail(&self->lines, text);
		self->bytes += text->len;
		pthread_cond_signal(&self->more);
	}
	pthread_mutex_unlock(&self->lock);
	if (dropped) {
		atomic_fetch_add(&self->dropped, 1);
		g_string_free(text, TRUE);
	}
}

void
decision_log_count(decision_log *self, decision_log_figures *out)
{
	out->written = atomic_load(&self->written);
	out->dropped = atomic_load(&self->dropped);
	out->lost = atomic_load(&self->lost);
}
