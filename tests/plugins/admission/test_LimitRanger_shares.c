/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_shares.c - whose LimitRanges are kept where there is no room for all: who
 * wants least first, whatever comes when.  There is little room here (tests.mk).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../plugins/admission/LimitRanger/cluster/cluster.h"
#include "fail_malloc.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

enum { SPACES = 8, NAMES = 9, SEEDS = 300, STEPS = 60, ALLOCATIONS_MAX = 1000 };

#define SECOND ((int64_t)1000000000)

/* What an API server has: bytes of each LimitRange; 0: there is none. */
typedef struct world {
	size_t sizes[SPACES][NAMES];
	cluster_objects objects;
	cluster_source source;
	int64_t now;
	uint64_t random;
} world;

void *__wrap_reallocarray(void *old, size_t count, size_t size);

/* It fails as realloc() does. */
void *
__wrap_reallocarray(void *old, size_t count, size_t size)
{
	return realloc(old, count * size);
}

static uint64_t
draw(world *one, uint64_t bound)
{
	one->random ^= one->random << 13;
	one->random ^= one->random >> 7;
	one->random ^= one->random << 17;
	return one->random % bound;
}

static limen_documents *
parse(const char *text)
{
	limen_documents *parsed = NULL;

	if (limen_documents_parse("object", text, strlen(text), 0, &parsed, NULL) != LIMEN_OK)
		abort();
	return parsed;
}

/* Returns one of which 'size' bytes are kept. */
static limen_documents *
make_object(int space, int name, size_t size)
{
	static const char around[] = "{\"metadata\":{\"annotations\":{\"" ANNOTATION_ITEMS "\":\"\"},"
	                             "\"name\":\"0\",\"namespace\":\"a\"}}";
	char filling[1000];
	char text[2000];

	if (size < sizeof around || size - sizeof around > sizeof filling)
		abort();
	memset(filling, 'x', sizeof filling);
	snprintf(text, sizeof text, "{\"metadata\":{\"annotations\":{\"" ANNOTATION_ITEMS "\":\"%.*s\"},"
	         "\"name\":\"%c\",\"namespace\":\"%c\"}}", (int)(size - (sizeof around - 1)),
	         filling, '0' + name, 'a' + space);
	return parse(text);
}

/* What the server has for the listener now. */
static bool
tell(world *one, int space, int name)
{
	size_t size = one->sizes[space][name];
	limen_documents *owner = make_object(space, name, size == 0 ? 100 : size);
	limen_value object = limen_documents_get(owner, 0);
	char why[KUBE_ERROR_MAX];
	bool taken = size == 0 ? cluster_objects_drop(&one->objects, object, &one->source, why)
	                       : cluster_objects_put(&one->objects, object, &one->source, why);

	limen_documents_free(owner);
	return taken;
}

/* ---- what is to be ---- */

typedef struct wish {
	char name;
	size_t wanted;
} wish;

static int
compare(const void *one, const void *other)
{
	const wish *first = one;
	const wish *second = other;

	if (first->wanted != second->wanted)
		return first->wanted < second->wanted ? -1 : 1;
	return first->name - second->name;
}

/* Who is served by the rule, as "ac", of what is known, whether there is its text or not. */
static void
find_served(const cluster_objects *objects, char out[SPACES + 1])
{
	wish wishes[SPACES];
	size_t room = CLUSTER_BYTES_MAX;
	bool known[SPACES] = { false };
	char set[SPACES + 1] = "";

	for (int i = 0; i < SPACES; i++)
		wishes[i] = (wish){ (char)('a' + i), 0 };
	for (size_t i = 0; i < objects->count; i++) {
		const cluster_kept *kept = objects->items[i].kept;

		wishes[kept->namespace[0] - 'a'].wanted += kept->wanted;
		known[kept->namespace[0] - 'a'] = true;
	}
	qsort(wishes, SPACES, sizeof *wishes, compare);
	for (int i = 0; i < SPACES && wishes[i].wanted <= room; i++) {
		room -= wishes[i].wanted;
		set[wishes[i].name - 'a'] = wishes[i].name;
	}
	for (int i = 0; i < SPACES; i++) {
		if (known[i] && set[i] != '\0')
			*out++ = set[i];
	}
	*out = '\0';
}

/* Who has all the text that is not too large, as "ac". */
static void
find_whole(const cluster_objects *objects, char out[SPACES + 1])
{
	bool crowded[SPACES] = { false };
	bool known[SPACES] = { false };

	for (size_t i = 0; i < objects->count; i++) {
		int space = objects->items[i].kept->namespace[0] - 'a';

		known[space] = true;
		crowded[space] = crowded[space] ||
		                 objects->items[i].kept->unfit == cluster_crowded;
	}
	for (int i = 0; i < SPACES; i++) {
		if (known[i] && !crowded[i])
			*out++ = (char)('a' + i);
	}
	*out = '\0';
}

/* What is counted is what there is. */
static void
check_counts(const cluster_objects *objects)
{
	size_t wanted = 0;
	size_t count = 0;
	size_t bytes = 0;
	size_t served = 0;

	for (size_t i = 0; i < objects->count; i++) {
		const cluster_kept *kept = objects->items[i].kept;

		bytes += kept->size;
		wanted += kept->wanted;
		CU_ASSERT(kept->size == (kept->unfit == NULL ? kept->wanted : 0));
	}
	CU_ASSERT(bytes == objects->bytes && bytes <= CLUSTER_BYTES_MAX);
	for (size_t i = 0; i < objects->shares.count; i++) {
		const cluster_share *share = objects->shares.items[i];

		CU_ASSERT(share->count > 0);
		count += share->count;
		wanted -= share->wanted;
		served += share->place > 0;
		CU_ASSERT(share->place == 0 || objects->shares.served[share->place - 1] == share);
	}
	CU_ASSERT(wanted == 0 && count == objects->count);
	CU_ASSERT_EQUAL(served, objects->shares.served_count);
}

/* Nobody loses whose turn it is: 'before' are those who were whole. */
static void
check_turns(const world *one, const char *before, const char *about)
{
	char served[SPACES + 1];
	char whole[SPACES + 1];
	size_t share = one->objects.shares.count == 0 ? 0
	                                              : CLUSTER_BYTES_MAX / one->objects.shares.count;

	check_counts(&one->objects);
	find_served(&one->objects, served);
	find_whole(&one->objects, whole);
	for (size_t i = 0; i < one->objects.shares.count; i++) {
		const cluster_share *space = one->objects.shares.items[i];
		char name = space->namespace[0];

		ASSERT(strchr(served, name) != NULL || space->wanted > share,
		       "%s: %c wants %zu, %zu is its part", about, name, space->wanted, share);
		ASSERT(strchr(served, name) == NULL || strchr(before, name) == NULL ||
		       strchr(whole, name) != NULL, "%s: %c had its turn", about, name);
	}
}

/* ---- what happens ---- */

static void
step(world *one, int space, int name, const char *about)
{
	char before[SPACES + 1];

	find_whole(&one->objects, before);
	for (int i = 0; i < SPACES; i++) {
		char known[2] = { (char)('a' + i), '\0' };

		/* One of which nothing is known has lost nothing. */
		if (cluster_shares_find(&one->objects.shares, known) == NULL)
			strcat(before, known);
	}
	CU_ASSERT_TRUE(tell(one, space, name));
	check_turns(one, before, about);
}

/* Lists all, or as much until it fails. */
static void
list(world *one, int most)
{
	cluster_objects_begin(&one->objects, &one->source);
	for (int i = 0; i < SPACES * NAMES; i++) {
		if (one->sizes[i / NAMES][i % NAMES] > 0 && most-- > 0)
			step(one, i / NAMES, i % NAMES, "list");
	}
	if (most < 0)
		return;
	CU_ASSERT_TRUE(cluster_objects_keep_listed(&one->objects, &one->source));
	check_counts(&one->objects);
}

/* Asks for lists until there are none; returns how many there were. */
static int
settle(world *one)
{
	int lists = 0;

	for (one->now += 60 * SECOND;
	     lists < SPACES && cluster_objects_again(&one->objects, &one->source, one->now);
	     one->now += 60 * SECOND) {
		list(one, SPACES * NAMES);
		lists++;
	}
	ASSERT(lists < SPACES, "lists are wanted without end");
	return lists;
}

static void
check_settled(world *one, const char *about)
{
	char served[SPACES + 1];
	char whole[SPACES + 1];

	find_served(&one->objects, served);
	find_whole(&one->objects, whole);
	ASSERT(strcmp(served, whole) == 0, "%s: '%s' are served, should be '%s'", about, whole,
	       served);
	for (size_t i = 0; i < one->objects.count; i++) {
		const cluster_kept *kept = one->objects.items[i].kept;
		size_t size = one->sizes[kept->namespace[0] - 'a'][kept->name[0] - '0'];

		CU_ASSERT(kept->wanted == (size > CLUSTER_OBJECT_BYTES_MAX ? 0 : size));
	}
}

/* ---- by hand ---- */

/*
 * NAMESPACE NAME HUNDREDS: so many hundred bytes; '!': a list; '?': lists as long as they are
 * wanted.  There is room for 4000 bytes, and for 500 of one.
 */
static const struct {
	const char *steps;
	const char *whole;
	const char *about;
} known[] = {
	{ "", "", "nothing" },
	{ "a05 b05 b15 c05", "abc", "room for all" },
	{ "a05 a15 a25 a35 a45 a55 a65 a75", "a", "all that there is" },
	{ "a05 a15 a25 a35 a45 a55 a65 a75 b01", "b", "who wants most loses" },
	{ "a05 a15 a25 a35 a45 a55 a65 a75 a81", "", "it may be the one that comes" },
	{ "b01 a05 a15 a25 a35 a45 a55 a65 a75", "b", "it is the same in another order" },
	{ "a05 a15 a25 a35 b05 b15 b25 b35 c01", "ac", "of those that want the same the last" },
	{ "c01 b05 b15 b25 b35 a05 a15 a25 a35", "ac", "whatever comes first" },
	{ "a05 a15 a25 a35 b05 b15 b25 b35 c01 b01", "ac", "it stays so by itself" },
	{ "a05 a15 a25 a35 b05 b15 b25 b35 c01 b01 !", "abc", "until a list" },
	{ "a05 a15 a25 a35 b05 b15 b25 b35 c01 b01 ?", "abc", "that is asked for" },
	{ "a05 a15 a25 a35 b05 b15 b25 b35 c01 c00 ?", "ab", "when another has gone" },
	{ "a05 a15 a25 a35 b05 b15 b25 b35 c01 c02 ?", "ac", "and not before" },
	{ "a05 a15 a25 a35 b05 b15 b25 b35 c01 b00 b10 b20 b30", "ac", "none is left" },
	{ "a05 a15 a25 a35 b05 b15 b25 b35 c01 b00 b10 b20 b30 b01", "abc", "it begins anew" },
	{ "a09 b09 c01", "c", "one that is too large concerns its own alone" },
	{ "a09 a15 a25 a35 a45 a55 a65 a75 a85 b05 ?", "b", "and takes no room" },
	{ "a05 a15 a25 a35 a45 b05 b15 b25 c05 c15 d01 ?", "bcd", "three want less" },
};

static void
take_steps(world *one, const char *steps, const char *about)
{
	for (const char *at = steps; *at != '\0'; at += strcspn(at, " ")) {
		at += strspn(at, " ");
		if (*at == '!') {
			list(one, SPACES * NAMES);
		} else if (*at == '?') {
			settle(one);
			check_settled(one, about);
		} else {
			one->sizes[at[0] - 'a'][at[1] - '0'] = (size_t)(at[2] - '0') * 100;
			step(one, at[0] - 'a', at[1] - '0', about);
		}
	}
}

/* A namespace with one that is too large is closed as well. */
static void
find_open(const cluster_objects *objects, char out[SPACES + 1])
{
	char whole[SPACES + 1];

	find_whole(objects, whole);
	for (size_t i = 0; i < objects->count; i++) {
		const cluster_kept *kept = objects->items[i].kept;
		char *at = strchr(whole, kept->namespace[0]);

		if (kept->unfit != NULL && at != NULL)
			memmove(at, at + 1, strlen(at));
	}
	strcpy(out, whole);
}

static void
test_known(void)
{
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		world one = { .now = 0 };
		char open[SPACES + 1];

		take_steps(&one, known[i].steps, known[i].about);
		find_open(&one.objects, open);
		ASSERT(strcmp(open, known[i].whole) == 0, "%s: '%s', want '%s'", known[i].about,
		       open, known[i].whole);
		cluster_objects_clear(&one.objects);
	}
}

/* ---- by chance ---- */

static void
change(world *one, bool told)
{
	int space = (int)draw(one, SPACES);
	int name = (int)draw(one, NAMES);

	one->sizes[space][name] = draw(one, 4) == 0 ? 0 : 100 + draw(one, 450);
	if (told)
		step(one, space, name, "change");
}

static void
act(world *one)
{
	switch (draw(one, 12)) {
	case 0:
		list(one, SPACES * NAMES);
		break;
	case 1:
		list(one, (int)draw(one, 20));
		break;
	case 2:
		cluster_objects_sweep(&one->objects);
		break;
	case 3:
		change(one, false);
		break;
	case 4:
		one->now += 20 * SECOND;
		if (cluster_objects_again(&one->objects, &one->source, one->now))
			list(one, SPACES * NAMES);
		break;
	default:
		change(one, true);
		break;
	}
}

static void
test_chance(void)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		world one = { .random = seed * UINT64_C(0x9E3779B97F4A7C15) };
		char about[64];

		snprintf(about, sizeof about, "seed %u", (unsigned)seed);
		for (int i = 0; i < STEPS; i++)
			act(&one);
		list(&one, SPACES * NAMES);
		settle(&one);
		check_settled(&one, about);
		cluster_objects_clear(&one.objects);
	}
}

/* ---- when lists are wanted ---- */

/* A tenant that grows and shrinks is worth one list a minute. */
static void
test_minute(void)
{
	static const char full[] = "a05 a15 a25 a35 b05 b15 b25 b35 c01";
	world one = { .now = 1000 * SECOND };
	int lists = 0;

	take_steps(&one, full, "full");
	CU_ASSERT_FALSE(cluster_objects_again(&one.objects, &one.source, one.now));
	for (int second = 0; second < 600; second++) {
		take_steps(&one, second % 2 == 0 ? "b01" : "b05", "up and down");
		one.now += SECOND;
		if (!cluster_objects_again(&one.objects, &one.source, one.now))
			continue;
		lists++;
		list(&one, SPACES * NAMES);
	}
	ASSERT(lists == 10, "%d lists in 10 minutes", lists);
	cluster_objects_clear(&one.objects);
}

/* What the server has, in hundreds of bytes of each LimitRange, and a list says. */
static void
list_anew(world *one, const char *spaces, int count)
{
	memset(one->sizes, 0, sizeof one->sizes);
	for (; *spaces != '\0'; spaces++) {
		for (int name = 0; name < count; name++)
			one->sizes[*spaces - 'a'][name] = 500;
	}
	list(one, SPACES * NAMES);
}

/* Whoever found no room because of text that was gone need not wait, but for once. */
static void
test_replaced(void)
{
	world one = { .now = 1000 * SECOND, .source = { .again = 1060 * SECOND } };
	char whole[SPACES + 1];

	list_anew(&one, "ab", 3);
	list_anew(&one, "bc", 3);
	find_whole(&one.objects, whole);
	CU_ASSERT_STRING_EQUAL(whole, "b");
	CU_ASSERT_TRUE(cluster_objects_again(&one.objects, &one.source, one.now));
	list_anew(&one, "cd", 4);
	find_whole(&one.objects, whole);
	CU_ASSERT_STRING_EQUAL(whole, "d");
	CU_ASSERT_FALSE(cluster_objects_again(&one.objects, &one.source, one.now));
	one.now += 60 * SECOND;
	CU_ASSERT_TRUE(cluster_objects_again(&one.objects, &one.source, one.now));
	list_anew(&one, "cd", 4);
	find_whole(&one.objects, whole);
	CU_ASSERT_STRING_EQUAL(whole, "cd");
	cluster_objects_clear(&one.objects);
}

/* Each source lists its own namespace only. */
static void
test_sources(void)
{
	world one = { .now = 0 };
	cluster_source first = { .namespace = "a" };
	cluster_source second = { .namespace = "b" };
	char whole[SPACES + 1];

	take_steps(&one, "a05 a15 a25 a35 b05 b15 b25 b35 c01 b01", "full");
	CU_ASSERT_FALSE(cluster_objects_again(&one.objects, &first, 60 * SECOND));
	CU_ASSERT_TRUE(cluster_objects_again(&one.objects, &second, 60 * SECOND));
	/* What each has to wait for is its own. */
	CU_ASSERT_FALSE(cluster_objects_again(&one.objects, &second, 119 * SECOND));
	CU_ASSERT_TRUE(cluster_objects_again(&one.objects, &second, 120 * SECOND));
	cluster_objects_begin(&one.objects, &first);
	CU_ASSERT_TRUE(cluster_objects_again(&one.objects, &second, 180 * SECOND));
	cluster_objects_begin(&one.objects, &second);
	CU_ASSERT_FALSE(cluster_objects_again(&one.objects, &second, 240 * SECOND));
	one.source = second;
	for (int name = 0; name < 4; name++)
		CU_ASSERT_TRUE(tell(&one, 1, name));
	CU_ASSERT_TRUE(cluster_objects_keep_listed(&one.objects, &one.source));
	find_whole(&one.objects, whole);
	CU_ASSERT_STRING_EQUAL(whole, "abc");
	check_counts(&one.objects);
	cluster_objects_clear(&one.objects);
}

/* ---- what stays ---- */

/* A list that says what is known already makes nothing anew, served or not. */
static void
test_same(void)
{
	world one = { .now = 0 };
	const cluster_kept *before[SPACES * NAMES];

	take_steps(&one, "a05 a15 a25 a35 b05 b15 b25 b35 c01 d09", "full");
	cluster_objects_sweep(&one.objects);
	for (size_t i = 0; i < one.objects.count; i++)
		before[i] = one.objects.items[i].kept;
	list(&one, SPACES * NAMES);
	for (size_t i = 0; i < one.objects.count; i++)
		CU_ASSERT_PTR_EQUAL(one.objects.items[i].kept, before[i]);
	CU_ASSERT_EQUAL(one.objects.gone_count, 0);
	cluster_objects_clear(&one.objects);
}

/* What is in force stays so until another state is, whoever loses. */
static void
test_in_force(void)
{
	world one = { .now = 0 };
	const cluster_kept *before;

	take_steps(&one, "a05 a15 a25 a35 a45 a55 a65 a75", "full");
	cluster_objects_sweep(&one.objects);
	before = one.objects.items[0].kept;
	take_steps(&one, "b01", "more");
	CU_ASSERT_EQUAL(one.objects.gone_count, 8);
	CU_ASSERT_EQUAL(one.objects.gone_bytes, 4000);
	CU_ASSERT_EQUAL(before->size, 500);
	CU_ASSERT_TRUE(limen_value_exists(before->value));
	cluster_objects_sweep(&one.objects);
	CU_ASSERT_EQUAL(one.objects.gone_bytes, 0);
	cluster_objects_clear(&one.objects);
}

/* A reload knows who is served and who wants what. */
static void
check_copy(bool alike)
{
	world one = { .now = 0 };
	world two = { .now = 0 };
	char whole[SPACES + 1];

	take_steps(&one, "a05 a15 a25 a35 b05 b15 b25 b35 c01 d09", "full");
	for (size_t i = 0; i < one.objects.count; i++)
		one.objects.items[i].kept->read = true;
	CU_ASSERT_TRUE(cluster_objects_copy(&two.objects, &one.objects, alike));
	check_counts(&two.objects);
	find_whole(&two.objects, whole);
	CU_ASSERT_STRING_EQUAL(whole, "acd");
	CU_ASSERT_EQUAL(two.objects.bytes, one.objects.bytes);
	CU_ASSERT_EQUAL(two.objects.shares.served_count, 3);
	CU_ASSERT_FALSE(cluster_objects_again(&two.objects, &two.source, 60 * SECOND));
	cluster_objects_clear(&one.objects);
	take_steps(&two, "b01", "less");
	CU_ASSERT_TRUE(cluster_objects_again(&two.objects, &two.source, 60 * SECOND));
	cluster_objects_clear(&two.objects);
}

static void
test_copy(void)
{
	check_copy(true);
	check_copy(false);
}

/* Somebody loses, or nothing is taken; what there is counts either way. */
static void
test_memory(void)
{
	bool failed = true;
	unsigned long nth;

	for (nth = 1; failed && nth < ALLOCATIONS_MAX; nth++) {
		world one = { .now = 0 };
		char whole[SPACES + 1];
		limen_documents *owner = make_object(1, 0, 100);
		char why[KUBE_ERROR_MAX] = "";
		bool taken;

		take_steps(&one, "a05 a15 a25 a35 a45 a55 a65 a75", "full");
		cluster_objects_sweep(&one.objects);
		fail_malloc_once(nth);
		taken = cluster_objects_put(&one.objects, limen_documents_get(owner, 0),
		                            &one.source, why);
		failed = fail_malloc_stop();
		limen_documents_free(owner);
		ASSERT(taken || (failed && strcmp(why, limen_result_text(LIMEN_ENOMEM)) == 0),
		       "allocation %lu: '%s'", nth, why);
		check_counts(&one.objects);
		take_steps(&one, "b01", "again");
		find_whole(&one.objects, whole);
		CU_ASSERT_STRING_EQUAL(whole, "b");
		cluster_objects_clear(&one.objects);
	}
	CU_ASSERT(nth > 20);
	CU_ASSERT_FALSE(failed);
}

/* A list begins without those whose turn it is, and the next one has them. */
static void
test_memory_turns(void)
{
	world one = { .now = 0 };

	take_steps(&one, "a05 a15 a25 a35 b05 b15 b25 b35 c01 b01", "full");
	fail_malloc_from(1);
	CU_ASSERT_FALSE(cluster_objects_again(&one.objects, &one.source, 0));
	cluster_objects_begin(&one.objects, &one.source);
	CU_ASSERT_TRUE(fail_malloc_stop());
	check_counts(&one.objects);
	CU_ASSERT_EQUAL(settle(&one), 1);
	check_settled(&one, "memory is back");
	cluster_objects_clear(&one.objects);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "who is served", test_known },
		{ "whatever happens", test_chance },
		{ "one list a minute", test_minute },
		{ "room that a list makes", test_replaced },
		{ "each source lists its own", test_sources },
		{ "what is said again", test_same },
		{ "what is in force", test_in_force },
		{ "a reload", test_copy },
		{ "memory is short when somebody loses", test_memory },
		{ "and when a list begins", test_memory_turns },
		{ NULL, NULL },
	};

	return suite_run("plugins/admission/LimitRanger/shares", tests);
}
