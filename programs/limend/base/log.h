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

/* Reads "error", "warning", "info" or "debug"; false if 'text' is none of them. */
bool log_level_read(const char *text, limen_log_level *out);

/* Logs 'text'.  'source' (may be NULL) names its origin: "policy", or the name of an entry. */
void log_line(limen_log_level level, const char *source, const char *text);

/* As log_line(), with the arguments put into 'format' first. */
void log_print(limen_log_level level, const char *source, const char *format, ...)
	LIMEN_PRINTF(3, 4);

/* Returns how many lines were lost, because the reader was too slow or the disk was full. */
uint64_t log_lost(void);

#endif
