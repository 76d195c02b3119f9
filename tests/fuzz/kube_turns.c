/* SPDX-License-Identifier: Apache-2.0 */
/* kube_turns.c - for whom there is room, found out from the objects that are kept. */
#include <string.h>

#include "kube_known.h"

/* What a namespace wants. */
typedef struct wish {
	const char *namespace;
	size_t wanted;
	bool crowded; /* there is no more than a name of something that fits */
} wish;

static int
compare(const void *one, const void *other)
{
	const wish *first = one;
	const wish *second = other;

	if (first->wanted != second->wanted)
		return first->wanted < second->wanted ? -1 : 1;
	return strcmp(first->namespace, second->namespace);
}

/* Returns what each namespace that is not collapsed wants, in the order in which they are served. */
static wish *
make_wishes(const cluster_objects *objects, size_t *count)
{
	wish *wishes = calloc(objects->count + 1, sizeof *wishes);

	FUZZ_CHECK(wishes != NULL);
	*count = 0;
	for (size_t i = 0; i < objects->count; i++) {
		const cluster_kept *kept = objects->items[i].kept;
		wish *last = *count == 0 ? NULL : &wishes[*count - 1];

		if (cluster_shares_find(&objects->shares, kept->namespace)->collapsed)
			continue;
		if (last == NULL || strcmp(last->namespace, kept->namespace) != 0) {
			last = &wishes[(*count)++];
			last->namespace = kept->namespace;
		}
		last->wanted += kept->wanted;
		last->crowded = last->crowded || kept->unfit == cluster_crowded;
	}
	qsort(wishes, *count, sizeof *wishes, compare);
	return wishes;
}

bool
turns_text_due(const cluster_objects *objects)
{
	size_t room = CLUSTER_BYTES_MAX;
	size_t count;
	wish *wishes = make_wishes(objects, &count);
	bool due = false;

	for (size_t i = 0; i < count && wishes[i].wanted <= room; i++) {
		room -= wishes[i].wanted;
		due = due || wishes[i].crowded;
	}
	free(wishes);
	return due;
}

bool
turns_names_fit(const cluster_objects *objects)
{
	const cluster_shares *shares = &objects->shares;
	size_t needed = 0;

	for (size_t i = 0; i < shares->count; i++) {
		const cluster_share *one = shares->items[i];

		/* Its mark counts beside its objects until a list has ended. */
		needed += one->collapsed && one->estimate > one->count ? one->estimate
		                                                       : one->count;
		needed += one->collapsed ? 1 : 0;
	}
	return shares->collapsed_count > 0 && needed <= CLUSTER_OBJECTS_MAX;
}
