/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotation.c - writes the annotation about the values that a LimitRange gave, in the words
 * of Kubernetes (LimitRanger, mergePodResourceRequirements), and reads one of a pod.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../limit_ranger.h"

/* Writes the names that 'last' gave on one side, in their order. */
static void
write_part(text_buffer *out, const container *which, side from, const limit_range *last, bool *first)
{
	static const char *const whose[SIDE_COUNT][2] = {
		[SIDE_REQUEST] = { " request for container ", " request for init container " },
		[SIDE_LIMIT] = { " limit for container ", " limit for init container " },
	};
	const resource_list *list = &which->added[from];
	bool any = false;
	size_t length = 0;
	const char *name = limen_value_string(which->name, &length);

	for (size_t i = 0; i < list->count; i++) {
		const range_item *item = list->items[i].item;

		if (item == NULL || item < last->items || item >= last->items + last->count)
			continue;
		if (any || !*first)
			text_add(out, any ? ", " : "; ");
		text_add_bytes(out, list->items[i].name, list->items[i].length);
		any = true;
		*first = false;
	}
	if (!any)
		return;
	text_add(out, whose[from][which->init ? 1 : 0]);
	if (name != NULL)
		text_add_bytes(out, name, length);
}

void
annotation_write(text_buffer *out, const pod *whole, const limit_range *last)
{
	bool first = true;

	text_add(out, "LimitRanger plugin set: ");
	for (size_t i = 0; i < whole->count; i++) {
		write_part(out, &whole->containers[i], SIDE_REQUEST, last, &first);
		write_part(out, &whole->containers[i], SIDE_LIMIT, last, &first);
	}
}

/* Is the resource one of those in "cpu, memory"? */
static bool
is_listed(const char *names, size_t length, const resource *named)
{
	while (length >= named->length) {
		const char *comma = memchr(names, ',', length);
		size_t step = comma == NULL ? length : (size_t)(comma - names);

		if (step == named->length && memcmp(names, named->name, step) == 0)
			return true;
		if (comma == NULL || length < step + 2)
			return false;
		names += step + 2;
		length -= step + 2;
	}
	return false;
}

/* A longer one is not looked through: annotations have 256 KiB together. */
#define ACCOUNT_MAX ((size_t)256 << 10)

bool
annotation_names(limen_value document, const container *which, side from, const resource *named)
{
	static const char head[] = "LimitRanger plugin set: ";
	size_t size = 0;
	const char *text = limen_value_string(
		annotation_get(document, "kubernetes.io/limit-ranger"), &size);
	const char *name = limen_value_string(which->name, NULL);
	char tail[CONTAINER_LABEL_MAX]; /* what follows the names of a part */
	size_t tail_length;

	if (text == NULL || size > ACCOUNT_MAX || name == NULL || strncmp(text, head, strlen(head)) != 0)
		return false;
	snprintf(tail, sizeof tail, " %s for %s %s", side_names[from],
	         which->init ? "init container" : "container", name);
	tail_length = strlen(tail);
	for (text += strlen(head);;) {
		const char *end = strstr(text, "; ");
		size_t length = end == NULL ? strlen(text) : (size_t)(end - text);

		/* "cpu, memory request for container web" */
		if (length > tail_length &&
		    memcmp(text + length - tail_length, tail, tail_length) == 0 &&
		    is_listed(text, length - tail_length, named))
			return true;
		if (end == NULL)
			return false;
		text = end + strlen("; ");
	}
}
