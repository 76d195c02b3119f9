/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_output.h - where log lines go, without ever waiting for who reads them: a
 * pipe that nobody empties must not hold up who has something to say.
 */
#ifndef LIMEND_LOG_OUTPUT_H
#define LIMEND_LOG_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum log_way {
	LOG_WAY_POLL = 0, /* asks before each piece whether there is room */
	LOG_WAY_WRITE,    /* never waits: a file, or opened so by us */
	LOG_WAY_SEND      /* a socket, which has a flag for that */
} log_way;

typedef struct log_output {
	int fd;
	int own;   /* a descriptor that is ours to close, or -1 */
	log_way way;
	bool torn; /* a piece of a line stands at the end */
} log_output;

/* Makes 'self' write to 'fd', which stays the caller's.  Close it before. */
void log_output_open(log_output *self, int fd);
void log_output_close(log_output *self);

/* Writes a line.  False: what did not fit at once is lost. */
bool log_output_write(log_output *self, const char *line, size_t length);

#endif
