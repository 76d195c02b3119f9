/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.h - makes an answer of the records of a response.
 */
#ifndef LIMEN_DNS_MESSAGE_H
#define LIMEN_DNS_MESSAGE_H

#include "cares.h"

extern const char message_malformed[];

/* DNS_FAILED if the response tells of a failure; NULL when memory is short. */
answer *message_answer(dns_type type, const records *got);

#endif
