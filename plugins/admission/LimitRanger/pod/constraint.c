/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constraint.c - the rows of the table of messages (LimitRanger, minConstraint,
 * maxConstraint, limitRequestRatioConstraint).  Of each constraint the first
 * row that applies is reported.
 */
#include "../limit_ranger.h"

#include <stdio.h>
#include <string.h>

/*
 * Cap on violations: a tenant's pod can break the tenant's LimitRanges millions of times.  Each
 * violation costs memory, and an answer has a thousand at most (limen/reply.h).  Later ones
 * are not looked at.
 */
#define REPORTED_MAX  10000
#define REPORTED_MORE "only the first 10000 violations are examined"

static bool
may_report(const subject *checked)
{
	enforcement *run = checked->run;

	if (!run->silent && run->violations < REPORTED_MAX)
		return true;
	/* The class that leaves the code to those before. */
	if (!run->silent)
		limen_reply_violation(run->reply, LIMEN_CLASS_INVALID, NULL, REPORTED_MORE);
	run->silent = true;
	run->violations++;
	/* Without a reply one is enough to know. */
	run->end.leave_early = run->end.leave_early || run->reply == NULL;
	return false;
}

/* Names of resources in LimitRanges are short: the rest of a longer one is left out. */
#define FIELD_NAME_MAX 384
#define FIELD_MAX 512

/* Writes "spec.containers[0].resources.requests[cpu]", and "total of ..." for a pod. */
static const char *
write_quantity(const subject *checked, side which, const resource *bound, char out[FIELD_MAX])
{
	size_t length = bound->length < FIELD_NAME_MAX ? bound->length : FIELD_NAME_MAX;
	char *at;

	if (checked->item->type == ITEM_POD)
		at = stpcpy(out, "total of spec.containers[*]");
	else if (checked->container != NULL)
		at = container_field(checked->container, out);
	else
		at = stpcpy(out, "spec");
	at = stpcpy(stpcpy(at, ".resources."), side_fields[which]);
	*at++ = '[';
	at = (char *)memcpy(at, bound->name, length) + length;
	stpcpy(at, "]");
	return out;
}

/* The same as a path, for violations. */
static const char *
write_field(const subject *checked, side which, const resource *bound, char out[FIELD_MAX])
{
	return checked->item->type == ITEM_POD ? "spec.containers"
	                                     : write_quantity(checked, which, bound, out);
}

static void
report_ratio(const subject *checked, side which, const resource *bound, const char *why,
             const char *ratio)
{
	char field[FIELD_MAX];

	if (!may_report(checked))
		return;
	limen_reply_violation(checked->run->reply, LIMEN_CLASS_FORBIDDEN,
	                      write_field(checked, which, bound, field),
	                      "%s max limit to request ratio per %s is %s, but %s%s", bound->name,
	                      checked->item->type_text, bound->text, why, ratio);
	violation_explain(checked, "maxLimitRequestRatio", bound);
}

static bool
wants_bounds(const subject *checked)
{
	return !checked->run->silent && limen_reply_wants_bounds(checked->run->reply);
}

/* A value of NULL: there is none. */
static void
tell_missed(const subject *checked, side which, limen_relation relation, const resource *bound)
{
	const resource *value = checked->values[which];
	char field[FIELD_MAX];
	char text[VALUE_TEXT_MAX];

	if (!wants_bounds(checked))
		return;
	if (value != NULL)
		limen_quantity_print(&value->quantity, text, sizeof text);
	limen_reply_bound(checked->run->reply, write_quantity(checked, which, bound, field),
	                  value == NULL ? NULL : text, relation, bound->text);
}

/* Is there a value on the wrong side of the bound? */
static bool
misses(const subject *checked, const constraint_row *row, side which, const resource *bound)
{
	const resource *value = checked->values[which];
	int wrong = row->list == LIST_MIN ? -1 : 1;

	return value != NULL && amount_compare(value, bound) == wrong;
}

static void
report_usage(const subject *checked, const constraint_row *row, side which, const resource *bound)
{
	const resource *value = checked->values[which];
	text_buffer *out = &checked->run->text;
	char field[FIELD_MAX];
	char text[VALUE_TEXT_MAX] = " is specified";

	if (!may_report(checked))
		return;
	if (value != NULL)
		limen_quantity_print(&value->quantity, text, sizeof text);
	out->length = 0;
	text_add_pair(out, row->list == LIST_MIN ? "minimum " : "maximum ", bound->name);
	text_add_pair(out, " usage per ", checked->item->type_text);
	text_add_pair(out, " is ", bound->text);
	text_add_pair(out, value == NULL ? ".  No " : ", but ", side_names[which]);
	text_add_pair(out, value == NULL ? "" : " is ", text);
	limen_reply_violation(checked->run->reply, LIMEN_CLASS_FORBIDDEN,
	                      write_field(checked, which, bound, field), "%s", text_end(out));
	violation_explain(checked, range_list_names[row->list], bound);
}

void
constraint_usage(const subject *checked, const constraint_row *row, const resource *bound)
{
	limen_relation relation =
		row->list == LIST_MIN ? LIMEN_RELATION_AT_LEAST : LIMEN_RELATION_AT_MOST;
	side other = row->first == SIDE_REQUEST ? SIDE_LIMIT : SIDE_REQUEST;
	bool lacks = checked->values[row->first] == NULL;

	if (lacks || misses(checked, row, row->first, bound))
		report_usage(checked, row, row->first, bound);
	else if (misses(checked, row, other, bound))
		report_usage(checked, row, other, bound);
	else
		return;
	if (lacks)
		tell_missed(checked, row->first, relation, bound);
	for (unsigned i = 0; i < SIDE_COUNT; i++)
		if (misses(checked, row, (side)i, bound))
			tell_missed(checked, (side)i, relation, bound);
}

static void
tell_ratio(const subject *checked, const resource *bound, const char *ratio)
{
	char field[FIELD_MAX];
	char whole[FIELD_MAX + sizeof " / request"];

	if (!wants_bounds(checked))
		return;
	snprintf(whole, sizeof whole, "%s / request",
	         write_quantity(checked, SIDE_LIMIT, bound, field));
	limen_reply_bound(checked->run->reply, whole, ratio, LIMEN_RELATION_AT_MOST, bound->text);
}

static bool
is_zero(const resource *value)
{
	return value == NULL || limen_quantity_sign(&value->quantity) == 0;
}

void
constraint_ratio(const subject *checked, const constraint_row *row, const resource *bound)
{
	const resource *request = checked->values[SIDE_REQUEST];
	const resource *limit = checked->values[SIDE_LIMIT];
	char printed[LIMEN_QUANTITY_RATIO_MAX];
	const char *ratio;
	int order = 1;

	(void)row;
	if (is_zero(request)) {
		report_ratio(checked, SIDE_REQUEST, bound,
		             "no request is specified or request is 0", "");
		return;
	}
	if (is_zero(limit)) {
		report_ratio(checked, SIDE_LIMIT, bound, "no limit is specified or limit is 0", "");
		return;
	}
	if (limen_quantity_compare_product(&limit->quantity, &request->quantity, &bound->quantity,
	                                   &order) != LIMEN_OK) {
		constraint_unknown(checked, SIDE_LIMIT, bound);
		return;
	}
	if (order <= 0)
		return;
	limen_quantity_print_ratio(&limit->quantity, &request->quantity, printed);
	/* Kubernetes compares magnitudes, and shows the ratio of the magnitudes. */
	ratio = printed + (printed[0] == '-');
	report_ratio(checked, SIDE_LIMIT, bound, "provided ratio is ", ratio);
	tell_ratio(checked, bound, ratio);
}

void
constraint_required(const subject *checked, const constraint_row *row, const resource *bound)
{
	side which = row->first;
	char room[FIELD_MAX];
	const char *field = write_field(checked, which, bound, room);

	if (checked->values[which] != NULL || !may_report(checked))
		return;
	limen_reply_violation(checked->run->reply, LIMEN_CLASS_FORBIDDEN, field,
	                      "%s %s per %s is required.  No %s is specified", bound->name,
	                      side_names[which], checked->item->type_text, side_names[which]);
	violation_explain(checked, range_list_names[row->list], bound);
	if (limen_reply_wants_bounds(checked->run->reply))
		limen_reply_bound(checked->run->reply, field, NULL, LIMEN_RELATION_AT_LEAST, "0");
}

void
constraint_unknown(const subject *checked, side which, const resource *bound)
{
	char room[FIELD_MAX];
	const char *field = write_field(checked, which, bound, room);

	if (!may_report(checked))
		return;
	limen_reply_violation(checked->run->reply, LIMEN_CLASS_INVALID, field,
	                      "%s: Invalid value: the %s %s cannot be computed, "
	                      "because its quantities are too far apart or too long",
	                      field, bound->name, side_names[which]);
	checked->run->violations++;
}
