/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cidr_table.h - sorted, disjoint ranges of numbers of one width, and the search in
 * them.  The width decides how many ranges a cache line holds, so core/scalar/cidr_set.c
 * includes this once for each, with no guard, after defining:
 *
 *	CIDR_TABLE                  the prefix of the names made here
 *	CIDR_KEY                    the type of a number
 *	CIDR_TAKES(range)           is a cidr_range, by its address, one for this table?
 *	CIDR_OF(number)             the key of an end of a cidr_range
 */
#define CIDR_GLUE(a, b) a##_##b
#define CIDR_EXPAND(a, b) CIDR_GLUE(a, b)
#define CIDR_NAME(name) CIDR_EXPAND(CIDR_TABLE, name)

/* Both ends belong to the range. */
typedef struct CIDR_NAME(range) {
	CIDR_KEY first;
	CIDR_KEY last;
} CIDR_NAME(range);

typedef struct CIDR_TABLE {
	CIDR_NAME(range) *ranges;
	size_t count;
	cidr_index index;
} CIDR_TABLE;

/* The smallest shift that leaves no more than SLOTS slots of all numbers. */
static unsigned
CIDR_NAME(choose_shift)(CIDR_KEY lowest, CIDR_KEY highest)
{
	unsigned shift = 8 * sizeof(CIDR_KEY) - 1;

	while (shift > 0 && (highest - lowest) >> (shift - 1) < SLOTS)
		shift--;
	return shift;
}

/* Returns false when memory is short. */
static bool
CIDR_NAME(build_index)(CIDR_TABLE *table)
{
	const CIDR_NAME(range) *ranges = table->ranges;
	uint32_t *starts;
	size_t slot = 0;

	if (table->count <= INDEX_THRESHOLD)
		return true;
	starts = malloc((SLOTS + 1) * sizeof(*starts));
	if (starts == NULL)
		return false;
	table->index.starts = starts;
	table->index.shift =
		CIDR_NAME(choose_shift)(ranges[0].first, ranges[table->count - 1].last);
	for (size_t i = 0; i < table->count; i++) {
		CIDR_KEY first = ranges[i].first;

		for (; slot <= (first - ranges[0].first) >> table->index.shift; slot++)
			starts[slot] = (uint32_t)i;
	}
	for (; slot <= SLOTS; slot++)
		starts[slot] = (uint32_t)table->count;
	return true;
}

static size_t
CIDR_NAME(count_taken)(const cidr_range *ranges, size_t count)
{
	size_t taken = 0;

	for (size_t i = 0; i < count; i++)
		taken += CIDR_TAKES(&ranges[i]) ? 1 : 0;
	return taken;
}

/*
 * Builds the table of those ranges that are for it.  Returns false when memory is short; it
 * can be freed all the same.
 */
static bool
CIDR_NAME(build)(CIDR_TABLE *table, const cidr_range *ranges, size_t count)
{
	size_t taken = CIDR_NAME(count_taken)(ranges, count);

	if (taken == 0)
		return true;
	table->ranges = malloc(taken * sizeof(*table->ranges));
	if (table->ranges == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!CIDR_TAKES(&ranges[i]))
			continue;
		table->ranges[table->count].first = CIDR_OF(ranges[i].first);
		table->ranges[table->count++].last = CIDR_OF(ranges[i].last);
	}
	return CIDR_NAME(build_index)(table);
}

/* How many of the ranges begin at or below 'key'. */
static size_t
CIDR_NAME(count_begun)(const CIDR_NAME(range) *ranges, size_t count, CIDR_KEY key)
{
	const CIDR_NAME(range) *base = ranges;

	if (count == 0)
		return 0;
	while (count > 1) {
		size_t half = count / 2;

		/* Without a branch, which would be guessed wrong every other time. */
		base += -(size_t)(base[half].first <= key) & half;
		count -= half;
	}
	return (size_t)(base - ranges) + (base->first <= key);
}

/* The last range that begins at or below 'key', or NULL. */
static const CIDR_NAME(range) *
CIDR_NAME(find)(const CIDR_TABLE *table, CIDR_KEY key)
{
	const CIDR_NAME(range) *ranges = table->ranges;
	size_t start = 0;
	size_t count = table->count;

	if (count == 0 || ranges[0].first > key)
		return NULL;
	if (key > ranges[count - 1].last)
		return &ranges[count - 1];
	if (table->index.starts != NULL) {
		const uint32_t *slot = table->index.starts +
		                       (size_t)((key - ranges[0].first) >> table->index.shift);

		start = slot[0];
		count = slot[1] - slot[0];
	}
	start += CIDR_NAME(count_begun)(ranges + start, count, key);
	return &ranges[start - 1];
}

/* The last range that begins at or below 'high' is the only one that can reach 'low'. */
static bool
CIDR_NAME(overlaps)(const CIDR_TABLE *table, CIDR_KEY low, CIDR_KEY high)
{
	const CIDR_NAME(range) *found = CIDR_NAME(find)(table, high);

	return found != NULL && low <= found->last;
}

/* Ranges do not touch, so one of them has to hold all. */
static bool
CIDR_NAME(covers)(const CIDR_TABLE *table, CIDR_KEY low, CIDR_KEY high)
{
	const CIDR_NAME(range) *found = CIDR_NAME(find)(table, low);

	return found != NULL && high <= found->last;
}

#undef CIDR_NAME
#undef CIDR_EXPAND
#undef CIDR_GLUE
#undef CIDR_OF
#undef CIDR_TAKES
#undef CIDR_KEY
#undef CIDR_TABLE
