/* SPDX-License-Identifier: Apache-2.0 */
#include "base/thread_slot.h"

#include <pthread.h>
#include <stdbool.h>

#include "suite.h"

enum {
	CROWD = THREAD_SLOTS + 8
};

typedef struct meeting {
	pthread_barrier_t everybody;
	unsigned numbers[CROWD];
} meeting;

typedef struct visitor {
	meeting *where;
	size_t seat;
} visitor;

/* Asks while all others are there, and again. */
static void *
visit(void *data)
{
	const visitor *self = data;
	unsigned number = thread_slot();

	self->where->numbers[self->seat] = number;
	pthread_barrier_wait(&self->where->everybody);
	/* Nobody goes before all have asked, so what was none is none still. */
	if (thread_slot() != number)
		self->where->numbers[self->seat] = THREAD_SLOTS + 1;
	pthread_barrier_wait(&self->where->everybody);
	return NULL;
}

static void
meet(meeting *where)
{
	visitor visitors[CROWD];
	pthread_t threads[CROWD];

	pthread_barrier_init(&where->everybody, NULL, CROWD);
	for (size_t i = 0; i < CROWD; i++) {
		visitors[i] = (visitor){ where, i };
		CU_ASSERT_EQUAL_FATAL(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0);
	}
	for (size_t i = 0; i < CROWD; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&where->everybody);
}

static void
check_meeting(const meeting *where, unsigned own)
{
	bool seen[THREAD_SLOTS] = { false };
	size_t without = 0;

	seen[own] = true;
	for (size_t i = 0; i < CROWD; i++) {
		unsigned number = where->numbers[i];

		CU_ASSERT_TRUE_FATAL(number <= THREAD_SLOTS);
		if (number == THREAD_SLOTS) {
			without++;
			continue;
		}
		CU_ASSERT_FALSE(seen[number]);
		seen[number] = true;
	}
	/* This thread has one, too. */
	CU_ASSERT_EQUAL(without, CROWD - (THREAD_SLOTS - 1));
}

static void
test_slots(void)
{
	unsigned own = thread_slot();
	meeting first, second;

	CU_ASSERT_TRUE_FATAL(own < THREAD_SLOTS);
	CU_ASSERT_EQUAL(thread_slot(), own);
	meet(&first);
	check_meeting(&first, own);
	/* All of them are given back. */
	meet(&second);
	check_meeting(&second, own);
	CU_ASSERT_EQUAL(thread_slot(), own);
}

SUITE()
{
	static const struct suite_test tests[] = {
		{ "no two threads have one number, and who comes late shares", test_slots },
		{ NULL, NULL },
	};

	return suite_run("core/thread_slot", tests);
}
