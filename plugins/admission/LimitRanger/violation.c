/* SPDX-License-Identifier: Apache-2.0 */
/*
 * violation.c - what the exact messages of Kubernetes leave out: which container
 * is meant, what it has and where that comes from, and which LimitRange minds.
 */
#include "constraint.h"

#include <stdlib.h>

/* More would make an answer unreadable, and a trace long. */
#define WARNINGS_MAX 10
#define DETAILS_MAX 100

/* Room for a quantity in explanations. */
#define SHOWN_MAX 24
#define VALUE_MAX LIMEN_QUANTITY_TEXT_MAX
#define SUBJECT_MAX (VALUE_MAX + ORIGIN_MAX + 8)

/* Does again, for explanations only, what mutate did to the pod as it came. */
static int
note_additions(enforcement *run)
{
	const limit_range *last;
	int result = LIMEN_OK;

	if (limen_request_is_manifest(run->request))
		result = api_rules_collect(run->request, &run->received.pod);
	if (result == LIMEN_OK)
		result = container_defaults_collect(run->self, run->about, run->request,
		                                    &run->received.pod, &last);
	return result;
}

/* Returns the container as it came, or NULL if there was none. */
static const container *
find_received(const subject *about)
{
	enforcement *run = about->run;

	if (about->container == NULL || limen_request_generation(run->request) == 0)
		return NULL;
	if (!run->traced) {
		int result = former_read(&run->received, run->request,
		                         limen_request_original(run->request));

		run->traced = true;
		if (result == LIMEN_OK && run->received.whole != NULL)
			result = note_additions(run);
		if (result != LIMEN_OK)
			run->result = result;
	}
	return former_container(&run->received, about->container);
}

static const addition *
find_addition(const container *from, side which, const subject *about, const resource *bound)
{
	const addition *one = from->added[which].first;

	while (one != NULL && resource_compare(one->value, bound) != 0)
		one = one->next;
	if (one == NULL || limen_quantity_compare(one->quantity, about->values[which]) != 0)
		return NULL;
	return one;
}

/* Was the value put in by an earlier stage of this decision? */
static bool
is_filled_in(const subject *about, side which, const resource *bound)
{
	const container *from = find_received(about);

	return from != NULL && resource_list_get(&from->given.lists[which], bound) == NULL;
}

static void
write_origin(const subject *about, side which, const resource *bound, char out[ORIGIN_MAX])
{
	const container *from = find_received(about);
	const addition *one;

	if (about->container == NULL) {
		snprintf(out, ORIGIN_MAX, about->item->type == ITEM_POD ? "of the pod" : "given");
		return;
	}
	if (from == NULL || resource_list_get(&from->given.lists[which], bound) != NULL) {
		bool told = annotation_names(limen_request_original(about->run->request),
		                             about->container, which, bound);

		snprintf(out, ORIGIN_MAX, told ? "default of a LimitRange" : "given");
		return;
	}
	one = find_addition(from, which, about, bound);
	if (one == NULL)
		snprintf(out, ORIGIN_MAX, "filled in");
	else
		origin_text(one, which, out);
}

static void
write_value(const subject *about, side which, char out[VALUE_MAX])
{
	const limen_quantity *value = about->values[which];

	if (value == NULL)
		snprintf(out, VALUE_MAX, "none");
	else if (limen_quantity_print(value, out, LIMEN_QUANTITY_TEXT_MAX) > SHOWN_MAX)
		snprintf(out + SHOWN_MAX - 3, 4, "...");
}

/* "500m (default of LimitRange "limits")". */
static void
write_subject(const subject *about, side which, const resource *bound, char out[SUBJECT_MAX])
{
	char value[VALUE_MAX];
	char source[ORIGIN_MAX];

	write_value(about, which, value);
	if (about->values[which] == NULL) {
		snprintf(out, SUBJECT_MAX, "%s", value);
		return;
	}
	write_origin(about, which, bound, source);
	snprintf(out, SUBJECT_MAX, "%s (%s)", value, source);
}

static void
write_label(const subject *about, char label[CONTAINER_LABEL_MAX])
{
	if (about->container != NULL)
		container_label(about->container, label);
	else
		snprintf(label, CONTAINER_LABEL_MAX, "%s",
		         about->item->type == ITEM_POD ? "pod" : "claim");
}

/* Short enough for the header of an answer: where values come from is said by a word. */
static void
warn(const subject *about, const char *label, const char *constraint, const resource *bound)
{
	char values[SIDE_COUNT][VALUE_MAX];
	const char *filled[SIDE_COUNT];

	for (unsigned i = 0; i < SIDE_COUNT; i++) {
		write_value(about, (side)i, values[i]);
		filled[i] = about->values[i] != NULL && is_filled_in(about, (side)i, bound)
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
	char request[SUBJECT_MAX];
	char limit[SUBJECT_MAX];
	char label[CONTAINER_LABEL_MAX];
	char *detail = NULL;

	run->violations++;
	if (run->violations > DETAILS_MAX)
		return;
	write_subject(about, SIDE_REQUEST, bound, request);
	write_subject(about, SIDE_LIMIT, bound, limit);
	write_label(about, label);
	if (asprintf(&detail,
	             "%s: %s request %s, limit %s; LimitRange \"%s\" spec.limits[%zu].%s is %s",
	             label, bound->name, request, limit, about->range->name, about->item->index,
	             constraint, bound->text) < 0) {
		run->result = LIMEN_ENOMEM;
		return;
	}
	limen_reply_detail(run->reply, "%s", detail);
	limen_reply_note(run->reply, "%s", detail);
	free(detail);
	if (run->violations <= WARNINGS_MAX)
		warn(about, label, constraint, bound);
}
