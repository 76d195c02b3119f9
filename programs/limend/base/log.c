/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.c - formats log lines, one for each event, and writes them.  Keeps the latest lines for the
 * console; a repeated line moves to the front and its count grows.  Owns the settings: a process
 * has one standard error.
 */
#include "log.h"

#include <glib.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/cut.h"
#include "../common/json_out.h"
#include "../common/print.h"
#include "line_file.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static log_options settings = { LOG_TEXT, LIMEN_LOG_INFO, STDERR_FILENO };
static line_file *output; /* NULL: not opened yet */
static bool to_journal;
static atomic_uint_fast64_t lost;
static uint64_t lost_untold;

typedef struct recent_line {
	limen_time when;
	limen_log_level level;
	unsigned times;
	char source[64];
	char text[LOG_RECENT_TEXT_MAX];
} recent_line;

static recent_line recent[LOG_RECENT]; /* the newest first */
static size_t recent_count;

static const char *const level_words[] = {
	[LIMEN_LOG_ERROR] = "error",
	[LIMEN_LOG_WARNING] = "warning",
	[LIMEN_LOG_INFO] = "info",
	[LIMEN_LOG_DEBUG] = "debug",
};

/* Priorities of syslog(3); journald reads them from the start of a line (sd-daemon(3)). */
static const int priorities[] = {
	[LIMEN_LOG_ERROR] = 3,
	[LIMEN_LOG_WARNING] = 4,
	[LIMEN_LOG_INFO] = 6,
	[LIMEN_LOG_DEBUG] = 7,
};

/* $JOURNAL_STREAM is "DEVICE:INODE" of the stream that journald passed (systemd.exec(5)). */
static bool
is_journal(int fd)
{
	const char *text = getenv("JOURNAL_STREAM");
	unsigned long long device;
	unsigned long long inode;
	struct stat facts;
	char *end;

	if (text == NULL || fstat(fd, &facts) != 0)
		return false;
	device = strtoull(text, &end, 10);
	if (*end != ':')
		return false;
	inode = strtoull(end + 1, NULL, 10);
	return device == facts.st_dev && inode == facts.st_ino;
}

void
log_setup(const log_options *options)
{
	pthread_mutex_lock(&lock);
	settings = *options;
	line_file_close(output);
	output = line_file_on(settings.fd);
	to_journal = settings.format == LOG_TEXT && is_journal(settings.fd);
	pthread_mutex_unlock(&lock);
}

uint64_t
log_lost(void)
{
	return atomic_load_explicit(&lost, memory_order_relaxed);
}

void
log_time_print(limen_time when, char out[LIMEN_TIMESTAMP_TEXT_MAX])
{
	/* The remainder is positive for times before 1970, too. */
	limen_time rest = (when % LIMEN_SECOND + LIMEN_SECOND) % LIMEN_SECOND;
	limen_timestamp whole = { .time = when - rest };
	size_t length;

	limen_timestamp_print(&whole, out);
	length = strlen(out) - strlen("Z");
	g_snprintf(out + length, (gulong)(LIMEN_TIMESTAMP_TEXT_MAX - length), ".%06dZ", (int)rest);
}

/* Returns the text as valid UTF-8, cut to LOG_TEXT_MAX bytes and "...", to g_free(). */
static char *
bound_text(const char *text)
{
	g_autofree char *cut = NULL;

	if (strnlen(text, LOG_TEXT_MAX + 1) > LOG_TEXT_MAX)
		cut = print_text("%.*s...", (int)cut_before(text, LOG_TEXT_MAX), text);
	return g_utf8_make_valid(cut == NULL ? text : cut, -1);
}

/*
 * Inserts a line at the front.  It replaces an equal line, so that a repeated line pushes out no
 * others; otherwise, if the array is full, it replaces the oldest line.
 */
static void
keep(limen_log_level level, const char *source, const char *text)
{
	recent_line line = { .when = limen_host_wall_time(), .level = level, .times = 1 };
	size_t at = 0;

	g_strlcpy(line.source, source, sizeof(line.source));
	g_strlcpy(line.text, text, sizeof(line.text));
	while (at < recent_count &&
	       (recent[at].level != level || strcmp(recent[at].source, line.source) != 0 ||
	        strcmp(recent[at].text, line.text) != 0))
		at++;
	if (at < recent_count)
		line.times += recent[at].times;
	else if (recent_count < LOG_RECENT)
		recent_count++;
	else
		at = LOG_RECENT - 1;
	memmove(&recent[1], &recent[0], at * sizeof(recent[0]));
	recent[0] = line;
}

void
log_append_recent(GString *out)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	json_open(out, '[');
	pthread_mutex_lock(&lock);
	for (const recent_line *line = recent; line < recent + recent_count; line++) {
		log_time_print(line->when, time);
		json_write(out, "{time:s level:s source:s text:s", time, level_words[line->level],
		           line->source, line->text);
		if (line->times > 1)
			json_write(out, "times:d", (int)line->times);
		json_write(out, "}");
	}
	pthread_mutex_unlock(&lock);
	g_string_append_c(out, ']');
}

/* Control characters are escaped: terminals would obey them, and a newline would split the line. */
static void
format_text(GString *out, const char *time, limen_log_level level, const char *source,
            const char *text)
{
	if (to_journal)
		print_append(out, "<%d>", priorities[level]);
	else
		print_append(out, "%s %s ", time, level_words[level]);
	print_escaped(out, source, "");
	if (source[0] != '\0')
		g_string_append(out, ": ");
	print_escaped(out, text, "");
}

static bool
show(limen_log_level level, const char *source, const char *text)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];
	g_autoptr(GString) line = g_string_new(NULL);

	log_time_print(limen_host_wall_time(), time);
	if (settings.format == LOG_JSON)
		json_write(line, "{time:s level:s source:S text:s}", time, level_words[level],
		           source[0] == '\0' ? NULL : source, text);
	else
		format_text(line, time, level, source, text);
	g_string_append_c(line, '\n');
	if (output == NULL)
		output = line_file_on(settings.fd);
	return line_file_append(output, line->str, line->len) == 1;
}

/* Logs how many lines were lost.  Returns false if that cannot be written either. */
static bool
show_loss(void)
{
	char text[80];

	if (lost_untold == 0)
		return true;
	snprintf(text, sizeof(text), "%" PRIu64 " lines were lost: they could not be written",
	         lost_untold);
	if (!show(LIMEN_LOG_WARNING, "log", text))
		return false;
	lost_untold = 0;
	return true;
}

void
log_line(limen_log_level level, const char *source, const char *text)
{
	g_autofree char *name = bound_text(source == NULL ? "" : source);
	g_autofree char *line = bound_text(text == NULL ? "" : text);

	if ((unsigned)level > LIMEN_LOG_DEBUG)
		level = LIMEN_LOG_ERROR;
	pthread_mutex_lock(&lock);
	if (level <= LIMEN_LOG_INFO)
		keep(level, name, line);
	/* Lines that cannot be written are counted and dropped: logging never waits. */
	if (level <= settings.level && (!show_loss() || !show(level, name, line))) {
		atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
		lost_untold++;
	}
	pthread_mutex_unlock(&lock);
}

void
log_print(limen_log_level level, const char *source, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = print_vtext(format, args);
	va_end(args);
	log_line(level, source, text);
}
