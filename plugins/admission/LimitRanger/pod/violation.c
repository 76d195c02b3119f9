/* SPDX-License-Identifier: Apache-2.0 */
/*
 * violation.c - what the exact messages of Kubernetes leave out: which container
 * is meant, what it has and where that comes from, and which LimitRange minds.
 */
#include "../limit_ranger.h"

#include <string.h>

/* Caps on warnings and trace details: more would make an answer unreadable. */
#define WARNINGS_MAX 10
#define DETAILS_MAX 100

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
		result = api_rules_collect(&end, &run->received->pod);
	if (result == LIMEN_OK)
		container_defaults_collect(run->self, run->about, &end, &run->received->pod, &last);
}

/* Returns the container as it came, or NULL if there was none. */
static const container *
find_received(const subject *checked)
{
	enforcement *run = checked->run;

	if (checked->container == NULL || limen_request_generation(run->request) == 0)
		return NULL;
	if (run->received == NULL) {
		run->received = limen_request_alloc(run->request, sizeof *run->received);
		if (run->received == NULL)
			return NULL;
		former_read(run->received, run->request, limen_request_original(run->request), true);
		if (run->received->pod.count > 0)
			note_additions(run);
	}
	return former_container(run->received, checked->container);
}

/* The amount of a resource that an object has on one side, as it is shown. */
typedef struct shown {
	char value[VALUE_MAX]; /* "500m" */
	bool filled; /* an earlier stage of this decision put it in */
	const char *origin; /* 'default of LimitRange "limits"'; NULL: there is no value */
	char room[ORIGIN_MAX]; /* for 'origin' */
} shown;

/* 'room' is used where the words are not always the same. */
static const char *
find_origin(const subject *checked, side which, const resource *bound, const container *filled,
            char room[ORIGIN_MAX])
{
	const resource *element;

	if (checked->container == NULL)
		return checked->item->type == ITEM_POD ? "of the pod" : "given";
	if (filled == NULL)
		return "given";
	element = resource_list_find(&filled->added[which], bound);
	if (element == NULL || amount_compare(element, checked->values[which]) != 0)
		return "filled in";
	origin_text(element, which, room);
	return room;
}

/* 'from' is the container as it came, or NULL. */
static void
show_side(const subject *checked, side which, const resource *bound, const container *from,
          shown *out)
{
	const resource *value = checked->values[which];

	out->filled = value != NULL && from != NULL &&
	              resource_list_find(&from->given.lists[which], bound) == NULL;
	if (value == NULL)
		strcpy(out->value, "none");
	else if (limen_quantity_print(&value->quantity, out->value, VALUE_MAX) > SHOWN_MAX)
		memcpy(out->value + SHOWN_MAX - 3, "...", sizeof "...");
	out->origin = value == NULL ? NULL
	                            : find_origin(checked, which, bound, out->filled ? from : NULL,
	                                          out->room);
}

/* Writes what is checked: 'container "web": cpu request '. */
static void
write_label(const subject *checked, const resource *bound, text_buffer *out)
{
	char label[CONTAINER_LABEL_MAX];

	out->length = 0;
	if (checked->container != NULL)
		container_label(checked->container, label);
	text_add(out, checked->container != NULL         ? label
	              : checked->item->type == ITEM_POD ? "pod"
	                                              : "claim");
	text_add_pair(out, ": ", bound->name);
	text_add(out, " request ");
}

/* Goes on behind the label; 'brief' suits the header of an answer. */
static const char *
write_rest(const subject *checked, const char *constraint, const resource *bound,
           const shown sides[SIDE_COUNT], bool brief)
{
	text_buffer *out = &checked->run->text;
	char index[TEXT_INDEX_MAX];

	for (size_t i = 0; i < SIDE_COUNT; i++) {
		if (i == SIDE_LIMIT)
			text_add(out, ", limit ");
		text_add(out, sides[i].value);
		if (brief && sides[i].filled)
			text_add(out, " (filled in)");
		if (brief || sides[i].origin == NULL)
			continue;
		text_add_pair(out, " (", sides[i].origin);
		text_add(out, ")");
	}
	text_add_pair(out, "; LimitRange \"", checked->range->name);
	if (brief) {
		text_add_pair(out, "\" has ", constraint);
		text_add_pair(out, " ", bound->text);
	} else {
		text_index(index, checked->item->index);
		text_add_pair(out, "\" spec.limits[", index);
		text_add_pair(out, "].", constraint);
		text_add_pair(out, " is ", bound->text);
	}
	return text_end(out);
}

void
violation_explain(const subject *checked, const char *constraint, const resource *bound)
{
	enforcement *run = checked->run;
	const container *from;
	shown sides[SIDE_COUNT];
	const char *text;
	size_t label;

	run->violations++;
	if (checked->item->violations != NULL && !limen_request_is_dry_run(run->end.request))
		atomic_fetch_add_explicit(checked->item->violations, 1, memory_order_relaxed);
	if (run->violations > DETAILS_MAX)
		return;
	from = find_received(checked);
	for (unsigned i = 0; i < SIDE_COUNT; i++)
		show_side(checked, (side)i, bound, from, &sides[i]);
	write_label(checked, bound, &run->text);
	label = run->text.length;
	text = write_rest(checked, constraint, bound, sides, false);
	limen_reply_detail(run->reply, "%s", text);
	/* A trace is wanted. */
	if (limen_reply_wants_bounds(run->reply))
		limen_reply_note(run->reply, "%s", text);
	run->text.length = label;
	if (run->violations <= WARNINGS_MAX)
		limen_reply_warning(run->reply, "%s",
		                    write_rest(checked, constraint, bound, sides, true));
}
