/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.h - an answer as the library keeps it: one block of memory with a reference
 * count, since an evicted answer may still be in use.
 */
#ifndef LIMEN_DNS_ANSWER_H
#define LIMEN_DNS_ANSWER_H

#include <stdatomic.h>

#include "dns.h"

typedef struct answer {
	dns_answer shown; /* the first member: what callers get points here */
	atomic_uint references;
	size_t size;      /* bytes it takes */
	int64_t lifetime; /* seconds it may be kept */
} answer;

/* Makes one with 'room' more bytes, at answer_room().  NULL when memory is short. */
answer *answer_new(dns_outcome outcome, size_t room);
void *answer_room(answer *item);

/* Makes a DNS_FAILED answer with 'why', a static text.  NULL when memory is short. */
answer *answer_failed(const char *why);

/* In place of an answer when memory is short. */
extern answer answer_short;

/* The same when no descriptor is left for a socket. */
extern answer answer_closed;

extern const char answer_late[];

answer *answer_ref(answer *item);
void answer_unref(answer *one); /* NULL is fine */

#endif
