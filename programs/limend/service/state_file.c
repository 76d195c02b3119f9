/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state_file.c - reads and writes the file of --state.  Its first line has the version and the
 * SHA-256 of the rest; each further line is a bucket.
 */
#include "state_file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <unistd.h>

#include "../common/auto.h"
#include "base/log.h"

#define HEAD "limend-state 1 "
#define DIGITS 64
#define HEAD_LENGTH (sizeof(HEAD) - 1 + DIGITS + 1)
#define INTERVAL 60000 /* milliseconds */

/* Fields of a line: store, table, keys, key, kind, unit, period, and the state. */
#define TEXTS 4
#define FIELDS (TEXTS + 6)

struct state_file {
	char *path;
	int lock;
	limen_engine *engine;
	GThread *thread; /* NULL: nothing was restored, so nothing is written */
	int wake;        /* an eventfd: the next write is due */
	atomic_bool ended;
	bool failing; /* the last write failed, which is in the log */
};

/* ---- writing ---- */

static bool
append(void *data, const limen_bucket *bucket)
{
	GString *out = data;
	const char *const texts[TEXTS] = { bucket->store, bucket->table, bucket->keys, bucket->key };

	for (size_t i = 0; i < TEXTS; i++) {
		size_t length = i == TEXTS - 1 ? bucket->key_length : strlen(texts[i]);
		g_autofree char *text = g_uri_escape_bytes((const guint8 *)texts[i], length, NULL);

		g_string_append(out, text);
		g_string_append_c(out, ' ');
	}
	g_string_append_printf(out, "%d %d %" PRId64, (int)bucket->kind, (int)bucket->unit,
	                       bucket->period);
	for (size_t i = 0; i < G_N_ELEMENTS(bucket->state); i++)
		g_string_append_printf(out, " %" PRIu64, bucket->state[i]);
	g_string_append_c(out, '\n');
	return true;
}

static void
save(state_file *self)
{
	g_autoptr(GString) text = g_string_new("");
	g_autoptr(GError) reason = NULL;
	g_autofree char *sum = NULL;
	bool good;

	limen_engine_each_quota(self->engine, append, text);
	sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, (gssize)text->len);
	g_string_prepend(text, "\n");
	g_string_prepend(text, sum);
	g_string_prepend(text, HEAD);
	good = g_file_set_contents_full(self->path, text->str, (gssize)text->len,
	                                G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE,
	                                0600, &reason);
	if (!good && !self->failing)
		log_print(LIMEN_LOG_ERROR, "state", "the use of quotas cannot be written: %s",
		          reason->message);
	else if (good && self->failing)
		log_line(LIMEN_LOG_INFO, "state", "the use of quotas can be written again");
	self->failing = !good;
}

static gpointer
run(gpointer data)
{
	state_file *self = data;
	struct pollfd watched = { .fd = self->wake, .events = POLLIN };
	eventfd_t count;

	/* The last write begins after the end was requested. */
	for (bool last = false; !last;) {
		poll(&watched, 1, INTERVAL);
		eventfd_read(self->wake, &count);
		last = atomic_load(&self->ended);
		save(self);
	}
	return NULL;
}

/* ---- reading ---- */

/* Restores the bucket of a line; returns false if the policy has no table for it. */
static bool
restore(limen_engine *engine, const char *line)
{
	g_auto(GStrv) fields = g_strsplit(line, " ", FIELDS + 1);
	limen_bucket bucket = { .size = sizeof(bucket) };
	GBytes *texts[TEXTS] = { NULL };
	bool good = g_strv_length(fields) == FIELDS;
	gsize length = 0;

	for (size_t i = 0; i < TEXTS && good; i++) {
		/* The NUL behind it is part of all but the key. */
		g_autofree char *ended = g_strconcat(fields[i], i < TEXTS - 1 ? "%00" : "", NULL);

		texts[i] = g_uri_unescape_bytes(ended, -1, NULL, NULL);
		good = texts[i] != NULL;
	}
	if (good) {
		bucket.store = g_bytes_get_data(texts[0], NULL);
		bucket.table = g_bytes_get_data(texts[1], NULL);
		bucket.keys = g_bytes_get_data(texts[2], NULL);
		bucket.key = g_bytes_get_data(texts[3], &length);
		bucket.key_length = length;
		bucket.kind = (limen_meter_kind)g_ascii_strtoll(fields[TEXTS], NULL, 10);
		bucket.unit = (limen_unit)g_ascii_strtoll(fields[TEXTS + 1], NULL, 10);
		bucket.period = g_ascii_strtoll(fields[TEXTS + 2], NULL, 10);
		for (size_t i = 0; i < G_N_ELEMENTS(bucket.state); i++)
			bucket.state[i] = g_ascii_strtoull(fields[TEXTS + 3 + i], NULL, 10);
		good = limen_engine_restore_bucket(engine, &bucket) == LIMEN_OK;
	}
	for (size_t i = 0; i < TEXTS; i++)
		g_clear_pointer(&texts[i], g_bytes_unref);
	return good;
}

/* Returns why the text of a file is none to restore, or NULL. */
static const char *
judge(const char *text, gsize length)
{
	g_autofree char *sum = NULL;

	if (length < sizeof(HEAD) - 1 || memcmp(text, HEAD, sizeof(HEAD) - 1) != 0)
		return "it is no file of --state of this version";
	if (length < HEAD_LENGTH)
		return "it is torn";
	sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text + HEAD_LENGTH,
	                                    (gssize)(length - HEAD_LENGTH));
	return memcmp(text + sizeof(HEAD) - 1, sum, DIGITS) != 0 ? "it is torn" : NULL;
}

static char *
set_aside(const state_file *self, const char *why, const char *text)
{
	g_autofree char *bad = g_strconcat(self->path, ".bad", NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", 0);
	g_autofree char *use = NULL;
	size_t lost = 0;

	if (g_rename(self->path, bad) != 0)
		return g_strdup_printf("--state: %s cannot be renamed: %s", self->path,
		                       g_strerror(errno));
	/* Each line behind the first of such a file is a quota. */
	for (size_t i = 1; g_str_has_prefix(text, HEAD) && lines[i] != NULL; i++)
		lost += lines[i][0] != '\0';
	use = lost == 0 ? g_strdup("") : g_strdup_printf(", and the use of %zu is lost", lost);
	log_print(LIMEN_LOG_ERROR, "state", "%s is not read, since %s: all quotas begin with nothing "
	          "used%s; the file is now %s", self->path, why, use, bad);
	return NULL;
}

static void
restore_all(const state_file *self, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", 0);
	size_t restored = 0;
	size_t left = 0;

	for (char **line = lines; *line != NULL; line++) {
		if (**line == '\0')
			continue;
		if (restore(self->engine, *line))
			restored++;
		else
			left++;
	}
	log_print(left > 0 ? LIMEN_LOG_WARNING : LIMEN_LOG_INFO, "state",
	          "the use of %zu quotas was restored, that of %zu was not: the policy no longer counts "
	          "so", restored, left);
}

char *
state_file_begin(state_file *self, limen_engine *engine)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) reason = NULL;
	gsize length = 0;
	const char *wrong;
	char *why = NULL;

	self->engine = engine;
	if (g_file_get_contents(self->path, &text, &length, &reason)) {
		wrong = judge(text, length);
		if (wrong == NULL)
			restore_all(self, text + HEAD_LENGTH);
		else
			why = set_aside(self, wrong, text);
	} else if (!g_error_matches(reason, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
		why = g_strdup_printf("--state: %s", reason->message);
	}
	if (why != NULL)
		return why;
	g_clear_error(&reason);
	self->thread = g_thread_try_new("state", run, self, &reason);
	return self->thread != NULL ? NULL
	                            : g_strdup_printf("threads cannot be created: %s",
	                                              reason->message);
}

/* ---- the file as a whole ---- */

state_file *
state_file_open(const char *path, char **why)
{
	g_autofree char *locked = g_strconcat(path, ".lock", NULL);
	int lock = open(locked, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	state_file *self;

	if (lock < 0 || wake < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) {
		*why = lock >= 0 && errno == EWOULDBLOCK
		               ? g_strdup_printf("--state: another process uses %s", path)
		               : g_strdup_printf("--state: %s: %s", locked, g_strerror(errno));
		if (wake >= 0)
			close(wake);
		if (lock >= 0)
			close(lock);
		return NULL;
	}
	self = g_new0(state_file, 1);
	self->path = g_strdup(path);
	self->lock = lock;
	self->wake = wake;
	return self;
}

void
state_file_hurry(state_file *self)
{
	if (self != NULL)
		eventfd_write(self->wake, 1);
}

void
state_file_close(state_file *self)
{
	if (self == NULL)
		return;
	if (self->thread != NULL) {
		atomic_store(&self->ended, true);
		state_file_hurry(self);
		/* It writes once more. */
		g_thread_join(self->thread);
	}
	close(self->wake);
	close(self->lock);
	g_free(self->path);
	g_free(self);
}
