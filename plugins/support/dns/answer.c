/* SPDX-License-Identifier: Apache-2.0 */
/* answer.c - makes, counts and frees answers. */
#include "answer.h"

#include <stdlib.h>

answer answer_short = { .shown = { .outcome = DNS_SHORT, .text = "",
	                           .why = "too many queries are under way, or memory is short" },
	                .references = 1 };
const char answer_late[] = "no name server answered in time";

answer *
answer_new(dns_outcome outcome, size_t room)
{
	answer *one = calloc(1, sizeof(*one) + room);

	if (one == NULL)
		return NULL;
	one->shown.outcome = outcome;
	one->shown.text = "";
	one->size = sizeof(*one) + room;
	atomic_init(&one->references, 1);
	return one;
}

answer *
answer_failed(const char *why)
{
	answer *one = answer_new(DNS_FAILED, 0);

	if (one != NULL)
		one->shown.why = why;
	return one;
}

void *
answer_room(answer *one)
{
	return one + 1;
}

answer *
answer_ref(answer *one)
{
	atomic_fetch_add_explicit(&one->references, 1, memory_order_relaxed);
	return one;
}

void
answer_unref(answer *one)
{
	if (one == NULL)
		return;
	if (atomic_fetch_sub_explicit(&one->references, 1, memory_order_acq_rel) == 1)
		free(one);
}

void
dns_release(const dns_answer *shown)
{
	answer_unref((answer *)(uintptr_t)shown);
}
