/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.h - writes log lines for the operator.
 *
 * Works from any thread, before and after log_setup().  Each event is a line; limiting their rate
 * is left to the reader, such as journald (RateLimitBurst=).  Logging never waits for the reader:
 * lines are lost instead.
 */
#ifndef LIMEND_LOG_H
#define LIMEND_LOG_H

#include <glib.h>
#include <limen/duration.h>
#include <limen/host.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum log_format {
	LOG_TEXT = 0,   /* with priorities instead of times for the journal */
	LOG_JSON = 1    /* one object a line: time, level, source, text */
} log_format;

typedef struct log_options {
	log_format format;
	limen_log_level level; /* less urgent lines are left out */
	int fd;                /* where lines are written; the caller still owns it */
} log_options;

/* The longest text of a line, in bytes; a longer text is cut and ends in "...". */
#define LOG_TEXT_MAX 8192

/* Replaces the defaults: text format, level info, standard error. */
void log_setup(const log_options *options);

/* Logs 'text'.  'source' (may be NULL) names its origin: "policy", or the name of an entry. */
void log_line(limen_log_level level, const char *source, const char *text);

/* As log_line(), with the arguments put into 'format' first. */
void log_print(limen_log_level level, const char *source, const char *format, ...)
	LIMEN_PRINTF(3, 4);

/*
 * Prints a time in UTC and always with six digits after the dot, so that lines sort as texts.
 */
void log_time_print(limen_time when, char out[LIMEN_TIMESTAMP_TEXT_MAX]);

/* Limits of the lines kept for the console, and of the bytes of one with its NUL. */
#define LOG_RECENT 50
#define LOG_RECENT_TEXT_MAX 500

/*
 * Appends the latest lines but debug ones, such as loads and failures, as a JSON array of {time,
 * level, source, text}, newest first.  A repeated line appears once, with its latest time and the
 * count "times".
 */
void log_append_recent(GString *out);

/* Returns how many lines were lost, because the reader was too slow or the disk was full. */
uint64_t log_lost(void);

#endif
