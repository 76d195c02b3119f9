/* SPDX-License-Identifier: Apache-2.0 */
/*
 * channel.h - messages between limen and a template, on a socket that keeps them apart.  Limen
 * asks:
 *
 *	'C' with a memfd: compile the scripts in it, each a channel_script and its text
 *	'F' with a memfd and a socket: fork a worker
 *
 * The template says:
 *
 *	'G', CHANNEL_VERSION, can it filter system calls, and a text: it has started, or what
 *	     went wrong
 *	'C' and the messages of jq, one a line: none if all has compiled
 *	'F' and a pid of four bytes: 0 if it could not fork
 */
#ifndef LIMEN_SUPPORT_JQ_CHANNEL_H
#define LIMEN_SUPPORT_JQ_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Increase it with every change of the protocol between limen and the program: messages, shared
 * memory, requests and replies.  An upgrade may leave an old limen with a new program.
 */
#define CHANNEL_VERSION 3

/* The longest message. */
#define CHANNEL_BYTES_MAX 16384

typedef struct channel_script {
	uint32_t number;
	uint32_t output_raw;
	uint32_t length; /* of the text, its NUL included */
} channel_script;

/* Results of channel_receive() that are no length. */
enum { CHANNEL_GONE = 0, CHANNEL_LATE = -1 };

/* Sends one message; 'fds' (may be NULL) go with it, as far as they are not -1. */
bool channel_send(int fd, const char *bytes, size_t length, const int fds[2]);

/*
 * Receives one message into 'bytes', of CHANNEL_BYTES_MAX.  'fds' (may be NULL) are -1 and take
 * what comes with it, for the caller to close.  Returns its length; CHANNEL_LATE after 'deadline'
 * (limen_host_monotonic(); INT64_MAX: none); CHANNEL_GONE if the other side has ended or sent what
 * is no message.
 */
ssize_t channel_receive(int fd, char *bytes, int fds[2], int64_t deadline);

/* Waits until 'fd' can be read; returns false after the deadline. */
bool channel_wait(int fd, int64_t deadline);

#endif
