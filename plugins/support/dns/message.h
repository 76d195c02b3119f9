/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.h - reads what a name server sent (RFC 1035 section 4).  The bytes are
 * hostile: whatever they are, reading ends soon and gives an answer.
 */
#ifndef LIMEN_DNS_MESSAGE_H
#define LIMEN_DNS_MESSAGE_H

#include "answer.h"

/*
 * Returns the answer to a question of 'type' that the message of 'length' bytes
 * holds, DNS_FAILED if it makes no sense or tells of a failure.  NULL when
 * memory is short.
 */
answer *message_read(dns_type type, const uint8_t *bytes, size_t length);

#endif
