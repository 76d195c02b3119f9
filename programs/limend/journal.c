/* SPDX-License-Identifier: Apache-2.0 */
#include "journal.h"

#include <limen/duration.h>
#include <pthread.h>
#include <stdio.h>

#include "../common/json_out.h"

typedef struct entry {
	limen_time when;
	limen_log_level level;
	char source[64];
	char text[JOURNAL_TEXT_MAX];
} entry;

/* A process has one log, and so one account of it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry entries[JOURNAL_LINES];
static size_t added;

void
journal_add(limen_log_level level, const char *source, const char *text)
{
	entry *one;

	if (level > LIMEN_LOG_INFO)
		return;
	pthread_mutex_lock(&lock);
	one = &entries[added % JOURNAL_LINES];
	added++;
	one->when = limen_host_wall_time();
	one->level = level;
	g_strlcpy(one->source, source, sizeof(one->source));
	g_strlcpy(one->text, text, sizeof(one->text));
	pthread_mutex_unlock(&lock);
}

static void
append_entry(GString *out, const entry *one)
{
	static const char *const words[] = {
		[LIMEN_LOG_ERROR] = "error",
		[LIMEN_LOG_WARNING] = "warning",
		[LIMEN_LOG_INFO] = "info",
	};
	limen_timestamp when = { .time = one->when };
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	limen_timestamp_print(&when, time);
	json_open(out, '{');
	json_put_string(out, "time", time);
	json_put_string(out, "level", words[one->level]);
	json_put_string(out, "source", one->source);
	json_put_string(out, "text", one->text);
	g_string_append_c(out, '}');
}

void
journal_append(GString *out)
{
	json_open(out, '[');
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < JOURNAL_LINES && i < added; i++)
		append_entry(out, &entries[(added - 1 - i) % JOURNAL_LINES]);
	pthread_mutex_unlock(&lock);
	g_string_append_c(out, ']');
}
