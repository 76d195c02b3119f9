/* SPDX-License-Identifier: Apache-2.0 */
/* channel.h - values back and forth between limen and a script's process. */
#ifndef LIMEN_SUPPORT_JQ_CHANNEL_H
#define LIMEN_SUPPORT_JQ_CHANNEL_H

#include <jv.h>
#include <stdint.h>

typedef enum channel_result {
	CHANNEL_OK = 0,
	CHANNEL_LATE,  /* the deadline has passed */
	CHANNEL_ENDED, /* the other side is gone */
	CHANNEL_BAD,   /* what came is no message, or more than one */
	CHANNEL_LARGE  /* too large or too deep, or memory is short; nothing was sent */
} channel_result;

/*
 * Each does one message on the socket 'fd' until 'deadline'
 * (limen_host_monotonic(); INT64_MAX: none).  'value' is consumed; '*out' is
 * valid if all went well and to be freed in any case.
 */
channel_result channel_send(int fd, jv value, int64_t deadline);
channel_result channel_receive(int fd, int64_t deadline, jv *out);

#endif
