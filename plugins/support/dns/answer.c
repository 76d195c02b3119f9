/* SPDX-License-Identifier: Apache-2.0 */
/* answer.c - makes, counts and frees answers. */
#include "answer.h"

#include <stdlib.h>

answer answer_short = { .shown = { .outcome = DNS_SHORT, .text = "",
	                           .why = "too many queries are under way, or memory is short" },
	                .references = 1 };
answer answer_closed = { .shown = { .outcome = DNS_SHORT, .text = "",
	                            .why = "too many files are open, so nothing can be asked" },
	                 .references = 1 };
const char answer_late[] = "no name server answered in time";

answer *
answer_new(dns_outcome outcome, size_t room)
{
	answer *item = calloc(1, sizeof(*item) + room);

	if (item == NULL)
		return NULL;
	item->shown.outcome = outcome;
	item->shown.text = "";
	item->size = sizeof(*item) + room;
	atomic_init(&item->references, 1);
	return item;
}

answer *
answer_failed(const char *why)
{
	answer *item = answer_new(DNS_FAILED, 0);

	if (item != NULL)
		item->shown.why = why;
	return item;
}

void *
answer_room(answer *item)
{
	return item + 1;
}

answer *
answer_ref(answer *item)
{
	atomic_fetch_add_explicit(&item->references, 1, memory_order_relaxed);
	return item;
}

void
answer_unref(answer *item)
{
	if (item == NULL)
		return;
	if (atomic_fetch_sub_explicit(&item->references, 1, memory_order_acq_rel) == 1)
		free(item);
}

void
dns_release(const dns_answer *shown)
{
	answer_unref((answer *)(uintptr_t)shown);
}
