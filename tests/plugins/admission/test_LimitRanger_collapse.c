/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_LimitRanger_collapse.c - whose LimitRanges are not kept where they are too many: who has
 * most, who is closed until a whole list has brought them again.  There is room for twelve here
 * (tests.mk).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../plugins/admission/LimitRanger/cluster/cluster.h"
#include "fail_malloc.h"
#include "plugin.h"
#include "suite.h"

#define ASSERT(passed, ...) plugin_assert(passed, __FILE__, __LINE__, __VA_ARGS__)

enum { SPACES = 5, NAMES = 20, SEEDS = 300, STEPS = 50, ALLOCATIONS_MAX = 1000, LISTS_MAX = 12 };

#define MINUTE ((int64_t)60 * 1000000000)

/* Which LimitRanges an API server has, and which of them the listener was told. */
typedef struct world {
	bool has[SPACES][NAMES];
	bool told[SPACES][NAMES];
	bool listed[SPACES][NAMES];
	bool brought[SPACES][NAMES]; /* by a list that has not ended, and no state names it */
	bool listing;
	int filling[SPACES]; /* of the text of each */
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
make_object(const world *one, int space, int name)
{
	limen_documents *parsed = NULL;
	char text[1024];

	snprintf(text, sizeof text, "{\"metadata\":{\"name\":\"l%02d\",\"namespace\":\"%c\"},"
	         "\"spec\":\"%*s\"}", name, 'a' + space, one->filling[space], "");
	if (limen_documents_parse("object", text, strlen(text), 0, &parsed, NULL) != LIMEN_OK)
		abort();
	return parsed;
}

/* Tells what the server has now. */
static bool
tell_into(world *one, int space, int name, char why[KUBE_ERROR_MAX])
{
	limen_documents *owner = make_object(one, space, name);
	limen_value object = limen_documents_get(owner, 0);
	bool there = one->has[space][name];
	bool taken = there ? cluster_objects_put(&one->objects, object, &one->source, why)
	                   : cluster_objects_drop(&one->objects, object, &one->source, why);

	limen_documents_free(owner);
	if (taken) {
		one->brought[space][name] = there && (one->brought[space][name] ||
		                                      (one->listing && !one->told[space][name]));
		one->told[space][name] = there;
	}
	if (taken && one->listing)
		one->listed[space][name] = true;
	return taken;
}

static int
count_told(const world *one, int space)
{
	int count = 0;

	for (int name = 0; name < NAMES; name++)
		count += one->told[space][name];
	return count;
}

static const cluster_share *
find_share(const world *one, int space)
{
	const char namespace[] = { (char)('a' + space), '\0' };

	return cluster_shares_find(&one->objects.shares, namespace);
}

static bool
is_closed(const world *one, int space)
{
	const cluster_share *share = find_share(one, space);

	return share != NULL && share->collapsed;
}

/* ---- what always holds ---- */

/* Of who is open there is all that was told, and of who waits for text its names. */
static void
check_space(const world *one, int space, const char *about)
{
	const cluster_share *share = find_share(one, space);

	for (int name = 0; name < NAMES; name++) {
		const char namespace[] = { (char)('a' + space), '\0' };
		char text[16];
		bool found;
		size_t at;

		snprintf(text, sizeof text, "l%02d", name);
		at = cluster_objects_find(&one->objects, namespace, text, &found);
		ASSERT(found == one->told[space][name] || is_closed(one, space),
		       "%s: %s of %s is %sknown", about, text, namespace, found ? "" : "not ");
		ASSERT(!found || share->place > 0 || one->objects.items[at].kept->unfit != NULL,
		       "%s: %s of %s has a text", about, text, namespace);
	}
}

static void
check_counts(const cluster_objects *objects, const char *about)
{
	const cluster_shares *shares = &objects->shares;
	size_t collapsed = 0;
	size_t served = 0;
	size_t count = 0;
	size_t unnamed = 0;
	size_t bytes = 0;

	for (size_t i = 0; i < objects->count; i++)
		bytes += objects->items[i].kept->size;
	for (size_t i = 0; i < shares->count; i++) {
		const cluster_share *share = shares->items[i];

		count += share->count;
		unnamed += share->unnamed;
		collapsed += share->collapsed;
		served += share->place > 0;
		ASSERT(share->count > 0 || share->collapsed, "%s: an empty one", about);
		ASSERT(!share->collapsed || share->place == 0, "%s: served and closed", about);
		ASSERT(share->place == 0 || shares->served[share->place - 1] == share,
		       "%s: the heap", about);
	}
	ASSERT(bytes == objects->bytes && count == objects->count, "%s: sums", about);
	ASSERT(collapsed == shares->collapsed_count && served == shares->served_count,
	       "%s: counts", about);
	ASSERT(unnamed == objects->unnamed, "%s: %zu are not named", about, unnamed);
	ASSERT(count - unnamed + collapsed <= CLUSTER_OBJECTS_MAX, "%s: %zu and %zu", about,
	       count - unnamed, collapsed);
	ASSERT(count <= 2 * CLUSTER_OBJECTS_MAX, "%s: %zu", about, count);
}

static void
check(const world *one, const char *about)
{
	check_counts(&one->objects, about);
	for (int space = 0; space < SPACES; space++)
		check_space(one, space, about);
}

/* ---- what happens ---- */

/* Who has fewer than an equal part, with what comes, is not closed by it. */
static void
step(world *one, int space, int name, const char *about)
{
	char why[KUBE_ERROR_MAX] = "";
	bool closed[SPACES];
	size_t spaces;

	for (int i = 0; i < SPACES; i++)
		closed[i] = is_closed(one, i);
	ASSERT(tell_into(one, space, name, why), "%s: %s", about, why);
	check(one, about);
	spaces = one->objects.shares.count;
	for (int i = 0; i < SPACES; i++)
		ASSERT(!is_closed(one, i) || closed[i] ||
		       (size_t)count_told(one, i) >= CLUSTER_OBJECTS_MAX / spaces,
		       "%s: %c has %d", about, 'a' + i, count_told(one, i));
}

/* A state names all there are. */
static void
sweep(world *one)
{
	cluster_objects_sweep(&one->objects);
	memset(one->brought, 0, sizeof one->brought);
}

static void
begin(world *one)
{
	cluster_objects_begin(&one->objects, &one->source);
	for (int i = 0; i < SPACES * NAMES; i++)
		one->told[i / NAMES][i % NAMES] &= !one->brought[i / NAMES][i % NAMES];
	memset(one->brought, 0, sizeof one->brought);
	memset(one->listed, 0, sizeof one->listed);
	one->listing = true;
}

static void
put_listed(world *one, int most, const char *about)
{
	for (int i = 0; i < SPACES * NAMES; i++) {
		if (one->has[i / NAMES][i % NAMES] && most-- > 0)
			step(one, i / NAMES, i % NAMES, about);
	}
}

static void
end(world *one, const char *about)
{
	memcpy(one->told, one->listed, sizeof one->told);
	memset(one->brought, 0, sizeof one->brought);
	one->listing = false;
	CU_ASSERT_TRUE(cluster_objects_keep_listed(&one->objects, &one->source));
	check(one, about);
}

static void
list(world *one, const char *about)
{
	begin(one);
	put_listed(one, SPACES * NAMES, about);
	end(one, about);
}

static int
settle(world *one, const char *about)
{
	int lists = 0;

	for (one->now += MINUTE;
	     lists < LISTS_MAX && cluster_objects_again(&one->objects, &one->source, one->now);
	     one->now += MINUTE) {
		list(one, about);
		lists++;
	}
	ASSERT(lists < LISTS_MAX, "%s: lists are wanted without end", about);
	return lists;
}

/* ---- by hand ---- */

/* Changes how many LimitRanges a namespace has. */
static void
resize(world *one, int space, int count, bool told, const char *about)
{
	for (int name = 0; name < NAMES; name++) {
		bool changes = one->has[space][name] != (name < count);

		one->has[space][name] = name < count;
		if (changes && told)
			step(one, space, name, about);
	}
}

static void
say_again(world *one, int space, const char *about)
{
	for (int name = 0; name < NAMES; name++) {
		if (one->has[space][name])
			step(one, space, name, about);
	}
}

static void
take_step(world *one, const char *at, const char *about)
{
	switch (*at) {
	case '(':
		begin(one);
		break;
	case '*':
		put_listed(one, SPACES * NAMES, about);
		break;
	case ')':
		end(one, about);
		break;
	case '!':
		list(one, about);
		break;
	case '|':
		sweep(one);
		break;
	case '?':
		settle(one, about);
		break;
	case '=':
		say_again(one, at[1] - 'a', about);
		break;
	case '~':
		resize(one, at[1] - 'a', atoi(at + 2), false, about);
		break;
	default:
		resize(one, at[0] - 'a', atoi(at + 1), true, about);
		break;
	}
}

static void
take_steps(world *one, const char *steps, const char *about)
{
	for (const char *at = steps; *at != '\0'; at += strcspn(at, " ")) {
		at += strspn(at, " ");
		if (*at != '\0')
			take_step(one, at, about);
	}
}

/* Who there is: '#' is closed, '+' as well while its names come, '-' waits for its text. */
static void
describe(const world *one, char out[SPACES * 2 + 1])
{
	for (size_t i = 0; i < one->objects.shares.count; i++) {
		const cluster_share *share = one->objects.shares.items[i];

		*out++ = share->namespace[0];
		if (share->collapsed)
			*out++ = share->taking ? '+' : '#';
		else if (share->place == 0)
			*out++ = '-';
	}
	*out = '\0';
}

/*
 * NAMESPACE COUNT: it has so many now, and that is told; '~' before it: it is not.  '=': those
 * of a namespace are told again.  '(', '*' and ')': a list begins, names all, and ends; '!': all
 * of it; '?': lists as long as they are wanted; '|': a state names those there are.  There is
 * room for twelve.
 */
static const struct {
	const char *steps;
	const char *wanted;
	const char *about;
} known[] = {
	{ "a10 b2", "ab", "room for all" },
	{ "a10 b2 =a =b", "ab", "what changes is no more" },
	{ "a10 b2 c1", "a#bc", "who has most is closed" },
	{ "a2 b10 c1", "ab#c", "wherever it is" },
	{ "a6 b6 c1", "ab#c", "of those that have as many the last" },
	{ "a2 b10 b11", "ab#", "it may be the one that grows" },
	{ "a2 b10 b20", "ab#", "as long as it wants" },
	{ "b10 a4", "ab#", "whoever comes" },
	{ "a6 b6 b7", "ab#", "what comes counts" },
	{ "b6 a6 a7", "a#b", "for whoever it is" },
	{ "a3 b3 c3 d3 e1", "abcd#e", "of many" },
	{ "a3 b3 c3 d3 e1 c4", "abcd#e", "there is room in its place" },
	{ "a3 b3 c3 d3 e1 c5", "abc#d#e", "until there is none" },
	{ "a10 b2 c1 =a a20 =a", "a#bc", "nothing of it is taken any more" },
	{ "a10 b2 c1 a0", "a#bc", "nor when it has none" },
	{ "a10 b2 c1 a0 !", "bc", "until a list" },
	{ "a10 b2 c1 a0 ?", "bc", "that is asked for" },
	{ "a10 b2 c1 ?", "a#bc", "and is not as long as there is no room" },
	{ "a10 b2 c1 !", "a#bc", "in which there is none either" },
	{ "a10 b2 c1 a8 !", "a-bc", "a list brings its names" },
	{ "a10 b2 c1 a8 ! !", "abc", "and another its text" },
	{ "a10 b2 c1 a8 ?", "abc", "both are asked for" },
	{ "a10 b2 c1 a8 (", "a+bc", "it is closed while a list is under way" },
	{ "a10 b2 c1 a8 ( *", "a+bc", "until its end" },
	{ "a10 b2 c1 a8 ( * (", "a+bc", "if it has one" },
	{ "a10 b2 c1 a8 ( * ( * )", "a-bc", "another may" },
	{ "a10 b2 c1 a8 ~a11 ( *", "a#bc", "it may be closed again" },
	{ "a10 b2 c1 a8 ~a11 !", "a#bc", "and is so at the end" },
	{ "a10 b2 c1 a8 ~a20 ! a12 ?", "a#bc", "it is known how many there were" },
	{ "a10 b2 c1 a8 ~a20 ! a8 ?", "abc", "and when they fit" },
	{ "a10 b2 c1 ~a2 !", "a#bc", "nobody said that it has fewer" },
	{ "a10 b2 c1 ~a2 ! ?", "abc", "now that is known" },
	{ "a10 b2 ~a0 ~c8 !", "bc", "what a list does not name makes room" },
	{ "a10 b2 ~a3 ~c6 ( *", "abc", "even before it has ended" },
	{ "a10 b2 ~a3 ~c6 !", "abc", "and nobody is closed for it" },
	{ "a10 b2 ~a8 ~c6 ( *", "a#bc", "who is closed for what is there" },
	{ "a10 b2 ~a8 ~c6 !", "a#bc", "is so at the end" },
	{ "a3 b9 ~b0 ~c9 ( * ~c0 ~d9 ( * ~d0 ~e9 ( *", "abe",
	  "what a list brought that failed is forgotten" },
	{ "a3 b9 ~b0 ~c9 ( * ~c0 ~d9 !", "ad", "whatever becomes of the next" },
	{ "a5 b6 ~c9 !", "ab#c#", "who has most then loses in a list" },
	{ "a6 b5 ~c5 !", "a#bc", "whether it has most at the end or not" },
	{ "~a6 ~b3 ~c9 ! ?", "abc#", "it is found out who that is" },
	{ "a6 b4 c5 ?", "a#bc", "who has more has to wait" },
	{ "a6 b4 c7 ?", "abc#", "until others have more than that" },
	{ "a1 b10 c2 c4 b5 ~a4 !", "ab#c", "what it has counts before it comes" },
	{ "a10 b2 c1 a8 ! ! a2 b7 c4", "ab#c", "who is open again has what is kept of it" },
	{ "a9 b3 c4 c1", "a#bc", "less does not help by itself" },
};

static void
test_known(void)
{
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		world one = { .now = 0 };
		char found[SPACES * 2 + 1];

		take_steps(&one, known[i].steps, known[i].about);
		describe(&one, found);
		ASSERT(strcmp(found, known[i].wanted) == 0, "%s (%s): '%s', want '%s'",
		       known[i].about, known[i].steps, found, known[i].wanted);
		cluster_objects_clear(&one.objects);
	}
}

/*
 * As much as there is room for and all of it brought by a list that fails, while a state is in
 * force that names both: what comes then fails the list, once.
 */
static void
test_twice_as_many(void)
{
	static const char *const wanted[] = { "abcd", "e" };
	world one = { .now = 0 };

	take_steps(&one, "a6 b6 ~a0 ~b0 ~c6 ~d6 ( * | ~c0 ~d0 ~e2", "twice as many");
	for (int i = 0; i < 2; i++) {
		char why[KUBE_ERROR_MAX] = "";
		char found[SPACES * 2 + 1];
		bool good;

		cluster_objects_begin(&one.objects, &one.source);
		good = tell_into(&one, 4, 0, why) && tell_into(&one, 4, 1, why) &&
		       cluster_objects_keep_listed(&one.objects, &one.source);
		check_counts(&one.objects, "twice as many");
		describe(&one, found);
		ASSERT(good == (i == 1) && strcmp(found, wanted[i]) == 0, "list %d: '%s' %s", i,
		       found, why);
	}
	cluster_objects_clear(&one.objects);
}

/* That a list is wanted opens nobody. */
static void
test_asked(void)
{
	world one = { .now = 0 };
	char found[SPACES * 2 + 1];

	take_steps(&one, "a10 b2 c1 a8", "full");
	CU_ASSERT_TRUE(cluster_objects_again(&one.objects, &one.source, MINUTE));
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a#bc");
	cluster_objects_clear(&one.objects);
}

/* ---- by chance ---- */

static void
change(world *one, bool told, const char *about)
{
	int space = (int)draw(one, SPACES);
	int name = (int)draw(one, draw(one, 4) == 0 ? NAMES : 5);

	one->has[space][name] = draw(one, 5) > 1;
	if (told)
		step(one, space, name, about);
}

/* A list that fails is followed by others until there is one that does not. */
static void
list_in_vain(world *one, const char *about)
{
	begin(one);
	put_listed(one, (int)draw(one, 20), about);
	if (draw(one, 2) == 0)
		sweep(one);
	change(one, false, about);
	list(one, about);
}

static void
copy(world *one, const char *about)
{
	cluster_objects made = { .items = NULL };

	CU_ASSERT_TRUE(cluster_objects_copy(&made, &one->objects, draw(one, 2) == 0));
	cluster_objects_clear(&one->objects);
	one->objects = made;
	memset(one->brought, 0, sizeof one->brought);
	check(one, about);
}

static void
act(world *one, const char *about)
{
	switch (draw(one, 16)) {
	case 0:
		list(one, about);
		break;
	case 1:
		list_in_vain(one, about);
		break;
	case 2:
		sweep(one);
		break;
	case 3:
	case 4:
		change(one, false, about);
		break;
	case 5:
		copy(one, about);
		break;
	case 6:
		one->now += MINUTE / 2;
		if (cluster_objects_again(&one->objects, &one->source, one->now))
			list(one, about);
		break;
	default:
		change(one, true, about);
		break;
	}
}

/* If there is room for all of them, and a mark for each, all are open. */
static void
check_settled(const world *one, const char *about)
{
	size_t all = one->objects.shares.count;
	bool any = false;

	for (int i = 0; i < SPACES; i++) {
		all += (size_t)count_told(one, i);
		any = any || is_closed(one, i);
		CU_ASSERT(is_closed(one, i) || find_share(one, i) == NULL ||
		          find_share(one, i)->place > 0);
	}
	ASSERT(!any || all > CLUSTER_OBJECTS_MAX, "%s: %zu are not too many", about, all);
	for (int i = 0; i < SPACES; i++)
		ASSERT(!is_closed(one, i) || (size_t)count_told(one, i) >=
		       CLUSTER_OBJECTS_MAX / one->objects.shares.count,
		       "%s: %c has %d, and is closed", about, 'a' + i, count_told(one, i));
}

static void
test_chance(void)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		world one = { .random = seed * UINT64_C(0x9E3779B97F4A7C15) };
		char about[64];

		snprintf(about, sizeof about, "seed %u", (unsigned)seed);
		for (int i = 0; i < STEPS; i++)
			act(&one, about);
		list(&one, about);
		settle(&one, about);
		check_settled(&one, about);
		cluster_objects_clear(&one.objects);
	}
}

/* A tenant that grows and shrinks is worth two lists a minute: one for names, one for text. */
static void
test_minute(void)
{
	world one = { .now = 1000 * MINUTE };
	int lists = 0;

	take_steps(&one, "a10 b2 c1", "full");
	for (int second = 0; second < 600; second++) {
		take_steps(&one, second % 2 == 0 ? "a8" : "a10", "up and down");
		one.now += MINUTE / 60;
		for (; cluster_objects_again(&one.objects, &one.source, one.now); lists++)
			list(&one, "up and down");
	}
	ASSERT(lists == 20, "%d lists in 10 minutes", lists);
	cluster_objects_clear(&one.objects);
}

/* ---- who loses nothing ---- */

/* One that is not taken costs nobody text. */
static void
test_text(void)
{
	world one = { .filling = { 190, 0, 380 } };
	char found[SPACES * 2 + 1];

	take_steps(&one, "a6 b1 c5", "full");
	CU_ASSERT_EQUAL(one.objects.count, CLUSTER_OBJECTS_MAX);
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "abc");
	/* There is no room for its text, of which 'c' has most. */
	take_steps(&one, "a7", "one more");
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a#bc");
	/* Nor does a list in which it turns out to have too many still. */
	one.filling[0] = 300;
	take_steps(&one, "a5 ~a20 ( *", "a list");
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a#bc");
	cluster_objects_clear(&one.objects);
}

/* Those that are too large have names as well, and no text that is waited for. */
static void
test_large(void)
{
	world one = { .filling = { 600 } };
	char found[SPACES * 2 + 1];

	take_steps(&one, "a10 b2 c1 a8 ( *", "names");
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a+bc");
	take_steps(&one, ")", "all names");
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "abc");
	CU_ASSERT_EQUAL(settle(&one, "text"), 0);
	cluster_objects_clear(&one.objects);
}

/* Puts the object 'name' of a namespace with that number. */
static bool
put_into(cluster_objects *objects, const cluster_source *source, int space, int name,
         char why[KUBE_ERROR_MAX])
{
	limen_documents *owner = NULL;
	char text[128];
	bool taken;

	snprintf(text, sizeof text, "{\"metadata\":{\"name\":\"l%d\",\"namespace\":\"n%d\"}}",
	         name, 100 + space);
	CU_ASSERT_EQUAL_FATAL(limen_documents_parse("one", text, strlen(text), 0, &owner, NULL),
	                      LIMEN_OK);
	taken = cluster_objects_put(objects, limen_documents_get(owner, 0), source, why);
	limen_documents_free(owner);
	check_counts(objects, text);
	return taken;
}

/* There is room for as many namespaces, closed or not, as for LimitRanges. */
static void
test_spaces(void)
{
	cluster_objects objects = { .items = NULL };
	char why[KUBE_ERROR_MAX] = "";
	bool taken = true;
	int spaces;

	for (spaces = 0; taken && spaces < 100; spaces++) {
		CU_ASSERT_FALSE(objects.full);
		for (int name = 0; taken && name < 2; name++)
			taken = put_into(&objects, NULL, spaces, name, why);
	}
	CU_ASSERT_FALSE(taken);
	CU_ASSERT_TRUE(objects.full);
	CU_ASSERT_STRING_EQUAL(why, "there are LimitRanges in too many namespaces");
	CU_ASSERT(objects.shares.count == CLUSTER_OBJECTS_MAX && spaces > CLUSTER_OBJECTS_MAX);
	cluster_objects_clear(&objects);
}

/* Lists one LimitRange in each of the namespaces from 'first' to 'last'. */
static bool
list_spaces(cluster_objects *objects, cluster_source *source, int first, int last)
{
	char why[KUBE_ERROR_MAX] = "";
	bool taken = true;

	cluster_objects_begin(objects, source);
	for (int space = first; taken && space <= last; space++)
		taken = put_into(objects, source, space, 0, why);
	if (taken)
		CU_ASSERT_TRUE(cluster_objects_keep_listed(objects, source));
	check_counts(objects, "listed");
	return taken;
}

/* What is gone keeps nobody out, however many others come in its place, and after any failure. */
static void
test_replaced(void)
{
	enum { MOST = CLUSTER_OBJECTS_MAX };
	cluster_objects objects = { .items = NULL };
	cluster_source source = { .owner = NULL };

	CU_ASSERT_TRUE(list_spaces(&objects, &source, 1, MOST));
	cluster_objects_sweep(&objects);
	CU_ASSERT_TRUE(list_spaces(&objects, &source, 2, MOST + 1));
	CU_ASSERT_TRUE(list_spaces(&objects, &source, 50, 49 + MOST));
	for (int i = 0; i < 5; i++) {
		CU_ASSERT_FALSE(list_spaces(&objects, &source, 50 + i, 50 + i + MOST));
		CU_ASSERT_TRUE(objects.full);
		cluster_objects_sweep(&objects);
		CU_ASSERT_FALSE(list_spaces(&objects, &source, 100 * i, 100 * i + MOST));
		cluster_objects_sweep(&objects);
	}
	CU_ASSERT_TRUE(list_spaces(&objects, &source, 90, 89 + MOST));
	CU_ASSERT_FALSE(objects.full);
	CU_ASSERT_EQUAL(objects.count, MOST);
	cluster_objects_clear(&objects);
}

/* A reload in the middle of such a list keeps nobody out either. */
static void
check_replaced_copy(int first, int next, bool alike)
{
	enum { MOST = CLUSTER_OBJECTS_MAX };
	cluster_objects objects = { .items = NULL };
	cluster_objects copy = { .items = NULL };
	cluster_source source = { .owner = NULL };
	cluster_source after = { .owner = NULL };

	CU_ASSERT_TRUE(list_spaces(&objects, &source, first, first + MOST - 1));
	cluster_objects_sweep(&objects);
	CU_ASSERT_FALSE(list_spaces(&objects, &source, next, next + MOST));
	CU_ASSERT_EQUAL(objects.count, 2 * MOST);
	CU_ASSERT_TRUE(cluster_objects_copy(&copy, &objects, alike));
	check_counts(&copy, "copied");
	cluster_objects_sweep(&copy);
	CU_ASSERT_EQUAL(copy.count, 2 * MOST);
	CU_ASSERT_TRUE(list_spaces(&copy, &after, 50, 49 + MOST));
	CU_ASSERT_EQUAL(copy.count, MOST);
	cluster_objects_clear(&copy);
	cluster_objects_clear(&objects);
}

/* Whether what is gone comes first, and whether LimitRanges are read again. */
static void
test_replaced_copy(void)
{
	for (int i = 0; i < 2; i++) {
		check_replaced_copy(1, 100, i == 0);
		check_replaced_copy(100, 1, i == 0);
	}
}

/* Each source lists its own namespace only. */
static void
test_sources(void)
{
	world one = { .now = 0 };
	cluster_source first = { .namespace = "a" };
	cluster_source second = { .namespace = "b" };
	char found[SPACES * 2 + 1];

	take_steps(&one, "a10 b2 c1 a3", "full");
	CU_ASSERT_FALSE(cluster_objects_again(&one.objects, &second, MINUTE));
	cluster_objects_begin(&one.objects, &second);
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a#bc");
	CU_ASSERT_TRUE(cluster_objects_again(&one.objects, &first, MINUTE));
	CU_ASSERT_FALSE(cluster_objects_again(&one.objects, &first, MINUTE + MINUTE / 2));
	CU_ASSERT_TRUE(cluster_objects_again(&one.objects, &first, MINUTE * 2));
	cluster_objects_begin(&one.objects, &first);
	one.source = second;
	say_again(&one, 1, "second");
	CU_ASSERT_TRUE(cluster_objects_keep_listed(&one.objects, &second));
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a+bc");
	one.source = first;
	say_again(&one, 0, "first");
	CU_ASSERT_TRUE(cluster_objects_keep_listed(&one.objects, &first));
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a-bc");
	cluster_objects_clear(&one.objects);
}

/* ---- what stays ---- */

/* What is in force stays so until another state is. */
static void
test_in_force(void)
{
	world one = { .now = 0 };
	const cluster_kept *before;

	take_steps(&one, "a10 b2", "full");
	cluster_objects_sweep(&one.objects);
	before = one.objects.items[0].kept;
	take_steps(&one, "c1", "more");
	CU_ASSERT_EQUAL(one.objects.gone_count, 10);
	CU_ASSERT_EQUAL(one.objects.gone_bytes, 10 * before->size);
	CU_ASSERT_TRUE(limen_value_exists(before->value));
	cluster_objects_sweep(&one.objects);
	CU_ASSERT_EQUAL(one.objects.gone_count, 0);
	cluster_objects_clear(&one.objects);
}

/* A reload does not forget who is closed, nor how much of it would have to fit. */
static void
check_copy(const char *steps, bool alike)
{
	world one = { .now = 0 };
	world two = { .now = 0 };
	char found[SPACES * 2 + 1];

	take_steps(&one, steps, "before");
	for (size_t i = 0; i < one.objects.count; i++)
		one.objects.items[i].kept->read = true;
	CU_ASSERT_TRUE(cluster_objects_copy(&two.objects, &one.objects, alike));
	cluster_objects_clear(&one.objects);
	memcpy(two.has, one.has, sizeof two.has);
	memcpy(two.told, one.told, sizeof two.told);
	check(&two, steps);
	describe(&two, found);
	CU_ASSERT_STRING_EQUAL(found, "a#bcd#");
	/* How many there are is known at the end of a list. */
	CU_ASSERT(one.listing ||
	          !cluster_objects_again(&two.objects, &two.source, MINUTE));
	take_steps(&two, "=a =d ?", "after");
	describe(&two, found);
	CU_ASSERT_STRING_EQUAL(found, "a#bcd#");
	take_steps(&two, "d0 a5 b1 ?", "less");
	describe(&two, found);
	CU_ASSERT_STRING_EQUAL(found, "abc");
	cluster_objects_clear(&two.objects);
}

static void
test_copy(void)
{
	check_copy("d10 a9 b2 c5", true);
	check_copy("d10 a9 b2 c5", false);
	/* Nor in the middle of a list in which one of them is closed again. */
	check_copy("d10 a9 b2 c3 a5 ~a20 ( *", true);
	check_copy("d10 a9 b2 c3 a5 ~a20 ( *", false);
}

/* What a list brought before a reload is no reason to open anything. */
static void
test_copy_taking(void)
{
	world one = { .now = 0 };
	cluster_objects made = { .items = NULL };
	char found[SPACES * 2 + 1];

	take_steps(&one, "a10 b2 c1 a8 ( *", "before");
	CU_ASSERT_TRUE(cluster_objects_copy(&made, &one.objects, false));
	cluster_objects_clear(&one.objects);
	one.objects = made;
	one.listing = false;
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a#bc");
	take_steps(&one, "!", "a list");
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a-bc");
	cluster_objects_clear(&one.objects);
}

/* ---- memory is short ---- */

/* Somebody loses, or nothing is taken.  False: no allocation failed. */
static bool
lose_with(void (*fail)(unsigned long nth), unsigned long nth)
{
	world one = { .has = { [2] = { true } } };
	char why[KUBE_ERROR_MAX] = "";
	char found[SPACES * 2 + 1];
	bool taken, failed;

	take_steps(&one, "a10 b2", "full");
	cluster_objects_sweep(&one.objects);
	one.has[2][0] = true;
	fail(nth);
	taken = tell_into(&one, 2, 0, why);
	failed = fail_malloc_stop();
	ASSERT(taken || (failed && strcmp(why, limen_result_text(LIMEN_ENOMEM)) == 0),
	       "allocation %lu: '%s'", nth, why);
	check(&one, why);
	CU_ASSERT(one.objects.gone_count == 0 || one.objects.gone_count == 10);
	take_steps(&one, "=c", "again");
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a#bc");
	cluster_objects_clear(&one.objects);
	return failed;
}

static void
check_memory(void (*fail)(unsigned long nth))
{
	unsigned long nth = 1;

	while (nth < ALLOCATIONS_MAX && lose_with(fail, nth))
		nth++;
	CU_ASSERT(nth > 4 && nth < ALLOCATIONS_MAX);
}

static void
test_memory(void)
{
	check_memory(fail_malloc_from);
	check_memory(fail_malloc_once);
}

static void
test_memory_copy(void)
{
	world one = { .now = 0 };
	bool failed = true;

	take_steps(&one, "d10 a9 b2 c5", "before");
	for (unsigned long nth = 1; failed && nth < ALLOCATIONS_MAX; nth++) {
		cluster_objects made = { .items = NULL };
		bool copied;

		fail_malloc_from(nth);
		copied = cluster_objects_copy(&made, &one.objects, false);
		failed = fail_malloc_stop();
		ASSERT(copied != failed, "allocation %lu", nth);
		CU_ASSERT(!copied || made.shares.collapsed_count == 2);
		cluster_objects_clear(&made);
	}
	CU_ASSERT_FALSE(failed);
	cluster_objects_clear(&one.objects);
}

/* A list that cannot be ended opens nobody. */
static void
test_memory_end(void)
{
	world one = { .now = 0 };
	char found[SPACES * 2 + 1];

	take_steps(&one, "a10 b2 c1 a8", "full");
	cluster_objects_sweep(&one.objects);
	take_steps(&one, "~c0 ( *", "a list");
	fail_malloc_from(1);
	CU_ASSERT_FALSE(cluster_objects_keep_listed(&one.objects, &one.source));
	CU_ASSERT_TRUE(fail_malloc_stop());
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a+bc");
	take_steps(&one, "!", "the next one");
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a-b");
	cluster_objects_clear(&one.objects);
}

/* A list begins without those whose turn it is, and the next one has them. */
static void
test_memory_turns(void)
{
	world one = { .now = 0 };
	char found[SPACES * 2 + 1];

	take_steps(&one, "a10 b2 c1 a8", "full");
	fail_malloc_from(1);
	CU_ASSERT_FALSE(cluster_objects_again(&one.objects, &one.source, 0));
	begin(&one);
	CU_ASSERT_TRUE(fail_malloc_stop());
	take_steps(&one, "* )", "without");
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "a#bc");
	CU_ASSERT_EQUAL(settle(&one, "with"), 2);
	describe(&one, found);
	CU_ASSERT_STRING_EQUAL(found, "abc");
	cluster_objects_clear(&one.objects);
}

int
main(void)
{
	static const struct suite_test tests[] = {
		{ "who is closed", test_known },
		{ "nobody is kept out by what failed", test_twice_as_many },
		{ "who is asked for is closed", test_asked },
		{ "whatever happens", test_chance },
		{ "two lists a minute", test_minute },
		{ "nobody loses text for one that is not taken", test_text },
		{ "those that are too large", test_large },
		{ "many namespaces", test_spaces },
		{ "what is gone keeps nobody out", test_replaced },
		{ "nor after a reload", test_replaced_copy },
		{ "each source lists its own", test_sources },
		{ "what is in force", test_in_force },
		{ "a reload", test_copy },
		{ "a reload in the middle of a list", test_copy_taking },
		{ "memory is short when somebody loses", test_memory },
		{ "and at a reload", test_memory_copy },
		{ "and when a list begins", test_memory_turns },
		{ "and when it ends", test_memory_end },
		{ NULL, NULL },
	};

	return suite_run("plugins/admission/LimitRanger/collapse", tests);
}
