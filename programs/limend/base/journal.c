/* SPDX-License-Identifier: Apache-2.0 */
/*
 * journal.c - keeps the latest log lines in a static array, newest first, and writes them as JSON.
 * A repeated line moves to the front and its count grows.  Owns the array and its mutex.
 */
#include "journal.h"

#include <pthread.h>
#include <string.h>

#include "../common/json_out.h"
#include "log_time.h"

typedef struct entry {
	limen_time when;
	limen_log_level level;
	unsigned times;
	char source[64];
	char text[JOURNAL_TEXT_MAX];
} entry;

/* The journal is static because a process has one log. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry entries[JOURNAL_LINES]; /* the newest first */
static size_t count;

static bool
is_same(const entry *left, const entry *right)
{
	return left->level == right->level && strcmp(left->source, right->source) == 0 &&
	       strcmp(left->text, right->text) == 0;
}

/*
 * Inserts a line at the front.  It replaces an equal line, so that a repeated line pushes out no
 * others; otherwise, if the journal is full, it replaces the oldest line.
 */
static void
insert(entry *one)
{
	size_t at = 0;

	while (at < count && !is_same(&entries[at], one))
		at++;
	if (at < count)
		one->times += entries[at].times;
	else if (count < JOURNAL_LINES)
		count++;
	else
		at = JOURNAL_LINES - 1;
	memmove(&entries[1], &entries[0], at * sizeof(entries[0]));
	entries[0] = *one;
}

void
journal_add(limen_log_level level, const char *source, const char *text)
{
	entry one = { .when = limen_host_wall_time(), .level = level, .times = 1 };

	if (level > LIMEN_LOG_INFO)
		return;
	g_strlcpy(one.source, source, sizeof(one.source));
	g_strlcpy(one.text, text, sizeof(one.text));
	pthread_mutex_lock(&lock);
	insert(&one);
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
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	log_time_print(one->when, time);
	json_write(out, "{time:s level:s source:s text:s", time, words[one->level], one->source,
	           one->text);
	if (one->times > 1)
		json_write(out, "times:d", (int)one->times);
	json_write(out, "}");
}

void
journal_append(GString *out)
{
	json_open(out, '[');
	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < count; i++)
		append_entry(out, &entries[i]);
	pthread_mutex_unlock(&lock);
	g_string_append_c(out, ']');
}
