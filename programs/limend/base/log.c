/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.c - formats log lines, one for each event, and writes them.  Owns the settings: a
 * process has one standard error.
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

#include "../common/control.h"
#include "../common/json_out.h"
#include "../common/print.h"
#include "journal.h"
#include "line_file.h"
#include "log_time.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static log_options settings = { LOG_TEXT, LIMEN_LOG_INFO, STDERR_FILENO };
static line_file *output; /* NULL: not opened yet */
static bool to_journal;
static atomic_uint_fast64_t lost;
static uint64_t lost_untold;

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
	struct stat about;
	char *end;

	if (text == NULL || fstat(fd, &about) != 0)
		return false;
	device = strtoull(text, &end, 10);
	if (*end != ':')
		return false;
	inode = strtoull(end + 1, NULL, 10);
	return device == about.st_dev && inode == about.st_ino;
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

bool
log_level_read(const char *text, limen_log_level *out)
{
	for (size_t i = 0; i < G_N_ELEMENTS(level_words); i++) {
		if (strcmp(text, level_words[i]) == 0) {
			*out = (limen_log_level)i;
			return true;
		}
	}
	return false;
}

uint64_t
log_lost(void)
{
	return atomic_load_explicit(&lost, memory_order_relaxed);
}

/* Escapes control characters: terminals would obey them, and a newline would split the line. */
static void
append_plain(GString *out, const char *text)
{
	while (*text != '\0') {
		size_t length = control_length(text);

		if (*text == '\n')
			g_string_append(out, "\\n");
		else if (length > 0)
			print_append(out, "\\u%04x", control_code(text));
		else
			g_string_append_c(out, *text);
		text += MAX(length, 1);
	}
}

/* Returns the text as valid UTF-8, cut to LOG_TEXT_MAX bytes and "...", to g_free(). */
static char *
bound_text(const char *text)
{
	size_t length = strnlen(text, LOG_TEXT_MAX + 1);
	const char *end;
	char *valid;
	char *whole;

	if (length <= LOG_TEXT_MAX)
		return g_utf8_make_valid(text, (gssize)length);
	length = LOG_TEXT_MAX;
	/* The cut must not split a character. */
	if (!g_utf8_validate(text, (gssize)length, &end) && length - (size_t)(end - text) < 4)
		length = (size_t)(end - text);
	valid = g_utf8_make_valid(text, (gssize)length);
	whole = g_strconcat(valid, "...", NULL);
	g_free(valid);
	return whole;
}

static void
format_json(GString *out, limen_log_level level, const char *source, const char *text)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	log_time_print(limen_host_wall_time(), time);
	json_write(out, "{time:s level:s source:S text:s}", time, level_words[level],
	           source[0] == '\0' ? NULL : source, text);
	g_string_append_c(out, '\n');
}

static void
format_text(GString *out, limen_log_level level, const char *source, const char *text)
{
	char time[LIMEN_TIMESTAMP_TEXT_MAX];

	log_time_print(limen_host_wall_time(), time);
	if (to_journal)
		print_append(out, "<%d>", priorities[level]);
	else
		print_append(out, "%s %s ", time, level_words[level]);
	append_plain(out, source);
	if (source[0] != '\0')
		g_string_append(out, ": ");
	append_plain(out, text);
	g_string_append_c(out, '\n');
}

static bool
show(limen_log_level level, const char *source, const char *text)
{
	GString *line = g_string_new(NULL);
	bool written;

	if (settings.format == LOG_JSON)
		format_json(line, level, source, text);
	else
		format_text(line, level, source, text);
	if (output == NULL)
		output = line_file_on(settings.fd);
	written = line_file_append(output, line->str, line->len) == 1;
	g_string_free(line, TRUE);
	return written;
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
	char *who = bound_text(source == NULL ? "" : source);
	char *what = bound_text(text == NULL ? "" : text);

	if ((unsigned)level > LIMEN_LOG_DEBUG)
		level = LIMEN_LOG_ERROR;
	journal_add(level, who, what);
	pthread_mutex_lock(&lock);
	/* Lines that cannot be written are counted and dropped: logging never waits. */
	if (level <= settings.level && (!show_loss() || !show(level, who, what))) {
		atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
		lost_untold++;
	}
	pthread_mutex_unlock(&lock);
	g_free(who);
	g_free(what);
}

void
log_print(limen_log_level level, const char *source, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = print_vtext(format, args);
	va_end(args);
	log_line(level, source, text);
	g_free(text);
}
