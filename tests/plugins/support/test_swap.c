/* SPDX-License-Identifier: Apache-2.0 */
/* test_swap.c - a pointer that is replaced and freed while threads read what it points to. */
#include "swap.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

#include "suite.h"

enum { READERS = 4, REPLACEMENTS = 500 };

typedef struct thing {
	unsigned long number;
	unsigned long copy;
} thing;

typedef struct shared {
	swap slot;
	atomic_bool over;
	atomic_ulong wrong;
	atomic_ulong reads;
} shared;

static thing *
make_thing(unsigned long number)
{
	thing *made = malloc(sizeof(*made));

	if (made == NULL)
		abort();
	*made = (thing){ number, ~number };
	return made;
}

/* Without a gap: one section begins before the other ends. */
static void *
read_on(void *data)
{
	shared *all = data;
	unsigned long newest = 0;
	unsigned held;

	swap_enter(&all->slot, &held);
	while (!atomic_load(&all->over)) {
		unsigned next;
		const thing *seen = swap_enter(&all->slot, &next);

		swap_leave(&all->slot, held);
		held = next;
		if (seen->copy != ~seen->number || seen->number < newest)
			atomic_fetch_add(&all->wrong, 1);
		newest = seen->number;
		atomic_fetch_add(&all->reads, 1);
	}
	swap_leave(&all->slot, held);
	return NULL;
}

static void
test_threads(void)
{
	static shared all;
	pthread_t threads[READERS];

	atomic_init(&all.slot.current, make_thing(0));
	for (int i = 0; i < READERS; i++)
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, read_on, &all), 0);
	while (atomic_load(&all.reads) == 0)
		sched_yield();
	for (unsigned long i = 1; i <= REPLACEMENTS; i++) {
		thing *old = swap_replace(&all.slot, make_thing(i));

		CU_ASSERT_EQUAL(old->number, i - 1);
		/* A reader that still had it would notice. */
		old->copy = 0;
		old->number = 0;
		free(old);
	}
	atomic_store(&all.over, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(threads[i], NULL);
	CU_ASSERT_EQUAL(atomic_load(&all.wrong), 0);
	free(atomic_load(&all.slot.current));
}

typedef struct writer {
	swap *slot;
	thing *made;
	atomic_bool over;
} writer;

static void *
replace(void *data)
{
	writer *one = data;

	swap_replace(one->slot, one->made);
	atomic_store(&one->over, true);
	return NULL;
}

/* The writer waits for a reader of the old thing; a new reader waits for nobody. */
static void
test_wait(void)
{
	static swap slot;
	thing first = { 1, 1 };
	thing second = { 2, 2 };
	writer one = { .slot = &slot, .made = &second };
	pthread_t thread;
	unsigned early;
	unsigned late;

	CU_ASSERT_PTR_NULL(swap_replace(&slot, &first));
	CU_ASSERT_PTR_EQUAL(swap_enter(&slot, &early), &first);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, replace, &one), 0);
	while (atomic_load(&slot.current) != &second)
		continue;
	for (int i = 0; i < 1000; i++) {
		CU_ASSERT_PTR_EQUAL(swap_enter(&slot, &late), &second);
		swap_leave(&slot, late);
	}
	CU_ASSERT_FALSE(atomic_load(&one.over));
	swap_leave(&slot, early);
	pthread_join(thread, NULL);
	CU_ASSERT_TRUE(atomic_load(&one.over));
	CU_ASSERT_PTR_EQUAL(swap_replace(&slot, NULL), &second);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "readers see the old or the new thing, whole", test_threads },
		{ "the writer waits for readers, and they for nobody", test_wait },
		{ NULL, NULL },
	};

	return suite_run("support/swap", tests);
}
