/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quota.c - what is left of the rates that a decision has asked, for clients of HTTP.  The list is
 * in order: the least that remains first.
 */
#include <string.h>

#include "pipeline.h"
#include "reserve.h"

typedef struct quota_item {
	limen_quota told;
	const void *table; /* of the store */
	int64_t charged;   /* of 'remaining', unless it is given back */
} quota_item;

typedef struct quota_list {
	size_t count;
	quota_item items[LIMEN_QUOTAS_MAX];
} quota_list;

/* Returns whole seconds, rounded up. */
static int64_t
to_seconds(limen_duration duration)
{
	return duration / LIMEN_SECOND + (duration % LIMEN_SECOND > 0);
}

/* Returns the time in which the bucket of 'from' fills, or that of its periods; 0 for units. */
static int64_t
window_of(const limen_table *from, int64_t quota)
{
	int64_t time;

	if (from->spec.kind != LIMEN_METER_TOKEN)
		return to_seconds(from->spec.period);
	if (__builtin_mul_overflow(quota, from->spec.period, &time))
		return INT64_MAX / LIMEN_SECOND;
	return to_seconds(time / from->spec.tokens + (time % from->spec.tokens > 0));
}

static void
insert(quota_list *list, const quota_item *item)
{
	size_t i = 0;

	while (i < list->count && list->items[i].told.remaining <= item->told.remaining)
		i++;
	if (i == LIMEN_QUOTAS_MAX)
		return;
	list->count -= list->count == LIMEN_QUOTAS_MAX;
	memmove(&list->items[i + 1], &list->items[i], (list->count - i) * sizeof(*item));
	list->items[i] = *item;
	list->count++;
}

static void
drop(quota_list *list, size_t index)
{
	list->count--;
	memmove(&list->items[index], &list->items[index + 1],
	        (list->count - index) * sizeof(list->items[0]));
}

/* Returns the index of 'table' in 'list', or the end. */
static size_t
find(const quota_list *list, const void *table)
{
	size_t i = 0;

	while (i < list->count && list->items[i].table != table)
		i++;
	return i;
}

void
quota_note(view *state, const limen_table *from, const limen_store_take *take)
{
	limen_decision *decision = state->decision;
	const limen_reading *left = take->reading;
	quota_item item = { .table = take->table, .charged = take->granted ? take->amount : 0 };
	const char *part = strchr(from->spec.name, '-');
	size_t known;

	if (decision == NULL || left->quota < 0 || left->remaining < 0 || left->reset < 0)
		return;
	if (decision->quotas == NULL)
		decision->quotas = arena_calloc(&decision->arena, 1, sizeof(*decision->quotas));
	item.told = (limen_quota){ part == NULL ? arena_strdup(&decision->arena, from->entry)
		                                : arena_printf(&decision->arena, "%s%s",
		                                               from->entry, part),
		                   left->quota,
		                   window_of(from, left->quota), left->remaining,
		                   to_seconds(left->reset), from->spec.kind, from->spec.unit };
	/* If memory is short, clients are not told, and the decision stands. */
	if (decision->quotas == NULL || item.told.name == NULL)
		return;
	known = find(decision->quotas, take->table);
	if (known < decision->quotas->count)
		drop(decision->quotas, known);
	insert(decision->quotas, &item);
}

void
quota_give_back(limen_decision *decision, const limen_store_take *take)
{
	quota_list *list = decision->quotas;
	size_t index = list == NULL ? 0 : find(list, take->table);
	quota_item item;

	if (list == NULL || index == list->count)
		return;
	item = list->items[index];
	item.told.remaining += item.charged;
	item.charged = 0;
	/* A window ends when it does; a bucket that is full again waits for nothing. */
	if (item.told.kind == LIMEN_METER_TOKEN && item.told.remaining >= item.told.quota)
		item.told.reset = 0;
	drop(list, index);
	insert(list, &item);
}

void
quotas_settle(pipeline *run)
{
	quota_list *list = run->decision->quotas;

	/* A dry run reserves nothing. */
	for (size_t i = list == NULL || run->request.dry_run ? 0 : list->count; i-- > 0;) {
		const reservation *held = run->decision->reservations;

		while (held != NULL && held->take.table != list->items[i].table)
			held = held->next;
		if (held == NULL)
			drop(list, i);
	}
}

const limen_quota *
limen_decision_quota(const limen_decision *decision, size_t index)
{
	const quota_list *list = decision == NULL ? NULL : decision->quotas;

	return list != NULL && index < list->count ? &list->items[index].told : NULL;
}
