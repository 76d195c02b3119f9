/* SPDX-License-Identifier: Apache-2.0 */
/*
 * channel.h - messages between limen and a template: four bytes of length, then as many bytes.
 * Each is answered before the next is sent.
 *
 *	from the template: 1 byte, can it filter system calls; then a text: what went wrong
 *	'C', channel_script and a text: compile it; answered by a value: null, or jq's messages
 *	'F' with a memfd and a socket: fork a worker; answered by its pid
 */
#ifndef LIMEN_SUPPORT_JQ_CHANNEL_H
#define LIMEN_SUPPORT_JQ_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "../text.h"

/* The longest message: a script is much shorter. */
#define CHANNEL_BYTES_MAX ((size_t)16 << 20)

/* What goes with the text of a script. */
typedef struct channel_script {
	uint32_t number;
	uint32_t output_raw;
} channel_script;

typedef enum channel_result {
	CHANNEL_OK = 0,
	CHANNEL_LATE, /* the deadline has passed */
	CHANNEL_GONE  /* the other side has ended or sent what is no message; or memory is short */
} channel_result;

/*
 * Each does one message on the socket 'fd' until 'deadline' (limen_host_monotonic(); INT64_MAX:
 * none).  'fds' are -1 or descriptors that go with it; those received are the caller's.
 */
channel_result channel_send(int fd, const char *bytes, size_t length, const int fds[2],
                            int64_t deadline);
channel_result channel_receive(int fd, text *out, int fds[2], int64_t deadline);

#endif
