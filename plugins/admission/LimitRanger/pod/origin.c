/* SPDX-License-Identifier: Apache-2.0 */
/*
 * origin.c - explains, if a request asks for it, where each value that was set comes from.
 */
#include <stdio.h>

#include "../limit_ranger.h"

#define POINTER_MAX 512

/* "nvidia.com/gpu" is a step of a pointer (RFC 6901 section 3); names have no "~". */
void
origin_report(limen_reply *reply, const char *pointer, side where, const resource *named,
              const char *text)
{
	char whole[POINTER_MAX];
	size_t used;

	if (!limen_reply_wants_origins(reply))
		return;
	used = (size_t)snprintf(whole, sizeof whole, "%s/resources/%s/", pointer,
	                        side_fields[where]);
	for (size_t i = 0; i < named->length && used + 3 < sizeof whole; i++) {
		bool slash = named->name[i] == '/';

		whole[used++] = slash ? '~' : named->name[i];
		if (slash)
			whole[used++] = '1';
	}
	whole[used] = '\0';
	limen_reply_origin(reply, whole, "%s", text);
}

void
origin_text(const resource *element, side where, char out[ORIGIN_MAX])
{
	const char *list = where == SIDE_LIMIT ? "default" : "defaultRequest";

	if (element->origin == ORIGIN_LIMIT)
		snprintf(out, ORIGIN_MAX, "copied from the limit");
	else if (element->origin == ORIGIN_SUM)
		snprintf(out, ORIGIN_MAX, "sum of the containers");
	else if (element->origin == ORIGIN_OTHER)
		snprintf(out, ORIGIN_MAX, "the %s, in place of the %s of LimitRange \"%s\"",
		         where == SIDE_LIMIT ? "request" : "limit", list, element->item->owner);
	else
		snprintf(out, ORIGIN_MAX, "%s of LimitRange \"%s\"", list, element->item->owner);
}

void
origin_report_all(limen_reply *reply, const char *pointer, const container *which)
{
	char text[ORIGIN_MAX];

	if (!limen_reply_wants_origins(reply))
		return;
	for (unsigned where = 0; where < SIDE_COUNT; where++) {
		const resource_list *list = &which->added[where];

		for (size_t i = 0; i < list->count; i++) {
			origin_text(&list->items[i], (side)where, text);
			origin_report(reply, pointer, (side)where, &list->items[i], text);
		}
	}
}
