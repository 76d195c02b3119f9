/* SPDX-License-Identifier: Apache-2.0 */
/*
 * violation.c - what the exact messages of Kubernetes leave out: which container
 * is meant, what it has and where that comes from, and which LimitRange minds.
 */
#include "constraint.h"

#include <stdio.h>
#include <string.h>

/* Caps on warnings and trace details: more would make an answer unreadable. */
#define WARNINGS_MAX 10
#define DETAILS_MAX 100
#define DETAIL_MAX 2560

/* Room for a quantity in explanations. */
#define SHOWN_MAX 24
#define VALUE_MAX LIMEN_QUANTITY_TEXT_MAX

/*
 * Collects the added values again, for explanations only, from the pod as it came.  Another
 * module may have added more values; those are explained as "filled in".
 */
static void
note_additions(enforcement *run)
{
	deadline end = { .request = run->request };
	const limit_range *last;
	int result = LIMEN_OK;

	if (limen_request_is_manifest(run->request))
		result = api_rules_collect(run->request, &run->received->pod);
	if (result == LIMEN_OK)
		container_defaults_collect(run->self, run->about, &end, &run->received->pod, &last);
}

/* Returns the container as it came, or NULL if there was none. */
static const container *
find_received(const subject *about)
{
	enforcement *run = about->run;

	if (about->container == NULL || limen_request_generation(run->request) == 0)
		return NULL;
	if (run->received == NULL) {
		run->received = limen_request_alloc(run->request, sizeof *run->received);
		if (run->received == NULL)
			return NULL;
		former_read(run->received, run->request, limen_request_original(run->request), true);
		if (run->received->pod.count > 0)
			note_additions(run);
	}
	return former_container(run->received, about->container);
}

/* 'room' is used where the words are not always the same. */
static const char *
find_origin(const subject *about, side which, const resource *bound, char room[ORIGIN_MAX])
{
	const container *from = find_received(about);
	const addition *one;

	if (about->container == NULL)
		return about->item->type == ITEM_POD ? "of the pod" : "given";
	if (from == NULL || resource_list_get(&from->given.lists[which], bound) != NULL) {
		bool told = annotation_names(limen_request_original(about->run->request),
		                             about->container, which, bound);

		return told ? "default of a LimitRange" : "given";
	}
	one = additions_find(&from->added[which], bound);
	if (one == NULL || limen_quantity_compare(one->quantity, about->values[which]) != 0)
		return "filled in";
	origin_text(one, which, room);
	return room;
}

static const char *
show_value(const subject *about, side which, char room[VALUE_MAX])
{
	const limen_quantity *value = about->values[which];

	if (value == NULL)
		return "none";
	if (limen_quantity_print(value, room, VALUE_MAX) > SHOWN_MAX)
		memcpy(room + SHOWN_MAX - 3, "...", sizeof "...");
	return room;
}

#define SUBJECT_MAX (VALUE_MAX + ORIGIN_MAX + 4)

/* Writes "500m (default of LimitRange "limits")". */
static void
write_subject(const subject *about, side which, const resource *bound, char out[SUBJECT_MAX])
{
	char value[VALUE_MAX];
	char source[ORIGIN_MAX];

	out = stpcpy(out, show_value(about, which, value));
	if (about->values[which] != NULL)
		stpcpy(stpcpy(stpcpy(out, " ("), find_origin(about, which, bound, source)), ")");
}

/* Short enough for the header of an answer: where values come from is said by a word. */
static void
warn(const subject *about, const char *label, const char *constraint, const resource *bound)
{
	char rooms[SIDE_COUNT][VALUE_MAX];
	const char *values[SIDE_COUNT];
	const char *filled[SIDE_COUNT];
	const container *from = find_received(about);

	/* A value that an earlier stage of this decision put in was not there before. */
	for (unsigned i = 0; i < SIDE_COUNT; i++) {
		values[i] = show_value(about, (side)i, rooms[i]);
		filled[i] = about->values[i] != NULL && from != NULL &&
		                            resource_list_get(&from->given.lists[i], bound) == NULL
		                    ? " (filled in)"
		                    : "";
	}
	limen_reply_warning(about->run->reply,
	                    "%s: %s request %s%s, limit %s%s; LimitRange \"%s\" has %s %s", label,
	                    bound->name, values[SIDE_REQUEST], filled[SIDE_REQUEST],
	                    values[SIDE_LIMIT], filled[SIDE_LIMIT], about->range->name, constraint,
	                    bound->text);
}

void
violation_explain(const subject *about, const char *constraint, const resource *bound)
{
	enforcement *run = about->run;
	char subjects[SIDE_COUNT][SUBJECT_MAX];
	char room[CONTAINER_LABEL_MAX];
	char detail[DETAIL_MAX];
	const char *label = about->container != NULL       ? room
	                    : about->item->type == ITEM_POD ? "pod"
	                                                    : "claim";

	run->violations++;
	if (run->violations > DETAILS_MAX)
		return;
	if (about->container != NULL)
		container_label(about->container, room);
	for (unsigned i = 0; i < SIDE_COUNT; i++)
		write_subject(about, (side)i, bound, subjects[i]);
	snprintf(detail, sizeof detail,
	         "%s: %s request %s, limit %s; LimitRange \"%s\" spec.limits[%zu].%s is %s", label,
	         bound->name, subjects[SIDE_REQUEST], subjects[SIDE_LIMIT], about->range->name,
	         about->item->index, constraint, bound->text);
	limen_reply_detail(run->reply, "%s", detail);
	limen_reply_note(run->reply, "%s", detail);
	if (run->violations <= WARNINGS_MAX)
		warn(about, label, constraint, bound);
}
